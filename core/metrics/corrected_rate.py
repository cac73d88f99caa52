"""How often the answer is yes by the truth, from N verdicts of a judge and n audits of them.

A judge that errs gives a biased rate, and its interval, however narrow, need not hold the truth.
An audit shows how it errs. Three ways lead from there to the truth:

* the audit alone, which uses the verdicts of the audited tasks only to draw them;
* Rogan and Gladen's correction, which inverts the judge's sensitivity and specificity
  (`core.metrics.rogan_gladen`);
* prediction-powered inference, which adds to the judge's rate what the audit says it is off by. In
  its stratified form the strata are the two verdicts, and the rate is W₁p₁ + W₀p₀, where W is the
  share of a verdict among the N and p the share of it that is yes by the audit.

The stratified form is the default: it needs no weights, for it knows how many verdicts of each kind
there are, and the audit may draw as many of each as it likes, at random within each.

Source: A. N. Angelopoulos et al., "Prediction-powered inference", 2023,
doi:10.1126/science.adi6000; A. Fisch et al., 2024, arXiv:2406.04291, for strata. Where few pairs
err, limits are put together as by G. Y. Zou and A. Donner, 2008, doi:10.1002/sim.3095.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from core.metrics.audit_shares import (
    FEW,
    NO,
    NONE_DECIDED,
    YES,
    AuditCells,
    AuditedPair,
    weighted_share,
)
from core.metrics.rogan_gladen import rogan_gladen_rate
from core.metrics.true_rates import (
    CHANCE,
    Judged,
    TrueRate,
    audited_cells,
    audited_rate,
    clipped_rate,
    missing_class,
    not_defined,
    raw_rate,
)

PPI = "prediction-powered inference"
STRATIFIED_PPI = "prediction-powered inference, stratified by verdict"
SCORE = ", limits put together from Wilson's"

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class RateByTruth:
    """The same rate in four ways: as judged, from the audit alone, and corrected."""

    raw: TrueRate
    audited: TrueRate
    corrected: TrueRate
    rogan_gladen: TrueRate


def rate_by_truth(judged: Judged, pairs: Iterable[AuditedPair]) -> RateByTruth:
    """The raw rate beside the rates that an audit leads to.

    Raises:
        InputError: more pairs of a verdict are audited than tasks were given it.
    """
    pairs = list(pairs)
    return RateByTruth(
        raw_rate(judged),
        audited_rate(pairs),
        corrected_rate(judged, pairs),
        rogan_gladen_rate(judged, pairs),
    )


def corrected_rate(judged: Judged, pairs: Iterable[AuditedPair]) -> TrueRate:
    """The rate of yes by the truth, by stratified prediction-powered inference.

    Returns:
        `stratified_ppi_rate`; not defined, with the reason, where the judge tells nothing to
        correct by: no audited task is yes, or none is no, by the truth; a verdict that was given
        was never audited; or yes is no likelier by the truth after a yes than after a no. The rate
        of the audit alone may be defined even then.

    Raises:
        InputError: more pairs of a verdict are audited than tasks were given it.

    Example:
        >>> pairs = [AuditedPair("yes", "yes")] * 45 + [AuditedPair("yes", "no")] * 5
        >>> pairs += [AuditedPair("no", "no")] * 35 + [AuditedPair("no", "yes")] * 15
        >>> found = corrected_rate(Judged(n_yes=900, n_no=100), pairs)
        >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
        (0.84, 0.764, 0.916)
    """
    cells = audited_cells(judged, pairs)
    why = missing_class(cells) or _missing_verdict(judged, cells)
    if not why:
        yes, no = (_confirmed(cells, verdict) for verdict in (YES, NO))
        if not judged.n_yes or not judged.n_no:
            only = YES if judged.n_yes else NO
            why = f"{CHANCE}: it said {only} to every task"
        elif yes.value <= no.value:
            why = (
                f"{CHANCE}: {yes.value:.2f} of its yes and {no.value:.2f} of its no are yes by "
                "the truth"
            )
    if why:
        return not_defined(why, sum(cells.values()), STRATIFIED_PPI)
    return stratified_ppi_rate(judged, _pairs(cells))


def stratified_ppi_rate(
    judged: Judged, pairs: Iterable[AuditedPair], *, of_new_tasks: bool = False
) -> TrueRate:
    """W₁p₁ + W₀p₀: each verdict's share among the N times the share of it that is yes.

    The variance is W₁²p₁(1 - p₁)/n₁ + W₀²p₀(1 - p₀)/n₀. Where fewer than 5 audited pairs of a
    verdict are yes, or no, Wilson's limits of the two shares are put together instead. The numbers
    of verdicts are taken as known, so this is the rate among the N judged tasks. It holds for any
    judge, a bad one only makes it no narrower than the audit alone.

    Args:
        pairs: within a verdict drawn at random; weights matter only where they differ there.
        of_new_tasks: whether the interval is for tasks like these rather than for these: it
            grows by the chance of drawing them, W₁W₀(p₁ - p₀)²/N in the variance.

    Returns:
        the rate; not defined when a verdict that was given was never audited.

    Raises:
        InputError: more pairs of a verdict are audited than tasks were given it.
    """
    cells = audited_cells(judged, pairs)
    n = sum(cells.values())
    why = _missing_verdict(judged, cells)
    if why:
        return not_defined(why, n, STRATIFIED_PPI)
    given = [(v, m / judged.n) for v, m in ((YES, judged.n_yes), (NO, judged.n_no)) if m]
    strata = [(share, _confirmed(cells, verdict)) for verdict, share in given]
    value = sum(share * one.value for share, one in strata)
    drawn = 0.0
    if of_new_tasks:
        drawn = _Z**2 * sum(share * (one.value - value) ** 2 for share, one in strata) / judged.n
    if all(_enough(one.value, one.effective_n) for _, one in strata):
        method = STRATIFIED_PPI
        half = sum(
            share**2 * _Z**2 * one.value * (1 - one.value) / one.effective_n
            for share, one in strata
        )
        low, high = value - sqrt(half + drawn), value + sqrt(half + drawn)
    else:
        method = STRATIFIED_PPI + SCORE
        down = sum((share * (one.value - one.low)) ** 2 for share, one in strata)
        up = sum((share * (one.high - one.value)) ** 2 for share, one in strata)
        low, high = value - sqrt(down + drawn), value + sqrt(up + drawn)
    return clipped_rate(value, low, high, n, method)


def ppi_rate(judged: Judged, pairs: Iterable[AuditedPair]) -> TrueRate:
    """The judge's rate plus the mean of (truth - verdict) over the audit, weighted.

    The variance is r(1 - r)/N of the judge's rate r plus that of the mean. Where fewer than 5 pairs
    are wrongly yes, or wrongly no, Wilson's limits of the two shares are put together with the
    raw rate's instead. For an audit drawn evenly, or with weights; the stratified form is
    narrower where the judge errs unequally.

    Raises:
        InputError: more pairs of a verdict are audited than tasks were given it.

    Example:
        >>> pairs = [AuditedPair("yes", "yes")] * 80 + [AuditedPair("yes", "no")] * 10
        >>> pairs += [AuditedPair("no", "no")] * 5 + [AuditedPair("no", "yes")] * 5
        >>> round(ppi_rate(Judged(n_yes=900, n_no=100), pairs).value, 4)  # 0.9 + (5 - 10) / 100
        0.85
    """
    cells = audited_cells(judged, pairs)
    n = sum(cells.values())
    if not n:
        return not_defined(NONE_DECIDED, n, PPI)
    missed, strayed = (
        weighted_share(cells, lambda *pair, wrong=wrong: pair == wrong, empty=NONE_DECIDED)
        for wrong in ((NO, YES), (YES, NO))
    )
    raw = raw_rate(judged)
    value = raw.value + missed.value - strayed.value
    if all(_enough(one.value, one.effective_n) for one in (missed, strayed)):
        method = PPI
        total = sum(weight * m for (_, _, weight), m in cells.items())
        off = missed.value - strayed.value
        variance = raw.value * (1 - raw.value) / judged.n + sum(
            m * (weight * ((auditor == YES) - (judge == YES) - off) / total) ** 2
            for (judge, auditor, weight), m in cells.items()
        )
        low, high = value - _Z * sqrt(variance), value + _Z * sqrt(variance)
    else:
        method = PPI + SCORE
        down = (raw.value - raw.low, missed.value - missed.low, strayed.high - strayed.value)
        up = (raw.high - raw.value, missed.high - missed.value, strayed.value - strayed.low)
        low = value - sqrt(sum(gap**2 for gap in down))
        high = value + sqrt(sum(gap**2 for gap in up))
    return clipped_rate(value, low, high, n, method)


def _confirmed(cells: AuditCells, verdict: str):
    """Weighted share of yes by the truth among the audited pairs of one verdict."""
    inside = Counter({cell: n for cell, n in cells.items() if cell[0] == verdict})
    return weighted_share(inside, lambda _, auditor: auditor == YES, empty=NONE_DECIDED)


def _enough(share: float, n: float) -> bool:
    return min(share, 1 - share) * n >= FEW - 1e-9


def _pairs(cells: AuditCells) -> list[AuditedPair]:
    return [AuditedPair(*cell) for cell, n in cells.items() for _ in range(n)]


def _missing_verdict(judged: Judged, cells: AuditCells) -> str:
    if not cells:
        return NONE_DECIDED
    met = {judge for judge, _, _ in cells}
    for verdict, given in ((YES, judged.n_yes), (NO, judged.n_no)):
        if given and verdict not in met:
            return f"none of the {given} verdicts of {verdict} was audited with a yes or a no"
    return ""
