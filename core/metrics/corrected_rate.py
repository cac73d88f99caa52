"""How often the answer is yes by the truth, from N verdicts of a judge and n audits of them.

A judge that errs gives a biased rate, and its interval, however narrow, need not hold the truth.
An audit shows how it errs. Three ways lead from there to the truth:

* the audit alone, which uses the verdicts of the audited tasks only to draw them;
* Rogan and Gladen's correction, which inverts the judge's sensitivity and specificity;
* prediction-powered inference, which adds to the judge's rate what the audit says it is off by. In
  its stratified form the strata are the two verdicts, and the rate is W₁p₁ + W₀p₀, where W is the
  share of a verdict among the N and p the share of it that is yes by the audit.

The stratified form is the default: it needs no weights, for it knows how many verdicts of each kind
there are, and the audit may draw as many of each as it likes, at random within each.

A value outside [0, 1] is clipped and marked. An interval is never of width zero: one that lies
outside [0, 1] as a whole is left out. Votes of "unsure" are left out.

Source: W. J. Rogan and B. Gladen, 1978, doi:10.1093/oxfordjournals.aje.a112510; A. N. Angelopoulos
et al., "Prediction-powered inference", 2023, doi:10.1126/science.adi6000; A. Fisch et al., 2024,
arXiv:2406.04291, for strata. Where few pairs err, limits are put together as by G. Y. Zou and
A. Donner, 2008, doi:10.1002/sim.3095.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt
from statistics import NormalDist

from core.errors import InputError
from core.metrics.intervals import wilson_interval
from core.metrics.judge_audit import (
    FEW,
    NO,
    NO_TRUE_NO,
    NO_TRUE_YES,
    NONE_DECIDED,
    YES,
    AuditedPair,
    class_share,
    decided_cells,
    spread_of_mean,
    weighted_share,
)

RAW = "raw rate of the judge, Wilson's interval"
AUDIT_ALONE = "audit alone, Wilson's interval"
PPI = "prediction-powered inference"
STRATIFIED_PPI = "prediction-powered inference, stratified by verdict"
ROGAN_GLADEN = "Rogan and Gladen's correction, delta method"
SCORE = ", limits put together from Wilson's"

_Z = NormalDist().inv_cdf(0.975)

_CHANCE = "the judge is no better than chance"
_OUTSIDE = "the whole interval lies outside 0 to 1: the audit's weights do not fit how it was drawn"

Cells = Counter[tuple[str, str, float]]


@dataclass(frozen=True)
class Judged:
    """How many tasks the judge gave each verdict; those without a valid verdict are not here.

    Args:
        n_yes: judged yes, 0 or more.
        n_no: judged no, 0 or more.

    Raises:
        InputError: a count is below 0.
    """

    n_yes: int
    n_no: int

    def __post_init__(self) -> None:
        if min(self.n_yes, self.n_no) < 0:
            raise InputError(
                f"the judge gave {self.n_yes} yes and {self.n_no} no",
                hint="give counts of 0 or more",
            )

    @property
    def n(self) -> int:
        """All verdicts."""
        return self.n_yes + self.n_no


@dataclass(frozen=True)
class TrueRate:
    """A rate of yes in [0, 1] with its 95 % interval.

    Args:
        value: None where not defined.
        low: lower end of the interval, None where there is none.
        high: upper end.
        n: audited pairs it rests on, of the raw rate the verdicts.
        method: how value and interval were made.
        why: why there is no value, or a value and no interval; else empty.
        clipped: whether the formula led outside [0, 1].
        unclipped: what the formula gave; None where value is.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    why: str = ""
    clipped: bool = False
    unclipped: float | None = None


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


def raw_rate(judged: Judged) -> TrueRate:
    """Share of yes verdicts, as if the judge never erred.

    Example:
        >>> raw_rate(Judged(n_yes=900, n_no=100)).value
        0.9
    """
    if not judged.n:
        return _not_defined("there is no verdict", 0, RAW)
    low, high = wilson_interval(judged.n_yes, judged.n)
    value = judged.n_yes / judged.n
    return TrueRate(value, low, high, judged.n, RAW, unclipped=value)


