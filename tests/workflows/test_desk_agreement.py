"""Agreement: the votes as they stand, who may settle what, and a final decision that keeps them."""

import pytest

from core.errors import ConflictError, InputError
from core.metrics.agreement import agreement
from core.store.store import Store
from core.workflows.curation import decide, task_history, undo
from core.workflows.desk import Desk
from core.workflows.desk_agreement import Dispute, disputes_for, settle, votes_frame
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.gold import gold_tasks, mark_gold
from core.workflows.people import Person, person_named
from tests.support.few_tasks import KIND, numbered_study

ACTS = {"k": ("keep", None), "x": ("remove", "unsafe"), "d": ("remove", "duplicate")}
ACTS |= {"s": ("skip", None)}


@pytest.fixture
def people(store: Store) -> list[Person]:
    """Ada, who owns the study, and three others."""
    return [person_named(store, name) for name in ("Ada", "Ben", "Cem", "Dee")]


@pytest.fixture
def desk(store: Store, people: list[Person]) -> Desk:
    """The desk of a blind study of eight tasks, each for two people."""
    study = numbered_study(store, 8)
    set_rules(store, study, DeskRules(overlap=2), person=people[0])
    return Desk(store, study)


def _vote(desk: Desk, people: list[Person], *votes: str) -> None:
    """One word a task: what Ada, Ben, … do with it, `-` for nothing."""
    for task_id, acts in zip(desk.board().task_ids, votes, strict=False):
        for person, act in zip(people, acts, strict=False):
            if act != "-":
                action, reason = ACTS[act]
                decide(desk.store, desk.study, task_id, action, person=person, reason=reason)


def _rows(desk: Desk, **options: bool) -> list[tuple[str, str, str]]:
    """Place, person and label of each vote."""
    frame = votes_frame(desk, **options)
    assert list(frame.columns) == ["item", "person", "label"]
    places = [desk.board().number(one) - 1 for one in frame["item"]]
    return sorted(zip(places, frame["person"], frame["label"], strict=True))


def _one_dispute(desk: Desk, person: Person) -> Dispute:
    [dispute], n_disputes = disputes_for(desk, person)
    assert n_disputes == 1
    return dispute


def test_votes_are_those_that_stand_on_tasks_that_two_or_more_decided(
    desk: Desk, people: list[Person]
) -> None:
    # Task 1 has one vote and a skip, task 3 one vote after an undo: neither can be compared.
    _vote(desk, people, "kk", "ks", "dxk", "kk")
    undo(desk.store, desk.study, person=people[1])
    decide(
        desk.store,
        desk.study,
        desk.board().task_ids[0],
        "remove",
        person=people[1],
        reason="unsafe",
    )
    decide(
        desk.store, desk.study, desk.board().task_ids[2], "keep", person=people[0], is_final=True
    )
    assert _rows(desk) == [
        (0, "Ada", "keep"),
        (0, "Ben", "remove"),
        (2, "Ada", "remove"),
        (2, "Ben", "remove"),
        (2, "Cem", "keep"),
    ]
    assert _rows(desk, with_reason=True) == [
        (0, "Ada", "keep"),
        (0, "Ben", "remove unsafe"),
        (2, "Ada", "remove duplicate"),
        (2, "Ben", "remove unsafe"),
        (2, "Cem", "keep"),
    ]


def test_without_two_votes_on_a_task_there_is_nothing_to_compare(
    desk: Desk, people: list[Person]
) -> None:
    _vote(desk, people, "k", "-x", "ks")
    assert _rows(desk) == []
    assert _rows(desk, with_reason=True) == []


def test_keeps_alone_have_labels_with_reasons_too(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kk")
    assert _rows(desk, with_reason=True) == [(0, "Ada", "keep"), (0, "Ben", "keep")]


def test_the_statistics_of_eight_votes_worked_by_hand(desk: Desk, people: list[Person]) -> None:
    # kk kk kx xx: 3 of 4 tasks agree.
    #   kappa  Ada keeps 3/4, Ben 2/4: chance 3/8 + 1/8 = 1/2, (3/4 - 1/2) / (1/2) = 1/2
    #   AC1    5 of 8 votes keep: chance 2 · 5/8 · 3/8 = 15/32, (24/32 - 15/32) / (17/32) = 9/17
    #   alpha  differing pairs expected 2 · 5 · 3 / (8 · 7) = 15/28, seen 1/4: 1 - 7/15 = 8/15
    # The fifth task has one vote and counts for nothing.
    _vote(desk, people, "kk", "kk", "kx", "xx", "k")
    found = agreement(votes_frame(desk))
    assert found.percent.value == pytest.approx(3 / 4, abs=1e-12)
    assert found.kappa.value == pytest.approx(1 / 2, abs=1e-12)
    assert found.ac1.value == pytest.approx(9 / 17, abs=1e-12)
    assert found.alpha.value == pytest.approx(8 / 15, abs=1e-12)
    assert (found.percent.n_items, found.percent.n_people) == (4, 2)
    assert desk.progress(people[0]).totals == {"kept": 2, "disputed": 1, "removed": 1, "pending": 4}


# --- who settles


def test_in_a_blind_study_the_owner_settles_all_and_others_what_they_decided(
    desk: Desk, people: list[Person]
) -> None:
    ada, ben, cem, dee = people
    _vote(desk, people, "-kx", "kx", "kk")
    ids = desk.board().task_ids
    assert [one.task_id for one in disputes_for(desk, ada, n=9)[0]] == ids[:2]
    assert [one.task_id for one in disputes_for(desk, ben, n=9)[0]] == ids[:2]
    assert [one.task_id for one in disputes_for(desk, cem, n=9)[0]] == ids[:1]
    assert disputes_for(desk, dee) == ([], 0)
    # As many as asked for, and how many there are.
    found, n_disputes = disputes_for(desk, ada, n=1)
    assert ([one.task_id for one in found], n_disputes) == (ids[:1], 2)


def test_in_an_open_study_everybody_settles_all(desk: Desk, people: list[Person]) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2, is_blind=False), person=people[0])
    _vote(desk, people, "kx", "xk")
    assert [disputes_for(desk, person)[1] for person in people] == [2, 2, 2, 2]


