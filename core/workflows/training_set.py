"""Training sets: a study's problems, kept and rewritten, as the files that trainers read.

A problem is in the training file or in the validation file, never in both, and so are problems of
one text, however often they were brought. Both files have the parts and groups in equal shares; a
problem without a group counts with those of its file.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from core.errors import ConflictError, InputError
from core.exchange.training_file import write_training_file
from core.exchange.writers import replacing
from core.prompts import Prompt, fill, load_prompt
from core.protocols.training_data import LABEL_OF_PART
from core.protocols.uncertainty_attribution import ATTEMPT, UNCERTAINTY_ATTRIBUTION
from core.sampling import derived_seed, draw_proportional_sample, hash_order
from core.store.store import Store
from core.workflows.studies import Study
from core.workflows.synthesis import synthesis_document, synthesis_steps

VALIDATION = 500
"""Problems set apart, as the paper does of its 5,500."""

TRAIN_FILE, VALIDATION_FILE = "train.parquet", "validation.parquet"
REWARD_FILE, ABOUT_FILE = "reward.py", "training_set.json"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class TrainingSet:
    """What was written.

    Args:
        counts: problems by split and part. n_unsettled: problems that wait for a rewrite or a
            verdict, which are left out.
    """

    counts: Mapping[str, Mapping[str, int]]
    n_unsettled: int


def export_training_set(
    store: Store, study: Study, folder: Path, *, validation: float = VALIDATION, seed: int = 0
) -> TrainingSet:
    """The problems of a study as `train.parquet` and `validation.parquet`, now in the folder.

    Beside them `reward.py`, which pays for what a model says, and `training_set.json`, which tells
    how all was made. Kept problems are paid for their reference answers, rewrites for the right
    mark. What people removed is left out, and so is what is dropped or not settled yet.

    Args:
        folder: made if it is not there; files of these names in it are replaced.
        validation: problems to set apart: a whole number from 1, or a share between 0 and 1.
        seed: fixes which they are, and the order of the rows.

    Raises:
        ConflictError: the study rewrites nothing, or has no problem that is ready.
        InputError: `validation` leaves nothing on one side.
        OSError: the disk refuses.
    """
    synthesis_steps(study)
    rows = store.rows("training_rows", study_id=study.study_id)
    if not rows:
        raise ConflictError(
            f"{study.name} has no problem that is ready for training",
            hint="import problems with reference answers, then: selfbound synthesize NAME",
        )
    split_of = split_problems(rows, validation=validation, seed=seed)
    prompt = load_prompt(
        UNCERTAINTY_ATTRIBUTION.name, UNCERTAINTY_ATTRIBUTION.plain_prompts, ATTEMPT.name
    )
    by_id = {row["task_id"]: row for row in rows}
    order = [by_id[one] for one in hash_order(by_id, seed=derived_seed(seed, "order"))]
    folder.mkdir(parents=True, exist_ok=True)
    counts = {}
    for split, name in (("train", TRAIN_FILE), ("validation", VALIDATION_FILE)):
        chosen = [row for row in order if split_of[row["original_id"]] == split]
        write_training_file(training_rows(chosen, split, prompt), folder / name)
        counts[split] = _by_part(chosen)
    synthesis = synthesis_document(store, study)
    reward = (files("core.training") / REWARD_FILE).read_bytes()
    about = {
        "study": study.name,
        "rewriter": study.subject,
        "seed": seed,
        "validation": validation,
        "rows": counts,
        "prompt": {"name": prompt.name, "version": prompt.version, "hash": prompt.hash},
        "reward_sha256": sha256(reward).hexdigest(),
        "synthesis": synthesis,
    }
    _save(folder / REWARD_FILE, reward)
    _save(
        folder / ABOUT_FILE,
        (json.dumps(about, indent=2, ensure_ascii=False) + "\n").encode(),
    )
    waiting = sum(
        part[state]
        for part in synthesis["problems"].values()
        if isinstance(part, dict)
        for state in ("open", "due")
    )
    return TrainingSet(counts, waiting)


def split_problems(rows: Sequence[Row], *, validation: float, seed: int) -> dict[str, str]:
    """`train` or `validation` for each problem, by the id of its original.

    Problems whose originals are the same but for case and white space stay together.

    Raises:
        InputError: nothing would be left on one side.
    """
    first_of: dict[str, Row] = {}
    for row in rows:
        first_of.setdefault(_same_text(row), row)
    cell_of = {text: (row["part"], _ability(row)) for text, row in first_of.items()}
    n = round(validation * len(cell_of)) if 0 < validation < 1 else int(validation)
    is_whole = validation < 1 or n == validation
    if not is_whole or not 1 <= n < len(cell_of):
        raise InputError(
            f"{validation:g} of {len(cell_of):,} different problems cannot be set apart for "
            "validation",
            hint="give a whole number that leaves some for training, or a share such as 0.1",
        )
    apart = set(draw_proportional_sample(cell_of, n=n, seed=derived_seed(seed, "validation")))
    return {
        row["original_id"]: "validation" if _same_text(row) in apart else "train" for row in rows
    }


def training_rows(rows: Sequence[Row], split: str, prompt: Prompt) -> Iterator[dict[str, Any]]:
    """The rows of one file, in the columns of `core.exchange.training_file`."""
    for index, row in enumerate(rows):
        messages = fill(prompt, ATTEMPT.variables({}, row["text"]))
        yield {
            "data_source": f"selfbound/{row['part']}",
            "prompt": [{"role": one.role, "content": one.content} for one in messages],
            "ability": _ability(row),
            "reward_model": {"style": "rule", "ground_truth": ground_truth(row)},
            "extra_info": {
                "index": index,
                "split": split,
                "part": row["part"],
                "task_id": row["task_id"],
                "made_from": row["made_from"],
                "file": row["file"],
                "group": row["group_name"],
            },
        }


def ground_truth(row: Row) -> list[str]:
    """What a model should put in its box: one of the reference answers, or the right mark.

    Example:
        >>> ground_truth({"part": "insufficient", "references_json": None})
        ['<DATA_UNCERTAIN>']
    """
    if row["part"] in LABEL_OF_PART:
        return [f"<{LABEL_OF_PART[row['part']]}>"]
    return json.loads(row["references_json"])


def _ability(row: Row) -> str:
    """What a problem practises: its group, else what its file is called."""
    return row["group_name"] or row["file"]


def _same_text(row: Row) -> str:
    return " ".join(row["original_text"].split()).casefold()


def _by_part(rows: Sequence[Row]) -> dict[str, int]:
    parts = sorted({row["part"] for row in rows})
    return {part: sum(row["part"] == part for row in rows) for part in parts}


def _save(path: Path, content: bytes) -> None:
    with replacing(path) as part:
        part.write_bytes(content)
