"""From a header and the cells below it to rows of named cells; shared by CSV and workbooks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.exchange.row_file import BadRow, Row, RowFile
from core.exchange.wording import counted, listed, shown


@dataclass(frozen=True)
class Record:
    """One record as met: its row number, its cells in order, and its text in the file."""

    line: int
    cells: list[str]
    raw: str


def tabulated(
    records: Sequence[Record], *, name: str, format: str, findings: Sequence[str] = ()
) -> RowFile:
    """The records below the first as rows named by the first.

    A column without a name is passed over when it is empty throughout; otherwise it is refused.
    A record with more or fewer cells than the header is a bad row.

    Raises:
        InputError: two columns share a name, or a column with content has none.
    """
    filled = [record for record in records if any(record.cells)]
    if not filled:
        return RowFile(name, format, (), [])
    header, body = filled[0], filled[1:]
    names = [cell.strip() for cell in header.cells]
    fitting = [record for record in body if len(record.cells) == len(names)]
    _check_names(names, header.line, fitting, name)
    return RowFile(
        name=name,
        format=format,
        columns=tuple(filter(None, names)),
        rows=[_row(names, record) for record in fitting],
        bad_rows=tuple(
            _ragged(record, len(names), name) for record in body if len(record.cells) != len(names)
        ),
        findings=tuple(findings),
    )


def _row(names: Sequence[str], record: Record) -> Row:
    cells = zip(names, record.cells, strict=True)
    return record.line, {name: cell or None for name, cell in cells if name}


def _ragged(record: Record, n_wanted: int, name: str) -> BadRow:
    return BadRow(
        file=name,
        line=record.line,
        why=f"has {counted(len(record.cells), 'cell', 'cells')} where the header has {n_wanted:,}",
        row={"raw": record.raw},
        wanted="put quotes around a cell that holds a delimiter or line break",
    )


def _check_names(names: list[str], line: int, body: Sequence[Record], file: str) -> None:
    twice = [name for name, n in Counter(names).items() if name and n > 1]
    if twice:
        raise InputError(
            f"the header of {file} (row {line}) has two columns named {listed(map(shown, twice))}",
            hint="give each column a name of its own",
        )
    for index, name in enumerate(names):
        first = next((record for record in body if record.cells[index]), None)
        if not name and first:
            raise InputError(
                f"column {index + 1} of {file} has no name in the header (row {line}), "
                f"but row {first.line} has {shown(first.cells[index])} in it",
                hint="name the column, or leave it out (pandas: to_csv(index=False))",
            )
