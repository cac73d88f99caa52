"""Exports: everything a study holds, in files that add up to what the screens show."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from core.curation.reasons import REMOVAL_REASONS
from core.errors import InputError
from core.exchange.decided_tasks import LABEL_STUDIO, write_decided_tasks
from core.exchange.decisions import DecidedTask, Decision
from core.exchange.label_studio import labeling_config
from core.exchange.writers import columns_of, replacing, write_table
from core.store.store import Store
from core.workflows.desk_rules import rules_of
from core.workflows.people import Person
from core.workflows.studies import Study

T = TypeVar("T")

FORMATS = ("jsonl", "csv", "parquet")
WHOLE_NUMBERS = (
    *("seed", "per_cell", "prompt_tokens", "cached_tokens", "completion_tokens"),
    *("call_budget", "at_step"),
)
"""Columns that may be empty; pandas holds such whole numbers as fractions."""
WITH_DECISIONS = "tasks_with_decisions"
TABLES = (
    *("tasks", "reviews", "gold", "flags", "draws", "items", "calls", "attempts", "prompts"),
    *("audits", "audit_votes", "judge_acceptances", "contracts", "agent_runs", "agent_estimates"),
)
PARTS = (*TABLES, WITH_DECISIONS)

LABEL_STUDIO_TASKS, LABEL_STUDIO_CONFIG = "tasks-label-studio.json", "labeling_config.xml"

_CHUNK = 5_000
"""Rows read at a time: more is not faster."""


def export_study(
    store: Store, study: Study, folder: Path, *, format: str = "jsonl"
) -> dict[str, int]:
    """The number of rows written for each of `PARTS`.

    Each part is one file in `folder`; `study.json` names the study, the rules of its desk and the
    row counts. `tasks_with_decisions` is the one that `import tasks` takes.

    Raises:
        InputError: the format is unknown, or `folder` is a file or cannot be written to.
    """
    if format not in FORMATS:
        raise InputError(f"the format {format!r} is not known", hint=f"one of {', '.join(FORMATS)}")
    return _into_folder(folder, lambda: _write_parts(store, study, folder, format))


def export_label_studio(store: Store, study: Study, folder: Path) -> int:
    """The number of tasks written for Label Studio, with the configuration of a project for them.

    Raises:
        InputError: `folder` is a file or cannot be written to.
    """

    def write() -> int:
        with replacing(folder / LABEL_STUDIO_CONFIG) as part:
            part.write_text(decision_config(), encoding="utf-8")
        path = folder / LABEL_STUDIO_TASKS
        return export_decided_tasks(store, study, path, format=LABEL_STUDIO)

    return _into_folder(folder, write)


def decision_config() -> str:
    """The labeling configuration of a Label Studio project in which people decide on tasks."""
    return labeling_config({code: one.label for code, one in REMOVAL_REASONS.items()}) + "\n"


def export_decided_tasks(
    store: Store,
    study: Study,
    path: Path,
    *,
    format: str,
    person: Person | None = None,
    is_blind: bool = False,
) -> int:
    """The number of tasks written to one file, each with all that people decided about it.

    Args:
        path: the file; its folder exists.
        format: jsonl, csv, parquet or label-studio.
        person: whom the file is for.
        is_blind: whether what the person may not see yet is left empty: how the tasks they have
            not decided were meant, and what others decided on those. Nobody has decided nothing.

    Raises:
        InputError: the format is unknown.
        OSError: the disk refuses; nothing is left behind.
    """
    rows = store.stream(
        "export_decided",
        chunk=_CHUNK,
        study_id=study.study_id,
        person_id=person.person_id if person else "",
        is_blind=is_blind,
    )
    return write_decided_tasks(_decided_tasks(rows), path, format=format)


def _decided_tasks(rows: Iterable[Mapping[str, Any]]) -> Iterator[DecidedTask]:
    for task_id, group in groupby(rows, key=itemgetter("task_id")):
        of_task = list(group)
        about = of_task[0]
        yield DecidedTask(
            task_id=task_id,
            text=about["text"],
            intent=about["intent"],
            type=about["type"],
            reason=about["reason"],
            state=about["state"],
            removal_reason=about["removal_reason"],
            note=about["review_note"] or "",
            decisions=tuple(_decision(row) for row in of_task if row["review_id"] is not None),
        )


def _decision(row: Mapping[str, Any]) -> Decision:
    return Decision(
        decision_id=row["review_id"],
        person=row["person"],
        action=row["action"],
        reason=row["because"],
        note=row["said"],
        decided_at=row["decided_at"],
        seconds_active=row["seconds_active"],
        undoes=row["undoes"],
        is_final=bool(row["is_final"]),
    )


def _into_folder(folder: Path, write: Callable[[], T]) -> T:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, not a folder", hint="name a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write()
    except OSError as error:
        raise InputError(
            f"the export cannot be written to {folder}: {error.strerror}",
            hint="name another folder, or make room",
        ) from error


def _write_parts(store: Store, study: Study, folder: Path, format: str) -> dict[str, int]:
    counts = {}
    for part in TABLES:
        frame = store.frame(f"export_{part}", study_id=study.study_id)
        columns = columns_of(frame) | {name: int for name in WHOLE_NUMBERS if name in frame}
        path = folder / f"{part}.{format}"
        counts[part] = write_table(frame, path, columns=columns, format=format)
    path = folder / f"{WITH_DECISIONS}.{format}"
    counts[WITH_DECISIONS] = export_decided_tasks(store, study, path, format=format)
    about = store.rows("export_study", study_id=study.study_id)[0]
    about["created_at"] = about["created_at"].isoformat()
    about["settings"] = json.loads(about.pop("settings_json"))
    # The taxonomy stands by itself, so that it can be saved and given to another study.
    about["settings"].pop("taxonomy", None)
    if study.shape.for_taxonomy is not None:
        about |= {"taxonomy": study.taxonomy.document, "taxonomy_hash": study.taxonomy.hash}
    document = about | {"desk_rules": asdict(rules_of(store, study)), "rows": counts}
    (folder / "study.json").write_text(
        json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return counts