def audited_rate(pairs: Iterable[AuditedPair]) -> TrueRate:
    """Weighted share of yes among the audited pairs, whatever the judge said.

    Example:
        >>> pairs = [AuditedPair("yes", "yes", 18), AuditedPair("no", "no", 2)]
        >>> audited_rate(pairs).value
        0.9
    """
    found = weighted_share(
        decided_cells(pairs), lambda _, auditor: auditor == YES, empty=NONE_DECIDED
    )
    return TrueRate(
        found.value, found.low, found.high, found.n, AUDIT_ALONE, found.why, unclipped=found.value
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
    cells = _read(judged, pairs)
    why = _missing_class(cells) or _missing_verdict(judged, cells)
    if not why:
        yes, no = (_confirmed(cells, verdict) for verdict in (YES, NO))
        if not judged.n_yes or not judged.n_no:
            only = YES if judged.n_yes else NO
            why = f"{_CHANCE}: it said {only} to every task"
        elif yes.value <= no.value:
            why = (
                f"{_CHANCE}: {yes.value:.2f} of its yes and {no.value:.2f} of its no are yes by "
                "the truth"
            )
    if why:
        return _not_defined(why, sum(cells.values()), STRATIFIED_PPI)
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
    cells = _read(judged, pairs)
    n = sum(cells.values())
    why = _missing_verdict(judged, cells)
    if why:
        return _not_defined(why, n, STRATIFIED_PPI)
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
    return _clipped(value, low, high, n, method)


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
    cells = _read(judged, pairs)
    n = sum(cells.values())
    if not n:
        return _not_defined(NONE_DECIDED, n, PPI)
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
    return _clipped(value, low, high, n, method)


def rogan_gladen(judge_yes_rate: float, sensitivity: float, specificity: float) -> TrueRate:
    """(rate + specificity - 1) / (sensitivity + specificity - 1), without an interval.

    Returns:
        the rate; not defined when the judge is no better than chance, a sum of 1 or below.

    Raises:
        InputError: an argument lies outside [0, 1].

    Source: W. J. Rogan and B. Gladen, 1978, doi:10.1093/oxfordjournals.aje.a112510.

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
            f"{_CHANCE}: sensitivity {sensitivity:.2f} and specificity {specificity:.2f} add up "
            "to no more than 1"
        )
        return _not_defined(why, 0, ROGAN_GLADEN)
    value = (judge_yes_rate + specificity - 1) / (sensitivity + specificity - 1)
    return _clipped(value, None, None, 0, ROGAN_GLADEN)


def rogan_gladen_rate(judged: Judged, pairs: Iterable[AuditedPair]) -> TrueRate:
    """`rogan_gladen` with the weighted sensitivity and specificity of the audit.

    With equal weights, for an audit drawn evenly, the variance is Rogan and Gladen's:
    [r(1 - r)/N + θ²s(1 - s)/n₁ + (1 - θ)²t(1 - t)/n₀] / (s + t - 1)², of sensitivity s among n₁
    true yes and specificity t among n₀ true no. With unequal ones each verdict and weight is a
    stratum, and the numbers of verdicts are taken as known: weights of N over n in each verdict
    lead to `stratified_ppi_rate`. Fewer than 5 pairs of a kind are taken with one of each added,
    in the variance only. An audit that oversampled a verdict and comes without weights is biased.

    Returns:
        the rate; not defined when no audited task is yes, or none is no, by the truth, or the
        judge is no better than chance.

    Raises:
        InputError: more pairs of a verdict are audited than tasks were given it.
    """
    cells = _read(judged, pairs)
    n = sum(cells.values())
    why = _missing_class(cells)
    if why:
        return _not_defined(why, n, ROGAN_GLADEN)
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
        variance = 0.0
        for verdict, weight in {(judge, weight) for judge, _, weight in cells}:
            # By how much the rate moves when a pair turns from no to yes, slope left out.
            as_yes = -theta * ((verdict == YES) - s) / total[YES]
            as_no = (1 - theta) * ((verdict == NO) - t) / total[NO]
            k, rest = cells[verdict, YES, weight], cells[verdict, NO, weight]
            moved = weight * (k + rest) * (as_yes - as_no)
            variance += moved**2 * spread_of_mean(k, rest)
    half = _Z * sqrt(variance) / (s + t - 1)
    return _clipped(theta, theta - half, theta + half, n, ROGAN_GLADEN)


def _confirmed(cells: Cells, verdict: str):
    """Weighted share of yes by the truth among the audited pairs of one verdict."""
    inside = Counter({cell: n for cell, n in cells.items() if cell[0] == verdict})
    return weighted_share(inside, lambda _, auditor: auditor == YES, empty=NONE_DECIDED)


def _enough(share: float, n: float) -> bool:
    return min(share, 1 - share) * n >= FEW - 1e-9


def _read(judged: Judged, pairs: Iterable[AuditedPair]) -> Cells:
    pairs = list(pairs)
    for verdict, given in ((YES, judged.n_yes), (NO, judged.n_no)):
        audited = sum(pair.judge == verdict for pair in pairs)
        if audited > given:
            raise InputError(
                f"{audited} verdicts of {verdict} were audited, and the judge gave {given}",
                hint="give the verdicts of all judged tasks, audited ones included",
            )
    return decided_cells(pairs)


def _pairs(cells: Cells) -> list[AuditedPair]:
    return [AuditedPair(*cell) for cell, n in cells.items() for _ in range(n)]


def _missing_class(cells: Cells) -> str:
    if not cells:
        return NONE_DECIDED
    met = {auditor for _, auditor, _ in cells}
    return "" if met == {YES, NO} else NO_TRUE_YES if NO in met else NO_TRUE_NO


def _missing_verdict(judged: Judged, cells: Cells) -> str:
    if not cells:
        return NONE_DECIDED
    met = {judge for judge, _, _ in cells}
    for verdict, given in ((YES, judged.n_yes), (NO, judged.n_no)):
        if given and verdict not in met:
            return f"none of the {given} verdicts of {verdict} was audited with a yes or a no"
    return ""


def _not_defined(why: str, n: int, method: str) -> TrueRate:
    return TrueRate(None, None, None, n, method, f"not defined: {why}")


def _clipped(
    unclipped: float, low: float | None, high: float | None, n: int, method: str
) -> TrueRate:
    value = min(1.0, max(0.0, unclipped))
    # Rounding can leave 1e-17 outside, which is no sign of anything.
    clipped = abs(value - unclipped) > 1e-9
    why = ""
    if low is not None:
        low, high = min(1.0, max(0.0, low)), min(1.0, max(0.0, high))
        if high - low < 1e-9:
            low, high, why = None, None, _OUTSIDE
    return TrueRate(value, low, high, n, method, why, clipped, unclipped)
