"""How far an LLM judge is right, from verdicts that people audited; the auditor is the truth.

Pairs, weights and shares are those of `core.metrics.audit_shares`. Votes of "unsure" are in no
share, and counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

from core.errors import InputError
from core.metrics.agreement_words import Statistic
from core.metrics.audit_shares import (
    NO,
    NONE_DECIDED,
    YES,
    AuditedPair,
    Estimate,
    class_share,
    decided_cells,
    weighted_share,
)
from core.metrics.weighted_agreement import agreement_beyond_chance

_Z = NormalDist().inv_cdf(0.975)


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
    kappa, ac1 = agreement_beyond_chance(cells)
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
