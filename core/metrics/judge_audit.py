"""How far an LLM judge is right, from verdicts that people audited; the auditor is the truth.

An audited pair holds the judge's verdict, the auditor's vote and a weight. The weight is the number
of judged tasks that the pair stands for: for an audit that drew 50 of 900 Yes and 50 of 100 No, 18
and 2. Equal weights are an audit drawn evenly. Where they differ, each verdict and weight is taken
to be a stratum, drawn at random within itself; shares are weighted, and an interval is that of as
many evenly drawn pairs as would tell as much, the *effective n*. Where there are two strata, the
verdicts, a share of one class is a ratio of two independent parts, and its interval is put together
from theirs: a rare error in the large stratum weighs far more than the formula for n can tell.

Votes of "unsure" are in no share, and counted. A share of nothing is None, "not defined", and says
why.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import ceil, inf, sqrt
from statistics import NormalDist
from typing import Literal

from core.errors import InputError
from core.metrics.agreement_words import AC1, KAPPA, Statistic
from core.metrics.attribution import ratio_interval
from core.metrics.intervals import wilson_interval

YES, NO, UNSURE = "yes", "no", "unsure"

WILSON = "Wilson's interval"
WILSON_WEIGHTED = "weighted share, Wilson's interval with the effective n"
RATIO = "weighted share, ratio interval from one of Wilson's for each verdict (MOVER-R)"

NONE_DECIDED = "no verdict was audited with a yes or a no"
NO_TRUE_YES = "the auditor said yes to no task"
NO_TRUE_NO = "the auditor said no to no task"

# A normal variance needs this many pairs of either kind, by the usual rule of thumb.
FEW = 5

_REDRAWS = 2_000

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class AuditedPair:
    """One verdict of the judge beside the vote of a person who had not seen it.

    Args:
        judge: "yes" or "no".
        auditor: "yes", "no" or "unsure".
        weight: judged tasks that this pair stands for, above 0.

    Raises:
        InputError: another word, or a weight that is not a number above 0.
    """

    judge: Literal["yes", "no"]
    auditor: Literal["yes", "no", "unsure"]
    weight: float = 1.0

    def __post_init__(self) -> None:
        for name, met, wanted in (
            ("the judge's verdict", self.judge, (YES, NO)),
            ("the auditor's vote", self.auditor, (YES, NO, UNSURE)),
        ):
            if met not in wanted:
                raise InputError(f"{name} is {met!r}", hint=f"give {' or '.join(wanted)}")
        if not 0 < self.weight < float("inf"):
            raise InputError(
                f"an audited pair has the weight {self.weight}",
                hint="give the number of judged tasks that it stands for, above 0",
            )


@dataclass(frozen=True)
class Estimate:
    """One share in [0, 1] with its 95 % interval.

    Args:
        value: None where not defined.
        low: lower end of the interval, None with the value.
        high: upper end.
        n: pairs the share is out of.
        method: how value and interval were made; empty where there is none.
        why: a sentence, empty where there is a value.
        effective_n: evenly drawn pairs that would tell as much; n where the weights are equal.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str = ""
    why: str = ""
    effective_n: float = 0.0


@dataclass(frozen=True)
class JudgeAudit:
    """What an audit says about the judge.

    Args:
        n_audited: pairs, votes of unsure included.
        n_unsure: pairs left out because the auditor was unsure.
        counts: decided pairs by (judge, auditor), unweighted; all four are there.
        agreement: share of verdicts that the auditor confirmed.
        sensitivity: share of the true yes that the judge said yes to.
        specificity: share of the true no that the judge said no to.
        kappa: agreement beyond chance, weighted as the shares are.
        ac1: the same by Gwet's formula, which a dominant verdict does not mislead.
    """

    n_audited: int
    n_unsure: int
    counts: dict[tuple[str, str], int]
    agreement: Estimate
    sensitivity: Estimate
    specificity: Estimate
    kappa: Statistic
    ac1: Statistic


