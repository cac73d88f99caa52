"""Each statistic of agreement with its 95 % interval; the items are what was drawn by chance.

Agreement depends only on how the votes on an item fall over the labels. So everything here works
on *patterns*, one row per distinct way they fell, one column per label, holding numbers of votes
(one or more in a row), and on `times`, how many items show each pattern: a hundred thousand items
are a few rows.

A method built on the variance between items has nothing to go by where items do not vary, as in
full agreement. The interval of percent agreement, which always has a width, is then carried over
with chance agreement held as it was seen.
"""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from core.metrics.intervals import wilson_interval

Interval = tuple[float, float]

REPLICATES = 2_000
_MOST_UNDEFINED = 0.05
_CELLS_AT_ONCE = 4_000_000
_NO_WIDTH = 1e-9

_NOT_SHARED = "no item was rated by two people"
_ONE_LABEL = "one label used"
_ONE_ITEM = "one item does not show how much items differ"
_ONE_SIDED = "one person used one label only, so kappa would be 0 whatever the other chose"
_TOO_RARE = "all labels but one are so rare that many redraws of the items lack them"


class Measured(NamedTuple):
    """A value and its interval; `why` tells why the first of the two that is None is missing."""

    value: float | None
    ends: Interval | None
    why: str = ""


def percent_agreement(patterns: np.ndarray, times: np.ndarray) -> Measured:
    """Mean over items of the share of pairs of votes that agree, in [0, 1].

    With two people an item's share is 0 or 1, and the interval is Wilson's. With more, an item
    tells more than one yes or no: Wilson's formula is then given the number of yes-or-no items
    that would be worth as much, n times p(1 - p) over the variance between items. Both are taken
    with z²/2 items of full and of no agreement added, as in Wilson's own centre, so that a few
    equal items do not pass for certainty. The interval is never of width zero.

    Example:
        >>> percent_agreement(np.array([[2, 0], [1, 1]]), np.array([3, 1])).value
        0.75
    """
    patterns, times = _shared(patterns, times)
    n = int(times.sum())
    if not n:
        return Measured(None, None, _NOT_SHARED)
    shares = _agreeing_pairs(patterns)
    total = times @ shares
    z2 = NormalDist().inv_cdf(0.975) ** 2
    mean = (total + z2 / 2) / (n + z2)
    variance = (times @ shares**2 + z2 / 2) / (n + z2) - mean**2
    # For shares of 0 and 1 the two are the same number, and rounding must not part them.
    worth = n if np.isin(shares, (0, 1)).all() else n * mean * (1 - mean) / variance
    value = float(total / n)
    low, high = wilson_interval(value * worth, worth)
    return Measured(value, (float(low), float(high)))


