"""What a person did last is taken back, unless something was made of it since."""

from collections.abc import Mapping
from typing import Any

from core.errors import ConflictError
from core.protocols.base import Step
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.human_steps import (
    attempt_row,
    keys_of_person,
    keys_of_tasks,
    people_steps,
    step_before,
    step_for_people,
)
from core.workflows.people import Person
from core.workflows.studies import Study


def undo_attempt(
    store: Store, study: Study, person: Person, step: Step | None = None
) -> str | None:
    """The task whose answer or skip, the person's newest that stands, was taken back; or None.

    Raises:
        ConflictError: something was made of the answer since, so that it has to stay.
    """
    step = step or step_for_people(study)
    keys = keys_of_person(study, person, step)

    def take_back(tx: Transaction) -> str | None:
        last = tx.rows("last_attempt", **keys_of_tasks(study, person, step))
        if not last:
            return None
        _check_nothing_rests_on(tx, study, step, keys, last[0])
        tx.append("label", [attempt_row(tx, keys, last[0], "undo")])
        return last[0]["task_id"]

    return store.write(take_back)


def _check_nothing_rests_on(
    tx: Transaction, study: Study, step: Step, keys: Mapping[str, str], item: Mapping[str, Any]
) -> None:
    about = {"study_id": study.study_id, "item_id": item["item_id"]}
    if tx.rows("planned_about_answer", **about):
        raise ConflictError(
            "what you gave last has been run, or is about to be", hint="it stays as it is"
        )
    for later in people_steps(study):
        if step_before(study, later) != step.name:
            continue
        found = tx.rows("attempt_of_task", **keys | {"step": later.name}, task_id=item["task_id"])
        if found and found[0]["action"] == "answer":
            raise ConflictError(
                "you have written a program for that task since", hint="take that back first"
            )
