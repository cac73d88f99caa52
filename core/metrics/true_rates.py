"""A rate of yes by the truth: what it is made from, and what all ways to it share.

A value outside [0, 1] is clipped and marked. An interval is never of width zero: one that lies
outside [0, 1] as a whole is left out. Votes of "unsure" are left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import InputError
from core.metrics.audit_shares import (
    NO,
    NO_TRUE_NO,
    NO_TRUE_YES,
    NONE_DECIDED,
    YES,
    AuditCells,
    AuditedPair,
    decided_cells,
    weighted_share,
)
from core.metrics.intervals import wilson_interval

RAW = "raw rate of the judge, Wilson's interval"
AUDIT_ALONE = "audit alone, Wilson's interval"

CHANCE = "the judge is no better than chance"

_OUTSIDE = "the whole interval lies outside 0 to 1: the audit's weights do not fit how it was drawn"


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


def raw_rate(judged: Judged) -> TrueRate:
    """Share of yes verdicts, as if the judge never erred.

    Example:
        >>> raw_rate(Judged(n_yes=900, n_no=100)).value
        0.9
    """
    if not judged.n:
        return not_defined("there is no verdict", 0, RAW)
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


def audited_cells(judged: Judged, pairs: Iterable[AuditedPair]) -> AuditCells:
    """The decided pairs by cell, of an audit of these verdicts.

    Raises:
        InputError: more pairs of a verdict are audited than tasks were given it.
    """
    pairs = list(pairs)
    for verdict, given in ((YES, judged.n_yes), (NO, judged.n_no)):
        audited = sum(pair.judge == verdict for pair in pairs)
        if audited > given:
            raise InputError(
                f"{audited} verdicts of {verdict} were audited, and the judge gave {given}",
                hint="give the verdicts of all judged tasks, audited ones included",
            )
    return decided_cells(pairs)


def missing_class(cells: AuditCells) -> str:
    """Why sensitivity or specificity has nothing to be out of; else empty."""
    if not cells:
        return NONE_DECIDED
    met = {auditor for _, auditor, _ in cells}
    return "" if met == {YES, NO} else NO_TRUE_YES if NO in met else NO_TRUE_NO


def not_defined(why: str, n: int, method: str) -> TrueRate:
    """The rate that has no value, and why."""
    return TrueRate(None, None, None, n, method, f"not defined: {why}")


def clipped_rate(
    unclipped: float, low: float | None, high: float | None, n: int, method: str
) -> TrueRate:
    """The rate inside [0, 1], and its interval, unless that lies outside as a whole."""
    value = min(1.0, max(0.0, unclipped))
    # Rounding can leave 1e-17 outside, which is no sign of anything.
    clipped = abs(value - unclipped) > 1e-9
    why = ""
    if low is not None:
        low, high = min(1.0, max(0.0, low)), min(1.0, max(0.0, high))
        if high - low < 1e-9:
            low, high, why = None, None, _OUTSIDE
    return TrueRate(value, low, high, n, method, why, clipped, unclipped)
