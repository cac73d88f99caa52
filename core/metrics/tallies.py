"""Tasks by cell: those of one who answered them, and those of two by the pair of cells.

The last cell of every intent holds the tasks that were put to somebody and got no usable reply.
"""

from collections.abc import Iterable

import numpy as np

Tally = dict[str, np.ndarray]
"""By intent, the numbers of tasks by cell along one axis or two."""

TallyByType = dict[str | None, Tally]
"""A tally for each type or other part that tasks belong to."""


def add_up(parts: Iterable[Tally]) -> Tally:
    """The numbers of several tallies together; empty when there is none."""
    total: Tally = {}
    for part in parts:
        for intent, tasks in part.items():
            total[intent] = total[intent] + tasks if intent in total else tasks
    return total


def margins(tables: Tally) -> tuple[Tally, Tally]:
    """The tasks of a, and those of b, from the tasks by pair of cells."""
    down = {intent: table.sum(axis=1) for intent, table in tables.items()}
    across = {intent: table.sum(axis=0) for intent, table in tables.items()}
    return down, across


def with_reply(tasks: Tally) -> Tally:
    """The tasks of one side that got a usable reply."""
    return {intent: numbers[:-1] for intent, numbers in tasks.items()}


def n_apart(table: np.ndarray, at: int) -> int:
    """Tasks in that cell for the one who is down, and in another for the one who is across."""
    return int(table[at].sum() - table[at, at])


def without(every: Tally, some: Tally) -> Tally:
    """The tasks of one side without the shared ones."""
    return {
        intent: np.maximum(numbers - some[intent], 0) if intent in some else numbers
        for intent, numbers in every.items()
    }


def n_answered(tasks: Tally) -> int:
    """How many tasks of one side were answered."""
    return sum(int(numbers[:-1].sum()) for numbers in tasks.values())


def n_without_reply(tasks: Tally) -> int:
    """How many tasks of one side got no usable reply."""
    return sum(int(numbers[-1]) for numbers in tasks.values())
