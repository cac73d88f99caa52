"""Screening: what judges said of a study's tasks before people looked at them.

A judge is a model with a version of its prompt. A verdict is a label of the step in which a judge
goes through every task. It decides nothing; and whether a person may see it before they decide is
for the desk to say, not for this module.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.parsing.screening import MALFORMED
from core.protocols.base import Step
from core.store.store import Store
from core.workflows.judges import judge_title
from core.workflows.studies import Study


@dataclass(frozen=True)
class Verdict:
    """What one judge said of one task.

    Args:
        item_id: the judge's item. version: of its prompt.
        label: sound or malformed. reason: why it is malformed, as the code of a removal reason;
            None when it is sound.
        why: the judge's own sentence; empty when it gave none.
        decided_at: UTC.
    """

    item_id: str
    model: str
    version: int
    label: str
    reason: str | None
    why: str
    decided_at: datetime

    @property
    def judge(self) -> str:
        """What people call the judge."""
        return judge_title(self.model, self.version)


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

    @property
    def n_read(self) -> int:
        """How many verdicts there are."""
        return self.sound + sum(self.malformed.values())


def screening_step(study: Study) -> Step | None:
    """The step in which a judge goes through every task; None when the protocol has none."""
    return next((step for step in study.shape.steps if step.screens_tasks), None)


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
    rows = store.rows(
        "screening_verdicts",
        study_id=study.study_id,
        step=step.name,
        task_ids=None if task_ids is None else list(task_ids),
    )
    verdicts: dict[str, list[Verdict]] = {}
    for row in rows:
        verdict = Verdict(
            item_id=row["item_id"],
            model=row["model"],
            version=row["version"],
            label=row["label"],
            reason=row["reason"],
            why=row["why"] or "",
            decided_at=row["decided_at"].replace(tzinfo=UTC),
        )
        verdicts.setdefault(row["task_id"], []).append(verdict)
    return verdicts


def screening_counts(store: Store, study: Study) -> dict[tuple[str, int], ScreeningCounts]:
    """By model and version of its prompt, the first one asked first: how often it gave which
    verdict."""
    step = screening_step(study)
    if step is None:
        return {}
    by_judge: dict[tuple[str, int], list[dict]] = {}
    for row in store.rows("screening_counts", study_id=study.study_id, step=step.name):
        by_judge.setdefault((row["model"], row["version"]), []).append(row)
    return {judge: _counts(rows) for judge, rows in by_judge.items()}


def judges_of(store: Store, study: Study, step: Step) -> list[str]:
    """The models that were asked to judge in a step of a study, the first one asked first."""
    rows = store.rows("step_judges", study_id=study.study_id, step=step.name)
    return [row["model"] for row in rows]


def _counts(rows: list[dict]) -> ScreeningCounts:
    planned = sound = unread = owed = 0
    malformed: dict[str, int] = {}
    for row in rows:
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