def cohen_kappa(table: np.ndarray) -> Measured:
    """Cohen's kappa of two people, in [-1, 1], from how often each pair of labels was given.

    Not defined where one of the two used one label only: by its formula kappa is then 0, and so is
    its variance, whatever the other chose, which tells nothing of how far the two agree.

    Source: J. Cohen, 1960, doi:10.1177/001316446002000104; the variance is that of J. L. Fleiss,
    J. Cohen and B. S. Everitt, 1969, doi:10.1037/h0028106.

    Example:
        >>> round(cohen_kappa(np.array([[20, 5], [10, 15]])).value, 10)
        0.4
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    one, other = table.sum(axis=1), table.sum(axis=0)
    n = int(table.sum())
    if not n:
        return Measured(None, None, _NOT_SHARED)
    if np.count_nonzero(one + other) == 1:
        return Measured(None, None, _ONE_LABEL)
    if 1 in (np.count_nonzero(one), np.count_nonzero(other)):
        return Measured(None, None, _ONE_SIDED)
    with np.errstate(all="ignore"):  # Rounding can leave a variance of 0 just below it.
        found = cohens_kappa(table)
    ends = _around(found.kappa, found.kappa - found.kappa_low)
    agreed = int(np.trace(table))
    return Measured(
        float(found.kappa),
        ends or _at_chance(wilson_interval(agreed, n), float(one @ other) / n**2),
    )


def gwet_ac1(patterns: np.ndarray, times: np.ndarray) -> Measured:
    """Gwet's AC1, in [-1, 1], with the interval by its variance and Student's t.

    Items with one vote tell how often labels are used, and nothing about agreement. Observed
    agreement is therefore taken as a mean over the other items alone, in the variance too: an item
    that nobody judged twice is no evidence of disagreement. Where every item has two votes or
    more, this is Gwet's variance as printed. With a single label in use chance agreement is 0, as
    it is for any number of labels on offer above one.

    Source: K. L. Gwet, "Computing inter-rater reliability and its variance in the presence of
    high agreement", 2008, doi:10.1348/000711006X126600.

    Example:
        >>> round(gwet_ac1(np.array([[2, 0], [1, 1]]), np.array([90, 10])).value, 4)
        0.8895
    """
    from scipy.special import stdtrit

    # Written out because the package for it, irrCAC, holds pandas and scipy at old versions.
    percent = percent_agreement(patterns, times)
    if percent.value is None:
        return percent
    votes = patterns.sum(axis=1)
    shared = votes >= 2
    n, n_shared = times.sum(), times[shared].sum()
    used = patterns / votes[:, None]
    share_of_label = times @ used / n
    others = max(patterns.shape[1], 2) - 1
    chance = float((share_of_label * (1 - share_of_label)).sum() / others)
    value = _beyond(percent.value, chance)
    if n_shared == 1:
        return Measured(value, None, _ONE_ITEM)

    # What each item adds to the error: through agreement where two voted, and through chance.
    agreed = np.zeros(len(votes))
    agreed[shared] = (_agreeing_pairs(patterns[shared]) - percent.value) * n / n_shared
    by_chance = used @ (1 - share_of_label) / others - chance
    error = (agreed - 2 * (1 - value) * by_chance) / (1 - chance)
    variance = n_shared / (n_shared - 1) * (times @ error**2) / n**2
    ends = _around(value, stdtrit(n_shared - 1, 0.975) * np.sqrt(variance))
    return Measured(value, ends or _at_chance(percent.ends, chance))


def krippendorff_alpha(patterns: np.ndarray, times: np.ndarray, *, seed: int) -> Measured:
    """Nominal alpha, in [-1, 1], with the percentile interval of items drawn again.

    Drawing items again is drawing how often each pattern comes up, so a replicate costs as much
    as there are patterns. A replicate with one label left has no alpha and is left out; there is
    no interval where more than 5 % of them are.

    Source: K. Krippendorff, "Content Analysis", 2004, chapter 11.

    Example:
        >>> found = krippendorff_alpha(np.array([[2, 0], [1, 1], [0, 2]]), np.ones(3, int), seed=0)
        >>> round(found.value, 4)  # 1 - (6 - 1) * 2 / (6² - 3² - 3²)
        0.4444
    """
    # Written out because the library builds a table of labels by labels for every single item,
    # and because value and replicates are then the same formula.
    patterns, times = _shared(patterns, times)
    n = int(times.sum())
    if not n:
        return Measured(None, None, _NOT_SHARED)
    votes = patterns.sum(axis=1, keepdims=True)
    apart = (patterns * (votes - patterns)).sum(axis=1, keepdims=True) / (votes - 1)
    terms = np.hstack([apart, patterns])
    value, chance = (float(number) for number in _alpha_and_chance(times @ terms))
    if np.isnan(value):
        return Measured(None, None, _ONE_LABEL)
    if n == 1:
        return Measured(value, None, _ONE_ITEM)

    rng = np.random.default_rng(seed)
    step = max(1, _CELLS_AT_ONCE // len(times))
    alphas = []
    for done in range(0, REPLICATES, step):
        drawn = rng.multinomial(n, times / n, size=min(step, REPLICATES - done))
        alphas.append(_alpha_and_chance(drawn @ terms)[0])
    alphas = np.concatenate(alphas)
    alphas = alphas[~np.isnan(alphas)]
    if np.ptp(alphas) < _NO_WIDTH:
        return Measured(value, _at_chance(percent_agreement(patterns, times).ends, chance))
    if len(alphas) < (1 - _MOST_UNDEFINED) * REPLICATES:
        return Measured(value, None, _TOO_RARE)
    return Measured(value, _clipped(*np.quantile(alphas, [0.025, 0.975])))


def _alpha_and_chance(totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Alpha, NaN where one label is used, from sums of disagreement and of votes by label."""
    by_label = totals[..., 1:]
    n = by_label.sum(axis=-1)
    expected = (n**2 - (by_label**2).sum(axis=-1)) / (n * (n - 1))
    undefined = np.full(np.shape(n), np.nan)
    share = np.divide(totals[..., 0] / n, expected, out=undefined, where=expected > 0)
    return 1 - share, 1 - expected


def _shared(patterns: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    two = patterns.sum(axis=1) >= 2
    return patterns[two], times[two]


def _agreeing_pairs(patterns: np.ndarray) -> np.ndarray:
    votes = patterns.sum(axis=1)
    return (patterns * (patterns - 1)).sum(axis=1) / (votes * (votes - 1))


def _beyond(observed: float, chance: float) -> float:
    return (observed - chance) / (1 - chance)


def _at_chance(observed: Interval, chance: float) -> Interval:
    return _clipped(*(_beyond(end, chance) for end in observed))


def _around(value: float, half: float) -> Interval | None:
    """Value ± half; None when that is no width, or no number."""
    return _clipped(value - half, value + half) if half > _NO_WIDTH else None


def _clipped(low: float, high: float) -> Interval:
    return max(-1.0, float(low)), min(1.0, float(high))
