"""What the attempts of people are made of: their steps, the keys to what they did, and its rows."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.errors import ConflictError
from core.protocols.base import Step
from core.store.transaction import Transaction
from core.workflows.people import Person
from core.workflows.studies import Study


def people_steps(study: Study) -> tuple[Step, ...]:
    """The steps that people can do beside the models, in order; none in some protocols."""
    return tuple(step for step in study.shape.steps if step.people_give)


def attempt_step(study: Study) -> Step | None:
    """The first step that people can do beside the models; None when the protocol has none."""
    return next(iter(people_steps(study)), None)


def step_for_people(study: Study) -> Step:
    """The first step that people can do.

    Raises:
        ConflictError: the protocol has none.
    """
    step = attempt_step(study)
    if step is None:
        raise ConflictError(f"{study.shape.title} has no step that people can do")
    return step


def step_before(study: Study, step: Step) -> str:
    """The step that people do before this one; empty for the first."""
    names = ["", *(one.name for one in people_steps(study))]
    return names[names.index(step.name) - 1]


def keys_of_person(study: Study, person: Person, step: Step) -> dict[str, str]:
    """What the queries about a person's attempts in a step ask for."""
    return {
        "study_id": study.study_id,
        "step": step.name,
        "model": person.as_model,
        "person_id": person.person_id,
    }


def keys_of_tasks(study: Study, person: Person, step: Step | None) -> dict[str, Any]:
    """The keys, whether the tasks are those of the draw, and the step they are done in before."""
    step = step or step_for_people(study)
    which = {"of_draw": step.works_on_draw, "after": step_before(study, step)}
    return keys_of_person(study, person, step) | which


def given_of_task(
    tx: Transaction, study: Study, person: Person, step: Step, task_id: str
) -> Sequence[Mapping[str, Any]]:
    """The newest thing the person did with a task, in one row; none where it is not before them."""
    return tx.rows("attempt_of_task", **keys_of_person(study, person, step), task_id=task_id)


def attempt_row(
    tx: Transaction, keys: Mapping[str, str], item: Mapping[str, Any], action: str
) -> dict[str, Any]:
    """A row that says what a person did with an item; what they gave is to be added."""
    return {
        **keys,
        "item_id": item["item_id"],
        "task_id": item["task_id"],
        "call_id": None,
        "seq": tx.next_seq(),
        "action": action,
        "note": "",
        "labelled_at": datetime.now(UTC),
    }
