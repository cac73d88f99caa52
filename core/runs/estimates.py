"""How long a run still takes and what it will cost, with intervals that say how sure that is."""

import math
from dataclasses import dataclass

Z_95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A value that is not known yet, with its 95 % interval."""

    value: float
    low: float
    high: float


def poisson_interval(n_events: int) -> tuple[float, float]:
    """The 95 % interval for the expected number of events when `n_events` were seen.

    Byar's approximation, within 1 % of the exact limits from ten events on, 8 % from two on.

    Args:
        n_events: 0 or more.

    Source: Breslow and Day, Statistical Methods in Cancer Research II (1987), p. 69.

    Example:
        >>> low, high = poisson_interval(10)
        >>> round(low, 2), round(high, 2)
        (4.79, 18.39)
    """
    if n_events == 0:
        low = 0.0
    else:
        low = n_events * (1 - 1 / (9 * n_events) - Z_95 / (3 * math.sqrt(n_events))) ** 3
    more = n_events + 1
    return low, more * (1 - 1 / (9 * more) + Z_95 / (3 * math.sqrt(more))) ** 3


def time_left_s(n_left: int, *, n_done: int, window_s: float) -> Estimate | None:
    """Seconds until `n_left` calls are done at the pace of the last window.

    Args:
        n_left: calls still to end.
        n_done: calls that ended in the window.
        window_s: its length in seconds.

    Returns:
        The estimate, or None with fewer than two calls or no time to go by.

    Example:
        >>> time_left_s(100, n_done=50, window_s=10.0).value
        20.0
        >>> time_left_s(100, n_done=1, window_s=10.0) is None
        True
    """
    if n_done < 2 or window_s <= 0:
        return None
    fewest, most = poisson_interval(n_done)
    left = n_left * window_s
    return Estimate(left / n_done, left / most, left / fewest)


def total_cost_usd(costs: "RunningMean", *, spent_usd: float, n_left: int) -> Estimate | None:
    """What a run will have cost at its end, from what its calls have cost so far.

    Args:
        costs: the cost of each call that has ended.
        spent_usd: what they cost together, failed tries included.
        n_left: calls still to end; they are taken to be like those before.

    Returns:
        The estimate, whose interval narrows to the cost itself; None with fewer than two calls.
    """
    if costs.n < 2:
        return None
    rest = n_left * costs.mean
    # error of the mean so far, and scatter of the calls to come
    spread = Z_95 * math.sqrt(costs.variance * (n_left + n_left**2 / costs.n))
    return Estimate(
        spent_usd + rest, spent_usd + max(0.0, rest - spread), spent_usd + rest + spread
    )


class RunningMean:
    """The mean and variance of numbers seen one at a time (Welford's recurrence).

    Example:
        >>> costs = RunningMean()
        >>> for cost in (2.0, 4.0, 6.0):
        ...     costs.add(cost)
        >>> costs.n, costs.mean, costs.variance
        (3, 4.0, 4.0)
    """

    def __init__(self) -> None:
        self.n = 0
        self.mean = 0.0
        self._squares = 0.0

    @property
    def variance(self) -> float:
        """The sample variance; 0 with fewer than two numbers."""
        return self._squares / (self.n - 1) if self.n > 1 else 0.0

    def add(self, number: float) -> None:
        """Take one more number in."""
        self.n += 1
        before = number - self.mean
        self.mean += before / self.n
        self._squares += before * (number - self.mean)
