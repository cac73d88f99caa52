"""Shares of audited verdicts, weighted, with their intervals; the auditor is the truth.

An audited pair holds the judge's verdict, the auditor's vote and a weight. The weight is the number
of judged tasks that the pair stands for: for an audit that drew 50 of 900 Yes and 50 of 100 No, 18
and 2. Equal weights are an audit drawn evenly. Where they differ, each weight is taken to be a
stratum, drawn at random within itself; shares are weighted, and an interval is that of as many
evenly drawn pairs as would tell as much, the *effective n*. A stratum of one verdict was drawn by
it, so how many of that verdict it holds is no chance; in one of both, as where as many answers of
each model are drawn, it is. Where there are two strata, the verdicts, a share of one class is a
ratio of two independent parts, and its interval is put together from theirs: a rare error in the
large stratum weighs far more than the formula for n can tell.

Votes of "unsure" are in no share. A share of nothing is None, "not defined", and says why.

Source: E. B. Wilson, 1927, doi:10.1080/01621459.1927.10502953, and A. Donner and G. Y. Zou, 2012,
doi:10.1177/0962280210383082, for the intervals; the effective n is E. L. Korn and B. I. Graubard's,
1998, that of L. Kish, 1965, where no pair errs.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from core.errors import InputError
from core.metrics.intervals import ratio_interval, wilson_interval

YES, NO, UNSURE = "yes", "no", "unsure"

WILSON = "Wilson's interval"
WILSON_WEIGHTED = "weighted share, Wilson's interval with the effective n"
RATIO = "weighted share, ratio interval from one of Wilson's for each verdict (MOVER-R)"

NONE_DECIDED = "no verdict was audited with a yes or a no"
NO_TRUE_YES = "the auditor said yes to no task"
NO_TRUE_NO = "the auditor said no to no task"

# A normal variance needs this many pairs of either kind, by the usual rule of thumb.
FEW = 5

AuditCells = Counter[tuple[str, str, float]]
"""How many pairs have each (judge, auditor, weight)."""


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


def decided_cells(pairs: Iterable[AuditedPair]) -> AuditCells:
    """How many pairs have each (judge, auditor, weight), votes of unsure left out."""
    return Counter(
        (pair.judge, pair.auditor, pair.weight) for pair in pairs if pair.auditor != UNSURE
    )


def weighted_share(
    cells: AuditCells,
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


def class_share(cells: AuditCells, truth: str) -> Estimate:
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


def drawn_by_verdict(cells: AuditCells) -> bool:
    """Whether no weight is that of both verdicts, so that each stratum holds one of them."""
    return len({cell[2] for cell in cells}) == len({(cell[0], cell[2]) for cell in cells})


def variance_of_weighted_mean(
    cells: AuditCells, error: Callable[[str, str], float], *, is_hit: Callable[[str, str], bool]
) -> float:
    """The variance of a weighted sum over the pairs, each weight a stratum of its own.

    Args:
        cells: as `decided_cells` gives them.
        error: what a pair of this judge and auditor adds to the sum, its weight left out.
        is_hit: whether the pair hits, among those that add anything; where few do, or few do not,
            one of each is added, as in `spread_of_mean`.
    """
    variance = 0.0
    for weight in {weight for _, _, weight in cells}:
        inside = {cell[:2]: n for cell, n in cells.items() if cell[2] == weight}
        n = sum(inside.values())
        if len({judge for judge, _ in inside}) == 1:
            # Drawn by its verdict: the pairs differ by the auditor's vote alone.
            judge = next(iter(inside))[0]
            moved = weight * n * (error(judge, YES) - error(judge, NO))
            n_yes = inside.get((judge, YES), 0)
            variance += moved**2 * spread_of_mean(n_yes, n - n_yes)
            continue
        counted = {pair: float(m) for pair, m in inside.items() if error(*pair)}
        hit = sum(m for pair, m in counted.items() if is_hit(*pair))
        rest = sum(counted.values()) - hit
        if counted and min(hit, rest) < FEW:
            counted = _with_one_of_each(cells, counted, error, is_hit)
        drawn = sum(counted.values()) + n - (hit + rest)
        first = sum(m * error(*pair) for pair, m in counted.items()) / drawn
        second = sum(m * error(*pair) ** 2 for pair, m in counted.items()) / drawn
        variance += weight**2 * n * (second - first**2)
    return variance


def _with_one_of_each(
    cells: AuditCells, counted: dict, error: Callable, is_hit: Callable
) -> dict[tuple[str, str], float]:
    """The pairs with one hit and one other added, spread over the kinds that the audit met."""
    more = Counter(counted)
    met = {cell[:2] for cell in cells} | set(counted)
    for wanted in (True, False):
        kinds = [pair for pair in met if error(*pair) and is_hit(*pair) == wanted]
        for pair in kinds:
            more[pair] += 1 / len(kinds)
    return more


def _effective_n(cells: AuditCells, hit: Callable, among: Callable, share: float) -> float:
    """p(1 - p) over the variance of the share, by what each stratum adds to its error."""
    inside = {cell: n for cell, n in cells.items() if among(*cell[:2])}
    total = sum(weight * n for (_, _, weight), n in inside.items())
    by_kish = total**2 / sum(weight**2 * n for (_, _, weight), n in inside.items())

    def error(judge: str, auditor: str) -> float:
        return (hit(judge, auditor) - share) / total if among(judge, auditor) else 0.0

    variance = variance_of_weighted_mean(cells, error, is_hit=hit)
    spread = share * (1 - share)
    return spread / variance if min(spread, variance) > 1e-12 else by_kish
