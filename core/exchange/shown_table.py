"""A frame of results as people read it, whatever it is then written in.

Numbers get the same digits; a value and its interval become one cell, `0.71 [0.66, 0.76]`; a
missing value is a gap, and why it is missing becomes a note below the table. What a frame means
follows from the names of its columns:

* `low` and `high` are the interval of `value`; `NAME_low` and `NAME_high` that of `NAME`;
* `why` says why the numbers of its row are missing;
* `p`, `p_adjusted` and `NAME_p` are p-values, which never read as 0;
* where `metric` names what `value` is, each metric is compared for itself; its names are ours,
  and are shown in words like those of columns.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal

from core.metric_names import in_words, p_text

if TYPE_CHECKING:
    from pandas import DataFrame

Best = Literal["max", "min", "zero"]
"""Which value of a metric is best: the highest, the lowest, or the one nearest to zero."""

INTERVAL_ENDS = ("low", "high")


class Kind(Enum):
    """What a cell holds."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    GAP = "nothing"


@dataclass(frozen=True)
class Cell:
    """One cell: its text (empty for a gap), and which of the table's notes belongs to it."""

    text: str
    kind: Kind
    is_best: bool = False
    note: int | None = None


@dataclass(frozen=True)
class ShownTable:
    """A table as it is read.

    Args:
        header: titles of the columns. is_number: which columns hold numbers, or nothing.
        rows: the cells. notes: why values are missing; cells point at them from 0.
    """

    header: tuple[str, ...]
    is_number: tuple[bool, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def has_unexplained_gap(self) -> bool:
        """Whether a value is missing that no note belongs to."""
        return any(one.kind is Kind.GAP and one.note is None for row in self.rows for one in row)

    @property
    def has_best(self) -> bool:
        """Whether any value is marked as best."""
        return any(one.is_best for row in self.rows for one in row)


def shown_table(
    table: "DataFrame",
    *,
    digits: int = 2,
    best: Mapping[str, Best] | None = None,
    best_within: Sequence[str] = (),
) -> ShownTable:
    """The table as people read it.

    Args:
        table: a frame of results.
        digits: decimals of every number that is not whole.
        best: what to mark, by column, or by a value of the column `metric`. Values that read the
            same are equally good; where there is nothing to compare with, nothing is marked.
        best_within: columns in whose groups values are compared, such as `type`.

    Example:
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"n": [1200], "value": [0.711], "low": [0.66], "high": [0.7649]})
        >>> [cell.text for cell in shown_table(frame).rows[0]]
        ['1,200', '0.71 [0.66, 0.76]']
    """
    values = {str(name): _plain(table[name]) for name in table.columns}
    whys = values.pop("why", None) or [None] * len(table)
    ends = {name: found for name in values if (found := _ends_of(name, values))}
    names = [name for name in values if not any(name in pair for pair in ends.values())]
    notes = tuple(dict.fromkeys(why for why in whys if why))
    marked = _best_places(values, best or {}, best_within, digits)
    if "metric" in values:
        values["metric"] = [in_words(str(name)) for name in values["metric"]]
    rows = []
    for at, why in enumerate(whys):
        cells = [
            replace(_cell(name, values[name][at], digits), is_best=(name, at) in marked)
            for name in names
        ]
        for place, name in enumerate(names):
            low, high = (values[end][at] for end in ends.get(name, ())) if name in ends else (0, 0)
            if name in ends and cells[place].kind is Kind.NUMBER and None not in (low, high):
                interval = f" [{number_text(low, digits)}, {number_text(high, digits)}]"
                cells[place] = replace(cells[place], text=cells[place].text + interval)
        rows.append(tuple(_explained(cells, notes.index(why) if why else None)))
    is_number = tuple(
        all(row[place].kind is not Kind.TEXT for row in rows) for place in range(len(names))
    )
    return ShownTable(tuple(map(in_words, names)), is_number, tuple(rows), notes)


def number_text(value: float, digits: int) -> str:
    """A number with so many decimals, a true minus sign, and no minus before zero.

    Example:
        >>> number_text(-0.126, 2), number_text(-0.001, 2)
        ('−0.13', '0.00')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def note_mark(number: int) -> str:
    """The letter of a note: a to z, then aa and on.

    Example:
        >>> note_mark(0), note_mark(25), note_mark(26)
        ('a', 'z', 'aa')
    """
    mark = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        mark = chr(ord("a") + rest) + mark
    return mark


def _plain(series: Any) -> list[Any]:
    """The values with None for every missing one."""
    values = series.astype(object)
    return values.where(series.notna(), None).tolist()


def _ends_of(name: str, values: Mapping[str, Any]) -> tuple[str, str] | None:
    pair = INTERVAL_ENDS if name == "value" else tuple(f"{name}_{end}" for end in INTERVAL_ENDS)
    return pair if all(end in values for end in pair) else None


def _is_p(name: str) -> bool:
    return name in ("p", "p_adjusted") or name.endswith("_p")


def _cell(name: str, value: Any, digits: int) -> Cell:
    if value is None:
        return Cell("", Kind.GAP)
    if isinstance(value, bool):
        return Cell("yes" if value else "no", Kind.TEXT)
    if isinstance(value, Integral):
        return Cell(f"{int(value):,}".replace("-", "−"), Kind.WHOLE)
    if isinstance(value, Real) and _is_p(name):
        return Cell(p_text(float(value)), Kind.NUMBER)
    if isinstance(value, Real):
        return Cell(number_text(float(value), digits), Kind.NUMBER)
    return Cell(str(value), Kind.TEXT)


def _explained(cells: list[Cell], note: int | None) -> Iterator[Cell]:
    """The cells of a row with its note at the gaps, or else at the first number."""
    has_gap = any(cell.kind is Kind.GAP for cell in cells)
    wanted = Kind.GAP if has_gap else Kind.NUMBER
    for cell in cells:
        if note is not None and cell.kind is wanted:
            yield replace(cell, note=note)
            note = note if has_gap else None
        else:
            yield cell


def _best_places(
    values: Mapping[str, list[Any]],
    best: Mapping[str, Best],
    within: Sequence[str],
    digits: int,
) -> set[tuple[str, int]]:
    """Column and row of each value that is best of its group, as it reads."""
    places = set()
    for name, which in best.items():
        in_column = name in values
        if not in_column and not {"metric", "value"} <= values.keys():
            continue
        column = name if in_column else "value"
        groups: dict[tuple, dict[int, float]] = {}
        for at, value in enumerate(values[column]):
            if value is not None and (in_column or values["metric"][at] == name):
                group = tuple(values[other][at] for other in within)
                groups.setdefault(group, {})[at] = _rank(round(float(value), digits), which)
        for ranks in groups.values():
            if len(ranks) > 1:
                top = max(ranks.values())
                places |= {(column, at) for at, rank in ranks.items() if rank == top}
    return places


def _rank(value: float, which: Best) -> float:
    return {"max": value, "min": -value, "zero": -abs(value)}[which]
