"""Read the cells that say what a task is: its text, intent, type and reason."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from core.exchange.row_file import BadRow, RowFile, Value
from core.exchange.wording import listed, shown
from core.taxonomy import INTENTS, LINE_OF_DUTY, Taxonomy

T = TypeVar("T")


class RowFault(Exception):
    """Why a row cannot be used, and the values that would do; never leaves this package."""

    def __init__(self, why: str, wanted: str = "") -> None:
        super().__init__(why)
        self.wanted = wanted


def read_each(
    file: RowFile, read_row: Callable[[int, Mapping[str, Value]], T]
) -> tuple[tuple[T, ...], tuple[BadRow, ...]]:
    """What each row of a file says, and the rows that cannot be used, in the file's order.

    Args:
        file: its own bad rows are among those that come back.
        read_row: takes a row's number and cells; raises `RowFault` where they cannot be used.
    """
    good: list[T] = []
    bad = list(file.bad_rows)
    for line, cells in file.rows:
        try:
            good.append(read_row(line, cells))
        except RowFault as fault:
            bad.append(BadRow(file.name, line, str(fault), cells, fault.wanted))
    return tuple(good), tuple(sorted(bad, key=lambda row: row.line))


def task_text(cell: Value, what: str = "task text") -> str:
    """The task's text, unaltered; text without a visible character is a fault."""
    if isinstance(cell, list | dict):
        raise RowFault(f"has {shown(cell)} where the {what} belongs")
    if cell is None or not any(map(_is_visible, cell)):
        raise RowFault(f"has no {what}")
    return cell


def intent_name(cell: Value, what: str = "intent") -> str:
    """`feasible` or `infeasible`, whatever its case; blank or anything else is a fault."""
    wanted = listed(INTENTS)
    if is_blank(cell):
        raise RowFault(f"has no {what}", wanted)
    name = str(cell).strip().casefold()
    if name not in INTENTS:
        raise RowFault(f"has the unknown {what} {shown(cell)}", wanted)
    return name


def type_name(cell: Value, taxonomy: Taxonomy = LINE_OF_DUTY) -> str | None:
    """The type that a cell spells, None when it is blank; an unknown one is a fault."""
    return _name(cell, "type", taxonomy.normalise_type, taxonomy.type_names)


def reason_name(cell: Value, taxonomy: Taxonomy = LINE_OF_DUTY) -> str | None:
    """The reason that a cell spells, None when it is blank; an unknown one is a fault."""
    return _name(cell, "reason", taxonomy.normalise_reason, taxonomy.reason_names)


def is_blank(cell: Value) -> bool:
    """Whether a cell is empty or holds white space only."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _name(
    cell: Value, what: str, normalise: Callable[[str], str | None], known: Sequence[str]
) -> str | None:
    if is_blank(cell):
        return None
    name = normalise(cell) if isinstance(cell, str) else None
    if name is None:
        raise RowFault(f"has the unknown {what} {shown(cell)}", f"known {what}s: {listed(known)}")
    return name


def _is_visible(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf")
