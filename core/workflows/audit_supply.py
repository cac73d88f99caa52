"""The verdicts that a sample can be drawn from, and what tells them apart."""

from collections import Counter
from collections.abc import Iterable, Iterator

from core.protocols.base import Verdicts
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.audit_choice import STRATA, AuditVerdict
from core.workflows.audits import AuditableJudge, verdict_of_label, verdicts_of
from core.workflows.studies import Study


def subjects_of(store: Store, study: Study, judge: AuditableJudge) -> dict[str, int]:
    """How many valid verdicts the judge gave on each subject's answers."""
    return Counter(one.subject for one in verdicts_by(store, study, judge))


def strata_on_offer(store: Store, study: Study, judge: AuditableJudge) -> list[str]:
    """Of `audit_choice.STRATA`, those that tell the judge's verdicts apart."""
    found = verdicts_by(store, study, judge)
    return [name for name in STRATA if len({getattr(one, name) for one in found}) > 1]


def units_with_verdicts(
    store: Store, study: Study, judge: AuditableJudge, units: Iterable[str]
) -> list[str]:
    """Of some answers or tasks, those on which the judge gave a valid verdict."""
    judged = {one.unit for one in verdicts_by(store, study, judge)}
    return [unit for unit in dict.fromkeys(units) if unit in judged]


def verdicts_by(store: Store, study: Study, judge: AuditableJudge) -> list[AuditVerdict]:
    """The valid verdicts of one judge."""
    found = verdicts_in(store, study, judge.step, verdicts_of(study, judge.step))
    return [one for of_judge, one in found if of_judge == (judge.judge, judge.prompt_hash)]


def verdicts_in(
    source: Store | Transaction, study: Study, step: str, verdicts: Verdicts
) -> Iterator[tuple[tuple[str, str], AuditVerdict]]:
    """The valid verdicts of a step, each with its judge and the hash of the judge's prompt."""
    for row in source.rows("verdicts_to_audit", study_id=study.study_id, step=step):
        of_judge = row.pop("judge"), row.pop("prompt_hash")
        verdict = verdict_of_label(verdicts, row.pop("label"))
        if verdict is not None:
            yield of_judge, AuditVerdict(verdict=verdict, **row)
