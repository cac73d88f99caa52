"""What people decided about one task: which decisions stand, and what follows for the task.

Decisions are only ever added, so a task's state is worked out from all that happened to it, in the
order of `seq`. The same rules stand in SQL, in the view task_state; a test holds the two together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PENDING, KEPT, REMOVED, SKIPPED, DISPUTED = "pending", "kept", "removed", "skipped", "disputed"
STATES = (KEPT, REMOVED, DISPUTED, SKIPPED, PENDING)
"""What a task can be; every task is exactly one of them."""

OPEN_STATES = frozenset({PENDING, SKIPPED})
"""States in which a task still waits for somebody to decide it."""

_STATE_OF_ACTION = {"keep": KEPT, "remove": REMOVED, "skip": SKIPPED}


@dataclass(frozen=True, slots=True)
class Review:
    """One thing a person did with a task.

    Args:
        seq: orders all reviews. action: keep, remove, skip or undo.
        undoes: the id of the review that an undo takes back.
        batch_id: shared by reviews that were made together; None for a single one.
        is_final: whether it settles a task on which people disagree.
    """

    seq: int
    review_id: str
    task_id: str
    person_id: str
    action: str
    reason: str | None = None
    undoes: str | None = None
    batch_id: str | None = None
    is_final: bool = False


def standing(reviews: Iterable[Review]) -> list[Review]:
    """The decisions on one task that nobody took back, oldest first: the newest of each person,
    and the newest final one.

    Example:
        >>> keep = Review(1, "a", "t", "ada", "keep")
        >>> [one.action for one in standing([keep, Review(2, "b", "t", "ada", "remove")])]
        ['remove']
        >>> standing([keep, Review(2, "b", "t", "ada", "undo", undoes="a")])
        []
    """
    reviews = list(reviews)
    undone = {one.undoes for one in reviews}
    newest: dict[str | None, Review] = {}
    for one in reviews:
        if one.action in _STATE_OF_ACTION and one.review_id not in undone:
            newest[None if one.is_final else one.person_id] = one
    return sorted(newest.values(), key=lambda one: one.seq)


def vote_of(votes: Iterable[Review], person_id: str) -> Review | None:
    """The standing vote of a person among a task's standing decisions; final ones are no votes."""
    for one in votes:
        if one.person_id == person_id and not one.is_final:
            return one
    return None


def state_of(votes: Sequence[Review], overlap: int) -> str:
    """The state of a task, from its standing decisions.

    A final decision settles it. Where one person decides each task, the newest keep or remove
    counts; where several do, as many as `overlap` have to, and all have to agree. A skip counts
    only while nobody has decided.

    Example:
        >>> ada, ben = Review(1, "a", "t", "ada", "keep"), Review(2, "b", "t", "ben", "remove")
        >>> [state_of([ada, ben], 1), state_of([ada, ben], 2), state_of([ada], 2)]
        ['removed', 'disputed', 'pending']
    """
    final = next((one for one in votes if one.is_final), None)
    if final is not None:
        return _STATE_OF_ACTION[final.action]
    actions = [one.action for one in votes if one.action != "skip"]
    if not actions:
        return SKIPPED if votes else PENDING
    if overlap == 1:
        return _STATE_OF_ACTION[actions[-1]]
    if len(actions) < overlap:
        return PENDING
    return _STATE_OF_ACTION[actions[0]] if len(set(actions)) == 1 else DISPUTED


def needs(votes: Sequence[Review], overlap: int) -> int:
    """How many more people have to decide a task: 0 when it is settled or enough have."""
    if any(one.is_final for one in votes):
        return 0
    return max(0, overlap - sum(one.action != "skip" for one in votes))
