"""Verdicts on which auditors disagree: all votes side by side, and the vote that settles them.

A final vote counts for the sample, and every vote stays as it was. Whoever drew a sample may settle
all of it; others settle what they have voted on themselves, since the votes of others are shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.errors import ConflictError, NotFoundError
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.audit_desk import AuditItem, audit_item
from core.workflows.audit_votes import add_vote, check_vote, votes_on
from core.workflows.audits import Audit
from core.workflows.people import Person
from core.workflows.studies import Study

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class AuditDispute:
    """A verdict on which auditors disagree.

    Args:
        item: what it is about. votes: person, action, note and voted_at of each vote that stands,
            oldest first.
        seen_seq: the newest row about it; goes back with the final vote.
    """

    item: AuditItem
    votes: Sequence[Mapping[str, Any]]
    seen_seq: int


def next_dispute(
    store: Store, study: Study, audit: Audit, person: Person
) -> tuple[AuditDispute | None, int]:
    """The disagreement this person settles next, and how many there are for them to settle."""
    rows = store.rows("disputed_verdicts", audit_id=audit.audit_id, person_id=person.person_id)
    mine = [row["item_id"] for row in rows if row["is_own"] or audit.made_by == person.name]
    if not mine:
        return None, 0
    votes = votes_on(store, audit, mine[0])
    dispute = AuditDispute(
        item=audit_item(store, study, audit, mine[0]),
        votes=tuple(row for row in votes if row["stands"]),
        seen_seq=max(row["seq"] for row in votes),
    )
    return dispute, len(mine)


def settle(
    store: Store,
    study: Study,
    audit: Audit,
    person: Person,
    dispute: AuditDispute,
    action: str,
    *,
    note: str = "",
    seconds_active: float | None = None,
) -> str:
    """The id of the final vote, once it is stored; all votes stay as they are.

    Args:
        action: yes, no, or unsure where nobody can tell.

    Raises:
        InputError: an action or note that cannot be used.
        NotFoundError: the sample has no such verdict.
        ConflictError: somebody voted on it, settled it or took a vote back in the meantime.
    """
    check_vote(action, note)
    item_id = dispute.item.item_id

    def add(tx: Transaction) -> str:
        rows = votes_on(tx, audit, item_id)
        newest = rows[-1] if rows else None
        if newest is None:
            raise NotFoundError("nobody has voted on this one", hint="vote on it at the desk")
        if newest["is_final"] and _is_same(newest, person, action, note):
            return newest["vote_id"]
        if newest["seq"] != dispute.seen_seq:
            raise ConflictError(
                "somebody voted on this one in the meantime",
                hint="your decision was not stored; look at it again",
            )
        about = {"action": action, "note": note, "seconds_active": seconds_active}
        return add_vote(tx, study, audit, person, item_id, about | {"is_final": True})

    return store.write(add)


def n_settled(store: Store, audit: Audit) -> int:
    """How many verdicts of a sample a final vote has settled."""
    return store.value("settled_verdicts", audit_id=audit.audit_id)


def votes_frame(store: Store, audit: Audit) -> "DataFrame":
    """The votes that stand on every verdict two or more people voted on: item, person, label."""
    return store.frame("audit_votes_frame", audit_id=audit.audit_id)


def _is_same(row: Mapping[str, Any], person: Person, action: str, note: str) -> bool:
    given = (row["person_id"], row["action"], row["note"], row["stands"])
    return given == (person.person_id, action, note, True)
