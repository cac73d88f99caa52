"""Judges side by side: what two say of the same answers, and who is right where people know.

Both are compared on what both gave a valid verdict on. The truth of an answer is what auditors said
of it, in whichever sample of the step, where they agree; an answer that samples disagree on has
none. These answers were drawn by one judge's verdicts as a rule, so shares of them tell the two
judges apart, and neither judge's own rate of error: that is on its card.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.metrics.audit_shares import AuditedPair
from core.metrics.judge_audit import JudgeAudit, judge_audit
from core.metrics.share_differences import ShareDifference, paired_difference
from core.store.store import Store
from core.workflows.audits import AuditableJudge, auditable_judges, verdict_of_label, verdicts_of
from core.workflows.studies import Study

YES, NO = "yes", "no"


@dataclass(frozen=True)
class JudgePair:
    """Two judges on what both judged.

    Args:
        is_one_model: whether they are one model with two versions of the prompt.
        together: their agreement, kappa, AC1 and joint counts by (first, second).
        more_yes: how much oftener the second says yes; None where nothing is shared.
        n_known: shared answers of which people said what is true.
        first_measured, second_measured: sensitivity and specificity of each on these.
        more_right: how much oftener the second is right on these; None where there are none.
    """

    first: AuditableJudge
    second: AuditableJudge
    is_one_model: bool
    together: JudgeAudit
    more_yes: ShareDifference | None
    n_known: int
    first_measured: JudgeAudit
    second_measured: JudgeAudit
    more_right: ShareDifference | None

    @property
    def n_shared(self) -> int:
        """Answers, or tasks, that both gave a valid verdict on."""
        return self.together.n_audited


def compared_judges(store: Store, study: Study, step: str) -> list[JudgePair]:
    """Every two judges of a step, in the order in which they were asked."""
    said = _said(store, study, step)
    truth = _truth(store, study, step)
    judges = [one for one in auditable_judges(store, study) if one.step == step and one.n_valid]
    return [
        _pair(first, second, said[_key(first)], said[_key(second)], truth)
        for first, second in combinations(judges, 2)
    ]


def _pair(
    first: AuditableJudge,
    second: AuditableJudge,
    of_first: dict[str, str],
    of_second: dict[str, str],
    truth: dict[str, str],
) -> JudgePair:
    shared = sorted(of_first.keys() & of_second.keys())
    known = [unit for unit in shared if unit in truth]
    return JudgePair(
        first,
        second,
        is_one_model=first.judge == second.judge,
        together=judge_audit(AuditedPair(of_first[unit], of_second[unit]) for unit in shared),
        more_yes=_difference(
            [of_first[unit] == YES for unit in shared], [of_second[unit] == YES for unit in shared]
        ),
        n_known=len(known),
        first_measured=judge_audit(AuditedPair(of_first[unit], truth[unit]) for unit in known),
        second_measured=judge_audit(AuditedPair(of_second[unit], truth[unit]) for unit in known),
        more_right=_difference(
            [of_first[unit] == truth[unit] for unit in known],
            [of_second[unit] == truth[unit] for unit in known],
        ),
    )


def _difference(first: Sequence[bool], second: Sequence[bool]) -> ShareDifference | None:
    if not first:
        return None
    both = list(zip(first, second, strict=True))
    return paired_difference(both.count((True, False)), both.count((False, True)), len(both))


def _said(store: Store, study: Study, step: str) -> dict[tuple[str, str], dict[str, str]]:
    """What each judge says of each answer or task, where it says yes or no."""
    verdicts = verdicts_of(study, step)
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in store.rows("verdicts_to_audit", study_id=study.study_id, step=step):
        verdict = verdict_of_label(verdicts, row["label"])
        if verdict is not None:
            by = found.setdefault((row["judge"], row["prompt_hash"]), {})
            by[row["answer_item"] or row["task_id"]] = verdict
    return found


def _truth(store: Store, study: Study, step: str) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for row in store.rows("audited_truths", study_id=study.study_id, step=step):
        found.setdefault(row["answer_item"] or row["task_id"], set()).add(row["truth"])
    return {unit: truths.pop() for unit, truths in found.items() if len(truths) == 1}


def _key(judge: AuditableJudge) -> tuple[str, str]:
    return judge.judge, judge.prompt_hash
