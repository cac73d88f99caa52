"""Curation: people look at generated tasks and keep, remove or skip them; every step can be undone.

Decisions are only ever added. What stands is worked out from them (`core.curation.votes`), so an
undo is a row of its own, and the history of a task is all of its rows.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.curation.reasons import REMOVAL_REASONS
from core.curation.votes import Review, needs, standing, state_of, vote_of
from core.errors import ConflictError, InputError, NotFoundError
from core.identity import new_id
from core.protocols.base import Cell
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.people import Person
from core.workflows.studies import Study
from core.workflows.study_overviews import TASK_COUNTS

ACTIONS = ("keep", "remove", "skip")
LONGEST_NOTE = 2_000

_REVIEW_FIELDS = tuple(Review.__dataclass_fields__)


@dataclass(frozen=True)
class Decision:
    """What is to be decided about one task; a removal names its reason code."""

    task_id: str
    action: str
    reason: str | None = None


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
    seen_seq: int | None = None,
    is_final: bool = False,
) -> str:
    """The id of the decision, once it is stored; the same decision sent twice is stored once.

    Args:
        action: keep, remove or skip. A removal needs a `reason` code of `REMOVAL_REASONS`; the
            reason `other` needs a note.
        seconds_active: time the person spent on it.
        seen_seq: the newest review of the task when the person saw it. When enough others have
            decided it since, the decision is refused instead of overwriting theirs. None decides
            in any case.
        is_final: whether it settles a task on which people disagree.

    Raises:
        InputError: an action, reason or note that cannot be used.
        NotFoundError: the study has no such task.
        ConflictError: the task was decided in the meantime.
    """
    check_decision(action, reason, note, is_final=is_final)

    def add(tx: Transaction) -> str:
        found = tx.rows("task_by_id", task_id=task_id)
        if not found or found[0]["study_id"] != study.study_id:
            raise NotFoundError(f"{study.name} has no task {task_id!r}")
        rows = tx.rows("reviews_of_task", task_id=task_id)
        votes = standing(map(review_from, rows))
        own = _own(votes, person, is_final=is_final)
        if own is not None and (own.action, own.reason) == (action, reason):
            stored = next(row for row in rows if row["review_id"] == own.review_id)
            if stored["note"] == note:
                return own.review_id
        if seen_seq is not None:
            _refuse_late(tx, study, rows, votes, person, seen_seq, is_final=is_final)
        row = _review_row(study, tx, task_id, person, action, reason, note)
        row |= {"seconds_active": seconds_active, "is_final": is_final}
        tx.append("review", [row])
        return row["review_id"]

    return store.write(add)


def decide_together(
    store: Store, study: Study, decisions: Sequence[Decision], *, person: Person, note: str = ""
) -> int:
    """How many decisions were stored, all of them or none; one undo takes them all back.

    Raises:
        InputError: an action, reason or note that cannot be used.
        NotFoundError: a task is not one of the study's.
    """
    for kind in {(one.action, one.reason) for one in decisions}:
        check_decision(*kind, note)
    batch_id = new_id()

    def add(tx: Transaction) -> int:
        known = {row["task_id"] for row in tx.rows("board_tasks", study_id=study.study_id)}
        unknown = [one.task_id for one in decisions if one.task_id not in known]
        if unknown:
            raise NotFoundError(f"{study.name} has no task {unknown[0]!r}")
        rows = [
            _review_row(study, tx, one.task_id, person, one.action, one.reason, note)
            | {"batch_id": batch_id}
            for one in decisions
        ]
        tx.append("review", rows)
        return len(rows)

    return store.write(add)


def undo(store: Store, study: Study, *, person: Person) -> list[str]:
    """The tasks whose newest decision by this person was taken back, empty when there is none.

    Decisions that were made together are taken back together.
    """

    def take_back(tx: Transaction) -> list[str]:
        who = {"study_id": study.study_id, "person_id": person.person_id}
        last = tx.rows("last_decision_of_person", **who)
        if last and last[0]["batch_id"] is not None:
            last = tx.rows("batch_of_person", **who, batch_id=last[0]["batch_id"])
        batch_id = new_id() if len(last) > 1 else None
        rows = [
            _review_row(study, tx, one["task_id"], person, "undo", None, "")
            | {"undoes": one["review_id"], "batch_id": batch_id}
            for one in last
        ]
        tx.append("review", rows)
        return [row["task_id"] for row in rows]

    return store.write(take_back)


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
    """For each cell of the protocol: n_tasks, and how many are in each state."""
    rows = store.rows("curation_cells", study_id=study.study_id)
    found = {(row.pop("type"), row.pop("intent")): row for row in rows}
    return {cell: found.get(cell, dict.fromkeys(TASK_COUNTS, 0)) for cell in study.shape.cells}


def task_history(store: Store, task_id: str, *, overlap: int = 1) -> list[Mapping[str, Any]]:
    """All that people did with a task, oldest first, each with the task's state before and after.

    Keys: person, action, reason, note, decided_at, seconds_active, is_final, before, after.
    """
    rows = store.rows("reviews_of_task", task_id=task_id)
    reviews = [review_from(row) for row in rows]
    states = [state_of(standing(reviews[:n]), overlap) for n in range(len(rows) + 1)]
    return [
        row | {"before": before, "after": after}
        for row, before, after in zip(rows, states, states[1:], strict=False)
    ]


def review_from(row: Mapping[str, Any]) -> Review:
    """A stored review as the rules of `core.curation.votes` take it."""
    return Review(**{name: row[name] for name in _REVIEW_FIELDS})


def check_decision(action: str, reason: str | None, note: str, *, is_final: bool = False) -> None:
    """Nothing, when the decision can be stored; a final one keeps or removes.

    Raises:
        InputError: an action, reason or note that cannot be used.
    """
    if action not in ACTIONS:
        raise InputError(
            f"the decision {action!r} is not known", hint=f"one of {', '.join(ACTIONS)}"
        )
    if is_final and action == "skip":
        raise InputError("a final decision was a skip", hint="keep or remove the task")
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


def _own(votes: Collection[Review], person: Person, *, is_final: bool) -> Review | None:
    if is_final:
        return next((one for one in votes if one.is_final), None)
    return vote_of(votes, person.person_id)


def _refuse_late(
    tx: Transaction,
    study: Study,
    rows: Sequence[Mapping[str, Any]],
    votes: Sequence[Review],
    person: Person,
    seen_seq: int,
    *,
    is_final: bool,
) -> None:
    newer = [row for row in rows if row["seq"] > seen_seq]
    if is_final and newer:
        raise ConflictError(
            f"{newer[-1]['person']} has decided or undone something on this task in the meantime",
            hint="your decision was not stored; look at the task again",
        )
    if any(row["person_id"] == person.person_id for row in newer):
        raise ConflictError(
            "you have decided this task in another window",
            hint="this decision was not stored; go on with the next task",
        )
    overlap = tx.value("overlap_of_study", study_id=study.study_id)
    if not newer or needs(votes, overlap) > 0:
        return
    gold = {row["task_id"] for row in tx.rows("gold_now", study_id=study.study_id)}
    if newer[-1]["task_id"] in gold:
        return
    raise ConflictError(
        f"{newer[-1]['person']} has decided this task in the meantime",
        hint="your decision was not stored; go on with the next task",
    )


def _review_row(
    study: Study,
    tx: Transaction,
    task_id: str,
    person: Person,
    action: str,
    reason: str | None,
    note: str,
) -> dict[str, Any]:
    return {
        "review_id": new_id(),
        "study_id": study.study_id,
        "task_id": task_id,
        "person_id": person.person_id,
        "seq": tx.next_seq(),
        "action": action,
        "reason": reason,
        "note": note,
        "undoes": None,
        "batch_id": None,
        "is_final": False,
        "seconds_active": None,
        "decided_at": datetime.now(UTC),
    }
