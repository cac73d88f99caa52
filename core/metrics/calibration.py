"""Are the chances a subject states the rates at which it then succeeds?

Intervals take the tasks as drawn independently; tasks that repeat one another make them too
narrow. What an estimate and an outcome are is said in `core.metrics.confidence`.
"""

from dataclasses import dataclass
from math import pi, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.errors import InputError
from core.metrics.attribution import WILSON
from core.metrics.confidence import (
    NO_TASK,
    Measured,
    Numbers,
    checked_estimates,
    checked_outcomes,
    checked_pairs,
    mean_with_interval,
)
from core.metrics.intervals import wilson_interval

if TYPE_CHECKING:
    from pandas import DataFrame

Equal = Literal["width", "count"]

BINS = 10
PAIRED = "interval of the paired difference (Agresti and Min)"

_Z = 1.959963984540054


def predicted_success_rate(estimates: Numbers) -> Measured:
    """The mean estimate, with Student's t interval over the tasks.

    Returns:
        the mean in [0, 1]; not defined without an estimate.

    Raises:
        InputError: an estimate is missing or outside [0, 1].

    Example:
        >>> predicted_success_rate([0.5, 0.75, 1.0]).value
        0.75
    """
    return mean_with_interval(checked_estimates(estimates))


def true_success_rate(outcomes: Numbers) -> Measured:
    """The share of tasks that succeeded, with Wilson's interval.

    Returns:
        the share; not defined without a task.

    Raises:
        InputError: an outcome is neither 0 nor 1.

    Example:
        >>> true_success_rate([1, 1, 1, 0]).value
        0.75
    """
    happened = checked_outcomes(outcomes)
    n, successes = len(happened), int(happened.sum())
    if not n:
        return Measured(None, None, None, 0, why=NO_TASK)
    return Measured(successes / n, *wilson_interval(successes, n), n, WILSON)


def overconfidence(outcomes: Numbers, estimates: Numbers) -> Measured:
    """Predicted minus true success rate: above 0 overconfident, below 0 underconfident.

    The interval pairs each estimate with its own outcome, so it knows how the two go together.
    To the differences it adds those of half a task of each kind that there can be (an estimate
    of 0 or 1, a failure or a success), without which it would have the width zero where all
    tasks succeed and all estimates are alike, and hold the truth too rarely near it.

    Coverage in simulations of 25 to 164 tasks: 92 to 100 %, where Student's t falls to 46 %.

    Returns:
        the difference in [-1, 1]; not defined without a task.

    Raises:
        InputError: as for `checked_pairs`.

    Source: A. Agresti and Y. Min, 2005, doi:10.1002/sim.1781, for outcomes 0 and 1 on both sides.

    Example:
        >>> found = overconfidence([1, 0, 1, 0], [0.9, 0.8, 0.9, 0.8])
        >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
        (0.35, -0.226, 0.692)
    """
    happened, stated = checked_pairs(outcomes, estimates)
    n = len(happened)
    if not n:
        return Measured(None, None, None, 0, why=NO_TASK)
    apart = stated - happened
    value = float(apart.mean())
    centre = float(apart.sum()) / (n + 2)
    spread = (float((apart**2).sum()) + 1) / (n + 2) - centre**2
    half = _Z * sqrt(spread / (n + 2))
    return Measured(value, max(-1.0, centre - half), min(1.0, centre + half), n, PAIRED)


def bin_numbers(
    estimates: Numbers, bins: int = BINS, *, equal: Equal = "width"
) -> tuple[np.ndarray, np.ndarray]:
    """The bin of each estimate, counted from 0, and the edges of the bins.

    Args:
        bins: how many are wanted, 1 or more.
        equal: bins of equal `width` over [0, 1], each with its lower edge (the last with both);
            or of about equal `count`, whose edges are estimates, each bin with its upper edge (the
            first with both). Equal estimates are never parted, so there may be fewer such bins.

    Returns:
        whole numbers, one for each estimate, and edges, one more than there are bins.

    Raises:
        InputError: fewer than one bin, no such kind, or an estimate missing or outside [0, 1].

    Example:
        >>> numbers, edges = bin_numbers([0.0, 0.2, 0.5, 1.0], 2)
        >>> numbers.tolist(), edges.tolist()
        ([0, 0, 1, 1], [0.0, 0.5, 1.0])
    """
    stated = checked_estimates(estimates)
    if bins < 1:
        raise InputError(f"{bins} bins cannot hold anything; wanted 1 or more", hint="give 10")
    if equal == "width":
        # The smallest part more, as 0.29 * 100 is a little below 29.
        numbers = np.minimum(np.floor(stated * bins + 1e-9), bins - 1).astype(int)
        return numbers, np.arange(bins + 1) / bins
    if equal != "count":
        raise InputError(
            f"there are no bins of equal {equal!r}", hint="the kinds are width and count"
        )
    if not len(stated):
        return np.zeros(0, dtype=int), np.array([0.0, 1.0])
    parts = np.arange(1, bins + 1) / bins
    upper = np.unique(np.quantile(stated, parts, method="inverted_cdf"))
    return np.searchsorted(upper, stated), np.concatenate([[stated.min()], upper])