def test_who_passed_a_task_over_does_not_see_its_votes(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kxs")
    assert disputes_for(desk, people[2]) == ([], 0)


def test_a_dispute_has_its_task_and_all_standing_votes(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kxds")
    found = _one_dispute(desk, people[0])
    assert (found.text, found.type, found.intent, found.reason) == (
        "Task 0.",
        KIND,
        "feasible",
        None,
    )
    assert [(one["person"], one["action"], one["reason"]) for one in found.votes] == [
        ("Ada", "keep", None),
        ("Ben", "remove", "unsafe"),
        ("Cem", "remove", "duplicate"),
    ]
    assert found.seen_seq == desk.board().newest_seq(found.task_id)


# --- settling


@pytest.mark.parametrize(
    ("action", "reason", "state"), [("keep", None, "kept"), ("remove", "unsafe", "removed")]
)
def test_settling_is_final_and_keeps_the_votes(
    desk: Desk, people: list[Person], action: str, reason: str | None, state: str
) -> None:
    _vote(desk, people, "kx")
    dispute, before = _one_dispute(desk, people[0]), _rows(desk)
    settle(desk, people[0], dispute, action, reason=reason, note="looked at it again")
    assert desk.board().state(dispute.task_id) == state
    assert disputes_for(desk, people[0]) == ([], 0)
    assert _rows(desk) == before
    # More votes, and other ones, move nothing.
    _vote(desk, people, "xkk")
    assert desk.board().state(dispute.task_id) == state
    last = next(row for row in task_history(desk.store, dispute.task_id) if row["is_final"])
    assert (last["person"], last["note"]) == ("Ada", "looked at it again")


def test_an_undo_opens_a_settled_dispute_again(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kx")
    dispute = _one_dispute(desk, people[0])
    settle(desk, people[0], dispute, "keep")
    assert desk.undo(people[0]) == [dispute.task_id]
    assert desk.board().state(dispute.task_id) == "disputed"
    assert len(_one_dispute(desk, people[0]).votes) == 2


def test_who_settles_late_is_refused_and_the_same_again_is_stored_once(
    desk: Desk, people: list[Person]
) -> None:
    ada, ben = people[:2]
    _vote(desk, people, "kx")
    dispute = _one_dispute(desk, ada)
    first = settle(desk, ben, dispute, "keep")
    with pytest.raises(ConflictError, match="Ben has decided or undone something on this task"):
        settle(desk, ada, dispute, "remove", reason="unsafe")
    assert settle(desk, ada, dispute, "keep") == first
    assert desk.board().state(dispute.task_id) == "kept"
    assert len(task_history(desk.store, dispute.task_id)) == 3


def test_a_vote_that_came_meanwhile_refuses_the_settling(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kx")
    dispute = _one_dispute(desk, people[0])
    _vote(desk, people, "--k")
    with pytest.raises(ConflictError, match="Cem has decided or undone something on this task"):
        settle(desk, people[0], dispute, "keep")


def test_a_vote_taken_back_meanwhile_refuses_the_settling(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kx")
    dispute = _one_dispute(desk, people[0])
    undo(desk.store, desk.study, person=people[1])
    with pytest.raises(ConflictError):
        settle(desk, people[0], dispute, "remove", reason="unsafe")


def test_a_task_made_gold_meanwhile_refuses_the_settling(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kx")
    dispute = _one_dispute(desk, people[0])
    mark_gold(desk.store, desk.study, [dispute.task_id], "keep", person=people[1])
    with pytest.raises(ConflictError):
        settle(desk, people[0], dispute, "remove", reason="unsafe")
    assert gold_tasks(desk.store, desk.study) == {dispute.task_id: "keep"}


def test_a_skip_settles_nothing(desk: Desk, people: list[Person]) -> None:
    _vote(desk, people, "kx")
    with pytest.raises(InputError):
        settle(desk, people[0], _one_dispute(desk, people[0]), "skip")
