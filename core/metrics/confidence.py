"""What the metrics of in-advance confidence share: a measured value, and checks of what comes in.

An *estimate* is the chance of success in [0, 1] that a subject states before it attempts a task;
the *outcome* is whether its attempt then succeeded, 1 or 0. Tasks without a readable estimate or
without an outcome enter no metric: whoever calls leaves them out and tells how many they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from core.errors import InputError

Numbers = Sequence[float] | np.ndarray

STUDENT = "Student's t interval"
NO_TASK = "not defined: there is no task with an estimate and an outcome"
NO_SPREAD = "no interval: all values are the same, so nothing tells how far their mean may move"
ONE_ALONE = "no interval: a single value does not tell how far a mean may move"
ALL_SUCCEED = "every task succeeded"
ALL_FAIL = "every task failed"


@dataclass(frozen=True)
class Measured:
    """One number with its 95 % interval.

    Args:
        value: None where not defined.
        low: lower end of the interval, None where there is none.
        high: upper end.
        n: what the value rests on: tasks, decisions or models.
        method: how the interval was made; empty where there is none.
        why: a sentence where value or interval is missing, empty elsewhere.
        caution: a sentence where they are to be taken with care, empty elsewhere.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str = ""
    why: str = ""
    caution: str = ""


def checked_outcomes(outcomes: Numbers) -> np.ndarray:
    """The outcomes as booleans.

    Raises:
        InputError: one of them is neither 0 nor 1.
    """
    found = np.asarray(outcomes)
    if found.ndim != 1:
        raise InputError(f"outcomes have {found.ndim} dimensions; wanted 1")
    numbers = found.astype(float)
    strange = ~np.isin(numbers, (0.0, 1.0))
    if strange.any():
        raise InputError(
            f"{int(strange.sum())} of {len(found)} outcomes are neither 0 nor 1, "
            f"such as {numbers[strange][0]:g}",
            hint="leave out tasks without an outcome, and tell how many they are",
        )
    return numbers == 1


def checked_estimates(estimates: Numbers) -> np.ndarray:
    """The estimates as numbers in [0, 1].

    Raises:
        InputError: one of them is missing or lies outside [0, 1].
    """
    found = finite(estimates, "estimates")
    outside = (found < 0) | (found > 1)
    if outside.any():
        raise InputError(
            f"{int(outside.sum())} of {len(found)} estimates lie outside 0 to 1, "
            f"such as {found[outside][0]:g}",
            hint="give shares, not percent",
        )
    return found


def finite(numbers: Numbers, name: str) -> np.ndarray:
    """One dimension of numbers, all of them there.

    Raises:
        InputError: one of them is missing or infinite.
    """
    found = np.asarray(numbers, dtype=float)
    if found.ndim != 1:
        raise InputError(f"{name} have {found.ndim} dimensions; wanted 1")
    missing = ~np.isfinite(found)
    if missing.any():
        raise InputError(
            f"{int(missing.sum())} of {len(found)} {name} are missing or infinite",
            hint="leave out what has none, and tell how many they are",
        )
    return found


def same_length(**named: np.ndarray) -> None:
    """Nothing, when there are equally many of each.

    Raises:
        InputError: there are not.
    """
    if len({len(one) for one in named.values()}) > 1:
        told = " and ".join(f"{len(one)} {name.replace('_', ' ')}" for name, one in named.items())
        raise InputError(f"there are {told}", hint="give one of each for every task, in one order")


def checked_pairs(outcomes: Numbers, estimates: Numbers) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes as booleans and estimates in [0, 1], one of each for every task.

    Raises:
        InputError: as `checked_outcomes`, `checked_estimates` and `same_length`.
    """
    happened, stated = checked_outcomes(outcomes), checked_estimates(estimates)
    same_length(outcomes=happened, estimates=stated)
    return happened, stated


def mean_with_interval(
    values: np.ndarray, *, lowest: float = 0.0, highest: float = 1.0
) -> Measured:
    """The mean of independent values with Student's t interval, cut to what a mean can be.

    Returns:
        the mean; not defined without a value. There is no interval for one value alone, or where
        all are the same.

    Example:
        >>> found = mean_with_interval(np.array([0.2, 0.4, 0.6]))
        >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
        (0.4, 0.0, 0.897)
    """
    from scipy.special import stdtrit

    n = len(values)
    if not n:
        return Measured(None, None, None, 0, why=NO_TASK)
    value = float(np.clip(values.mean(), values.min(), values.max()))
    if n == 1 or values.min() == values.max():
        return Measured(value, None, None, n, why=ONE_ALONE if n == 1 else NO_SPREAD)
    half = float(stdtrit(n - 1, 0.975)) * float(values.std(ddof=1)) / sqrt(n)
    return Measured(value, max(lowest, value - half), min(highest, value + half), n, STUDENT)
