"""People write the program of a task whose chance they stated: theirs is run as a model's is.

A person's program is a label of the step in which models write theirs, so that the step which runs
programs takes it with all others, in the same sandbox and with the same checks. It can be taken
back until it was given to a sandbox. Who gives a task up has not solved it: what runs then is a
program that does nothing. A program that is not handed in yet is kept as a draft, which is no
event and no answer: nothing but the desk reads it.
"""

from typing import Any

from core.errors import ConflictError, InputError
from core.parsing.code import parse_code
from core.protocols.base import Step
from core.records import Outcome
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.human_baseline import record_given
from core.workflows.human_steps import given_of_task, people_steps
from core.workflows.people import Person
from core.workflows.studies import Study

LONGEST_PROGRAM = 20_000
GIVEN_UP = "given up"
NO_PROGRAM = "raise NotImplementedError\n"
"""What stands for the program of a task that was given up."""


def record_program(
    store: Store,
    study: Study,
    person: Person,
    task_id: str,
    *,
    text: str,
    seconds_active: float | None = None,
) -> None:
    """Nothing; the program that a person wrote is stored, once if sent twice.

    Args:
        text: the program, or a text with it in a fenced block; it is read as a model's reply is.
        seconds_active: time the person spent on it.

    Raises:
        InputError: there is no program in it, or it is too long.
        NotFoundError: the task is none of those put before the person.
        ConflictError: the person gave another program before; it has to be taken back first.
    """
    if len(text) > LONGEST_PROGRAM:
        raise InputError(
            f"the program has {len(text):,} characters", hint=f"use at most {LONGEST_PROGRAM:,}"
        )
    read = parse_code(text)
    if read.outcome is Outcome.EMPTY:
        raise InputError("no program is written", hint="write one, or give the task up")
    if read.outcome is not Outcome.OK:
        raise InputError(
            "what is written is no program in Python",
            hint="write the whole function or only its body, and mind the spaces at the front",
        )
    _record(store, study, person, task_id, {"answer": read.answer, "reason": None}, seconds_active)


def give_up(
    store: Store,
    study: Study,
    person: Person,
    task_id: str,
    *,
    seconds_active: float | None = None,
) -> None:
    """Nothing; the person hands in no program of this task, which counts as not solved.

    Raises:
        NotFoundError, ConflictError: as for `record_program`.
    """
    given = {"answer": NO_PROGRAM, "reason": GIVEN_UP}
    _record(store, study, person, task_id, given, seconds_active)


def keep_program(store: Store, study: Study, person: Person, task_id: str, text: str) -> None:
    """Nothing; what the person began to write is there again after a reload or a restart, until
    they hand it in or give the task up. What comes later than that is not kept."""
    place = _place(study, person, task_id)

    def put(tx: Transaction) -> None:
        found = given_of_task(tx, study, person, _step_for_programs(study), task_id)
        if not found or found[0]["action"] == "answer":
            return
        tx.execute("drop_attempt_draft", **place)
        tx.append("attempt_draft", [place | {"text": text[:LONGEST_PROGRAM]}])

    store.write(put)


def kept_program(store: Store, study: Study, person: Person, task_id: str) -> str:
    """What the person began to write, else the newest program of theirs that they took back;
    empty where there is neither."""
    return store.value("program_begun", **_place(study, person, task_id))


def _place(study: Study, person: Person, task_id: str) -> dict[str, str]:
    return {
        "study_id": study.study_id,
        "step": _step_for_programs(study).name,
        "task_id": task_id,
        "person_id": person.person_id,
    }


def _record(
    store: Store,
    study: Study,
    person: Person,
    task_id: str,
    given: dict[str, Any],
    seconds_active: float | None,
) -> None:
    step = _step_for_programs(study)
    record_given(store, study, person, step, task_id, "answer", given, seconds_active)


def _step_for_programs(study: Study) -> Step:
    for step in people_steps(study):
        if step.people_give == "program":
            return step
    raise ConflictError(f"people write no programs in {study.shape.title}")
