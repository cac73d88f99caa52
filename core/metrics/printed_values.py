"""Any printed values beside the same metrics from counts, with a verdict for each.

A value agrees to the printed digit when it is at most half of the last one away, and roughly when
it is at most one of the last digit away.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import pandas as pd

from core.errors import InputError
from core.metrics.boundary import cells
from core.metrics.cells import boundary_metrics, why_not_defined
from core.metrics.counts import CountRow, Counts, read_counts

_ROUNDING = 1e-9
COLUMNS = ("about", "metric", "ours", "printed", "difference", "n", "agrees", "verdict")


class Printed(Protocol):
    """A printed number: which tasks it is about, of which metric, and with how many decimals."""

    @property
    def where(self) -> Mapping[str, str]: ...
    @property
    def metric(self) -> str: ...
    @property
    def printed(self) -> float: ...
    @property
    def digits(self) -> int: ...


def compare_values(counts: Counts, values: Sequence[Printed]) -> pd.DataFrame:
    """Every printed value beside ours, in the order given.

    Unless a value names a model, each subject counts as the classifier of its own tasks.

    Args:
        counts: a counts frame.
        values: what was printed.

    Returns:
        about (the tasks, in words), metric, ours (NaN when it is not defined or no task is meant),
        printed, difference (ours - printed), n (tasks), agrees (<NA> where nothing is compared)
        and verdict, in words.

    Raises:
        InputError: a metric is not known.
    """
    rows = read_counts(counts)
    lines = [_line(rows, one) for one in values]
    frame = pd.DataFrame(lines, columns=list(COLUMNS))
    return frame.astype({"ours": float, "difference": float, "agrees": "boolean"})


def _line(rows: Sequence[CountRow], value: Printed) -> tuple:
    meant = [row for row in rows if _is_meant(row, value.where)]
    about = ", ".join(value.where.values()) or "all"
    found = cells(meant)
    measured = boundary_metrics(found)
    if value.metric not in measured:
        raise InputError(
            f"the metric {value.metric!r} is not known", hint=f"one of {', '.join(measured)}"
        )
    ours = measured[value.metric]
    head = (about, value.metric, ours, value.printed)
    if not meant:
        return (*head, None, 0, None, "not compared: there are no such tasks")
    if ours is None:
        why = why_not_defined(value.metric, found)
        return (*head, None, found.total, None, f"not defined here: {why}")
    difference = ours - value.printed
    unit = 10.0**-value.digits
    if abs(difference) <= unit / 2 + _ROUNDING:
        return (*head, difference, found.total, True, "agrees to the printed digit")
    if abs(difference) <= unit + _ROUNDING:
        return (*head, difference, found.total, True, "agrees within one of the last digit")
    return (*head, difference, found.total, False, "differs")


def _is_meant(row: CountRow, where: Mapping[str, str]) -> bool:
    if "model" not in where and row.model != row.subject:
        return False
    return all(getattr(row, key) == wanted for key, wanted in where.items())
