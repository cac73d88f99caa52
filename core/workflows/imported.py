"""What an import brought: how much was new, what was odd, and which rows were left out."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.exchange.row_file import BadRow
from core.exchange.rows import read_rows


@dataclass(frozen=True)
class Imported:
    """What one file brought.

    Args:
        file: its name. study: the study it went into.
        n_rows: rows in the file. n_added: tasks that were new to the store.
        n_decisions: decisions that were new to it.
        findings: what was odd in it, in sentences. bad_rows: rows left out.
    """

    file: str
    study: str
    n_rows: int
    n_added: int
    findings: tuple[str, ...] = ()
    bad_rows: tuple[BadRow, ...] = field(default=())
    n_decisions: int = 0


def with_cells(path: Path, bad_rows: Sequence[BadRow]) -> tuple[BadRow, ...]:
    """The bad rows, each with its cells as the file has them."""
    if all(bad.row for bad in bad_rows):
        return tuple(bad_rows)
    cells = dict(read_rows(path).rows)
    return tuple(bad if bad.row else replace(bad, row=cells.get(bad.line, {})) for bad in bad_rows)
