"""The table of a study's tasks: found by filters, sorted, and decided many at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.curation.checks import CHECKS_VERSION
from core.curation.votes import KEPT, REMOVED, STATES, Review, vote_of
from core.workflows.curation import Decision, decide_together
from core.workflows.desk import Desk
from core.workflows.people import Person

BY_OTHERS = "decided by others"
"""The state shown of a task whose decision a person may not see yet."""

SHOWN_STATES = (*STATES, BY_OTHERS)
SORTS = ("queue", "newest decision", "longest", "shortest", "text", "type", "state")
LONGEST_SHOWN = 300
MOST_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class TaskFilter:
    """Which tasks a table shows; an empty text asks for nothing.

    Args:
        state: one of `SHOWN_STATES`. flag: a flag's code, or `any`.
        decider: the id of a person who decided. words: what the text holds, whatever its case.
    """

    type: str = ""
    intent: str = ""
    state: str = ""
    flag: str = ""
    decider: str = ""
    words: str = ""


@dataclass(frozen=True)
class TablePage:
    """Some rows of a table, and how many match in all."""

    rows: Sequence[Mapping[str, Any]]
    n_matching: int


@dataclass(frozen=True)
class BulkPlan:
    """What an action on many tasks will do.

    Args:
        task_ids: the tasks it changes. n_same: those it would leave as they are.
        n_held: those somebody else has before them. n_by_others: those others decided.
    """

    task_ids: tuple[str, ...]
    n_same: int
    n_held: int
    n_by_others: int


def table_page(
    desk: Desk,
    person: Person,
    wanted: TaskFilter,
    *,
    sort: str = "queue",
    first: int = 0,
    n: int = 100,
) -> TablePage:
    """Rows of the table as this person may see them, from the `first` on (0 is the first row)."""
    asked = {
        "study_id": desk.study.study_id,
        "person_id": person.person_id,
        "is_blind": desk.rules.is_blind,
        "checks_version": CHECKS_VERSION,
        "longest": LONGEST_SHOWN,
        "sort": sort,
        "only": desk.board().task_ids if desk.study.shape.rewrites_tasks else None,
        **asdict(wanted),
    }
    rows = desk.store.rows("desk_table", **asked, first=first, n=n)
    # A page behind the last row has none that could say how many there are.
    told = rows or (desk.store.rows("desk_table", **asked, first=0, n=1) if first else [])
    return TablePage(rows, told[0]["n_matching"] if told else 0)


def matching_ids(desk: Desk, person: Person, wanted: TaskFilter) -> list[str]:
    """The ids of all tasks that a filter finds, in the queue's order."""
    page = table_page(desk, person, wanted, n=MOST_AT_ONCE)
    return [row["task_id"] for row in page.rows]


def plan_bulk(
    desk: Desk, person: Person, task_ids: Sequence[str], action: str, reason: str | None
) -> BulkPlan:
    """What deciding these tasks all alike would change, and what it leaves alone and why."""
    board, free = desk.board(), set(desk.apart(person, list(task_ids)))
    is_blind = desk.rules.is_blind
    changed, n_same, n_held, n_by_others = [], 0, 0, 0
    for task_id in task_ids:
        own = vote_of(board.votes(task_id), person.person_id)
        if own is not None and (own.action, own.reason) == (action, reason):
            n_same += 1
        elif task_id not in free:
            n_held += 1
        elif is_blind and not _has_decided(own) and board.needs(task_id) == 0:
            n_by_others += 1
        else:
            changed.append(task_id)
    return BulkPlan(tuple(changed), n_same, n_held, n_by_others)


def apply_bulk(
    desk: Desk, person: Person, plan: BulkPlan, action: str, reason: str | None, *, note: str = ""
) -> int:
    """How many tasks were decided, all of the plan's or none; one undo takes them back.

    Raises:
        InputError: an action, reason or note that cannot be used.
    """
    decisions = [Decision(task_id, action, reason) for task_id in plan.task_ids]
    n_decided = decide_together(desk.store, desk.study, decisions, person=person, note=note)
    desk.let_go(person, plan.task_ids)
    return n_decided


def keep_one(desk: Desk, person: Person, task_ids: Sequence[str], kept: str) -> int:
    """How many tasks were decided: one of a cluster is kept, the others go as its duplicates.

    Tasks that somebody else has before them or has decided are left alone; where that is the one
    to keep and it is not kept, nothing is removed. One undo takes it back.
    """
    keep = [Decision(one, "keep") for one in _own_to_decide(desk, person, [kept], "keep")]
    if not keep and not _is_kept(desk, person, kept):
        return 0
    others = [one for one in task_ids if one != kept]
    remove = [
        Decision(one, "remove", "duplicate")
        for one in _own_to_decide(desk, person, others, "remove", "duplicate")
    ]
    decisions = [*remove, *keep]
    return decide_together(desk.store, desk.study, decisions, person=person) if decisions else 0


def _own_to_decide(
    desk: Desk, person: Person, task_ids: Sequence[str], action: str, reason: str | None = None
) -> list[str]:
    """Those of the tasks that this action would change and that are not settled by others."""
    board = desk.board()
    return [
        one
        for one in plan_bulk(desk, person, task_ids, action, reason).task_ids
        if board.needs(one) or _has_decided(vote_of(board.votes(one), person.person_id))
    ]


def left_of_cluster(desk: Desk, person: Person, task_ids: Sequence[str]) -> list[str]:
    """The tasks of a cluster that are not removed, as far as this person may know."""
    board, is_blind = desk.board(), desk.rules.is_blind
    left = []
    for one in task_ids:
        own = vote_of(board.votes(one), person.person_id)
        may_know = _has_decided(own) or not is_blind
        is_gone = (own is not None and own.action == "remove") or board.state(one) == REMOVED
        if not (may_know and is_gone):
            left.append(one)
    return left


def waits_for(desk: Desk, person: Person, task_ids: Sequence[str]) -> bool:
    """Whether a cluster still has a task this person has not decided, beside another one left."""
    board = desk.board()
    left = left_of_cluster(desk, person, task_ids)
    undecided = undecided_by(desk, person, left)
    if not desk.rules.is_blind:
        undecided = [one for one in undecided if board.needs(one)]
    return len(left) > 1 and bool(undecided)


def undecided_by(desk: Desk, person: Person, task_ids: Sequence[str]) -> list[str]:
    """Those of the tasks that this person neither kept nor removed."""
    board = desk.board()
    return [
        one for one in task_ids if not _has_decided(vote_of(board.votes(one), person.person_id))
    ]


def _is_kept(desk: Desk, person: Person, task_id: str) -> bool:
    board = desk.board()
    own = vote_of(board.votes(task_id), person.person_id)
    return board.state(task_id) == KEPT or (own is not None and own.action == "keep")


def _has_decided(own: Review | None) -> bool:
    return own is not None and own.action != "skip"
