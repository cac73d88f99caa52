"""Who has which task before them: one lease a person, kept in memory and on disk.

A lease makes sure that two people never own one task. It lasts while its holder is there: the desk
renews it, and it runs out soon after the page is gone. What the holder began to enter, a reason and
a note, is kept with it, so that a reload, a lost connection or a restart brings it back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.store.store import Store
from core.store.transaction import Transaction

LEASE_TIME = timedelta(seconds=120)
"""How long a lease lasts after its holder was last heard of."""

LONGEST_HOLD = timedelta(minutes=30)
"""How long a lease is renewed without anything being entered: a page left open holds no task."""


@dataclass(frozen=True)
class Lease:
    """The task a person has before them.

    Args:
        taken_at: when it was opened, or something was entered last.
        expires_at: from when on others may have the task.
        seconds_active: time spent on it so far.
        reason, note: what the person began to enter.
    """

    task_id: str
    taken_at: datetime
    expires_at: datetime
    seconds_active: float = 0.0
    reason: str | None = None
    note: str = ""


class Leases:
    """The leases of one study, one a person. Not safe for several threads at once."""

    def __init__(self, store: Store, study_id: str) -> None:
        self._store, self._study_id = store, study_id
        self._held = {
            row.pop("person_id"): Lease(**row)
            for row in store.rows("leases_of_study", study_id=study_id)
        }

    def of(self, person_id: str) -> Lease | None:
        """A person's lease, also one that has run out."""
        return self._held.get(person_id)

    def take(self, person_id: str, task_id: str, now: datetime) -> Lease:
        """The person's lease on a task, renewed or new; the one they had before ends."""
        held = self._held.get(person_id)
        if held is None or held.task_id != task_id:
            held = Lease(task_id, now, now)
        elif held.expires_at <= now:
            held = replace(held, taken_at=now)
        elif held.expires_at - now > LEASE_TIME / 2:
            # Every look at the page comes by here; a fresh lease needs no writing again.
            return held
        return self._keep(person_id, replace(held, expires_at=now + LEASE_TIME))

    def renew(self, person_id: str, task_id: str, now: datetime, seconds_active: float) -> bool:
        """Whether the person still holds the task; if so, for longer."""
        held = self._held.get(person_id)
        if held is None or held.task_id != task_id:
            return False
        until = min(now + LEASE_TIME, held.taken_at + LONGEST_HOLD)
        kept = replace(
            held,
            expires_at=max(until, held.expires_at),
            seconds_active=max(seconds_active, held.seconds_active),
        )
        self._keep(person_id, kept)
        return kept.expires_at > now

    def enter(
        self, person_id: str, task_id: str, now: datetime, *, reason: str | None, note: str
    ) -> bool:
        """Whether what the person began to enter is kept: they have to hold the task."""
        held = self._held.get(person_id)
        if held is None or held.task_id != task_id:
            return False
        entered = replace(held, reason=reason, note=note, taken_at=now, expires_at=now + LEASE_TIME)
        self._keep(person_id, entered)
        return True

    def drop(self, person_id: str, task_id: str) -> None:
        """Nothing; the person no longer holds that task."""
        held = self._held.get(person_id)
        if held is not None and held.task_id == task_id:
            del self._held[person_id]
            who = {"study_id": self._study_id, "person_id": person_id}
            self._store.submit(lambda tx: tx.execute("drop_lease", **who))

    def others(self, person_id: str, now: datetime) -> Iterator[tuple[str, str]]:
        """(person, task) of every lease of other people that has not run out."""
        for holder, lease in self._held.items():
            if holder != person_id and lease.expires_at > now:
                yield holder, lease.task_id

    def holder_counts(self, person_id: str, now: datetime) -> dict[str, int]:
        """How many other people hold each task."""
        counts: dict[str, int] = {}
        for _, task_id in self.others(person_id, now):
            counts[task_id] = counts.get(task_id, 0) + 1
        return counts

    def _keep(self, person_id: str, lease: Lease) -> Lease:
        self._held[person_id] = lease
        row = {"study_id": self._study_id, "person_id": person_id} | {
            name: getattr(lease, name) for name in Lease.__dataclass_fields__
        }

        def put(tx: Transaction) -> None:
            # In place of the row before, which then holds no room of its own.
            if tx.rows("lease_of_person", study_id=self._study_id, person_id=person_id):
                tx.execute("update_lease", **row)
            else:
                tx.append("lease", [row])

        # In memory it counts at once; the disk matters after a restart only, so nobody waits.
        self._store.submit(put)
        return lease