def judge_audit(pairs: Iterable[AuditedPair]) -> JudgeAudit:
    """Agreement, sensitivity, specificity, kappa and AC1 of a judge with its auditor.

    Sensitivity is the weighted share of yes verdicts among the tasks that are yes by the auditor,
    specificity that of no verdicts among those that are no. A judge that guesses has a sum of the
    two of 1. Kappa and AC1 of equal weights are those of `core.metrics.agreement`; of others, they
    are taken from the weighted shares of the four cells.

    Source: E. B. Wilson, 1927, doi:10.1080/01621459.1927.10502953, and A. Donner and G. Y. Zou,
    2012, doi:10.1177/0962280210383082, for the intervals; the effective n is E. L. Korn and B. I.
    Graubard's, 1998, that of L. Kish, 1965, where no pair errs.

    Example:
        >>> drawn = {("yes", "yes"): 45, ("yes", "no"): 5, ("no", "yes"): 15, ("no", "no"): 35}
        >>> weights = {"yes": 900 / 50, "no": 100 / 50}
        >>> found = judge_audit(
        ...     AuditedPair(*pair, weights[pair[0]]) for pair, n in drawn.items() for _ in range(n)
        ... )
        >>> found.agreement.value, round(found.sensitivity.value, 4), found.specificity.value
        (0.88, 0.9643, 0.4375)
    """
    pairs = list(pairs)
    cells = decided_cells(pairs)
    counts = {(judge, auditor): 0 for judge in (YES, NO) for auditor in (YES, NO)}
    for (judge, auditor, _), n in cells.items():
        counts[judge, auditor] += n
    kappa, ac1 = _beyond_chance(cells)
    return JudgeAudit(
        n_audited=len(pairs),
        n_unsure=len(pairs) - sum(counts.values()),
        counts=counts,
        agreement=weighted_share(
            cells, lambda judge, auditor: judge == auditor, empty=NONE_DECIDED
        ),
        sensitivity=class_share(cells, YES),
        specificity=class_share(cells, NO),
        kappa=kappa,
        ac1=ac1,
    )


def more_audits_needed(agreement: Estimate, half_width: float) -> int | None:
    """How many more audits bring an agreement to ± half_width, should it stay as it is.

    The present rate p needs the least n for which Wilson's interval of pn out of n is 2 half_width
    wide or less. An audit with unequal weights is taken to go on as it was drawn, so that the
    effective n grows with the number of audits.

    Args:
        agreement: a share as `judge_audit` gives it.
        half_width: half the width that the interval is to have, above 0 and below 0.5.

    Returns:
        decided votes still to come, 0 when the interval is narrow enough; None when the share is
        not defined, for then there is no present rate.

    Raises:
        InputError: half_width is not above 0 and below 0.5.

    Example:
        >>> found = judge_audit([AuditedPair("yes", "yes")] * 45 + [AuditedPair("yes", "no")] * 5)
        >>> more_audits_needed(found.agreement, 0.05)
        91
    """
    if not 0 < half_width < 0.5:
        raise InputError(
            f"an interval cannot have the half width {half_width}",
            hint="give a share above 0 and below 0.5, such as 0.05 for ±5 points",
        )
    if agreement.value is None:
        return None

    def too_wide(n: float) -> bool:
        p = agreement.value
        half = _Z / (1 + _Z * _Z / n) * sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
        return half > half_width

    have = agreement.effective_n
    if not too_wide(have):
        return 0
    few, enough = 0, 1  # The width falls as n grows: double, then halve the gap.
    while too_wide(enough):
        few, enough = enough, 2 * enough
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (middle, enough) if too_wide(middle) else (few, middle)
    return max(1, ceil((enough - have) * agreement.n / have - 1e-9))


def decided_cells(pairs: Iterable[AuditedPair]) -> Counter[tuple[str, str, float]]:
    """How many pairs have each (judge, auditor, weight), votes of unsure left out."""
    return Counter(
        (pair.judge, pair.auditor, pair.weight) for pair in pairs if pair.auditor != UNSURE
    )


