"""Exports: everything a study holds, in files that add up to what the screens show."""

import json
from pathlib import Path

from core.errors import InputError
from core.exchange.writers import columns_of, write_table
from core.store.store import Store
from core.workflows.studies import Study

FORMATS = ("jsonl", "csv", "parquet")
WHOLE_NUMBERS = ("seed", "per_cell", "prompt_tokens", "cached_tokens", "completion_tokens")
"""Columns that may be empty; pandas holds such whole numbers as fractions."""
PARTS = ("tasks", "reviews", "draws", "items", "calls", "prompts")


def export_study(
    store: Store, study: Study, folder: Path, *, format: str = "jsonl"
) -> dict[str, int]:
    """The number of rows written for each part: tasks, reviews, draws, items, calls, prompts.

    Each part is one file in `folder`; `study.json` names the study and the row counts.

    Raises:
        InputError: the format is unknown, or `folder` is a file or cannot be written to.
    """
    if format not in FORMATS:
        raise InputError(f"the format {format!r} is not known", hint=f"one of {', '.join(FORMATS)}")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, not a folder", hint="name a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _write_parts(store, study, folder, format)
    except OSError as error:
        raise InputError(
            f"the export cannot be written to {folder}: {error.strerror}",
            hint="name another folder, or make room",
        ) from error


def _write_parts(store: Store, study: Study, folder: Path, format: str) -> dict[str, int]:
    counts = {}
    for part in PARTS:
        frame = store.frame(f"export_{part}", study_id=study.study_id)
        columns = columns_of(frame) | {name: int for name in WHOLE_NUMBERS if name in frame}
        path = folder / f"{part}.{format}"
        counts[part] = write_table(frame, path, columns=columns, format=format)
    about = store.rows("export_study", study_id=study.study_id)[0]
    about["created_at"] = about["created_at"].isoformat()
    about["settings"] = json.loads(about.pop("settings_json"))
    document = about | {"rows": counts}
    (folder / "study.json").write_text(
        json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return counts
