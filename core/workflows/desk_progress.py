"""How far the curation of a study has come, in all and for one person."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from core.curation.board import Board, Cell


@dataclass(frozen=True)
class DeskProgress:
    """How far the curation of a study has come.

    Args:
        cells: for each cell, tasks by state. totals: over all cells; they add up to n_tasks.
        mine: the person's standing decisions by action. n_open: tasks left for them.
        seconds_each: what a decision of theirs takes, the median of the newest; None before.
        n_people: how many people have a task before them now.
    """

    n_tasks: int
    cells: Mapping[Cell, Mapping[str, int]]
    totals: Mapping[str, int]
    mine: Mapping[str, int]
    n_open: int
    seconds_each: float | None
    n_people: int


def progress_of(board: Board, person_id: str, *, n_people: int) -> DeskProgress:
    """What the board says of a person's work and of everybody's."""
    record = board.record(person_id)
    return DeskProgress(
        n_tasks=len(board),
        cells={cell: dict(counts) for cell, counts in board.counts.items()},
        totals=board.totals(),
        mine=Counter(record.votes),
        n_open=board.open_for(person_id),
        seconds_each=median(record.seconds) if record.seconds else None,
        n_people=n_people,
    )
