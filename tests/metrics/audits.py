"""Audits of a judge, for the tests of how far it is right and of the rate by the truth."""

from core.metrics.audit_shares import AuditedPair


def audited(yes_yes=0, yes_no=0, no_yes=0, no_no=0, *, unsure=0, weights=(1.0, 1.0)):
    """Pairs by (judge, auditor), the two weights being those of the judge's yes and no."""
    of_yes, of_no = weights
    return (
        [AuditedPair("yes", "yes", of_yes)] * yes_yes
        + [AuditedPair("yes", "no", of_yes)] * yes_no
        + [AuditedPair("no", "yes", of_no)] * no_yes
        + [AuditedPair("no", "no", of_no)] * no_no
        + [AuditedPair("yes", "unsure", of_yes)] * unsure
    )


def shown(rate, digits=3):
    """A rate and its ends, rounded."""
    return tuple(round(number, digits) for number in (rate.value, rate.low, rate.high))
