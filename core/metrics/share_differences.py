"""The difference of one share between two classifiers, with its interval and its test.

On the same tasks only those count that the two got differently: McNemar's test and Tango's
interval. On different tasks the two shares are independent: the score test and Newcombe's
interval. No interval is of width zero, not even where the two never differed.
"""

from collections.abc import Callable
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from core.errors import InputError

MCNEMAR = "McNemar's test (mid-p), Tango's interval"
SCORE = "score test, Newcombe's interval"

_Z = NormalDist().inv_cdf(0.975)
_HALVINGS = 60


class ShareDifference(NamedTuple):
    """A difference of shares (b - a) with its 95 % interval and the p-value of no difference."""

    difference: float
    low: float
    high: float
    p: float
    test: str


def paired_difference(only_a: int, only_b: int, n: int) -> ShareDifference:
    """How much larger b's share is than a's, of the same tasks.

    The mid-p variant of McNemar's exact test counts half of what was observed: its rate of false
    alarms stays at or below 5 % and nearer to it than the exact test's, which is 2 to 4 %.

    Args:
        only_a: tasks that count for a and not for b.
        only_b: tasks that count for b and not for a.
        n: tasks in all, 1 or more.

    Raises:
        InputError: the tasks that differ are more than all, or there are none at all.

    Source: M. W. Fagerland, S. Lydersen and P. Laake, 2013, doi:10.1186/1471-2288-13-91, for the
    test; T. Tango, 1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B,
    for the interval.

    Example:
        >>> found = paired_difference(only_a=1, only_b=6, n=50)
        >>> found.difference, found.p  # P(X ≤ 1) + P(X ≤ 0) for 7 coins: (8 + 1) / 128
        (0.1, 0.0703125)
    """
    from scipy.special import bdtr

    if min(only_a, only_b) < 0 or only_a + only_b > n or n < 1:
        raise InputError(
            f"{only_a} and {only_b} of {n} tasks cannot be those that differ",
            hint="count each task once",
        )
    fewer, differing = min(only_a, only_b), only_a + only_b
    below = float(bdtr(fewer - 1, differing, 0.5)) if fewer else 0.0
    p = float(bdtr(fewer, differing, 0.5)) + below if differing else 1.0
    difference = (only_b - only_a) / n

    def distance(delta: float) -> float:
        return _score(delta, only_a, only_b, n)

    low = _fall(lambda delta: distance(delta) > _Z, -1.0, difference)
    high = _fall(lambda delta: distance(delta) > -_Z, difference, 1.0)
    return ShareDifference(difference, low, high, min(p, 1.0), MCNEMAR)


def independent_difference(
    successes_a: int, n_a: int, successes_b: int, n_b: int
) -> ShareDifference:
    """How much larger b's share is than a's, each of tasks of its own.

    Args:
        successes_a, successes_b: tasks that count. n_a, n_b: tasks they are out of, 1 or more.

    Raises:
        InputError: more tasks count than there are, or one side has none.

    Source: R. G. Newcombe, 1998, "Interval estimation for the difference between independent
    proportions", method 10, for the interval; O. Miettinen and M. Nurminen, 1985,
    doi:10.1002/sim.4780040211, for the test.

    Example:
        >>> found = independent_difference(10, 40, 20, 40)
        >>> found.difference, round(found.low, 3), round(found.high, 3), round(found.p, 3)
        (0.25, 0.038, 0.433, 0.022)
    """
    from statsmodels.stats.proportion import confint_proportions_2indep, test_proportions_2indep

    for successes, n in ((successes_a, n_a), (successes_b, n_b)):
        if not 0 <= successes <= n or n < 1:
            raise InputError(
                f"{successes} of {n} is not a share", hint="count no more successes than tasks"
            )
    difference = successes_b / n_b - successes_a / n_a
    sides = (successes_b, n_b, successes_a, n_a)
    low, high = confint_proportions_2indep(*sides, compare="diff", method="newcomb")
    # Where all or none count on both sides, there is no spread to divide by.
    is_flat = successes_a + successes_b in (0, n_a + n_b)
    with np.errstate(all="ignore"):  # Beside the test, ratios are worked out that may be infinite.
        p = 1.0 if is_flat else test_proportions_2indep(*sides, method="score").pvalue
    return ShareDifference(difference, float(low), float(high), float(p), SCORE)


def _score(delta: float, only_a: int, only_b: int, n: int) -> float:
    """Standard errors between the observed difference and `delta`, with the spread at `delta`.

    The spread takes the share of only_a that is likeliest when the true difference is `delta`:
    the larger root of a quadratic equation.
    """
    linear = (2 * n - only_b + only_a) * delta - only_a - only_b
    constant = -only_a * delta * (1 - delta)
    share = (sqrt(max(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)
    spread = n * (2 * share + delta * (1 - delta))
    distance = only_b - only_a - n * delta
    return distance / sqrt(spread) if distance else 0.0


def _fall(is_above: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that holds at the lower end ceases to hold."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_above(middle) else (low, middle)
    return (low + high) / 2
