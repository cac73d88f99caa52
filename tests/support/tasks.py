"""The tasks of a study that wait to be decided, for tests that decide a few."""

from dataclasses import dataclass

from core.store.store import Store
from core.workflows.curation import decide
from core.workflows.people import person_named
from core.workflows.studies import Study


@dataclass(frozen=True)
class Waiting:
    """A task in the queue's order."""

    task_id: str
    text: str
    type: str
    intent: str


def queue(store: Store, study: Study, *, n: int) -> list[Waiting]:
    """The first tasks that nobody has decided or skipped, at most `n`."""
    rows = store.rows("tasks_short", study_id=study.study_id)
    waiting = [row for row in rows if row["state"] == "pending"][:n]
    return [Waiting(row["task_id"], row["text"], row["type"], row["intent"]) for row in waiting]


def remove_one(store: Store, study: Study) -> Waiting:
    """The first task that nobody has decided or skipped, which Ada has now removed."""
    [task] = queue(store, study, n=1)
    ada = person_named(store, "Ada")
    decide(store, study, task.task_id, "remove", person=ada, reason="malformed")
    return task
