"""Intervals of a share counted on independent tasks."""

from math import sqrt
from statistics import NormalDist

from core.errors import InputError


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
    if not 0 < level < 1:
        raise InputError(
            f"an interval cannot have the level {level}", hint="give a level such as 0.95"
        )
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
