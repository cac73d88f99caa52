"""All audited verdicts of one judge in a study, from however many samples, as one audit.

A verdict drawn twice counts once, as its newest sample with a decision has it. Each sample that
speaks for all the judge's verdicts estimates the same shares; together, the weights of a sample
count in proportion to the decided verdicts it holds, so that a large one decides more. Samples that
speak only for themselves (disagreements, a chart's cell) give examples and no share.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.metrics.judge_audit import JudgeAudit, judge_audit
from core.store.store import Store
from core.workflows.audit_statistics import why_not_corrected
from core.workflows.audited_pairs import AuditedVerdict, audited_verdicts, pairs_of
from core.workflows.audits import AuditableJudge, audits_of
from core.workflows.studies import Study


@dataclass(frozen=True)
class JudgePool:
    """The decided verdicts of a judge.

    Args:
        representative: those of samples that speak for all its verdicts, weighted together.
        others: those only met in samples that speak for themselves.
        n_audits: samples of the judge. n_representative: those that speak for all its verdicts.
    """

    representative: Sequence[AuditedVerdict]
    others: Sequence[AuditedVerdict]
    n_audits: int
    n_representative: int

    @property
    def every(self) -> list[AuditedVerdict]:
        """All decided verdicts."""
        return [*self.representative, *self.others]

    def measured(self) -> JudgeAudit:
        """How far the judge is right, by the samples that speak for all its verdicts."""
        return judge_audit(pairs_of(self.representative))


def judge_pool(store: Store, study: Study, judge: AuditableJudge) -> JudgePool:
    """The audited verdicts of a judge, by the votes that stand."""
    key = (judge.step, judge.judge, judge.prompt_hash)
    audits = [
        one for one in audits_of(store, study) if (one.step, one.judge, one.prompt_hash) == key
    ]
    speaks_for_all = {one.audit_id for one in audits if not why_not_corrected(one)}
    decided = [
        one
        for one in audited_verdicts(store, study, [one.audit_id for one in audits])
        if one.is_decided and not one.is_out
    ]
    # Later samples come last, and stand where a verdict was drawn twice.
    own = {one.item_id: one for one in decided if one.audit_id in speaks_for_all}
    others = {one.item_id: one for one in decided if one.item_id not in own}
    return JudgePool(
        _weighed_together(list(own.values())),
        list(others.values()),
        len(audits),
        len(speaks_for_all),
    )


def _weighed_together(verdicts: Sequence[AuditedVerdict]) -> list[AuditedVerdict]:
    sizes = Counter(one.audit_id for one in verdicts)
    # Rounded, so that strata with equal weights are one.
    return [
        replace(one, weight=round(one.weight * sizes[one.audit_id] / len(verdicts), 9))
        for one in verdicts
    ]
