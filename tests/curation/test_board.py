"""The board follows what people do, step by step, and hands out each task to whom it is due."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.curation.board import Board
from core.curation.votes import OPEN_STATES, STATES, Review, needs, standing, state_of

TASKS = ("t0", "t1", "t2", "t3")
PEOPLE = ("ada", "ben", "cem")


def _board(*reviews: Review, overlap: int = 1) -> Board:
    board = Board(overlap=overlap)
    board.add_tasks((task, "Type", "feasible") for task in TASKS)
    board.apply((review, 1.0) for review in reviews)
    return board


def _review(seq: int, task: str, person: str, action: str, **more: object) -> Review:
    return Review(seq, f"r{seq}", task, person, action, **more)


def test_tasks_come_in_order_and_none_comes_twice() -> None:
    board = _board()
    seen = []
    while (task := board.next_for("ada")) is not None:
        seen.append(task)
        board.apply([(_review(len(seen), task, "ada", "keep"), 2.0)])
    assert seen == list(TASKS)
    assert board.open_for("ada") == 0


def test_a_task_somebody_holds_is_not_given_to_another() -> None:
    board = _board()
    assert board.next_for("ben", holders={"t0": 1}) == "t1"
    assert board.next_for("ben", holders=dict.fromkeys(TASKS, 1)) is None
    # The next search begins at the front again: a lease may have run out.
    assert board.next_for("ben") == "t0"


def test_with_two_people_a_task_each_task_goes_to_two() -> None:
    board = _board(_review(1, "t0", "ada", "keep"), overlap=2)
    assert board.next_for("ada") == "t1"
    assert board.next_for("ben") == "t0"
    # One more is wanted for t0, and somebody has it before them.
    assert board.next_for("cem", holders={"t0": 1}) == "t1"
    assert board.next_for("cem", holders={"t1": 1}) == "t0"
    assert board.next_for("cem", holders={"t0": 1, "t1": 1}) == "t1"


def test_a_skipped_task_goes_to_others_and_comes_back_when_taken_up() -> None:
    board = _board(*(_review(n, task, "ada", "skip") for n, task in enumerate(TASKS, 1)))
    assert board.next_for("ada") is None
    assert board.next_for("ben") == "t0"
    assert board.next_for("ada", skipped_before=9) == "t0"
    board.apply([(_review(10, "t0", "ada", "skip"), None)])
    assert board.next_for("ada", skipped_before=9) == "t1"
    assert board.totals() == Counter(skipped=4)


def test_an_undone_decision_opens_its_task_again_for_everybody() -> None:
    board = _board(*(_review(n, task, "ada", "keep") for n, task in enumerate(TASKS, 1)))
    assert board.next_for("ben") is None
    board.apply([(_review(9, "t1", "ada", "undo", undoes="r2"), None)])
    assert board.next_for("ben") == "t1"
    assert board.next_for("ada") == "t1"


def test_what_a_person_took_back_is_no_longer_among_what_they_did() -> None:
    board = _board(
        _review(1, "t0", "ada", "keep"),
        _review(2, "t1", "ada", "remove", batch_id="b"),
        _review(3, "t2", "ada", "remove", batch_id="b"),
    )
    assert [one.task_id for one in board.record("ada").done.values()] == ["t0", "t1", "t2"]
    board.apply((_review(n + 2, f"t{n - 1}", "ada", "undo", undoes=f"r{n}"), None) for n in (2, 3))
    assert [one.task_id for one in board.record("ada").done.values()] == ["t0"]
    assert not board.record("ben").done


def test_disagreement_waits_for_a_final_decision() -> None:
    reviews = [_review(1, "t0", "ada", "keep"), _review(2, "t0", "ben", "remove")]
    board = _board(*reviews, overlap=2)
    assert board.disputed() == ["t0"]
    board.apply([(_review(3, "t0", "cem", "remove", is_final=True), None)])
    assert (board.disputed(), board.state("t0")) == ([], "removed")
    assert [one.person_id for one in board.votes("t0")] == ["ada", "ben", "cem"]
    board.apply([(_review(4, "t0", "cem", "undo", undoes="r3"), None)])
    assert board.disputed() == ["t0"]


def test_a_change_of_how_many_decide_works_every_state_out_anew() -> None:
    board = _board(_review(1, "t0", "ada", "keep"))
    board.set_overlap(2)
    assert (board.state("t0"), board.next_for("ben")) == ("pending", "t0")
    board.set_overlap(1)
    assert (board.state("t0"), board.next_for("ben")) == ("kept", "t1")


@st.composite
def _histories(draw: st.DrawFn) -> list[Review]:
    reviews: list[Review] = []
    for seq in range(1, draw(st.integers(0, 25)) + 1):
        action = draw(st.sampled_from(["keep", "remove", "skip", "undo"]))
        person = draw(st.sampled_from(PEOPLE))
        if action != "undo":
            final = action != "skip" and draw(st.integers(0, 6)) == 0
            task = draw(st.sampled_from(TASKS))
            reviews.append(_review(seq, task, person, action, is_final=final))
            continue
        gone = {one.undoes for one in reviews}
        own = [
            one
            for one in reviews
            if one.person_id == person and one.action != "undo" and one.review_id not in gone
        ]
        if own:
            reviews.append(_review(seq, own[-1].task_id, person, "undo", undoes=own[-1].review_id))
    return reviews


@given(_histories(), st.integers(1, 3))
def test_step_by_step_or_all_at_once_the_board_is_the_same(
    reviews: list[Review], overlap: int
) -> None:
    board, whole = _board(overlap=overlap), _board(*reviews, overlap=overlap)
    for review in reviews:
        board.apply([(review, None)])
        board.next_for("ada"), board.next_for("ben")  # moves where their searches begin
    for task in TASKS:
        votes = standing(one for one in reviews if one.task_id == task)
        assert board.state(task) == whole.state(task) == state_of(votes, overlap)
        assert (board.state(task) in OPEN_STATES) == (needs(votes, overlap) > 0)
    totals = board.totals()
    assert sum(totals[state] for state in STATES) == len(TASKS)
    for person in PEOPLE:
        mine = [
            one
            for task in TASKS
            for one in board.votes(task)
            if one.person_id == person and not one.is_final
        ]
        assert +board.record(person).votes == +Counter(one.action for one in mine)
        free = [
            task
            for task in TASKS
            if board.state(task) in OPEN_STATES and task not in {one.task_id for one in mine}
        ]
        assert board.open_for(person) == len(free)
        assert board.next_for(person) == (free[0] if free else None)
        assert whole.next_for(person) == board.next_for(person)


@given(_histories())
def test_votes_of_one_task_depend_on_its_own_history_only(reviews: list[Review]) -> None:
    own = [one for one in reviews if one.task_id == "t0"]
    assert standing(own) == list(_board(*reviews).votes("t0"))
