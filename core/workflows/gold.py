"""Gold tasks: tasks whose right decision is known, mixed in to see how often people find it.

Marking a task as gold settles it, so what others then decide on it moves no count of the study; it
only tells how well they decide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.curation.board import Board
from core.curation.votes import vote_of
from core.errors import NotFoundError
from core.identity import content_hash, new_id
from core.metrics.intervals import wilson_interval
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.curation import check_decision
from core.workflows.people import Person
from core.workflows.studies import Study


@dataclass(frozen=True)
class HitRate:
    """How often a person decided gold tasks as they should be, with a 95 % Wilson interval."""

    person: str
    n_right: int
    n_decided: int
    low: float
    high: float


def gold_due(board: Board, gold: Mapping[str, str], person: Person, *, every: int) -> str | None:
    """The gold task that is this person's turn, if one is.

    Args:
        gold: by task, the id of who marked it; they are not asked about it.
        every: how many decisions there are to one gold task; 0 for none.
    """
    votes = board.record(person.person_id).votes
    if not every or (votes["keep"] + votes["remove"]) % every != every - 1:
        return None
    left = [
        task_id
        for task_id, marked_by in gold.items()
        if marked_by != person.person_id
        and task_id in board
        and vote_of(board.votes(task_id), person.person_id) is None
    ]
    return min(left, key=lambda one: content_hash([person.person_id, one]), default=None)


def mark_gold(
    store: Store,
    study: Study,
    task_ids: Sequence[str],
    action: str,
    *,
    person: Person,
    reason: str | None = None,
    note: str = "",
) -> int:
    """How many tasks are gold now, each with a final decision that settles it; one undo takes the
    decisions back, and the marks with `unmark_gold`.

    Raises:
        InputError: an action, reason or note that cannot be used.
        NotFoundError: a task is not one of the study's.
    """
    check_decision(action, reason, note, is_final=True)
    now, batch_id = datetime.now(UTC), new_id()

    def add(tx: Transaction) -> int:
        known = {row["task_id"] for row in tx.rows("board_tasks", study_id=study.study_id)}
        if unknown := [one for one in task_ids if one not in known]:
            raise NotFoundError(f"{study.name} has no task {unknown[0]!r}")
        about = {"study_id": study.study_id, "person_id": person.person_id}
        about |= {"action": action, "reason": reason}
        # A mark has the seq of the decision that settles its task, and counts while that stands.
        both = [about | {"task_id": one, "seq": tx.next_seq()} for one in task_ids]
        more = {"note": note, "batch_id": batch_id, "is_final": True, "decided_at": now}
        tx.append("review", [one | more | {"review_id": new_id()} for one in both])
        return tx.append("gold", [one | {"marked_at": now} for one in both])

    return store.write(add)


def unmark_gold(store: Store, study: Study, task_ids: Sequence[str], *, person: Person) -> int:
    """How many tasks are gold no longer; what was decided about them stays."""
    now = datetime.now(UTC)

    def add(tx: Transaction) -> int:
        about = {"study_id": study.study_id, "person_id": person.person_id, "marked_at": now}
        return tx.append(
            "gold", [about | {"task_id": one, "seq": tx.next_seq()} for one in task_ids]
        )

    return store.write(add)


def gold_tasks(store: Store, study: Study) -> dict[str, str]:
    """The right decision on each gold task, keep or remove."""
    rows = store.rows("gold_now", study_id=study.study_id)
    return {row["task_id"]: row["action"] for row in rows}


def hit_rates(store: Store, study: Study) -> list[HitRate]:
    """How often each person decided gold tasks as they should be; who marked one does not count."""
    rates = []
    for row in store.rows("gold_votes", study_id=study.study_id):
        low, high = wilson_interval(row["n_right"], row["n_decided"])
        rates.append(HitRate(row["person"], row["n_right"], row["n_decided"], low, high))
    return rates
