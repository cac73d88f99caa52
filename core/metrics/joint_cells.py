"""Two classifiers' tasks by cell: each one's own, and those of both by the pair of cells.

A joint frame has one row per distinct combination, as a counts frame has, with a label of either
side: `JOINT_COLUMNS`. A missing label is a task that was put to the model and got no usable reply
(refused, truncated, empty, unparsable); it is in a cell of its own, `NO_REPLY`, the last of its
side.
"""

from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd

from core.errors import InputError
from core.metrics.cells import Cells
from core.metrics.counts import COUNT_COLUMNS, CountRow, Counts, read_counts
from core.metrics.tallies import Tally, TallyByType
from core.taxonomy import FEASIBLE, INFEASIBLE

JOINT_COLUMNS: tuple[str, ...] = (
    "type",
    "intent",
    "reason",
    "label_a",
    "label_reason_a",
    "label_b",
    "label_reason_b",
    "n",
)
NO_REPLY = "no_reply"
CELLS_OF = {FEASIBLE: ("ff", "fr", NO_REPLY), INFEASIBLE: ("rf", "rr", "rr_other", NO_REPLY)}


def tallies(counts: Counts) -> TallyByType:
    """By type, one classifier's tasks by cell.

    Args:
        counts: a counts frame; its label may be missing.

    Raises:
        InputError: it is no counts frame.
    """
    if isinstance(counts, list):
        return _summed(counts, [row.cell for row in counts])
    if "label" not in counts.columns:
        return _summed(read_counts(counts), [])
    return _summed(*_read(counts, ""))


def joint_tallies(joint: pd.DataFrame) -> TallyByType:
    """By type, the tasks of both by the cell of a (down) and of b (across).

    Raises:
        InputError: it is no joint frame.
    """
    missing = [name for name in JOINT_COLUMNS if name not in joint.columns]
    if missing:
        raise InputError(
            f"the joint counts have no column {missing[0]!r}",
            hint=f"joint counts have the columns {', '.join(JOINT_COLUMNS)}",
        )
    if joint.empty:
        return {}
    rows, of_a = _read(joint, "_a")
    _, of_b = _read(joint, "_b")
    return _summed(rows, of_a, of_b)


def as_cells(tasks: Tally) -> Cells:
    """The cells of tasks by one classifier; those without a reply are in none."""
    return Cells(
        **{
            name: int(n)
            for intent, numbers in tasks.items()
            for name, n in zip(CELLS_OF[intent], numbers, strict=False)
            if name != NO_REPLY
        }
    )


def _read(frame: pd.DataFrame, side: str) -> tuple[list[CountRow], list[str]]:
    """The rows of a frame with the cell of each, by the labels of one side."""
    frame = frame[frame["n"] != 0] if "n" in frame.columns else frame
    labels = frame[f"label{side}"].astype(object)
    replied = labels.notna()
    named = {name: "" for name in COUNT_COLUMNS[:4] if side}
    named |= {"label": labels.where(replied, FEASIBLE)}
    named |= {"label_reason": frame[f"label_reason{side}"]} if side else {}
    rows = read_counts(frame.assign(**named))
    return rows, [
        row.cell if has_label else NO_REPLY for row, has_label in zip(rows, replied, strict=True)
    ]


def _summed(rows: list[CountRow], *found: list[str]) -> TallyByType:
    sizes = {intent: (len(names),) * len(found) for intent, names in CELLS_OF.items()}
    by_type: TallyByType = defaultdict(
        lambda: {intent: np.zeros(size, dtype=np.int64) for intent, size in sizes.items()}
    )
    for row, *names in zip(rows, *found, strict=True):
        place: tuple[Any, ...] = tuple(CELLS_OF[row.intent].index(name) for name in names)
        by_type[row.type][row.intent][place] += row.n
    return dict(by_type)
