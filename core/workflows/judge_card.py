"""The report card of a judge: how far it is right in a study, where it errs, and examples of it.

A judge is a model with a version of its prompt. All its samples in the study together are one audit
(`core.workflows.judge_pool`); everything follows from the votes that stand.

An example shows what the judge said, which whoever has yet to vote on it must not see. So it is
shown to those who voted on it, and to everybody once all who began its sample have finished it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.metrics.audit_shares import Estimate
from core.metrics.judge_audit import JudgeAudit, judge_audit
from core.store.store import Store
from core.workflows.audited_pairs import AuditedVerdict, pairs_of
from core.workflows.audits import AuditableJudge
from core.workflows.desk_rules import rules_of
from core.workflows.judge_acceptance import Acceptance, acceptance_of, why_missed
from core.workflows.judge_pool import JudgePool, judge_pool
from core.workflows.people import Person
from core.workflows.studies import Study

MOST_EXAMPLES = 10
WRONG_YES, WRONG_NO = "wrong yes", "wrong no"

_LENGTHS = ((10, "up to 10 characters"), (50, "11 to 50"), (200, "51 to 200"))
_LONGER = "over 200"


@dataclass(frozen=True)
class KindOfAnswer:
    """How a judge does on one kind of what it judges.

    Args:
        by: what the kind is told by, such as the question file. kind: its name.
        n: audited verdicts of the kind. n_wrong_yes: yes that people say is no. n_wrong_no: the
            other way round.
        agreement: share of its verdicts that people confirm, weighted as drawn.
    """

    by: str
    kind: str
    n: int
    n_wrong_yes: int
    n_wrong_no: int
    agreement: Estimate


@dataclass(frozen=True)
class JudgeCard:
    """What people's audits say of a judge in a study.

    Args:
        judge: what it said. n_audits: its samples. n_representative: those that speak for all its
            verdicts. n_decided: their verdicts with a yes or no by people. n_elsewhere: those of
            the other samples, which give examples and no share.
        measured: how far it is right.
        bar: what the lower ends of sensitivity and specificity have to reach.
        missed: what misses the bar; empty where the judge can be accepted.
        acceptance: what was decided of it last; None where nothing was.
        kinds: where it errs, all kinds of one sort together, most audited first.
        wrong_yes, wrong_no: examples, newest sample last. n_hidden: wrong verdicts that are none,
            for somebody may still have to vote on them.
    """

    judge: AuditableJudge
    n_audits: int
    n_representative: int
    n_decided: int
    n_elsewhere: int
    measured: JudgeAudit
    bar: float
    missed: str
    acceptance: Acceptance | None
    kinds: Sequence[KindOfAnswer]
    wrong_yes: Sequence[AuditedVerdict]
    wrong_no: Sequence[AuditedVerdict]
    n_hidden: int


def judge_card(
    store: Store, study: Study, judge: AuditableJudge, *, viewer: Person | None = None
) -> JudgeCard:
    """The report card of one judge, by the votes that stand.

    Args:
        viewer: who looks at the examples; None for somebody who has voted on nothing.
    """
    pool = judge_pool(store, study, judge)
    wrong = [one for one in pool.every if one.kind in (WRONG_YES, WRONG_NO)]
    shown = _shown(store, study, wrong, viewer)
    measured, bar = pool.measured(), rules_of(store, study).judge_bar
    return JudgeCard(
        judge=judge,
        n_audits=pool.n_audits,
        n_representative=pool.n_representative,
        n_decided=len(pool.representative),
        n_elsewhere=len(pool.others),
        measured=measured,
        bar=bar,
        missed=why_missed(measured, bar),
        acceptance=acceptance_of(store, study, judge),
        kinds=_kinds(pool),
        wrong_yes=[one for one in shown if one.kind == WRONG_YES][:MOST_EXAMPLES],
        wrong_no=[one for one in shown if one.kind == WRONG_NO][:MOST_EXAMPLES],
        n_hidden=len(wrong) - len(shown),
    )


def _shown(
    store: Store, study: Study, wrong: Sequence[AuditedVerdict], viewer: Person | None
) -> list[AuditedVerdict]:
    about = {"study_id": study.study_id}
    finished = {row["audit_id"] for row in store.rows("finished_audits", **about)}
    own: set[str] = set()
    if viewer:
        rows = store.rows("verdicts_voted_on", **about, person_id=viewer.person_id)
        own = {row["item_id"] for row in rows}
    return [one for one in wrong if one.audit_id in finished or one.item_id in own]


def _kinds(pool: JudgePool) -> list[KindOfAnswer]:
    """Each sort of kinds that tells the verdicts apart; one kind alone tells nothing."""
    found = []
    for by, kind_of in _SORTS.items():
        kinds: dict[str, list[AuditedVerdict]] = {}
        for one in pool.representative:
            kinds.setdefault(kind_of(one), []).append(one)
        kinds.pop("", None)
        if len(kinds) > 1:
            order = sorted(kinds, key=lambda kind: (-len(kinds[kind]), kind))
            found += [_kind(by, kind, kinds[kind]) for kind in order]
    return found


def _kind(by: str, kind: str, verdicts: Sequence[AuditedVerdict]) -> KindOfAnswer:
    measured = judge_audit(pairs_of(verdicts))
    wrong = {what: sum(one.kind == what for one in verdicts) for what in (WRONG_YES, WRONG_NO)}
    return KindOfAnswer(by, kind, len(verdicts), *wrong.values(), measured.agreement)


def _length(verdict: AuditedVerdict) -> str:
    n = len(verdict.answer if verdict.answer_item and verdict.answer else verdict.task)
    return next((name for most, name in _LENGTHS if n <= most), _LONGER)


_SORTS: dict[str, Callable[[AuditedVerdict], str]] = {
    "file or type": lambda one: one.type,
    "group": lambda one: one.group,
    "match without a judge": lambda one: one.match,
    "answered by": lambda one: one.subject,
    "length": _length,
}
"""What kinds are told by: the question's file, a task's type, and so on."""
