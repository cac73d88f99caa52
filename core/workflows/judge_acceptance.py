"""Judges accepted for a study: once an audit shows that they err seldom enough.

A judge passes when the lower ends of its sensitivity and of its specificity reach the study's bar
(`DeskRules.judge_bar`). Acceptances and withdrawals are only ever added; the newest of a judge
stands. A judge is a model with a version of its prompt: another version has to pass anew.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from core.errors import ConflictError
from core.metrics.audit_shares import Estimate
from core.metrics.judge_audit import JudgeAudit
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.audits import AuditableJudge
from core.workflows.desk_rules import rules_of
from core.workflows.judge_pool import judge_pool
from core.workflows.people import Person
from core.workflows.studies import Study


@dataclass(frozen=True)
class Acceptance:
    """The newest that was decided of a judge in a study.

    Args:
        is_accepted: False where it was withdrawn. person: who decided.
        bar: what the lower ends had to reach, then.
        sensitivity_low, specificity_low: what they were, then; None where not defined.
    """

    is_accepted: bool
    person: str
    bar: float
    sensitivity_low: float | None
    specificity_low: float | None
    decided_at: datetime


def acceptance_of(
    source: Store | Transaction, study: Study, judge: AuditableJudge
) -> Acceptance | None:
    """What was decided of a judge last; None where nothing was."""
    found = source.rows("judge_acceptance_now", study_id=study.study_id, **_key(judge))
    return Acceptance(**found[0]) if found else None


def accept_judge(
    store: Store, study: Study, judge: AuditableJudge, *, person: Person
) -> Acceptance:
    """The judge is accepted for the study.

    Raises:
        ConflictError: its lower ends miss the study's bar, by the votes that stand; the message
            has the numbers.
    """
    measured = judge_pool(store, study, judge).measured()
    bar = rules_of(store, study).judge_bar
    if missed := why_missed(measured, bar):
        raise ConflictError(
            f"{judge.title} misses the bar of {bar:.2f}: {missed}",
            hint="audit more of its verdicts, try another judge or prompt, or set another bar",
        )
    return _record(store, study, judge, person, measured, bar, is_accepted=True)


def withdraw_judge(
    store: Store, study: Study, judge: AuditableJudge, *, person: Person
) -> Acceptance:
    """The judge is no longer accepted for the study.

    Raises:
        ConflictError: it is not accepted.
    """
    now = acceptance_of(store, study, judge)
    if now is None or not now.is_accepted:
        raise ConflictError(
            f"{judge.title} is not accepted for {study.name}", hint="there is nothing to withdraw"
        )
    measured = judge_pool(store, study, judge).measured()
    bar = rules_of(store, study).judge_bar
    return _record(store, study, judge, person, measured, bar, is_accepted=False)


def why_missed(measured: JudgeAudit, bar: float) -> str:
    """What misses the bar, with its numbers; empty where both lower ends reach it."""
    parts = [("sensitivity", measured.sensitivity), ("specificity", measured.specificity)]
    return "; ".join(_told(name, one) for name, one in parts if one.low is None or one.low < bar)


def _told(name: str, one: Estimate) -> str:
    if one.value is None:
        return f"{name} is {one.why}"
    audits = f"{one.n:,} audit{'s' if one.n != 1 else ''}"
    return f"{name} is {one.value:.2f}, and may be as low as {one.low:.2f} by {audits}"


def _record(
    store: Store,
    study: Study,
    judge: AuditableJudge,
    person: Person,
    measured: JudgeAudit,
    bar: float,
    *,
    is_accepted: bool,
) -> Acceptance:
    row = {
        "study_id": study.study_id,
        **_key(judge),
        "person_id": person.person_id,
        "is_accepted": is_accepted,
        "bar": bar,
        "sensitivity_low": measured.sensitivity.low,
        "specificity_low": measured.specificity.low,
        "decided_at": datetime.now(UTC),
    }

    def add(tx: Transaction) -> Acceptance | None:
        tx.append("judge_acceptance", [row | {"seq": tx.next_seq()}])
        return acceptance_of(tx, study, judge)

    return store.write(add)


def _key(judge: AuditableJudge) -> dict[str, str]:
    return {"step": judge.step, "judge": judge.judge, "prompt_hash": judge.prompt_hash}
