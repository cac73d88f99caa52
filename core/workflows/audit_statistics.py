"""What one sample of audited verdicts says of its judge and of the numbers the judge leads to.

All is worked out anew from the votes that stand, so it is live. The pairs are the verdicts on which
auditors say yes or no; unsure, disputed and open ones are in no share and counted apart, and so are
verdicts on answers to questions that people have removed since.

A rate is corrected only where the sample speaks for the verdicts it was drawn from. One that was
drawn to look at disagreements, or from a chart, says how the judge did there and nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.metrics.agreement import Agreement, agreement
from core.metrics.attribution_counts import AttributionCounts
from core.metrics.attribution_rows import counts_by
from core.metrics.audit_shares import AuditedPair
from core.metrics.corrected_attribution import CorrectedMetric, corrected_attribution
from core.metrics.corrected_rate import RateByTruth, rate_by_truth
from core.metrics.judge_audit import JudgeAudit, judge_audit, more_audits_needed
from core.metrics.true_rates import Judged, TrueRate, not_defined
from core.store.store import Store
from core.workflows.audit_agreement import votes_frame
from core.workflows.audited_pairs import (
    DISPUTED,
    OPEN,
    UNSURE,
    AuditedVerdict,
    audited_verdicts,
    pairs_of,
)
from core.workflows.audits import Audit, AuditableJudge, auditable_judges, find_audit
from core.workflows.studies import Study

FEW_VOTES = 5
"""Decided verdicts below which nothing is measured on screen: any number would mislead."""

_WHY_NOT = {
    "disagreement": "the sample was drawn to look at disagreements",
    "cell": "the sample was drawn from one place of a chart",
}
_SOME_SUBJECTS = "the sample was drawn from the answers of some subjects only"
_COUNTS = "attribution_counts"


@dataclass(frozen=True)
class SubjectMetrics:
    """The attribution metrics of one subject, as judged and as corrected by the sample.

    Args:
        subject: who answered. counts: what became of its questions, by the judge.
        n_audited: its answers whose verdict was audited with a yes or a no.
    """

    subject: str
    counts: AttributionCounts
    n_audited: int
    metrics: Sequence[CorrectedMetric]


@dataclass(frozen=True)
class AuditStatistics:
    """What a sample says.

    Args:
        audit: the sample.
        judge: what its judge has said in the study by now.
        n_decided, n_unsure, n_disputed, n_open: verdicts of the sample by what auditors say.
        n_out: verdicts left out because their question was removed since.
        n_since: verdicts the judge gave after the sample was drawn, for which it does not speak.
        n_votes, n_not_blind, n_auditors: votes that stand, those given after the verdict had been
            shown, and the people who gave them.
        measured: agreement, kappa, AC1, sensitivity and specificity, weighted as drawn.
        rates: the share of yes, as judged, by the audit alone, and corrected.
        why_not: why rates are not corrected; empty where they are.
        auditors: how far auditors agree on what two or more of them voted on.
        subjects: the attribution metrics of each subject, where the study measures them.
    """

    audit: Audit
    judge: AuditableJudge
    n_decided: int
    n_unsure: int
    n_disputed: int
    n_open: int
    n_out: int
    n_since: int
    n_votes: int
    n_not_blind: int
    n_auditors: int
    measured: JudgeAudit
    rates: RateByTruth
    why_not: str
    auditors: Agreement
    subjects: Sequence[SubjectMetrics]

    @property
    def has_few(self) -> bool:
        """Whether there is too little to measure anything by."""
        return self.n_decided < FEW_VOTES

    def more_needed(self, half_width: float) -> int | None:
        """How many more decided verdicts bring the agreement to ± half_width; None where it is not
        defined.

        Raises:
            InputError: half_width is not above 0 and below 0.5.
        """
        return more_audits_needed(self.measured.agreement, half_width)


def audit_statistics(store: Store, study: Study, audit_id: str) -> AuditStatistics:
    """What a sample says, by the votes that stand.

    Raises:
        NotFoundError: the study has no such sample.
    """
    audit = find_audit(store, study, audit_id)
    judge = judge_now(store, study, audit.step, audit.judge, audit.prompt_hash)
    every = audited_verdicts(store, study, [audit_id])
    verdicts = [one for one in every if not one.is_out]
    pairs = pairs_of(verdicts)
    [votes] = store.rows("audit_vote_counts", audit_id=audit_id)
    return AuditStatistics(
        audit=audit,
        judge=judge,
        n_decided=sum(one.is_decided for one in verdicts),
        n_unsure=_n(verdicts, UNSURE),
        n_disputed=_n(verdicts, DISPUTED),
        n_open=_n(verdicts, OPEN),
        n_out=len(every) - len(verdicts),
        n_since=max(0, judge.n_valid - audit.settings.get("population", judge.n_valid)),
        **votes,
        measured=judge_audit(pairs),
        rates=_rates(Judged(judge.n_yes, judge.n_no), pairs, why_not_corrected(audit)),
        why_not=why_not_corrected(audit),
        auditors=agreement(votes_frame(store, audit)),
        subjects=_of_sample(audit, corrected_subjects(store, study, judge, verdicts)),
    )


def judge_now(
    store: Store, study: Study, step: str, judge: str, prompt_hash: str
) -> AuditableJudge:
    """What a judge has said in a study by now; nothing where it has no verdicts left."""
    for one in auditable_judges(store, study):
        if (one.step, one.judge, one.prompt_hash) == (step, judge, prompt_hash):
            return one
    return AuditableJudge(step, judge, prompt_hash, 0)


def why_not_corrected(audit: Audit) -> str:
    """Why a sample speaks for nothing but itself; empty where it speaks for all verdicts.

    Example:
        >>> from types import SimpleNamespace
        >>> why_not_corrected(SimpleNamespace(settings={"representative": False}, method="cell"))
        'the sample was drawn from one place of a chart'
    """
    if audit.settings.get("representative", True):
        return ""
    return _WHY_NOT.get(audit.method, _SOME_SUBJECTS)


def _rates(judged: Judged, pairs: Sequence[AuditedPair], why_not: str) -> RateByTruth:
    rates = rate_by_truth(judged, pairs)
    if not why_not:
        return rates
    parts = ("audited", "corrected", "rogan_gladen")
    return replace(rates, **{part: _uncorrected(getattr(rates, part), why_not) for part in parts})


def _uncorrected(rate: TrueRate, why_not: str) -> TrueRate:
    return not_defined(why_not, rate.n, rate.method)


def corrected_subjects(
    store: Store, study: Study, judge: AuditableJudge, verdicts: Sequence[AuditedVerdict]
) -> list[SubjectMetrics]:
    """The metrics of each subject as judged and as corrected; none where the judge's verdicts are
    not what they are made from.

    Each subject is corrected by the audited verdicts on its own answers: a judge need not err
    alike on everybody's.
    """
    shape = study.shape
    if shape.step(judge.step).answers_of != shape.measured or shape.results().counts != _COUNTS:
        return []
    frame = store.frame(_COUNTS, study_ids=[study.study_id], with_removed=False)
    of_judge = frame[frame["judge"] == judge.title]
    found = []
    for (subject,), counts in counts_by(of_judge, ("model",)).items():
        own = [one for one in verdicts if one.subject == subject]
        pairs = pairs_of(own)
        metrics = corrected_attribution(counts, pairs)
        found.append(SubjectMetrics(subject, counts, sum(one.is_decided for one in own), metrics))
    return found


def _of_sample(audit: Audit, subjects: list[SubjectMetrics]) -> list[SubjectMetrics]:
    why = _WHY_NOT.get(audit.method)
    if why is None:
        return subjects
    return [
        replace(one, metrics=[_as_judged(metric, why) for metric in one.metrics])
        for one in subjects
    ]


def _as_judged(metric: CorrectedMetric, why_not: str) -> CorrectedMetric:
    def undefined(one):
        return replace(one, value=None, low=None, high=None, why=f"not defined: {why_not}")

    corrected, rogan_gladen = undefined(metric.corrected), undefined(metric.rogan_gladen)
    return CorrectedMetric(metric.judged, corrected, rogan_gladen)


def _n(verdicts: Sequence[AuditedVerdict], truth: str) -> int:
    return sum(one.truth == truth for one in verdicts)
