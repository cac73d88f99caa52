"""The board of a study's desk: the state of every task, kept in memory and always in step.

The truth is the reviews in the store. A board is built from them once and then follows what is
added, so that the next task and all counts are at hand without reading 100,000 tasks again.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.curation.votes import (
    DISPUTED,
    OPEN_STATES,
    PENDING,
    Review,
    needs,
    standing,
    state_of,
    vote_of,
)

Cell = tuple[str | None, str | None]

RECENT = 20
"""How many of a person's newest decisions their pace is taken from."""


@dataclass
class PersonRecord:
    """What one person did.

    Args:
        done: every decision that they did not take back, by its id, oldest first.
        votes: their standing votes by action, one a task.
        skipped: the tasks they passed over, with the `seq` of the skip.
        waiting: the tasks that have a vote of theirs and still wait for others.
        seconds: how long their newest decisions took.
        start: no task before this place is open for them.
    """

    done: dict[str, Review] = field(default_factory=dict)
    votes: Counter[str] = field(default_factory=Counter)
    skipped: dict[int, int] = field(default_factory=dict)
    waiting: set[int] = field(default_factory=set)
    seconds: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))
    start: int = 0


class Board:
    """The tasks of one study, what was decided about them, and what comes next for whom.

    Args:
        overlap: how many people decide each task.

    Attributes:
        last_seq: the newest review the board knows.
        counts: for each cell, tasks by state.
    """

    def __init__(self, *, overlap: int = 1) -> None:
        self.overlap = overlap
        self.last_seq = 0
        self.counts: dict[Cell, Counter[str]] = {}
        self.task_ids: list[str] = []
        self.people: dict[str, PersonRecord] = {}
        self._at: dict[str, int] = {}
        self._cells: list[Cell] = []
        self._states: list[str] = []
        self._reviews: dict[int, list[Review]] = {}
        self._votes: dict[int, list[Review]] = {}
        self._disputed: set[int] = set()

    def __len__(self) -> int:
        return len(self.task_ids)

    def __contains__(self, task_id: object) -> bool:
        return task_id in self._at

    def add_tasks(self, tasks: Iterable[tuple[str, str | None, str | None]]) -> None:
        """Nothing; the board now has these tasks, (id, type, intent) each, behind the others."""
        for task_id, kind, intent in tasks:
            if task_id in self._at:
                continue
            self._at[task_id] = len(self.task_ids)
            self.task_ids.append(task_id)
            self._cells.append((kind, intent))
            self._states.append(PENDING)
            self.counts.setdefault((kind, intent), Counter())[PENDING] += 1

    def apply(self, reviews: Iterable[tuple[Review, float | None]]) -> None:
        """Nothing; the board knows these reviews too, with the seconds each took.

        Reviews come in the order of `seq`; those it knows already are passed over.
        """
        changed: dict[int, None] = {}
        for review, seconds in reviews:
            if review.seq <= self.last_seq:
                continue
            self.last_seq = review.seq
            at = self._at.get(review.task_id)
            if at is not None:
                self._add(at, review, seconds)
                changed[at] = None
        for at in changed:
            self._restate(at)

    def set_overlap(self, overlap: int) -> None:
        """Nothing; every state is now worked out for this many people a task."""
        self.overlap = overlap
        for at in self._reviews:
            self._restate(at)
        for record in self.people.values():
            record.start = 0

    def state(self, task_id: str) -> str:
        """The state of a task."""
        return self._states[self._at[task_id]]

    def cell(self, task_id: str) -> Cell:
        """The type and intent of a task."""
        return self._cells[self._at[task_id]]

    def votes(self, task_id: str) -> Sequence[Review]:
        """The standing decisions on a task."""
        return self._votes.get(self._at[task_id], ())

    def number(self, task_id: str) -> int:
        """The place of a task in the queue, from 1."""
        return self._at[task_id] + 1

    def needs(self, task_id: str) -> int:
        """How many more people have to decide a task."""
        return needs(self.votes(task_id), self.overlap)

    def newest_seq(self, task_id: str) -> int:
        """The `seq` of the newest review of a task; 0 when it has none."""
        reviews = self._reviews.get(self._at[task_id])
        return reviews[-1].seq if reviews else 0

    def record(self, person_id: str) -> PersonRecord:
        """What a person did in this study."""
        return self.people.setdefault(person_id, PersonRecord())

    def totals(self) -> Counter[str]:
        """Tasks by state over all cells; they add up to the number of tasks."""
        return sum(self.counts.values(), Counter())

    def disputed(self) -> list[str]:
        """The tasks on which people disagree, in order."""
        return [self.task_ids[at] for at in sorted(self._disputed)]

    def next_for(
        self,
        person_id: str,
        *,
        holders: Mapping[str, int] | None = None,
        skipped_before: int = 0,
        apart_from: Collection[str] = (),
    ) -> str | None:
        """The next task for a person in the queue's order; None when none is left for them.

        Args:
            holders: how many other people have each task before them now.
            skipped_before: the person's own skips with a lower `seq` come round again, after all
                others; 0 brings none back.
            apart_from: tasks not to give.
        """
        holders = holders or {}
        record = self.record(person_id)
        at, nothing_before = record.start, True
        while at < len(self.task_ids):
            if self._is_open_for(at, person_id):
                if self._can_be_given(at, holders, apart_from):
                    return self.task_ids[at]
                nothing_before = False
            at += 1
            if nothing_before:
                record.start = at
        for at in sorted(at for at, seq in record.skipped.items() if seq < skipped_before):
            if self._states[at] in OPEN_STATES and self._can_be_given(at, holders, apart_from):
                return self.task_ids[at]
        return None

    def open_for(self, person_id: str) -> int:
        """How many tasks wait for somebody and were neither decided nor skipped by this person."""
        waiting = sum(n for state, n in self.totals().items() if state in OPEN_STATES)
        return waiting - len(self.record(person_id).waiting)

    def _is_open_for(self, at: int, person_id: str) -> bool:
        votes = self._votes.get(at)
        if not votes:
            return True
        return self._states[at] in OPEN_STATES and vote_of(votes, person_id) is None

    def _can_be_given(
        self, at: int, holders: Mapping[str, int], apart_from: Collection[str]
    ) -> bool:
        task_id = self.task_ids[at]
        held = holders.get(task_id, 0)
        has_room = held == 0 or held < needs(self._votes.get(at, ()), self.overlap)
        return has_room and task_id not in apart_from

    def _add(self, at: int, review: Review, seconds: float | None) -> None:
        self._reviews.setdefault(at, []).append(review)
        record = self.record(review.person_id)
        if review.undoes is not None:
            record.done.pop(review.undoes, None)
        elif review.action in ("keep", "remove", "skip"):
            record.done[review.review_id] = review
            if seconds is not None and review.action != "skip":
                record.seconds.append(seconds)

    def _restate(self, at: int) -> None:
        old, votes = self._votes.get(at, []), standing(self._reviews[at])
        self._votes[at] = votes
        before, after = self._states[at], state_of(votes, self.overlap)
        if before != after:
            self._states[at] = after
            cell = self.counts[self._cells[at]]
            cell[before] -= 1
            cell[after] += 1
            (self._disputed.add if after == DISPUTED else self._disputed.discard)(at)
        self._recount(at, old, votes)
        if after in OPEN_STATES and (before not in OPEN_STATES or len(votes) < len(old)):
            # The task is open again, for some: their search has to begin before it.
            for record in self.people.values():
                record.start = min(record.start, at)

    def _recount(self, at: int, old: Sequence[Review], new: Sequence[Review]) -> None:
        """Bring what is counted for each person into step with a task's new standing votes."""
        is_waiting = self._states[at] in OPEN_STATES
        for one in old:
            if not one.is_final:
                record = self.record(one.person_id)
                record.votes[one.action] -= 1
                record.skipped.pop(at, None)
                record.waiting.discard(at)
        for one in new:
            if not one.is_final:
                record = self.record(one.person_id)
                record.votes[one.action] += 1
                if one.action == "skip":
                    record.skipped[at] = one.seq
                if is_waiting:
                    record.waiting.add(at)
