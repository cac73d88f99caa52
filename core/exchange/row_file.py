"""What every reader of a file returns: the rows that can be used, and those that cannot.

A *row number* is where a person finds the row: the line on which it starts in a text file, the
row of the sheet in a workbook, the place in the list for a JSON array and Parquet; all count from
1, and a header line counts. One bad row does not spoil the others; whether it stops the import is
the caller's choice, by `raise_for_bad_rows`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.errors import InputError
from core.exchange.wording import counted

Value = str | list | dict | None
"""A cell: text, or None when it is empty; lists and dicts come from JSON and Parquet only."""

Row = tuple[int, dict[str, Value]]


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be used.

    Args:
        file: the file's name. line: the row number.
        why: what is wrong, so that `row 17 of tasks.csv` can stand before it.
        row: its cells as met, or `{"raw": text}` when it has no readable cells.
        wanted: the values that would do, when that is not plain from `why`.
    """

    file: str
    line: int
    why: str
    row: Mapping[str, Value]
    wanted: str = ""

    def __str__(self) -> str:
        return f"row {self.line} of {self.file} {self.why}"


@dataclass(frozen=True)
class RowFile:
    """A file as rows of named cells.

    Args:
        name: the file's name. format: csv, tsv, json, jsonl, parquet or xlsx, by its content.
        columns: the names in the file's order.
        rows: row number and cells; every row has every column.
        bad_rows: rows that do not fit the file's own shape.
        findings: sentences about what was odd, for the person who imports it.
    """

    name: str
    format: str
    columns: tuple[str, ...]
    rows: Sequence[Row]
    bad_rows: tuple[BadRow, ...] = ()
    findings: tuple[str, ...] = ()


class CheckedFile(Protocol):
    """Any file that was read into good and bad rows."""

    @property
    def rows(self) -> Sequence[object]: ...

    @property
    def bad_rows(self) -> Sequence[BadRow]: ...


def raise_for_bad_rows(file: CheckedFile) -> None:
    """Refuse a file with bad rows, naming the first and counting the rest; else do nothing.

    Raises:
        InputError: the file has a bad row.

    Example:
        >>> bad = BadRow("tasks.csv", 17, "has no task text", {})
        >>> raise_for_bad_rows(RowFile("tasks.csv", "csv", ("text",), [(2, {})] * 98, (bad,)))
        Traceback (most recent call last):
        core.errors.InputError: row 17 of tasks.csv has no task text; 98 other rows are fine
    """
    if not file.bad_rows:
        return
    first, n_more, n_fine = file.bad_rows[0], len(file.bad_rows) - 1, len(file.rows)
    more = counted(n_more, "more row has a fault", "more rows have faults")
    fine = counted(n_fine, "other row is fine", "other rows are fine")
    raise InputError(
        str(first)
        + (f"; {more}" if n_more else "")
        + (f"; {fine}" if n_fine else "; no other row is fine"),
        hint=("fix the rows" if n_more else "fix the row")
        + (f" ({first.wanted})" if first.wanted else "")
        + (", or import with bad rows skipped" if n_fine else ""),
    )
