"""The counts frame of uncertainty attribution, read: what became of the questions of each group.

A counts frame has one row per distinct combination of `ATTRIBUTION_COLUMNS`, with its number of
questions; label is missing for those that brought no reply. Where a study has several judges, its
questions are there once for each: whoever adds rows up has the rows of one judge per study before
them, or `judge` among the columns of a group.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.metrics.attribution_counts import (
    ANSWERABLE,
    ANSWERED,
    DATA_UNCERTAIN,
    MODEL_UNCERTAIN,
    UNANSWERABLE,
    UNPARSABLE,
    AttributionCounts,
)

if TYPE_CHECKING:
    from pandas import DataFrame

ATTRIBUTION_COLUMNS: tuple[str, ...] = (
    "study",
    "subject",
    "model",
    "prompt_set",
    "judge",
    "group",
    "type",
    "intent",
    "label",
    "verdict",
    "match",
    "n",
)
YES, NO, INVALID = "yes", "no", "invalid"

Group = tuple[Any, ...]

_OF_VERDICT = {YES: "correct", NO: "wrong", INVALID: "unjudged", None: "unjudged"}
_OF_LABEL = {DATA_UNCERTAIN: "data", MODEL_UNCERTAIN: "model", UNPARSABLE: "unparsable"}


def outcome_of(intent: str, label: str, verdict: str | None) -> str:
    """The field of `AttributionCounts` that a question belongs to.

    Raises:
        InputError: an unknown intent, label or verdict.

    Example:
        >>> outcome_of("answerable", "ANSWERED", "yes"), outcome_of("answerable", "ANSWERED", None)
        ('correct', 'unjudged')
        >>> outcome_of("unanswerable", "DATA_UNCERTAIN", None)
        'unanswerable_data'
    """
    if intent not in (ANSWERABLE, UNANSWERABLE):
        raise _unknown("intent", intent, (ANSWERABLE, UNANSWERABLE))
    if label == ANSWERED:
        if intent == UNANSWERABLE:
            return "unanswerable_answered"
        if verdict not in _OF_VERDICT:
            raise _unknown("verdict", verdict, (YES, NO, INVALID))
        return _OF_VERDICT[verdict]
    if label not in _OF_LABEL:
        raise _unknown("label", label, (ANSWERED, *_OF_LABEL))
    return f"{intent}_{_OF_LABEL[label]}"


def counts_by(frame: "DataFrame", by: Sequence[str] = ()) -> dict[Group, AttributionCounts]:
    """What became of the questions of each group, in the order of their names.

    Those without a reply are among no counts; a group of nothing else has counts of 0.

    Args:
        frame: a counts frame; the row of a group or type without a name is in no group of it.
        by: its columns that make the groups; without any all rows are one group, `()`.

    Raises:
        InputError: it is no counts frame, or a row has an unknown intent, label or verdict.

    Example:
        >>> import pandas as pd
        >>> row = dict.fromkeys(ATTRIBUTION_COLUMNS, "x") | {"intent": "answerable", "n": 3}
        >>> rows = [row | {"label": "ANSWERED", "verdict": "yes"}]
        >>> counts_by(pd.DataFrame(rows), by=("model",))["x",].correct
        3
    """
    check_columns(frame)
    if frame.empty:
        return {}
    tallies: dict[Group, dict[str, int]] = {}
    rows = plain_columns(frame, (*by, "intent", "label", "verdict", "n"))
    for *key, intent, label, verdict, n in zip(*rows, strict=True):
        if None in key:
            continue
        tally = tallies.setdefault(tuple(key), {})
        if label is None:
            continue
        outcome = outcome_of(intent, label, verdict)
        tally[outcome] = tally.get(outcome, 0) + int(n)
    return {key: AttributionCounts(**tallies[key]) for key in sorted(tallies)}


def no_reply_by(frame: "DataFrame", by: Sequence[str]) -> dict[Group, int]:
    """How many questions of each group brought no reply; groups without any are left out."""
    return frame[frame["label"].isna()].groupby(list(by))["n"].sum().to_dict()


def plain_columns(frame: "DataFrame", names: Sequence[str]) -> list[list[Any]]:
    """The columns of a frame as lists, None for every missing value."""
    columns = (frame[name].astype(object) for name in names)
    return [column.where(column.notna(), None).tolist() for column in columns]


def check_columns(frame: "DataFrame") -> None:
    """Nothing, when the frame has the columns of a counts frame.

    Raises:
        InputError: one is missing.
    """
    missing = [name for name in ATTRIBUTION_COLUMNS if name not in frame.columns]
    if missing:
        raise InputError(
            f"the counts have no column {missing[0]!r}",
            hint=f"counts have the columns {', '.join(ATTRIBUTION_COLUMNS)}",
        )


def _unknown(what: str, value: Any, known: Sequence[str] | Mapping[str, Any]) -> InputError:
    return InputError(f"there is no {what} {value!r} to count", hint=f"wanted {', '.join(known)}")
