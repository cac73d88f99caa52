"""From a mark of a boundary chart to the tasks behind it, in the fields of a `TaskQuery`."""

from collections.abc import Mapping
from typing import Any

from core.metrics.confusion import FEASIBLE_NAME
from core.taxonomy import FEASIBLE, INFEASIBLE

SIDES_OF_METRIC = {"foresight": {"intent": INFEASIBLE}, "insight": {"label": INFEASIBLE}}
"""Which tasks a share is out of, where it is not out of all."""


def pick_bar(mark: Mapping[str, str]) -> dict[str, Any]:
    """The tasks a bar is a share of: foresight those made as infeasible, insight those called so.

    Example:
        >>> pick_bar({"study": "S", "model": "m", "metric": "insight"})
        {'of_study': 'S', 'models': ('m',), 'label': 'infeasible'}
    """
    query: dict[str, Any] = {"of_study": mark["study"], "models": (mark["model"],)}
    query |= {"type": mark["type"]} if "type" in mark else {}
    return query | SIDES_OF_METRIC.get(mark["metric"], {})


def pick_pair(mark: Mapping[str, str], *, metric: str) -> dict[str, Any]:
    """The tasks a square of the matrix is a share of."""
    pair = {"subject": mark["row"], "models": (mark["column"],)}
    return pair | SIDES_OF_METRIC.get(metric, {})


def pick_square(mark: Mapping[str, str], *, level: str) -> dict[str, Any]:
    """The tasks in a square of the confusion of types or reasons.

    Args:
        level: what infeasible tasks are told apart by, type or reason.
    """
    made, called = mark["row"], mark["column"]
    return _side("intent", level, made) | _side("label", f"label_{level}", called)


def _side(field: str, detail: str, name: str) -> dict[str, str]:
    if name == FEASIBLE_NAME:
        return {field: FEASIBLE}
    return {field: INFEASIBLE, detail: name}
