"""The counts frame: how often each combination of made-as and called-as occurred.

One row per distinct combination, whatever the number of tasks behind it, so that a million
classified tasks are a few thousand rows. Missing text is None or NaN.

    study, subject, prompt_set   the study, the model it is about, and its prompt set
    model                        who classified: the subject, or another model
    intent, type, reason         what the task was generated as; a reason beside feasible is ignored
    label, label_reason          what it was classified as; a reason beside feasible is ignored
    n                            how many tasks
    label_type (optional)        the type named by a classification that named no reason

The metrics read the frame once, into plain rows: on frames of this size that is many times faster
than grouping the frame again for every table.
"""

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from core.errors import InputError
from core.taxonomy import FEASIBLE, INFEASIBLE, INTENTS, LINE_OF_DUTY, Taxonomy

COUNT_COLUMNS: tuple[str, ...] = (
    "study",
    "subject",
    "model",
    "prompt_set",
    "intent",
    "type",
    "reason",
    "label",
    "label_reason",
    "n",
)


class CountRow(NamedTuple):
    """One row of a counts frame; the columns in the module's docstring, None for missing text."""

    study: str
    subject: str
    model: str
    prompt_set: str
    intent: str
    type: str | None
    reason: str | None
    label: str
    label_reason: str | None
    n: int
    label_type: str | None = None

    @property
    def cell(self) -> str:
        """The row's cell: ff, fr, rf, rr or rr_other.

        A classification as infeasible that names no reason agrees with no reason, so a task
        generated as infeasible is then in rr_other.
        """
        if self.intent == FEASIBLE:
            return "ff" if self.label == FEASIBLE else "fr"
        if self.label == FEASIBLE:
            return "rf"
        return "rr" if self.reason and self.reason == self.label_reason else "rr_other"

    @property
    def made_reason(self) -> str | None:
        """The reason the task was generated for; None for one generated as feasible."""
        return self.reason if self.intent == INFEASIBLE else None

    @property
    def called_reason(self) -> str | None:
        """The reason it was declined for; None when it was not, or none was named."""
        return self.label_reason if self.label == INFEASIBLE else None

    def called_type(self, taxonomy: Taxonomy = LINE_OF_DUTY) -> str | None:
        """The type of the reason it was declined for, else the type that was named."""
        if self.label == FEASIBLE:
            return None
        return taxonomy.type_of_reason.get(self.label_reason or "", self.label_type)


Counts = pd.DataFrame | list[CountRow]
"""A counts frame, or the rows already read from one."""


def read_counts(counts: Counts) -> list[CountRow]:
    """The rows of a counts frame that stand for at least one task.

    Raises:
        InputError: a column is missing, a word is neither feasible nor infeasible, or a number
            of tasks is not a whole number from 0 up.
    """
    if isinstance(counts, list):
        return counts
    missing = [name for name in COUNT_COLUMNS if name not in counts.columns]
    if missing:
        raise InputError(
            f"the counts have no column {missing[0]!r}",
            hint=f"a counts frame has the columns {', '.join(COUNT_COLUMNS)}",
        )
    names = [name for name in CountRow._fields if name in counts.columns]
    columns = [_numbers(counts[name]) if name == "n" else _plain(counts[name]) for name in names]
    rows = [
        CountRow(**dict(zip(names, values, strict=True))) for values in zip(*columns, strict=True)
    ]
    for row in rows:
        _check_words(row)
    return [row for row in rows if row.n]


def _plain(column: pd.Series) -> list:
    """Python values; every kind of missing becomes None."""
    return column.astype(object).where(column.notna(), None).tolist()


def _numbers(column: pd.Series) -> list[int]:
    strange = column[~(column >= 0) | (column % 1 != 0)]
    if len(strange):
        raise InputError(
            f"the counts hold {strange.iloc[0]} as a number of tasks; wanted 0, 1, 2 ...",
            hint="recount them from the store",
        )
    return column.astype("int64").tolist()


def _check_words(row: CountRow) -> None:
    for name, word in (("intent", row.intent), ("label", row.label)):
        if word not in INTENTS:
            raise InputError(
                f"the counts hold the {name} {word!r}; wanted feasible or infeasible",
                hint="count only rows that were read as one of the two",
            )


def in_order(found: Iterable[str | None], known: tuple[str, ...]) -> list[str]:
    """The known names in their own order, then the other names found, alphabetically.

    Example:
        >>> in_order(["z", "b", None, "a"], ("b", "c"))
        ['b', 'c', 'a', 'z']
    """
    others = {name for name in found if name is not None} - set(known)
    return [*known, *sorted(others)]
