"""Screening: what judges said of a study's tasks before people looked at them.

A verdict is a label of the step in which a judge goes through every task. It decides nothing; and
whether a person may see it before they decide is for the desk to say, not for this module.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.parsing.screening import MALFORMED
from core.protocols.base import Step, WorksOn
from core.store.store import Store
from core.workflows.studies import Study


@dataclass(frozen=True)
class Verdict:
    """What one judge said of one task.

    Args:
        label: sound or malformed. reason: why it is malformed, as the code of a removal reason;
            None when it is sound.
        why: the judge's own sentence; empty when it gave none.
        decided_at: UTC.
    """

    model: str
    label: str
    reason: str | None
    why: str
    decided_at: datetime


@dataclass(frozen=True)
class ScreeningCounts:
    """How far a judge came with a study, and what it said; all parts add up to `planned`.

    Args:
        malformed: how often each reason was given, the most frequent first.
        unread: calls that were answered without a verdict that can be read. owed: not answered.
    """

    planned: int = 0
    sound: int = 0
    malformed: Mapping[str, int] = field(default_factory=dict)
    unread: int = 0
    owed: int = 0


def screening_step(study: Study) -> Step | None:
    """The step in which a judge goes through every task; None when the protocol has none."""
    steps = (s for s in study.shape.steps if s.by_judge and s.works_on is WorksOn.EVERY_TASK)
    return next(steps, None)


def screening_verdicts(
    store: Store, study: Study, task_ids: Collection[str] | None = None
) -> dict[str, list[Verdict]]:
    """The verdicts on each task that has any, the first one given first.

    Args:
        task_ids: the tasks that are asked about; by default all of the study.
    """
    step = screening_step(study)
    if step is None:
        return {}
    keys = {"study_id": study.study_id, "step": step.name}
    if task_ids is None:
        rows = store.rows("screening_verdicts", **keys)
    else:
        rows = store.rows("screening_verdicts_of", **keys, task_ids=list(task_ids))
    verdicts: dict[str, list[Verdict]] = {}
    for row in rows:
        verdict = Verdict(
            model=row["model"],
            label=row["label"],
            reason=row["reason"],
            why=row["why"] or "",
            decided_at=row["decided_at"].replace(tzinfo=UTC),
        )
        verdicts.setdefault(row["task_id"], []).append(verdict)
    return verdicts


def screening_counts(store: Store, study: Study) -> dict[str, ScreeningCounts]:
    """For each judge, the first one asked first: how often it gave which verdict."""
    step = screening_step(study)
    if step is None:
        return {}
    rows = store.rows("screening_counts", study_id=study.study_id, step=step.name)
    return {model: _counts(rows, model) for model in judges_of(store, study, step)}


def judges_of(store: Store, study: Study, step: Step) -> list[str]:
    """The models that were asked to judge in a step of a study, the first one asked first."""
    rows = store.rows("step_judges", study_id=study.study_id, step=step.name)
    return [row["model"] for row in rows]


def _counts(rows: list[dict], model: str) -> ScreeningCounts:
    planned = sound = unread = owed = 0
    malformed: dict[str, int] = {}
    for row in rows:
        if row["model"] != model:
            continue
        planned += row["n"]
        if row["label"] == MALFORMED:
            malformed[row["reason"]] = malformed.get(row["reason"], 0) + row["n"]
        elif row["label"] is not None:
            sound += row["n"]
        elif row["is_answered"]:
            unread += row["n"]
        else:
            owed += row["n"]
    by_frequency = dict(sorted(malformed.items(), key=lambda item: (-item[1], item[0])))
    return ScreeningCounts(planned, sound, by_frequency, unread, owed)
