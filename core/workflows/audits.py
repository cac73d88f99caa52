"""Audits: judges whose verdicts people check, and the samples that were drawn of them.

A judge is a model with a version of its prompt. A sample is frozen when it is drawn
(`core.workflows.audit_samples`); people then vote on it without having seen the verdicts
(`core.workflows.audit_desk`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import InputError, NotFoundError
from core.protocols.base import Step, Verdicts
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.judges import judge_title, standing_of
from core.workflows.studies import Study

YES, NO, UNSURE = "yes", "no", "unsure"


@dataclass(frozen=True)
class AuditableJudge:
    """A judge of a study, and how often it gave which verdict.

    Args:
        step: the step it does. version: of its prompt.
        n_yes, n_no: verdicts that can be audited. n_invalid: replies that say neither. n_owed:
            calls not answered yet.
    """

    step: str
    judge: str
    prompt_hash: str
    version: int
    n_yes: int = 0
    n_no: int = 0
    n_invalid: int = 0
    n_owed: int = 0

    @property
    def n_valid(self) -> int:
        """Verdicts that can be audited."""
        return self.n_yes + self.n_no

    @property
    def title(self) -> str:
        """What people call the judge.

        Example:
            >>> AuditableJudge("judge", "openai/gpt-4o", "00", 2).title
            'openai/gpt-4o, prompt v2'
        """
        return judge_title(self.judge, self.version)


@dataclass(frozen=True)
class Audit:
    """A frozen sample of a judge's verdicts.

    Args:
        version: of the judge's prompt; None where the prompt is not stored.
        method: random, stratified, disagreement or cell.
        settings: what it was drawn from: population, by, allocation, strata, subjects,
            representative.
        n_items: verdicts in it. n_decided: those on which auditors say yes or no, or that are
            settled; n_unsure, n_disputed and n_open are the rest.
    """

    audit_id: str
    name: str
    step: str
    judge: str
    prompt_hash: str
    version: int | None
    method: str
    seed: int
    settings: Mapping[str, Any]
    made_by: str | None
    made_at: datetime
    n_items: int
    n_decided: int
    n_unsure: int
    n_disputed: int
    n_open: int

    @property
    def judge_title(self) -> str:
        """What people call the judge."""
        return self.judge if self.version is None else judge_title(self.judge, self.version)


def audited_steps(study: Study) -> list[Step]:
    """The steps of a study whose verdicts people can give, too."""
    return [step for step in study.shape.steps if step.verdicts is not None]


def verdicts_of(study: Study, step_name: str) -> Verdicts:
    """What the verdicts of a step say.

    Raises:
        InputError: nobody judges in that step.
        NotFoundError: there is no such step.
    """
    verdicts = study.shape.step(step_name).verdicts
    if verdicts is None:
        have = ", ".join(step.name for step in audited_steps(study))
        raise InputError(
            f"{step_name} gives no verdicts to audit",
            hint=f"audit one of: {have}" if have else f"{study.shape.title} has no judge",
        )
    return verdicts


def verdict_of_label(verdicts: Verdicts, label: str | None) -> str | None:
    """yes or no, as the label of a judging step says; None where it says neither.

    Example:
        >>> verdict_of_label(Verdicts("Is it broken?", yes="malformed", no="sound"), "malformed")
        'yes'
    """
    return {verdicts.yes: YES, verdicts.no: NO}.get(label or "")


def auditable_judges(store: Store, study: Study) -> list[AuditableJudge]:
    """The judges that a study has asked, step by step, with what they said."""
    steps = {step.name: step.verdicts for step in audited_steps(study)}
    found: dict[tuple[str, str, str, int], dict[str, int]] = {}
    for row in store.rows("judges_of_study", study_id=study.study_id, steps=list(steps)):
        key = tuple(row[name] for name in ("step", "judge", "prompt_hash", "version"))
        counts = found.setdefault(key, {})
        said = verdict_of_label(steps[row["step"]], row["label"])
        part = "n_owed" if row["is_owed"] else f"n_{said or 'invalid'}"
        counts[part] = counts.get(part, 0) + row["n"]
    order = {name: place for place, name in enumerate(steps)}
    judges = [AuditableJudge(*key, **counts) for key, counts in found.items()]
    return sorted(judges, key=lambda one: order[one.step])


def find_judge(
    store: Store, study: Study, step: str, *, judge: str | None = None, version: int | None = None
) -> AuditableJudge:
    """The judge of a step that is meant, or else the one that the study goes by.

    Args:
        judge: its model, for the newest version of its prompt with verdicts; or model and version,
            as its title has them.

    Raises:
        InputError: the step has no verdicts.
        NotFoundError: no judge fits.
    """
    verdicts_of(study, step)
    asked = [one for one in auditable_judges(store, study) if one.step == step]
    fit = [
        one
        for one in asked
        if judge in (None, one.judge, one.title) and version in (None, one.version) and one.n_valid
    ]
    if not fit:
        who = "no judge" if judge is None else f"no judge {judge!r}"
        have = "; ".join(one.title for one in asked)
        raise NotFoundError(
            f"{study.name} has {who} with verdicts of the step {step}",
            hint=f"there are: {have}" if have else "have a judge do the step first",
        )
    if judge is not None:
        return max(fit, key=lambda one: one.version)
    return min(fit, key=lambda one: standing_of(study, one.judge, one.version, one.n_valid))


def audits_of(source: Store | Transaction, study: Study) -> list[Audit]:
    """The samples of a study, the newest first."""
    rows = source.rows("audits_of_study", study_id=study.study_id)
    return [Audit(settings=json.loads(row.pop("settings_json")), **row) for row in rows]


def find_audit(store: Store, study: Study, audit_id: str) -> Audit:
    """One sample of a study, by its id.

    Raises:
        NotFoundError: the study has no such sample.
    """
    for audit in audits_of(store, study):
        if audit.audit_id == audit_id:
            return audit
    raise NotFoundError(
        f"{study.name} has no sample {audit_id!r}", hint="choose one of those in the list"
    )
