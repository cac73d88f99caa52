"""From a number to the tasks behind it: which tasks they are, and the whole story of each."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.errors import NotFoundError
from core.metrics.confusion import NO_REASON_NAME
from core.store.queries import find_query
from core.store.store import Store
from core.workflows.curation import task_history
from core.workflows.judges import chosen_judges
from core.workflows.studies import Study

LONGEST_SHOWN = 300


@dataclass(frozen=True)
class TaskQuery:
    """Which tasks that a model has answered are meant; what is empty asks for nothing.

    Args:
        of_study: the study's name. subject: who invented. models: who answered, any of them.
        intent, type, reason: as what a task was made. group: what it belongs to beside its type.
        label, label_type, label_reason: as what it was classified. A type or reason may be
            `NO_REASON_NAME`, for none.
        outcomes: what became of it, any of these. verdict: what the judge said of the answer, or
            `open`. judge: whose verdicts count; empty for the judge each study goes by.
        least, most: between which chances stated beforehand, as decimal numbers.
        stage: a stage of the funnel of `of_study`, as `core.workflows.funnel` names it; nothing
            else is then asked for.
    """

    of_study: str = ""
    subject: str = ""
    models: tuple[str, ...] = ()
    intent: str = ""
    type: str = ""
    reason: str = ""
    label: str = ""
    label_type: str = ""
    label_reason: str = ""
    stage: str = ""
    group: str = ""
    outcomes: tuple[str, ...] = ()
    verdict: str = ""
    judge: str = ""
    least: str = ""
    most: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether anything is asked for; whose verdicts count is no question of its own."""
        return replace(self, judge="") != TaskQuery()


@dataclass(frozen=True)
class TaskStory:
    """All that is known of one task.

    Args:
        task: text, intent, type, reason, references (those of a question). history: what people
            did with it.
        answers: what was answered and read, oldest first. unread: replies without a reading.
        verdicts: what judges said of the answers, oldest first: judge, version, model (whose
            answer), outcome, verdict, reply.
    """

    task: Mapping[str, Any]
    history: Sequence[Mapping[str, Any]]
    answers: Sequence[Mapping[str, Any]]
    unread: Sequence[Mapping[str, Any]]
    verdicts: Sequence[Mapping[str, Any]] = ()


def tasks_behind(
    store: Store, studies: Sequence[Study], query: TaskQuery, *, first: int = 0, n: int = 50
) -> tuple[list[dict[str, Any]], int]:
    """The tasks a query means, from the `first` on, and how many there are in all.

    As in the results, tasks that people removed and those without a result do not count; a page
    behind the last has no tasks, and says 0. Each row has the item of the answer, `item_id`; the
    query that the studies' protocol names says what else. What that query does not know is not
    asked for.

    Args:
        studies: of one protocol and one set of types and reasons.
    """
    if query.stage:
        return _staged(store, studies, query, first=first, n=n)
    if not studies:
        return [], 0
    shown = studies[0].shape.results()
    types = studies[0].taxonomy.type_of_reason
    wanted = asdict(query) | {
        "models": list(query.models),
        "outcomes": list(query.outcomes),
        "study_ids": [study.study_id for study in studies],
        "reasons": list(types),
        "types": list(types.values()),
        "nothing": NO_REASON_NAME,
        "longest": LONGEST_SHOWN,
        "first": first,
        "n": n,
    }
    if shown.by_judge:
        judges = chosen_judges(store, studies, query.judge)
        wanted["judges"] = [judges[study.name] for study in studies]
    known = find_query(shown.behind).parameters
    rows = store.rows(shown.behind, **{name: wanted[name] for name in known})
    return rows, rows[0]["n_matching"] if rows else 0


def _staged(
    store: Store, studies: Sequence[Study], query: TaskQuery, *, first: int, n: int
) -> tuple[list[dict[str, Any]], int]:
    study = next((one for one in studies if one.name == query.of_study), None)
    if study is None:
        return [], 0
    stage, _, part = query.stage.partition(":")
    about = {"study_id": study.study_id, "stage": stage, "part": part}
    about["measured"] = study.shape.measured
    rows = store.rows("staged_tasks", **about, longest=LONGEST_SHOWN, first=first, n=n)
    return rows, rows[0]["n_matching"] if rows else 0


def task_story(store: Store, study: Study, task_id: str) -> TaskStory:
    """The whole story of one task of a study.

    Raises:
        NotFoundError: the study has no such task.
    """
    found = store.rows("task_by_id", task_id=task_id)
    if not found or found[0]["study_id"] != study.study_id:
        raise NotFoundError(f"{study.name} has no task {task_id!r}")
    overlap = store.value("overlap_of_study", study_id=study.study_id)
    answers, unread, verdicts = [], [], []
    for step in study.shape.steps:
        about = {"study_id": study.study_id, "task_id": task_id, "step": step.name}
        if step.offers_contracts:
            # A task can be part of hundreds of contracts, which say little of it.
            continue
        if step.answers_of and not step.by_sandbox:
            verdicts += store.rows("verdicts_on_task", **about)
        elif not step.by_judge and not step.makes_tasks:
            answers += store.rows("answers_to_task", **about)
            unread += store.rows("unread_answers_to_task", **about)
    given = store.value("references_of_task", task_id=task_id)
    task = found[0] | {"references": json.loads(given) if given else None}
    history = task_history(store, task_id, overlap=overlap)
    return TaskStory(task, history, answers, unread, verdicts)