def weighted_share(
    cells: Counter[tuple[str, str, float]],
    hit: Callable[[str, str], bool],
    *,
    among: Callable[[str, str], bool] = lambda judge, auditor: True,
    empty: str,
) -> Estimate:
    """The weighted share of pairs that hit among some, with Wilson's interval.

    Args:
        cells: as `decided_cells` gives them.
        hit: whether a pair of this judge and auditor counts.
        among: whether it is one of those the share is out of.
        empty: why there may be none.
    """
    inside = {cell: n for cell, n in cells.items() if among(*cell[:2])}
    n = sum(inside.values())
    if not n:
        return Estimate(None, None, None, 0, why=f"not defined: {empty}")
    total = sum(weight * m for (_, _, weight), m in inside.items())
    share = sum(weight * m for (*pair, weight), m in inside.items() if hit(*pair)) / total
    worth, method = float(n), WILSON
    if len({weight for _, _, weight in cells}) > 1:
        worth, method = _effective_n(cells, hit, among, share), WILSON_WEIGHTED
    low, high = wilson_interval(min(share, 1.0) * worth, worth)
    return Estimate(share, low, high, n, method, effective_n=worth)


def class_share(cells: Counter[tuple[str, str, float]], truth: str) -> Estimate:
    """Share of the tasks that are `truth` by the auditor whose verdict was the same.

    It is the judge's sensitivity for "yes" and its specificity for "no".

    Args:
        cells: as `decided_cells` gives them.
        truth: "yes" or "no".
    """
    found = weighted_share(
        cells,
        lambda judge, _: judge == truth,
        among=lambda _, auditor: auditor == truth,
        empty=NO_TRUE_YES if truth == YES else NO_TRUE_NO,
    )
    strata = {(judge, weight) for judge, _, weight in cells}
    by_verdict = {judge for judge, _ in strata} == {YES, NO} and len(strata) == 2
    if found.value is None or found.method == WILSON or not by_verdict:
        return found
    parts = []
    for judge, weight in sorted(strata, key=lambda stratum: stratum[0] != truth):
        k, n = cells[judge, truth, weight], cells[judge, YES, weight] + cells[judge, NO, weight]
        ends = tuple(weight * n * end for end in wilson_interval(k, n))
        parts += [weight * k, ends]
    low, high = (odds / (1 + odds) if odds < inf else 1.0 for odds in ratio_interval(*parts))
    # Rounding must not put the value beside an end it equals.
    ends = {"low": min(low, found.value), "high": max(high, found.value)}
    return replace(found, method=RATIO, **ends)


def _effective_n(cells: Counter, hit: Callable, among: Callable, share: float) -> float:
    """p(1 - p) over the variance of the share, by what each stratum adds to its error."""
    inside = {cell: n for cell, n in cells.items() if among(*cell[:2])}
    total = sum(weight * n for (_, _, weight), n in inside.items())
    by_kish = total**2 / sum(weight**2 * n for (_, _, weight), n in inside.items())
    variance = 0.0
    for judge, weight in {(judge, weight) for judge, _, weight in cells}:
        # In a stratum the pairs differ by the auditor's vote alone.
        error = {
            auditor: weight * (hit(judge, auditor) - share) / total
            if among(judge, auditor)
            else 0.0
            for auditor in (YES, NO)
        }
        n_yes, n_no = (cells[judge, auditor, weight] for auditor in (YES, NO))
        moved = (error[YES] - error[NO]) * (n_yes + n_no)
        variance += moved**2 * spread_of_mean(n_yes, n_no)
    spread = share * (1 - share)
    return spread / variance if min(spread, variance) > 1e-12 else by_kish


