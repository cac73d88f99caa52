"""Intervals: of a share of independent tasks, of a ratio of two values, and from replicates."""

from math import sqrt
from statistics import NormalDist

import numpy as np

from core.errors import InputError

TOO_OFTEN_UNDEFINED = "no interval: the metric is not defined in more than 5 % of the replicates"

_MOST_UNDEFINED = 0.05


def wilson_interval(successes: float, n: float, level: float = 0.95) -> tuple[float, float] | None:
    """Wilson's score interval of a share, inside [0, 1] and never of width zero.

    Args:
        successes: tasks counted, 0 to n; fractions where tasks weigh less than one.
        n: tasks they are out of.
        level: coverage, above 0 and below 1.

    Returns:
        (low, high), or None when n is 0.

    Raises:
        InputError: successes outside 0 to n, or level outside (0, 1).

    Source: E. B. Wilson, "Probable inference", 1927, doi:10.1080/01621459.1927.10502953.

    Example:
        >>> [round(end, 4) for end in wilson_interval(0, 10)]
        [0.0, 0.2775]
    """
    if not 0 <= successes <= n:
        raise InputError(
            f"{successes} of {n} is not a share", hint="count no more successes than tasks"
        )
    check_level(level)
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # Exact ends where rounding would leave 1e-17 beside them.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return low, high


def ratio_interval(
    above: float, above_ends: tuple[float, float], below: float, below_ends: tuple[float, float]
) -> tuple[float, float]:
    """Ends of the ratio above / below of two independent values, from the ends of each.

    Args:
        above: 0 or more, with its ends; not 0 together with `below`.
        below: 0 or more, with its ends.

    Returns:
        (low, high); high is infinite when the lower end of `below` is 0.

    Source: A. Donner and G. Y. Zou, 2012, doi:10.1177/0962280210383082 (MOVER-R).

    Example:
        >>> ratio_interval(1, (1, 1), 2, (1, 4))
        (0.25, 1.0)
    """
    product = above * below

    def parts(end: float, other: float) -> tuple[float, float, float]:
        a, b = end * (2 * above - end), other * (2 * below - other)
        return a, b, sqrt(max(0.0, product * product - a * b))

    # The lower end in the form that holds where its b is 0 or below.
    a, _, root = parts(above_ends[0], below_ends[1])
    low = max(0.0, a / (product + root)) if product + root else 0.0
    _, b, root = parts(above_ends[1], below_ends[0])
    return low, (product + root) / b if b > 0 else float("inf")


def percentile_interval(
    replicates: np.ndarray, *, value: float | None = None, level: float = 0.95
) -> tuple[float, float] | None:
    """The middle `level` of the replicates, widened where need be to hold the value itself.

    Args:
        replicates: of any quantity, NaN where it is not defined.
        value: what was measured, where there is such a number.
        level: coverage, above 0 and below 1.

    Returns:
        (low, high) of the defined replicates; None where more than 5 % are not defined, for
        `TOO_OFTEN_UNDEFINED`, or there are none.

    Raises:
        InputError: the level is outside (0, 1).

    Example:
        >>> percentile_interval(np.arange(101), level=0.5)
        (25.0, 75.0)
    """
    check_level(level)
    known = replicates[~np.isnan(replicates)]
    if not len(known) or len(known) < (1 - _MOST_UNDEFINED) * len(replicates):
        return None
    low, high = (float(end) for end in np.quantile(known, [(1 - level) / 2, (1 + level) / 2]))
    return (low, high) if value is None else (min(low, value), max(high, value))


def check_level(level: float) -> None:
    """Nothing, when an interval can have the level.

    Raises:
        InputError: it is outside (0, 1).
    """
    if not 0 < level < 1:
        raise InputError(
            f"an interval cannot have the level {level}", hint="give a level such as 0.95"
        )
