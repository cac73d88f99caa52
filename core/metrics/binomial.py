"""The exact interval of a share, which covers at least what it says, whatever the true share."""

from core.errors import InputError
from core.metrics.intervals import check_level


def clopper_pearson_interval(
    successes: int, n: int, level: float = 0.95
) -> tuple[float, float] | None:
    """Clopper and Pearson's interval of a share, inside [0, 1] and never of width zero.

    Mostly wider than Wilson's: each end is the share at which a result so far out, or further, has
    just half of 1 - level as its chance.

    Args:
        successes: 0 to n.
        n: what they are out of.
        level: coverage, above 0 and below 1.

    Returns:
        (low, high), or None when n is 0.

    Raises:
        InputError: successes outside 0 to n, or level outside (0, 1).

    Source: C. J. Clopper and E. S. Pearson, 1934, doi:10.1093/biomet/26.4.404.

    Example:
        >>> [round(end, 4) for end in clopper_pearson_interval(0, 10)]  # 1 - 0.025 ** (1 / 10)
        [0.0, 0.3085]
    """
    from scipy.special import betaincinv

    if not 0 <= successes <= n:
        raise InputError(
            f"{successes} of {n} is not a share", hint="count no more successes than there are"
        )
    check_level(level)
    if n == 0:
        return None
    tail = (1 - level) / 2
    failures = n - successes
    low = float(betaincinv(successes, failures + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if failures else 1.0
    return low, high
