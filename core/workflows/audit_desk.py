"""The audit desk: people give the verdict a judge gave, before they are told it.

Each auditor gets every verdict of a sample, in an order of their own, and sees what the judge saw
and nothing that it said. After their own vote, and not before, a person is told the verdict.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from core.sampling import derived_seed, hash_order
from core.store.store import Store
from core.workflows.audit_votes import VOTES, is_own, no_item, votes_on
from core.workflows.audits import NO, UNSURE, YES, Audit, verdicts_of
from core.workflows.people import Person
from core.workflows.studies import Study

RECENT = 20
"""How many of a person's newest votes their pace is taken from."""


@dataclass(frozen=True)
class AuditItem:
    """What a person sees of a verdict before they vote: what it is about, and nothing it says.

    Args:
        shows: what the step shows, by name: task, references, answer; in that order.
    """

    item_id: str
    shows: Mapping[str, str]


@dataclass(frozen=True)
class Reveal:
    """What a person is told of a verdict after their own vote.

    Args:
        verdict: yes or no, by the judge. vote: yes, no or unsure, by the person.
        reason: the code of a reason the judge gave, if any. words: what it said, in its own words.
        note: the person's own.
    """

    item_id: str
    verdict: str
    vote: str
    reason: str | None
    words: str
    note: str


@dataclass(frozen=True)
class AuditProgress:
    """How far a person has come with a sample; the counts and `n_open` add up to `n_items`.

    Args:
        seconds_each: what a vote takes, the median of the newest; None before.
    """

    n_items: int
    n_yes: int
    n_no: int
    n_unsure: int
    seconds_each: float | None

    @property
    def n_voted(self) -> int:
        """Verdicts the person has voted on."""
        return self.n_yes + self.n_no + self.n_unsure

    @property
    def n_open(self) -> int:
        """Verdicts the person has not voted on."""
        return self.n_items - self.n_voted


def next_item(store: Store, study: Study, audit: Audit, person: Person) -> AuditItem | None:
    """The verdict this person has before them now; None when they have voted on all.

    It follows from what is stored alone, so it is the same after a reload and a restart. What was
    just taken back comes first.
    """
    open_rows = {row["item_id"]: row for row in _queue(store, audit, person) if not row["action"]}
    if not open_rows:
        return None
    undone = {key: row["undone_seq"] for key, row in open_rows.items() if row["undone_seq"]}
    if undone:
        item_id = max(undone, key=undone.__getitem__)
    else:
        seed = derived_seed(audit.seed, audit.audit_id, person.person_id)
        item_id = hash_order(open_rows, seed=seed)[0]
    return audit_item(store, study, audit, item_id)


def audit_item(store: Store, study: Study, audit: Audit, item_id: str) -> AuditItem:
    """One verdict of a sample as people see it before they vote.

    Raises:
        NotFoundError: the sample has no such verdict.
    """
    found = store.rows(
        "audited_material", study_id=study.study_id, audit_id=audit.audit_id, item_id=item_id
    )
    if not found:
        raise no_item(audit, item_id)
    references = json.loads(found[0]["references_json"] or "[]")
    material = {
        "task": found[0]["task"],
        "references": "\n".join(references),
        "answer": found[0]["answer"] or "",
    }
    shows = verdicts_of(study, audit.step).shows
    return AuditItem(item_id, {name: material[name] for name in shows})


def audit_progress(store: Store, audit: Audit, person: Person) -> AuditProgress:
    """How far the person has come with a sample."""
    rows = _queue(store, audit, person)
    counts = {action: sum(row["action"] == action for row in rows) for action in VOTES}
    voted = sorted((row for row in rows if row["action"]), key=lambda row: -row["seq"])
    pace = [row["seconds_active"] for row in voted[:RECENT] if row["seconds_active"] is not None]
    return AuditProgress(
        n_items=len(rows),
        n_yes=counts[YES],
        n_no=counts[NO],
        n_unsure=counts[UNSURE],
        seconds_each=median(pace) if pace else None,
    )


def voters(store: Store, audit: Audit) -> dict[str, int]:
    """How many verdicts of a sample each person has voted on, by name, the most first."""
    rows = store.rows("audit_voters", audit_id=audit.audit_id)
    return {row["person"]: row["n"] for row in rows}


def newest_voted(store: Store, audit: Audit, person: Person) -> str | None:
    """The verdict of a sample that the person voted on last; None before their first vote."""
    keys = {"audit_id": audit.audit_id, "person_id": person.person_id}
    last = store.rows("last_audit_vote", **keys, is_final=False)
    return last[0]["item_id"] if last else None


def reveal(store: Store, audit: Audit, person: Person, item_id: str) -> Reveal | None:
    """What the judge said; None as long as no vote of the person's own on it stands.

    Raises:
        NotFoundError: the sample has no such verdict.
    """
    rows = votes_on(store, audit, item_id)
    own = next((row for row in rows if is_own(row, person) and row["stands"]), None)
    if own is None:
        return None
    [said] = store.rows("audited_verdict", audit_id=audit.audit_id, item_id=item_id)
    return Reveal(
        item_id=item_id,
        verdict=said["verdict"],
        vote=own["action"],
        reason=said["reason"],
        words=said["why"] or said["reply"] or "",
        note=own["note"],
    )


def item_history(
    store: Store, audit: Audit, person: Person, item_id: str
) -> list[Mapping[str, Any]]:
    """What people did with one verdict of a sample, oldest first, as this person may see it.

    Before their own vote stands that is what they did themselves.

    Raises:
        NotFoundError: the sample has no such verdict.
    """
    rows = votes_on(store, audit, item_id)
    has_voted = any(is_own(row, person) and row["stands"] for row in rows)
    return [row for row in rows if has_voted or is_own(row, person)]


def _queue(store: Store, audit: Audit, person: Person) -> list[dict[str, Any]]:
    return store.rows("audit_queue", audit_id=audit.audit_id, person_id=person.person_id)
