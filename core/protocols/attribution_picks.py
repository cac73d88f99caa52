"""From a mark of an attribution chart to its questions, in the fields of a `TaskQuery`."""

from collections.abc import Mapping
from typing import Any

from core.metrics.attribution_counts import (
    ANSWERABLE,
    DATA_UNCERTAIN,
    MODEL_UNCERTAIN,
    UNPARSABLE,
)
from core.metrics.attribution_tables import ANSWERED_ALL_THE_SAME, CORRECT, WRONG

_LEFT_OPEN = (DATA_UNCERTAIN, MODEL_UNCERTAIN, UNPARSABLE)


def pick_bar(mark: Mapping[str, str]) -> dict[str, Any]:
    """The questions a bar rests on: the answerable ones with an outcome for ACC; for an F1 the
    unanswerable ones and those that were not answered correctly.

    Example:
        >>> pick_bar({"study": "S", "model": "m", "metric": "ACC"})["intent"]
        'answerable'
    """
    query: dict[str, Any] = {"of_study": mark["study"], "models": (mark["model"],)}
    query |= {"group": mark["question_group"]} if "question_group" in mark else {}
    if mark["metric"] == "ACC":
        return query | {"intent": ANSWERABLE, "outcomes": (CORRECT, WRONG, *_LEFT_OPEN)}
    return query | {"outcomes": (WRONG, ANSWERED_ALL_THE_SAME, *_LEFT_OPEN)}


def pick_outcome(mark: Mapping[str, str]) -> dict[str, Any]:
    """The questions in a square of the matrix of outcomes."""
    who = {"of_study": mark["study"], "models": (mark["model"],)}
    return who | {"intent": mark["question"], "outcomes": (mark["outcome"],)}
