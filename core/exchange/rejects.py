"""The rows that an import left out, as a file to mend and import again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.exchange.row_file import BadRow
from core.exchange.writers import write_table

REJECT_COLUMNS = ("rejected_file", "rejected_line", "rejected_because")
"""Stand before the file's own columns. No import reads them: the mended file goes in as it is."""


def reject_suffix(bad_rows: Sequence[BadRow]) -> str:
    """How the name of a reject file ends, by what `write_reject_file` will write.

    Example:
        >>> reject_suffix([BadRow("tasks.json", 3, "has no task text", {"data": {}})])
        '.jsonl'
    """
    cells = (value for bad in bad_rows for value in bad.row.values())
    return ".jsonl" if any(isinstance(value, list | dict) for value in cells) else ".csv"


def write_reject_file(bad_rows: Sequence[BadRow], path: Path | str) -> int:
    """The number of bad rows written to `path`, with their own cells unaltered.

    It is CSV, or JSON Lines where a cell holds a list or an object, which CSV has no place for.
    The file has the columns `rejected_file`, `rejected_line` and `rejected_because`, then those
    of the rows; a row without readable cells has its text in the column `raw`.
    """
    rows = [
        {
            **{name: _cell(value) for name, value in bad.row.items()},
            **dict(zip(REJECT_COLUMNS, (bad.file, bad.line, bad.why), strict=True)),
        }
        for bad in bad_rows
    ]
    names = dict.fromkeys((*REJECT_COLUMNS, *(name for row in rows for name in row)))
    columns: dict[str, type] = dict.fromkeys(names, str) | {"rejected_line": int}
    filled = ({name: row.get(name) for name in columns} for row in rows)
    format = "csv" if reject_suffix(bad_rows) == ".csv" else "jsonl"
    return write_table(filled, path, columns=columns, format=format)


def _cell(value: Any) -> Any:
    """A value as JSON has it; what JSON has no sign for (a date in Parquet) becomes text."""
    if isinstance(value, dict):
        return {str(name): _cell(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_cell(part) for part in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    return None if value != value else str(value)
