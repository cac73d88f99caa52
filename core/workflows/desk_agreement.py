"""How far the people who curate a study agree, and the tasks on which they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.curation.votes import Review, vote_of
from core.workflows.curation import decide
from core.workflows.desk import Desk
from core.workflows.desk_rules import owner_of
from core.workflows.people import Person

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Dispute:
    """A task on which people disagree, with all their votes.

    Args:
        seen_seq: the newest review of the task; goes back with the final decision.
        votes: person, action, reason, note and decided_at of each vote, oldest first.
    """

    task_id: str
    text: str
    type: str | None
    intent: str | None
    reason: str | None
    seen_seq: int
    votes: Sequence[Mapping[str, Any]]


def votes_frame(desk: Desk, *, with_reason: bool = False) -> "DataFrame":
    """The standing votes on every task that two or more people decided: item, person, label.

    Args:
        with_reason: whether removals for different reasons count as different labels.
    """
    votes = desk.store.frame("votes_of_study", study_id=desk.study.study_id)
    if with_reason:
        votes["label"] = votes["label"].str.cat(votes["reason"].fillna(""), sep=" ").str.strip()
    return votes[["item", "person", "label"]]


def disputes_for(desk: Desk, person: Person, *, n: int = 1) -> tuple[list[Dispute], int]:
    """The first `n` disputes this person may settle, and how many there are for them.

    The owner of a study may settle all. While a study is blind, others settle only what they have
    decided themselves, since the votes of others stand beside the task.
    """
    board = desk.board()
    owner = owner_of(desk.store, desk.study)
    sees_all = not desk.rules.is_blind or (owner is not None and owner == person)
    ids = [one for one in board.disputed() if sees_all or _has_voted(board.votes(one), person)]
    return [_dispute(desk, one) for one in ids[:n]], len(ids)


def settle(
    desk: Desk,
    person: Person,
    dispute: Dispute,
    action: str,
    *,
    reason: str | None = None,
    note: str = "",
) -> str:
    """The id of the final decision on a disputed task; all votes stay as they are.

    Raises:
        InputError: an action, reason or note that cannot be used.
        ConflictError: something was decided or taken back on the task in the meantime.
    """
    return decide(
        desk.store,
        desk.study,
        dispute.task_id,
        action,
        person=person,
        reason=reason,
        note=note,
        seen_seq=dispute.seen_seq,
        is_final=True,
    )


def _has_voted(votes: Sequence[Review], person: Person) -> bool:
    own = vote_of(votes, person.person_id)
    return own is not None and own.action != "skip"


def _dispute(desk: Desk, task_id: str) -> Dispute:
    board = desk.board()
    [row] = desk.store.rows("task_by_id", task_id=task_id)
    standing = {one.review_id for one in board.votes(task_id)}
    votes = [
        one
        for one in desk.store.rows("reviews_of_task", task_id=task_id)
        if one["review_id"] in standing and one["action"] != "skip"
    ]
    return Dispute(
        task_id=task_id,
        text=row["text"],
        type=row["type"],
        intent=row["intent"],
        reason=row["reason"],
        seen_seq=board.newest_seq(task_id),
        votes=tuple(votes),
    )
