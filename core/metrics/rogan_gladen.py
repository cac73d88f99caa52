"""A judge's rate of yes corrected by Rogan and Gladen: its sensitivity and specificity inverted.

Source: W. J. Rogan and B. Gladen, 1978, doi:10.1093/oxfordjournals.aje.a112510.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import sqrt
from statistics import NormalDist

from core.errors import InputError
from core.metrics.audit_shares import (
    NO,
    YES,
    AuditedPair,
    class_share,
    drawn_by_verdict,
    spread_of_mean,
    variance_of_weighted_mean,
)
from core.metrics.true_rates import (
    CHANCE,
    Judged,
    TrueRate,
    audited_cells,
    clipped_rate,
    missing_class,
    not_defined,
)

ROGAN_GLADEN = "Rogan and Gladen's correction, delta method"

_Z = NormalDist().inv_cdf(0.975)


def rogan_gladen(judge_yes_rate: float, sensitivity: float, specificity: float) -> TrueRate:
    """(rate + specificity - 1) / (sensitivity + specificity - 1), without an interval.

    Returns:
        the rate; not defined when the judge is no better than chance, a sum of 1 or below.

    Raises:
        InputError: an argument lies outside [0, 1].

    Example:
        >>> found = rogan_gladen(0.9, sensitivity=0.75, specificity=0.875)
        >>> found.value, found.clipped, round(found.unclipped, 2)
        (1.0, True, 1.24)
    """
    for name, met in (
        ("the judge's rate", judge_yes_rate),
        ("the sensitivity", sensitivity),
        ("the specificity", specificity),
    ):
        if not 0 <= met <= 1:
            raise InputError(f"{name} is {met}, outside 0 to 1", hint="give a share, not percent")
    if sensitivity + specificity <= 1 + 1e-12:
        why = (
            f"{CHANCE}: sensitivity {sensitivity:.2f} and specificity {specificity:.2f} add up "
            "to no more than 1"
        )
        return not_defined(why, 0, ROGAN_GLADEN)
    value = (judge_yes_rate + specificity - 1) / (sensitivity + specificity - 1)
    return clipped_rate(value, None, None, 0, ROGAN_GLADEN)


def rogan_gladen_rate(judged: Judged, pairs: Iterable[AuditedPair]) -> TrueRate:
    """`rogan_gladen` with the weighted sensitivity and specificity of the audit.

    With equal weights, for an audit drawn evenly, the variance is Rogan and Gladen's:
    [r(1 - r)/N + θ²s(1 - s)/n₁ + (1 - θ)²t(1 - t)/n₀] / (s + t - 1)², of sensitivity s among n₁
    true yes and specificity t among n₀ true no. With unequal ones each weight is a stratum. Where
    each was drawn by its verdict the numbers of verdicts are taken as known: weights of N over n in
    each verdict lead to `stratified_ppi_rate`. Fewer than 5 pairs of a kind are taken with one of
    each added, in the variance only. An audit that oversampled a verdict and comes without weights
    is biased.

    Returns:
        the rate; not defined when no audited task is yes, or none is no, by the truth, or the
        judge is no better than chance.

    Raises:
        InputError: more pairs of a verdict are audited than tasks were given it.
    """
    cells = audited_cells(judged, pairs)
    n = sum(cells.values())
    why = missing_class(cells)
    if why:
        return not_defined(why, n, ROGAN_GLADEN)
    shares = class_share(cells, YES), class_share(cells, NO)
    s, t = (min(1.0, one.value) for one in shares)
    rate = judged.n_yes / judged.n
    found = rogan_gladen(rate, s, t)
    if found.value is None:
        return replace(found, n=n)
    theta = found.unclipped
    if len({weight for _, _, weight in cells}) == 1:
        spreads = (
            spread_of_mean(round(one.value * one.n), one.n - round(one.value * one.n))
            for one in shares
        )
        terms = zip((theta, 1 - theta), spreads, strict=True)
        variance = rate * (1 - rate) / judged.n + sum(by**2 * spread for by, spread in terms)
    else:
        total = {
            truth: sum(weight * m for (_, auditor, weight), m in cells.items() if auditor == truth)
            for truth in (YES, NO)
        }

        def error(judge: str, auditor: str) -> float:
            # By how much a pair moves the rate, slope left out.
            if auditor == YES:
                return -theta * ((judge == YES) - s) / total[YES]
            return (1 - theta) * ((judge == NO) - t) / total[NO]

        variance = variance_of_weighted_mean(cells, error, is_hit=lambda *pair: pair[0] == pair[1])
        if not drawn_by_verdict(cells):
            variance += rate * (1 - rate) / judged.n
    half = _Z * sqrt(variance) / (s + t - 1)
    return clipped_rate(theta, theta - half, theta + half, n, ROGAN_GLADEN)
