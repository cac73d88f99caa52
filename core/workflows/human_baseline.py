"""The human baseline: people attempt the drawn tasks, blind, and are measured as the models are.

What a person does with a task is a label of the step that models do, under `Person.as_model`
instead of a model's name and without a call. So every table, chart and export shows people beside
models. Everything is only ever added: the newest thing a person did with a task stands, and an
undo is a row of its own. What a person gives, a label, their own chance or a program, is the
step's; programs are in `core.workflows.human_programs`, and how something is taken back is in
`core.workflows.human_undo`.

A person is given every task of the draw, or where the step works on all tasks every one that nobody
removed, in an order of their own, and is told its text alone. Where people do several steps, each
has the tasks that they have done in the one before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import ConflictError, InputError, NotFoundError
from core.protocols.base import Step
from core.store.store import Store
from core.store.transaction import Transaction
from core.taxonomy import FEASIBLE, INFEASIBLE
from core.workflows.human_steps import (
    attempt_row,
    given_of_task,
    keys_of_person,
    keys_of_tasks,
    step_before,
    step_for_people,
)
from core.workflows.people import Person
from core.workflows.person_plans import plan_for_person
from core.workflows.studies import Study

LONGEST_ANSWER = 2_000
RECENT = 20
"""How many of a person's newest answers their pace is taken from."""


@dataclass(frozen=True)
class OpenTask:
    """The task a person has before them: its text, and nothing that tells how it was meant."""

    task_id: str
    text: str


@dataclass(frozen=True)
class AttemptProgress:
    """How far a person has come with the draw.

    Args:
        n_drawn: tasks drawn, or all that nobody removed.
        n_planned: those put before the person; 0 before they begin.
        n_answered, n_skipped: what they did with them.
        seconds_each: what an answer takes, the median of the newest; None before.
    """

    n_drawn: int
    n_planned: int
    n_answered: int
    n_skipped: int
    seconds_each: float | None

    @property
    def n_open(self) -> int:
        """Tasks for the person that the person has neither answered nor skipped."""
        return self.n_drawn - self.n_answered - self.n_skipped


def reasons_on_offer(study: Study) -> dict[str, str]:
    """The reasons for which a task can be declined, each with its description."""
    return {reason.name: reason.description for reason in study.taxonomy.reasons}


def begin_attempts(store: Store, study: Study, person: Person, step: Step | None = None) -> int:
    """How many tasks are now put before the person that were not before.

    Args:
        step: one of `human_steps.people_steps`, here and below; by default the first.

    Raises:
        ConflictError: no tasks are drawn or there are none, or the protocol has no step for people.
    """
    step = step or step_for_people(study)
    before = step_before(study, step)
    only = None
    if before:
        keys = {"study_id": study.study_id, "step": before, "person_id": person.person_id}
        only = {row["task_id"] for row in store.rows("answered_by_person", **keys)}
    return plan_for_person(store, study, step, person.as_model, only=only)


def open_task(
    store: Store, study: Study, person: Person, step: Step | None = None
) -> OpenTask | None:
    """The task this person has before them now; None when they have answered all.

    It follows from what is stored alone, so it is the same after a reload and a restart. What was
    just taken back comes first, and what was skipped comes again at the end.
    """
    found = store.rows("attempt_next", **keys_of_tasks(study, person, step))
    return OpenTask(**found[0]) if found else None


def record_answer(
    store: Store,
    study: Study,
    person: Person,
    task_id: str,
    *,
    reason: str | None = None,
    answer: str = "",
    seconds_active: float | None = None,
) -> None:
    """Nothing; the person's answer is stored. The same answer sent twice is stored once.

    Args:
        reason: the one reason for which the task cannot be carried out, of `reasons_on_offer`;
            None when it can be.
        answer: what the person writes, if anything.
        seconds_active: time the person spent on it.

    Raises:
        InputError: the reason is not on offer, or the answer is too long.
        NotFoundError: the task is none of those put before the person.
        ConflictError: the person gave another answer before; it has to be taken back first.
    """
    _check_answer(study, reason, answer)
    given = {
        "label": FEASIBLE if reason is None else INFEASIBLE,
        "reason": reason,
        "answer": answer.strip() or None,
    }
    step = step_for_people(study)
    record_given(store, study, person, step, task_id, "answer", given, seconds_active)


def record_chance(
    store: Store,
    study: Study,
    person: Person,
    task_id: str,
    *,
    chance: float,
    seconds_active: float | None = None,
) -> None:
    """Nothing; the chance that the person would solve the task is stored, once if sent twice.

    Args:
        chance: in [0, 1].
        seconds_active: time the person spent on it.

    Raises:
        InputError: the chance is outside [0, 1].
        NotFoundError, ConflictError: as for `record_answer`.
    """
    if not 0 <= chance <= 1:
        raise InputError(f"the chance {chance} is not in [0, 1]", hint="0 is never, 1 is always")
    step = step_for_people(study)
    record_given(store, study, person, step, task_id, "answer", {"value": chance}, seconds_active)


def skip_task(
    store: Store,
    study: Study,
    person: Person,
    task_id: str,
    *,
    step: Step | None = None,
    seconds_active: float | None = None,
) -> None:
    """Nothing; the task comes to the person again after all others.

    Raises:
        NotFoundError: the task is none of those put before the person.
        ConflictError: the person has answered it before.
    """
    step = step or step_for_people(study)
    record_given(store, study, person, step, task_id, "skip", {}, seconds_active)


def attempt_progress(
    store: Store, study: Study, person: Person, step: Step | None = None
) -> AttemptProgress:
    """How far the person has come with the tasks that are for them."""
    keys = keys_of_tasks(study, person, step)
    return AttemptProgress(**store.rows("attempt_counts", **keys, n_newest=RECENT)[0])


def record_given(
    store: Store,
    study: Study,
    person: Person,
    step: Step,
    task_id: str,
    action: str,
    given: Mapping[str, Any],
    seconds_active: float | None,
) -> None:
    """Nothing; what a person did with a task is stored. The same sent twice is stored once.

    Args:
        action: `answer` or `skip`.
        given: what they gave, as columns of a label.

    Raises:
        NotFoundError: the task is none of those put before the person.
        ConflictError: the person has answered it before, and otherwise.
    """
    keys = keys_of_person(study, person, step)

    def add(tx: Transaction) -> None:
        found = given_of_task(tx, study, person, step, task_id)
        if not found:
            raise NotFoundError(f"{study.name} has no task {task_id!r} for {person.name}")
        item = found[0] | {"task_id": task_id}
        if item["action"] == "answer":
            if action == "answer" and all(item[name] == given[name] for name in given):
                return
            raise ConflictError(
                "you have answered this task already", hint="take that answer back first, with undo"
            )
        row = attempt_row(tx, keys, item, action) | given
        tx.append("label", [row | {"seconds_active": seconds_active}])
        if action == "answer":
            begun = {name: row[name] for name in ("study_id", "step", "task_id", "person_id")}
            tx.execute("drop_attempt_draft", **begun)

    store.write(add)


def _check_answer(study: Study, reason: str | None, answer: str) -> None:
    reasons = reasons_on_offer(study)
    if reason is not None and reason not in reasons:
        raise InputError(f"the reason {reason!r} is not known", hint=f"one of {', '.join(reasons)}")
    if len(answer) > LONGEST_ANSWER:
        raise InputError(
            f"the answer has {len(answer):,} characters", hint=f"use at most {LONGEST_ANSWER:,}"
        )
