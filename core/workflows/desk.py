"""The desk of a study: who decides which task next, and what they see of it.

One desk serves everybody who curates a study in this process. It gives each task to as many people
as the study wants and to no more, remembers what they began, and shows a person of a task only
what the study's rules allow.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from threading import RLock
from typing import Any

from core.curation.board import Board
from core.curation.votes import OPEN_STATES, vote_of
from core.errors import ConflictError, NotFoundError
from core.store.store import Store
from core.workflows.curation import decide, review_from, undo
from core.workflows.desk_clusters import ClusterMemory, Clusters
from core.workflows.desk_progress import DeskProgress, progress_of
from core.workflows.desk_rules import DeskRules, rules_of
from core.workflows.gold import gold_due
from core.workflows.leases import Lease, Leases
from core.workflows.people import Person
from core.workflows.studies import Study
from core.workflows.workbench import Workbench

BOARD_OF_TASKS = "n_tasks", "board_tasks"
BOARD_OF_REWRITES = "n_board_rewrites", "board_rewrites"
"""The queries that count the tasks on a board, and that list them."""

REMEMBERED = 500
"""Tasks whose text and flags a desk keeps at hand."""


class Desk:
    """The desk of one study; make it with `desk_of`.

    Args:
        clock: tells the time, UTC.
    """

    def __init__(
        self,
        store: Store,
        study: Study,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.store, self.study, self._clock = store, study, clock
        self._rules = rules_of(store, study)
        self._board = Board(overlap=self._rules.overlap)
        self._gold: dict[str, str] = {}
        self._leases = Leases(store, study.study_id)
        self._clusters = ClusterMemory(store, study.study_id)
        self._remembered: OrderedDict[str, Any] = OrderedDict()
        self._lock = RLock()
        self._version = 0

    @property
    def rules(self) -> DeskRules:
        """The rules in force."""
        with self._lock:
            self._catch_up()
            return self._rules

    def board(self) -> Board:
        """The board, in step with the store."""
        with self._lock:
            self._catch_up()
            return self._board

    def clusters(self, threshold: float) -> Clusters:
        """The groups of tasks that say nearly the same, from this similarity on."""
        with self._lock:
            self._catch_up()
            return self._clusters.at(threshold, self._board)

    def remembered(self, task_id: str) -> Any:
        """What was read of a task, if it is at hand; texts never change."""
        return self._remembered.get(task_id)

    def remember(self, task_id: str, found: Any) -> None:
        """Nothing; what was read of a task is at hand, and what is longest so is forgotten."""
        with self._lock:
            self._remembered[task_id] = found
            while len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)

    def forget(self) -> None:
        """Nothing; what was read of tasks is read again, as when the checks have changed."""
        self._remembered.clear()

    def open_next(self, person: Person, *, skipped_before: int = 0) -> str | None:
        """The task this person has before them now, which is theirs; None when none is left.

        A task that was begun comes back, after a reload and a restart too.

        Args:
            skipped_before: the person's skips with a lower `seq` come round again; 0 for none.
        """
        with self._lock:
            self._catch_up()
            task_id = self._begun(person) or self._next(person, skipped_before)
            if task_id is not None:
                self._leases.take(person.person_id, task_id, self._clock())
            return task_id

    def peek(self, person: Person) -> str | None:
        """The task that will probably come after the one the person has before them."""
        with self._lock:
            begun = self._leases.of(person.person_id)
            now = self._clock()
            return self._board.next_for(
                person.person_id,
                holders=self._leases.holder_counts(person.person_id, now),
                apart_from={begun.task_id} if begun else (),
            )

    def open_by_hand(self, person: Person, task_id: str) -> None:
        """Nothing; the person may look at the task, and holds it if it waits to be decided.

        Raises:
            NotFoundError: the study has no such task.
        """
        with self._lock:
            self._catch_up()
            if task_id not in self._board:
                raise NotFoundError(f"{self.study.name} has no task {task_id!r}")
            own = vote_of(self._board.votes(task_id), person.person_id)
            is_theirs = own is None or own.action == "skip"
            is_open = self._board.state(task_id) in OPEN_STATES
            if is_open and is_theirs and not self._other_holder(person, task_id):
                self._leases.take(person.person_id, task_id, self._clock())

    def lease(self, person: Person, task_id: str) -> Lease | None:
        """The person's lease on a task, with what they began to enter."""
        with self._lock:
            held = self._leases.of(person.person_id)
            return held if held is not None and held.task_id == task_id else None

    def keep_draft(self, person: Person, task_id: str, *, reason: str | None, note: str) -> bool:
        """Whether what a person began to enter is kept: only for the task they have before them."""
        with self._lock:
            return not self._other_holder(person, task_id) and self._leases.enter(
                person.person_id, task_id, self._clock(), reason=reason, note=note
            )

    def heartbeat(self, person: Person, task_id: str, seconds_active: float) -> bool:
        """Whether the person still holds the task; the page calls it while it is open."""
        with self._lock:
            return not self._other_holder(person, task_id) and self._leases.renew(
                person.person_id, task_id, self._clock(), seconds_active
            )

    def decide(
        self,
        person: Person,
        task_id: str,
        action: str,
        *,
        reason: str | None = None,
        note: str = "",
        seconds_active: float | None = None,
        seen_seq: int | None = None,
    ) -> str:
        """The id of the decision, once it is stored; see `core.workflows.curation.decide`.

        Raises:
            ConflictError: somebody else has the task before them, or has decided it.
        """
        with self._lock:
            holder = self._other_holder(person, task_id)
        if holder is not None:
            name = self.names().get(holder, "somebody else")
            raise ConflictError(
                f"{name} has this task before them now, since you were away for a while",
                hint="your decision was not stored; go on with the next task",
            )
        review_id = decide(
            self.store,
            self.study,
            task_id,
            action,
            person=person,
            reason=reason,
            note=note,
            seconds_active=seconds_active,
            seen_seq=seen_seq,
        )
        with self._lock:
            self._leases.drop(person.person_id, task_id)
        return review_id

    def undo(self, person: Person) -> list[str]:
        """The tasks whose newest decision by this person was taken back; they hold the first."""
        task_ids = undo(self.store, self.study, person=person)
        if task_ids:
            self.open_by_hand(person, task_ids[0])
        return task_ids

    def newest_decided(self, person: Person, *, before: str | None = None) -> str | None:
        """The task this person decided last, or last before another one; None for none."""
        with self._lock:
            self._catch_up()
            tasks = dict.fromkeys(
                one.task_id for one in reversed(self._board.record(person.person_id).done.values())
            )
            ids = list(tasks)
            if before in tasks:
                ids = ids[ids.index(before) + 1 :]
            return ids[0] if ids else None

    def let_go(self, person: Person, task_ids: Collection[str]) -> None:
        """Nothing; the person holds none of these tasks any more."""
        with self._lock:
            held = self._leases.of(person.person_id)
            if held is not None and held.task_id in task_ids:
                self._leases.drop(person.person_id, held.task_id)

    def apart(self, person: Person, task_ids: list[str]) -> list[str]:
        """Those of some tasks that nobody else has before them now."""
        with self._lock:
            held = self._leases.holder_counts(person.person_id, self._clock())
            return [one for one in task_ids if one not in held]

    def progress(self, person: Person) -> DeskProgress:
        """How far the work has come, in all and for this person."""
        with self._lock:
            self._catch_up()
            others = {who for who, _ in self._leases.others(person.person_id, self._clock())}
            return progress_of(self._board, person.person_id, n_people=len(others) + 1)

    def names(self) -> dict[str, str]:
        """The name of everybody who has been at a desk, by id."""
        return {row["person_id"]: row["name"] for row in self.store.rows("people_all")}

    def _catch_up(self) -> None:
        version = self.store.data_version
        if version == self._version:
            return
        study_id = self.study.study_id
        # Where tasks are rewritten, people look at the rewrites, not at what they brought.
        is_of_rewrites = self.study.shape.rewrites_tasks
        count, tasks = BOARD_OF_REWRITES if is_of_rewrites else BOARD_OF_TASKS
        if self.store.value(count, study_id=study_id) != len(self._board):
            self._board.add_tasks(
                tuple(row.values()) for row in self.store.rows(tasks, study_id=study_id)
            )
            # Pairs of tasks that are only now on the board count from here on.
            self._clusters.forget()
        rules = rules_of(self.store, self.study)
        if rules.overlap != self._rules.overlap:
            self._board.set_overlap(rules.overlap)
        self._rules = rules
        rows = self.store.rows("reviews_since", study_id=study_id, seq=self._board.last_seq)
        self._board.apply((review_from(row), row["seconds_active"]) for row in rows)
        self._gold = {}
        if rules.gold_every:
            gold = self.store.rows("gold_now", study_id=study_id)
            self._gold = {row["task_id"]: row["person_id"] for row in gold}
        self._version = version

    def _begun(self, person: Person) -> str | None:
        held = self._leases.of(person.person_id)
        if held is None or held.task_id not in self._board:
            return None
        own = vote_of(self._board.votes(held.task_id), person.person_id)
        if own is not None and own.action != "skip":
            return None
        is_wanted = self._board.state(held.task_id) in OPEN_STATES or held.task_id in self._gold
        return held.task_id if is_wanted and not self._other_holder(person, held.task_id) else None

    def _next(self, person: Person, skipped_before: int) -> str | None:
        due = gold_due(self._board, self._gold, person, every=self._rules.gold_every)
        return due or self._board.next_for(
            person.person_id,
            holders=self._leases.holder_counts(person.person_id, self._clock()),
            skipped_before=skipped_before,
        )

    def _other_holder(self, person: Person, task_id: str) -> str | None:
        """Somebody else who has the task before them, when no more people may."""
        if task_id not in self._board or task_id in self._gold:
            return None
        holders = [
            who
            for who, held in self._leases.others(person.person_id, self._clock())
            if held == task_id
        ]
        is_full = len(holders) >= max(1, self._board.needs(task_id))
        return holders[0] if holders and is_full else None


def desk_of(bench: Workbench, study: Study) -> Desk:
    """The one desk of a study in this process."""
    with bench.lock:
        desk = bench.desks.get(study.study_id)
        if desk is None:
            desk = bench.desks[study.study_id] = Desk(bench.store, study)
        return desk