def spread_of_mean(k: int, rest: int) -> float:
    """p(1 - p)/n of k among n = k + rest; with one of each added where one of them is below 5.

    Few pairs of a kind say little about how rare it is, and none must not pass for certainty.

    Example:
        >>> spread_of_mean(5, 5), spread_of_mean(0, 8)  # 0.25 / 10, and 0.1 · 0.9 / 10
        (0.025, 0.009)
    """
    if min(k, rest) < FEW:
        k, rest = k + 1, rest + 1
    return k * rest / (k + rest) ** 3


def _beyond_chance(cells: Counter[tuple[str, str, float]]) -> tuple[Statistic, Statistic]:
    """Kappa and AC1; of unequal weights, with the interval of strata drawn again."""
    n = sum(cells.values())
    if not n:
        undefined = f"not defined: {NONE_DECIDED}"
        return tuple(Statistic(name, None, None, None, 0, 2, undefined) for name in (KAPPA, AC1))
    if len({weight for _, _, weight in cells}) == 1:
        from core.metrics.agreement import agreement

        found = agreement(_votes(cells))
        return found.kappa, found.ac1

    import numpy as np

    strata = sorted({(judge, weight) for judge, _, weight in cells})
    n_yes, n_no = (
        np.array([cells[judge, auditor, weight] for judge, weight in strata])
        for auditor in (YES, NO)
    )
    # A kind of pair with few has one added, as in `spread_of_mean`, so none is drawn as certain.
    added = np.minimum(n_yes, n_no) < FEW
    chance = (n_yes + added) / (n_yes + n_no + 2 * added)
    drawn = np.random.default_rng(0).binomial(n_yes + n_no, chance, size=(_REDRAWS, len(strata)))
    names = (KAPPA, AC1)
    values = _weighted_kappa_and_ac1(strata, n_yes + n_no, n_yes)
    redrawn = _weighted_kappa_and_ac1(strata, n_yes + n_no, drawn)
    one_sided = len({judge for judge, _ in strata}) == 1
    found = []
    for name, value, again in zip(names, values, redrawn, strict=True):
        if np.isnan(value):
            why = "not defined: one label used"
            found.append(Statistic(name, None, None, None, n, 2, why))
        elif name == KAPPA and one_sided:
            why = "the judge used one label only, so kappa is 0 whatever the auditor chose"
            found.append(Statistic(name, 0.0, None, None, n, 2, why_no_interval=why))
        else:
            low, high = np.nanquantile(again, [0.025, 0.975])
            ends = min(float(low), float(value)), max(float(high), float(value))
            found.append(Statistic(name, float(value), *ends, n, 2))
    return found[0], found[1]


def _weighted_kappa_and_ac1(strata: list[tuple[str, float]], sizes, n_yes):
    """Both from the auditor's yes in each stratum, one set or rows of them; NaN for 0/0."""
    import numpy as np

    weights = np.array([weight for _, weight in strata])
    said_yes = np.array([judge == YES for judge, _ in strata])
    total = weights @ sizes
    agreed = (np.where(said_yes, n_yes, sizes - n_yes) @ weights) / total
    of_judge, of_auditor = (said_yes * sizes) @ weights / total, n_yes @ weights / total
    mean = (of_judge + of_auditor) / 2
    by_chance = of_judge * of_auditor + (1 - of_judge) * (1 - of_auditor)
    left = 1 - by_chance
    gap = agreed - by_chance
    kappa = np.divide(gap, left, out=np.full(np.shape(gap), np.nan), where=left > 1e-12)
    by_gwet = 2 * mean * (1 - mean)
    return kappa, (agreed - by_gwet) / (1 - by_gwet)


def _votes(cells: Counter[tuple[str, str, float]]):
    import pandas as pd

    pairs = [pair for (*pair, _), n in cells.items() for _ in range(n)]
    return pd.DataFrame(
        {
            "item": [item for item in range(len(pairs)) for _ in range(2)],
            "person": ["judge", "auditor"] * len(pairs),
            "label": [label for pair in pairs for label in pair],
        }
    )
