"""CSV and its relatives, read strictly: nothing is swallowed, cut or shifted in silence."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.exchange.header import Record, tabulated
from core.exchange.row_file import RowFile
from core.exchange.spreadsheet_guard import unguarded
from core.exchange.wording import counted

_DELIMITERS = ",;\t|"
_LONGEST_CELL = 2**31 - 1
"""The csv module refuses cells above 131,072 characters unless told otherwise."""


def read_delimited(text: str, name: str) -> RowFile:
    """The rows of a delimited text; the delimiter is the one that gives its header most cells.

    Apostrophes that guard text from spreadsheets are taken off (see `spreadsheet_guard`), and a
    finding says how many.

    Raises:
        InputError: a quote is wrong, or the header is; names the line.
    """
    csv.field_size_limit(_LONGEST_CELL)
    lines = list(io.StringIO(text, newline=""))
    delimiter = _delimiter(lines, Path(name).suffix.lower())
    records = list(_records(lines, delimiter, name))
    n_guarded = sum(_unguard(record) for record in records)
    findings = [_guard_finding(n_guarded)] if n_guarded else []
    kind = "tsv" if delimiter == "\t" else "csv"
    return tabulated(records, name=name, format=kind, findings=findings)


def _delimiter(lines: list[str], suffix: str) -> str:
    candidates = "\t" + _DELIMITERS if suffix in (".tsv", ".tab") else _DELIMITERS
    return max(candidates, key=lambda delimiter: _n_header_cells(lines, delimiter))


def _n_header_cells(lines: list[str], delimiter: str) -> int:
    try:
        return max(len(record) for record in _first_record(lines, delimiter))
    except csv.Error:
        return 0


def _first_record(lines: list[str], delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    yield next((record for record in reader if record), [])


def _records(lines: list[str], delimiter: str, name: str) -> Iterator[Record]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _quote_error(error, name, start + 1) from None
        if cells is None:
            return
        raw = "".join(lines[start : reader.line_num])
        if cells:
            yield Record(start + 1, cells, raw)
        start = reader.line_num


def _quote_error(error: csv.Error, name: str, line: int) -> InputError:
    if "unexpected end" in str(error):
        why = "opens a quote that is never closed"
    else:
        why = "has text between a closing quote and the next cell"
    return InputError(
        f"row {line} of {name} {why}",
        hint='put quotes around the whole cell, and write a quote inside it twice ("")',
    )


def _unguard(record: Record) -> int:
    n_guarded = 0
    for index, cell in enumerate(record.cells):
        if (plain := unguarded(cell)) != cell:
            record.cells[index] = plain
            n_guarded += 1
    return n_guarded


def _guard_finding(n: int) -> str:
    return (
        counted(n, "cell begins", "cells begin")
        + " with an apostrophe that marks text for spreadsheets; it is not part of the value"
    )
