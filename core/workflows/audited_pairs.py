"""Audited verdicts, read from the store: what the judge said, what people say, what it is about.

The truth of a verdict is what its auditors say together: yes or no where all agree or it is
settled; unsure, disputed and open are no truth, and are counted apart.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.metrics.audit_shares import NO, YES, AuditedPair
from core.store.store import Store
from core.workflows.studies import Study

DECIDED = (YES, NO)
UNSURE, DISPUTED, OPEN = "unsure", "disputed", "open"


@dataclass(frozen=True)
class AuditedVerdict:
    """One verdict of a sample.

    Args:
        verdict: yes or no, by the judge.
        truth: by its auditors together: yes, no, unsure, disputed or open.
        weight: verdicts that it stands for.
        is_removed: whether people removed the task since.
        references_json, answer, subject, match: of the judged answer; empty or None where the task
            itself was judged.
    """

    audit_id: str
    item_id: str
    answer_item: str
    task_id: str
    weight: float
    verdict: str
    truth: str
    is_removed: bool
    task: str
    references_json: str | None
    type: str
    group: str
    subject: str
    answer: str | None
    match: str

    @property
    def unit(self) -> str:
        """What it is about, the same for every judge: the item of the answer, or the task."""
        return self.answer_item or self.task_id

    @property
    def is_out(self) -> bool:
        """Whether it is about an answer to a task that people removed since.

        A judge of tasks is asked what to remove: what it says of removed ones still counts.
        """
        return self.is_removed and bool(self.answer_item)

    @property
    def is_decided(self) -> bool:
        """Whether its auditors say yes or no."""
        return self.truth in DECIDED

    @property
    def kind(self) -> str:
        """How verdict and truth stand to each other: right, wrong yes, wrong no; else empty."""
        if not self.is_decided:
            return ""
        return "right" if self.verdict == self.truth else f"wrong {self.verdict}"


def audited_verdicts(
    store: Store, study: Study, audit_ids: Collection[str]
) -> list[AuditedVerdict]:
    """The verdicts of some samples of a study, in the order in which they were drawn."""
    rows = store.rows("audited_verdicts", study_id=study.study_id, audit_ids=list(audit_ids))
    return [AuditedVerdict(**row) for row in rows]


def pairs_of(verdicts: Iterable[AuditedVerdict]) -> list[AuditedPair]:
    """The decided verdicts and the unsure ones, weighted as they were drawn."""
    known = (*DECIDED, UNSURE)
    return [
        AuditedPair(one.verdict, one.truth, one.weight) for one in verdicts if one.truth in known
    ]
