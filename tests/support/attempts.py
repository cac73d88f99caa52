"""A person's attempts at the drawn tasks, made in one line, and how many there are."""

from core.store.store import Store
from core.workflows.human_baseline import open_task, record_answer
from core.workflows.people import Person
from core.workflows.results import coverage
from core.workflows.studies import Study


def answer_open(store: Store, study: Study, person: Person, **options: object) -> str:
    """The task that was open, answered: as feasible where nothing else is said."""
    task_id = open_task(store, study, person).task_id
    record_answer(store, study, person, task_id, **options)
    return task_id


def answer_all(store: Store, study: Study, person: Person) -> list[str]:
    """Every task in the order in which a person gets it, answered on the way."""
    found = []
    while open_task(store, study, person) is not None:
        found.append(answer_open(store, study, person))
    return found


def counts_of(store: Store, study: Study, person: Person) -> dict[str, int]:
    """How far a person has come, as the results count it."""
    document = {row["model"]: row for row in coverage(store, [study])}
    return document[person.as_model]
