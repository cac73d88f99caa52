"""What a person sees of a task: all of it once they have decided, before that what is not telling.

While a study is curated blind, the intended side and reason of a task, what others decided and what
a judge said are not part of what is handed out until the person has decided; so no screen can show
them by mistake. What a judge said, once handed out, is written down as shown to them: their vote on
that verdict at the audit desk is then not blind.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.curation.flags import Flag
from core.curation.votes import vote_of
from core.errors import NotFoundError
from core.workflows.curation import task_history
from core.workflows.desk import Desk
from core.workflows.findings import flags_of, stored_flags
from core.workflows.people import Person
from core.workflows.screening import Verdict, screening_verdicts
from core.workflows.verdicts_shown import note_shown

SHOWN_ALIKE = 12
"""Look-alikes shown beside a task; a larger cluster has its own screen."""

OPEN_ACTION = {"keep": "kept", "remove": "removed", "skip": "skipped"}


@dataclass(frozen=True)
class DeskTask:
    """A task as one person sees it.

    Args:
        number: its place in the study, from 1. type: what it was invented for.
        own: what this person decided (kept, removed, skipped), or None.
        seen_seq: the newest review of the task; goes back with the decision.
        flags: what the automatic checks found.
        is_revealed: whether what follows may be shown; all of it is empty otherwise.
        intent, reason: how the task was meant. state: where the task stands.
        references: the answers that count as right, of a question.
        history: all that people did with it (own rows only, unless revealed).
        verdicts: what screening judges said.
    """

    task_id: str
    text: str
    type: str | None
    number: int
    own: str | None
    seen_seq: int
    flags: tuple[Flag, ...]
    is_revealed: bool
    intent: str | None = None
    reason: str | None = None
    references: tuple[str, ...] = ()
    state: str | None = None
    history: Sequence[Mapping[str, Any]] = ()
    verdicts: Sequence[Verdict] = ()


@dataclass(frozen=True)
class Alike:
    """A task that says nearly the same as another."""

    task_id: str
    text: str
    own: str | None


def desk_task(desk: Desk, person: Person, task_id: str) -> DeskTask:
    """A task as this person may see it now.

    Raises:
        NotFoundError: the study has no such task.
    """
    board = desk.board()
    if task_id not in board:
        raise NotFoundError(f"{desk.study.name} has no task {task_id!r}")
    row, flags = _known(desk, task_id)
    own = vote_of(board.votes(task_id), person.person_id)
    has_decided = own is not None and own.action != "skip"
    is_revealed = has_decided or not desk.rules.is_blind
    seen_seq = board.newest_seq(task_id)
    history = task_history(desk.store, task_id, overlap=desk.rules.overlap) if seen_seq else []
    if not is_revealed:
        history = [_without_states(row) for row in history if _is_of(row, person)]
    return DeskTask(
        task_id=task_id,
        text=row["text"],
        type=row["type"],
        number=board.number(task_id),
        own=OPEN_ACTION[own.action] if own else None,
        seen_seq=seen_seq,
        flags=flags,
        is_revealed=is_revealed,
        intent=row["intent"] if is_revealed else None,
        reason=row["reason"] if is_revealed else None,
        references=tuple(json.loads(row["references_json"] or "[]")) if is_revealed else (),
        state=board.state(task_id) if is_revealed else None,
        history=tuple(history),
        verdicts=tuple(_verdicts_shown_to(desk, person, task_id)) if is_revealed else (),
    )


def prefetch(desk: Desk, person: Person) -> None:
    """Nothing; the task that comes next is read while the person looks at the one before."""
    coming = desk.peek(person)
    if coming is not None:
        _known(desk, coming)


def cluster_of(desk: Desk, task_id: str) -> tuple[str, ...]:
    """The tasks that say nearly the same as one, itself included; empty when none do."""
    return desk.clusters(desk.rules.similarity).of_task.get(task_id, ())


def alike_tasks(desk: Desk, person: Person, task_ids: Sequence[str]) -> list[Alike]:
    """Some tasks with their texts and what this person decided about them."""
    rows = desk.store.rows("tasks_by_ids", study_id=desk.study.study_id, task_ids=list(task_ids))
    board = desk.board()
    found = []
    for row in rows:
        own = vote_of(board.votes(row["task_id"]), person.person_id)
        found.append(Alike(row["task_id"], row["text"], OPEN_ACTION[own.action] if own else None))
    return found


def _known(desk: Desk, task_id: str) -> tuple[Mapping[str, Any], tuple[Flag, ...]]:
    known = desk.remembered(task_id)
    if known is not None:
        return known
    [row] = desk.store.rows("task_by_id", task_id=task_id)
    is_checked = stored_flags(desk.store, desk.study, task_id) is not None
    known = row, tuple(flags_of(desk.store, desk.study, row, language=desk.rules.language))
    # What the checks have not reached yet may have more flags later.
    if is_checked:
        desk.remember(task_id, known)
    return known


def _is_of(row: Mapping[str, Any], person: Person) -> bool:
    return row["person_id"] == person.person_id and not row["is_final"]


def _without_states(row: Mapping[str, Any]) -> Mapping[str, Any]:
    # Where the task stood before and after would tell what others decided.
    return {key: value for key, value in row.items() if key not in ("before", "after")}


def _verdicts_shown_to(desk: Desk, person: Person, task_id: str) -> Sequence[Verdict]:
    """What screening judges said; from here on the person is known to have been shown it."""
    found = screening_verdicts(desk.store, desk.study, [task_id]).get(task_id, ())
    note_shown(desk.store, desk.study, person, {one.item_id for one in found})
    return found