def calibration_curve(
    outcomes: Numbers, estimates: Numbers, *, bins: int = BINS, equal: Equal = "width"
) -> "DataFrame":
    """Success rate against mean estimate, bin by bin; bins without a task are left out.

    Args:
        bins, equal: as for `bin_numbers`.

    Returns:
        bin_low, bin_high (edges), n, mean_estimate, successes, success_rate, low, high (Wilson's
        95 % interval of the success rate).

    Raises:
        InputError: as for `checked_pairs` and `bin_numbers`.

    Example:
        >>> found = calibration_curve([0, 1, 1], [0.1, 0.1, 0.75], bins=2)
        >>> found[["bin_low", "n", "mean_estimate", "success_rate"]].values.tolist()
        [[0.0, 2.0, 0.1, 0.5], [0.5, 1.0, 0.75, 1.0]]
    """
    import pandas as pd

    happened, stated = checked_pairs(outcomes, estimates)
    numbers, edges = bin_numbers(stated, bins, equal=equal)
    n = np.bincount(numbers, minlength=len(edges) - 1)
    successes = np.bincount(numbers, weights=happened, minlength=len(n)).astype(int)
    sums = np.bincount(numbers, weights=stated, minlength=len(n))
    rows = []
    for at in np.flatnonzero(n):
        ends = wilson_interval(int(successes[at]), int(n[at]))
        mean, rate = sums[at] / n[at], successes[at] / n[at]
        rows.append((edges[at], edges[at + 1], n[at], mean, successes[at], rate, *ends))
    names = ["bin_low", "bin_high", "n", "mean_estimate", "successes", "success_rate"]
    frame = pd.DataFrame(rows, columns=[*names, "low", "high"]).astype(float)
    return frame.astype({"n": int, "successes": int})


@dataclass(frozen=True)
class CalibrationError:
    """The mean distance of estimate and success rate over bins, weighted by their tasks.

    Args:
        value: in [0, 1], 0 is perfect; None without a task.
        if_calibrated: about what chance alone would give with these estimates, were they perfectly
            calibrated; a value near it is no sign of a fault.
        n: tasks.
        n_bins: bins with a task.
        why: a sentence, empty where there is a value.
    """

    value: float | None
    if_calibrated: float | None
    n: int
    n_bins: int
    why: str = ""


def calibration_error(
    outcomes: Numbers, estimates: Numbers, *, bins: int = BINS, equal: Equal = "width"
) -> CalibrationError:
    """The expected calibration error (ECE), with what it would be by chance.

    It depends on the bins and never falls below 0, so few tasks make it too large. There is no
    interval, as resampling would add to that; compare it with `if_calibrated`.

    Args:
        bins, equal: as for `bin_numbers`.

    Raises:
        InputError: as for `checked_pairs` and `bin_numbers`.

    Source: M. P. Naeini, G. F. Cooper and M. Hauskrecht, 2015, doi:10.1609/aaai.v29i1.9602; J.
    Bröcker and L. A. Smith, 2007, doi:10.1175/WAF993.1, for the comparison with chance.

    Example:
        >>> round(calibration_error([0, 1, 1, 1], [0.3, 0.3, 0.8, 0.8], bins=2).value, 4)
        0.2
    """
    happened, stated = checked_pairs(outcomes, estimates)
    n = len(happened)
    if not n:
        return CalibrationError(None, None, 0, 0, NO_TASK)
    numbers, _ = bin_numbers(stated, bins, equal=equal)
    apart = np.bincount(numbers, weights=stated - happened)
    # The sum of a bin's differences is about normal, and such a one is √(2V/π) from 0 on average.
    chance = np.sqrt(np.bincount(numbers, weights=stated * (1 - stated)) * 2 / pi)
    n_bins = len(np.unique(numbers))
    return CalibrationError(float(np.abs(apart).sum()) / n, float(chance.sum()) / n, n, n_bins)
