"""Which tasks are far too long or far too short for their cell, a type × a side.

Lengths are skewed, so the limits are taken on the logarithm of the number of characters: a task
is flagged when it lies `FENCE` interquartile ranges outside its cell's quartiles *and* is
`LEAST_FACTOR` times as long or as short as the cell's median task. The first keeps cells quiet in
which lengths vary much anyway; the second keeps quiet those in which they hardly vary.

The sentences name neither the cell nor its limits nor its size: each would tell people who decide
blind how the task was meant.

Source: Tukey (1977), Exploratory Data Analysis, for the fences; 3 ranges are his "far out".
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from core.curation.flags import Flag

Cell = TypeVar("Cell", bound=Hashable)

FENCE = 3.0
"""Interquartile ranges between a quartile and the limit on its side."""

LEAST_FACTOR = 5.0
"""A length less than so many times off the median is never far off."""

FEWEST_TASKS = 20
"""A cell with fewer tasks has no limits: its quartiles would say little."""


def length_limits(lengths: Mapping[Cell, Sequence[int]]) -> dict[Cell, tuple[float, float]]:
    """The shortest and longest length of each cell that is not far off.

    Args:
        lengths: cell → the number of characters of each of its tasks, in any order; tasks without
            characters do not count.

    Returns:
        cell → (low, high), both inside the limits; a cell with fewer than `FEWEST_TASKS` tasks
        has none and is left out.

    Example:
        >>> length_limits({"a": [100] * 20, "b": [100] * 19})
        {'a': (20.0, 500.0)}
    """
    limits: dict[Cell, tuple[float, float]] = {}
    for cell, counts in lengths.items():
        known = np.asarray(counts, dtype=float)
        known = known[known > 0]
        if known.size < FEWEST_TASKS:
            continue
        lower, median, upper = np.quantile(np.log(known), [0.25, 0.5, 0.75]).tolist()
        fence, least = FENCE * (upper - lower), math.log(LEAST_FACTOR)
        low = math.exp(min(lower - fence, median - least))
        high = math.exp(max(upper + fence, median + least))
        # Twelve digits, so that a length on the limit is inside it whatever exp and log round to.
        limits[cell] = (float(f"{low:.12g}"), float(f"{high:.12g}"))
    return limits


def length_flag(text: str, low: float, high: float) -> Flag | None:
    """A flag when a task is shorter than `low` or longer than `high`; None between them.

    Args:
        text: the task as generated.
        low, high: the limits of its cell, from `length_limits`.

    Example:
        >>> length_flag("Describe the perfect day.", 50.0, 2_000.0).why
        'The task is far shorter than usual for tasks of its kind.'
    """
    if len(text) < low:
        return Flag(
            "too_short_for_cell", "The task is far shorter than usual for tasks of its kind."
        )
    if len(text) > high:
        return Flag("too_long_for_cell", "The task is far longer than usual for tasks of its kind.")
    return None
