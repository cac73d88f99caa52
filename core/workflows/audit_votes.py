"""Votes of auditors: only ever added, an undo is a row of its own.

A vote is blind when its person had not been told what the judge said. They are told after their own
vote, so whatever they say of that verdict from then on is not blind, and stored so. So is what they
say of a verdict that another screen had shown them (`core.workflows.verdicts_shown`).
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.errors import ConflictError, InputError, NotFoundError
from core.identity import new_id
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.audits import NO, UNSURE, YES, Audit, verdicts_of
from core.workflows.curation import LONGEST_NOTE
from core.workflows.desk_rules import rules_of
from core.workflows.people import Person
from core.workflows.studies import Study

VOTES = (YES, NO, UNSURE)


def vote(
    store: Store,
    study: Study,
    audit: Audit,
    person: Person,
    item_id: str,
    action: str,
    *,
    note: str = "",
    seconds_active: float | None = None,
) -> str:
    """The id of the person's vote, once it is stored; the same vote sent twice is stored once.

    Args:
        action: yes, no or unsure, as an answer to the question of `Verdicts`.
        seconds_active: time the person spent on it.

    Raises:
        InputError: an action or note that cannot be used.
        NotFoundError: the sample has no such verdict.
        ConflictError: the person voted otherwise before, and has to take that back first.
    """
    check_vote(action, note)

    def add(tx: Transaction) -> str:
        rows = votes_on(tx, audit, item_id)
        own = [row for row in rows if is_own(row, person) and row["stands"]]
        if own and own[0]["action"] == action and own[0]["note"] == note:
            return own[0]["vote_id"]
        if own:
            raise ConflictError(
                "you have voted on this one already", hint="take that vote back first, with undo"
            )
        about = {"action": action, "note": note, "seconds_active": seconds_active}
        return add_vote(tx, study, audit, person, item_id, about)

    return store.write(add)


def undo_vote(
    store: Store, study: Study, audit: Audit, person: Person, *, is_final: bool = False
) -> str | None:
    """The verdict on which the person's newest vote that stands was taken back; None for none.

    Args:
        is_final: whether a vote that settled a disagreement is meant.
    """

    def take_back(tx: Transaction) -> str | None:
        keys = {"audit_id": audit.audit_id, "person_id": person.person_id}
        last = tx.rows("last_audit_vote", **keys, is_final=is_final)
        if not last:
            return None
        about = {"action": "undo", "note": "", "undoes": last[0]["vote_id"], "is_final": is_final}
        add_vote(tx, study, audit, person, last[0]["item_id"], about)
        return last[0]["item_id"]

    return store.write(take_back)


def keep_note(store: Store, audit: Audit, person: Person, item_id: str, note: str) -> None:
    """Nothing; what the person began to write on a verdict is there again after a reload or a
    restart, until they vote on it."""
    place = _place(audit, person, item_id)

    def put(tx: Transaction) -> None:
        tx.execute("drop_audit_draft", **place)
        if note:
            tx.append("audit_draft", [place | {"note": note[:LONGEST_NOTE]}])

    store.write(put)


def kept_note(store: Store, audit: Audit, person: Person, item_id: str) -> str:
    """What the person began to write on a verdict; empty where they did not."""
    rows = store.rows("audit_draft", **_place(audit, person, item_id))
    return rows[0]["note"] if rows else ""


def votes_on(
    source: Store | Transaction, audit: Audit, item_id: str
) -> Sequence[Mapping[str, Any]]:
    """All rows about one verdict of a sample, oldest first.

    Raises:
        NotFoundError: the sample has no such verdict.
    """
    keys = {"audit_id": audit.audit_id, "item_id": item_id}
    if not source.rows("audited_task", **keys):
        raise no_item(audit, item_id)
    return source.rows("votes_on_item", **keys)


def add_vote(
    tx: Transaction,
    study: Study,
    audit: Audit,
    person: Person,
    item_id: str,
    about: Mapping[str, Any],
) -> str:
    """The id of a row that is now among the votes, marked as blind or not."""
    row = {
        "vote_id": new_id(),
        "audit_id": audit.audit_id,
        "study_id": study.study_id,
        "item_id": item_id,
        "person_id": person.person_id,
        "seq": tx.next_seq(),
        "undoes": None,
        "is_final": False,
        "is_blind": not _has_seen(tx, study, audit, person, item_id),
        "voted_at": datetime.now(UTC),
        **about,
    }
    tx.execute("drop_audit_draft", **_place(audit, person, item_id))
    tx.append("audit_vote", [row])
    return row["vote_id"]


def check_vote(action: str, note: str) -> None:
    """Nothing, when the vote can be stored.

    Raises:
        InputError: an action or note that cannot be used.
    """
    if action not in VOTES:
        raise InputError(f"the vote {action!r} is not known", hint=f"one of {', '.join(VOTES)}")
    if len(note) > LONGEST_NOTE:
        raise InputError(
            f"the note has {len(note):,} characters", hint=f"use at most {LONGEST_NOTE:,}"
        )


def is_own(row: Mapping[str, Any], person: Person) -> bool:
    """Whether a row is a person's own vote, or undo of one, and not one that settles."""
    return row["person_id"] == person.person_id and not row["is_final"]


def no_item(audit: Audit, item_id: str) -> NotFoundError:
    """The problem that a sample has no such verdict."""
    return NotFoundError(
        f"the sample {audit.name} has no verdict {item_id!r}", hint="open the sample again"
    )


def _place(audit: Audit, person: Person, item_id: str) -> dict[str, str]:
    return {"audit_id": audit.audit_id, "person_id": person.person_id, "item_id": item_id}


def _has_seen(tx: Transaction, study: Study, audit: Audit, person: Person, item_id: str) -> bool:
    """Whether the person was shown the verdict before: after a vote of theirs, on another screen,
    or at a curation desk that is not blind."""
    who = {"person_id": person.person_id}
    about = {"study_id": study.study_id, "item_id": item_id} | who
    if tx.value("votes_on_verdict", **about) or tx.value("times_verdict_was_shown", **about):
        return True
    if verdicts_of(study, audit.step).shows != ("task",) or rules_of(tx, study).is_blind:
        return False
    task_id = tx.value("audited_task", audit_id=audit.audit_id, item_id=item_id)
    return bool(tx.value("reviews_of_task_by", task_id=task_id, **who))
