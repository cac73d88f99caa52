"""The data behind the results: one row for each drawn task and model, for analyses of one's own."""

from collections.abc import Sequence
from pathlib import Path

from core.exchange.writers import write_table
from core.store.store import Store
from core.workflows.studies import Study

COLUMNS: dict[str, type] = {
    **dict.fromkeys(("study", "subject", "model", "prompt_set", "task_id"), str),
    **dict.fromkeys(("intent", "type", "reason", "label", "label_reason", "outcome"), str),
    "removed": bool,
    "draw": str,
    "draw_number": int,
}

_CHUNK = 5_000
"""Rows read at a time: more is not faster."""


def results_data(store: Store, studies: Sequence[Study], path: Path) -> int:
    """The number of rows written to a Parquet file: one for each drawn task and model.

    Tasks that people removed and calls without a usable reply have their rows too, and say so; the
    rows with the outcome `ok` that are not removed are those that the tables count.

    Args:
        path: the file, which is replaced only once all is written; its folder exists.

    Raises:
        OSError: the disk refuses; nothing is left behind.
    """
    ids = [study.study_id for study in studies]
    rows = store.stream("results_data", chunk=_CHUNK, study_ids=ids)
    return write_table(rows, path, columns=COLUMNS, format="parquet")
