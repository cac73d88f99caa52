"""Curation: people look at generated tasks and keep, remove or skip them; every step can be undone.

Decisions are only ever added. What stands is the newest one that nobody took back, so an undo is a
row of its own, and the history of a task is all of its rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.curation.reasons import REMOVAL_REASONS
from core.errors import ConflictError, InputError, NotFoundError
from core.identity import new_id
from core.protocols.base import Cell
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.studies import Study

ACTIONS = ("keep", "remove", "skip")
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_NOTE = 2_000
LONGEST_PERSON = 80


@dataclass(frozen=True)
class Person:
    """Somebody at the desk."""

    person_id: str
    name: str


@dataclass(frozen=True)
class TaskView:
    """One task as the desk shows it; state is pending, kept, removed or skipped."""

    task_id: str
    text: str
    intent: str | None
    type: str | None
    reason: str | None
    state: str
    position: int


def person_named(store: Store, name: str) -> Person:
    """The person of that name, made known when new.

    Raises:
        InputError: the name is empty, too long or has control characters.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_PERSON:
        raise InputError(
            f"the name {name[:40]!r} has {len(name)} characters",
            hint=f"use 1 to {LONGEST_PERSON} characters",
        )
    if not name.isprintable():
        raise InputError(
            f"the name {name!r} has a character that cannot be shown", hint="leave it out"
        )

    def find_or_add(tx: Transaction) -> Person:
        found = tx.rows("person_by_name", name=name)
        if found:
            return Person(**found[0])
        row = {"person_id": new_id(), "name": name, "created_at": datetime.now(UTC)}
        tx.append("person", [row])
        return Person(row["person_id"], name)

    found = store.rows("person_by_name", name=name)
    return Person(**found[0]) if found else store.write(find_or_add)


def queue(
    store: Store, study: Study, *, n: int, skipped_before: datetime | None = None
) -> list[TaskView]:
    """The next tasks to decide, at most `n`; empty when all are decided.

    Args:
        skipped_before: tasks skipped before this moment come up again, after the others; by
            default none do.
    """
    rows = store.rows(
        "queue_next", study_id=study.study_id, n=n, skipped_before=skipped_before or NEVER
    )
    return [TaskView(**row) for row in rows]


def decide(
    store: Store,
    study: Study,
    task_id: str,
    action: str,
    *,
    person: Person,
    reason: str | None = None,
    note: str = "",
    seconds_active: float | None = None,
    seen_state: str | None = None,
) -> str:
    """The id of the decision, once it is stored.

    Args:
        action: keep, remove or skip. A removal needs a `reason` code of `REMOVAL_REASONS`; the
            reason `other` needs a note.
        seconds_active: time the person spent on it.
        seen_state: the state the person saw the task in; when somebody has changed it since, the
            decision is refused instead of overwriting theirs. None decides in any case.

    Raises:
        InputError: an action, reason or note that cannot be used.
        NotFoundError: the study has no such task.
        ConflictError: somebody decided the task in the meantime.
    """
    _check_decision(action, reason, note)

    def add(tx: Transaction) -> str:
        found = tx.rows("task_by_id", task_id=task_id)
        if not found or found[0]["study_id"] != study.study_id:
            raise NotFoundError(f"{study.name} has no task {task_id!r}")
        if seen_state is not None and found[0]["state"] != seen_state:
            standing = tx.rows("standing_review_of_task", task_id=task_id)
            who = standing[0]["person"] if standing else "somebody"
            raise ConflictError(
                f"{who} has decided this task in the meantime: it is {found[0]['state']}",
                hint="your decision was not stored; go on with the next task",
            )
        return _add_review(
            store,
            tx,
            study,
            task_id,
            person,
            action=action,
            reason=reason,
            note=note,
            seconds_active=seconds_active,
        )

    return store.write(add)


def undo(store: Store, study: Study, *, person: Person) -> TaskView | None:
    """The task whose newest decision by this person was taken back; None when there is none."""

    def take_back(tx: Transaction) -> str | None:
        last = tx.rows(
            "last_decision_of_person", study_id=study.study_id, person_id=person.person_id
        )
        if not last:
            return None
        task_id = last[0]["task_id"]
        _add_review(store, tx, study, task_id, person, action="undo", undoes=last[0]["review_id"])
        return task_id

    task_id = store.write(take_back)
    return None if task_id is None else task_view(store, task_id)


def task_view(store: Store, task_id: str) -> TaskView:
    """One task with its state.

    Raises:
        NotFoundError: there is no such task.
    """
    found = store.rows("task_by_id", task_id=task_id)
    if not found:
        raise NotFoundError(f"there is no task {task_id!r}")
    return TaskView(**{key: found[0][key] for key in TaskView.__dataclass_fields__})


def task_from_prefix(store: Store, study: Study, prefix: str) -> str:
    """The id of the one task of a study that begins so.

    Raises:
        NotFoundError: no task, or more than one, begins so.
    """
    found = store.rows("task_ids_by_prefix", study_id=study.study_id, prefix=prefix)
    if len(found) == 1:
        return found[0]["task_id"]
    count = "no task" if not found else "more than one task"
    raise NotFoundError(
        f"{study.name} has {count} whose id begins with {prefix!r}",
        hint="the export lists every task with its id",
    )


def cell_counts(store: Store, study: Study) -> dict[Cell, dict[str, int]]:
    """For each cell of the protocol: n_tasks, kept, removed, skipped and pending."""
    rows = store.rows("curation_cells", study_id=study.study_id)
    found = {(row.pop("type"), row.pop("intent")): row for row in rows}
    empty = dict.fromkeys(("n_tasks", "kept", "removed", "skipped", "pending"), 0)
    return {cell: found.get(cell, empty) for cell in study.shape.cells}


def task_history(store: Store, task_id: str) -> list[Mapping[str, Any]]:
    """All that people did with a task, oldest first."""
    return store.rows("task_history", task_id=task_id)


def _check_decision(action: str, reason: str | None, note: str) -> None:
    if action not in ACTIONS:
        raise InputError(
            f"the decision {action!r} is not known", hint=f"one of {', '.join(ACTIONS)}"
        )
    codes = ", ".join(REMOVAL_REASONS)
    if action == "remove" and reason not in REMOVAL_REASONS:
        met = f"the reason {reason!r} is not known" if reason else "a removal was given no reason"
        raise InputError(met, hint=f"one of {codes}")
    if action != "remove" and reason is not None:
        raise InputError(f"{action} was given the reason {reason!r}", hint="only a removal has one")
    if reason == "other" and not note.strip():
        raise InputError("the reason other has no note", hint="say in a note why it goes")
    if len(note) > LONGEST_NOTE:
        raise InputError(
            f"the note has {len(note):,} characters", hint=f"use at most {LONGEST_NOTE:,}"
        )


def _add_review(
    store: Store,
    tx: Transaction,
    study: Study,
    task_id: str,
    person: Person,
    *,
    action: str,
    reason: str | None = None,
    note: str = "",
    undoes: str | None = None,
    seconds_active: float | None = None,
) -> str:
    row = {
        "review_id": new_id(),
        "study_id": study.study_id,
        "task_id": task_id,
        "person_id": person.person_id,
        "seq": store.next_seq(),
        "action": action,
        "reason": reason,
        "note": note,
        "undoes": undoes,
        "seconds_active": seconds_active,
        "decided_at": datetime.now(UTC),
    }
    tx.append("review", [row])
    return row["review_id"]
