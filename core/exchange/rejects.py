"""The rows that an import left out, as a file to mend and import again."""

from collections.abc import Sequence
from pathlib import Path

from core.exchange.row_file import BadRow, Value
from core.exchange.writers import write_table

REJECT_COLUMNS = ("rejected_file", "rejected_line", "rejected_because")
"""Stand before the file's own columns. No import reads them: the mended file goes in as it is."""


def write_reject_file(bad_rows: Sequence[BadRow], path: Path | str) -> int:
    """The number of bad rows written to `path`, as CSV with their own cells unaltered.

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
    return write_table(filled, path, columns=columns, format="csv")


def _cell(value: Value) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)
