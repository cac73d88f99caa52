"""Gold tasks: settled when marked, gold while that stands, and a measure of how well people do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError
from core.store.store import Store
from core.store.verify import verify
from core.workflows.curation import decide, undo
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.gold import gold_tasks, hit_rates, mark_gold, unmark_gold
from core.workflows.people import Person, person_named
from tests.support.few_tasks import empty_study, numbered_study


@pytest.fixture
def store(store: Store) -> Iterator[Store]:
    """A store that is sound at the end as well."""
    yield store
    assert verify(store) == []


@pytest.fixture
def desk(store: Store) -> Desk:
    """The desk of a study of twelve tasks."""
    return Desk(store, numbered_study(store, 12))


@pytest.fixture
def ids(desk: Desk) -> list[str]:
    """The tasks in the queue's order."""
    return list(desk.board().task_ids)


def _gold(desk: Desk, ids: list[str], action: str, person: Person) -> int:
    reason = "unsafe" if action == "remove" else None
    return mark_gold(desk.store, desk.study, ids, action, person=person, reason=reason)


def _vote(desk: Desk, person: Person, task_id: str, action: str) -> None:
    reason = "malformed" if action == "remove" else None
    decide(desk.store, desk.study, task_id, action, person=person, reason=reason)


def _rates(desk: Desk) -> dict[str, tuple[int, int]]:
    return {one.person: (one.n_right, one.n_decided) for one in hit_rates(desk.store, desk.study)}


def test_marking_settles_the_tasks_and_other_votes_move_no_count(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    assert _gold(desk, ids[:2], "keep", ada) == 2
    assert _gold(desk, ids[2:3], "remove", ada) == 1
    assert gold_tasks(desk.store, desk.study) == {
        ids[0]: "keep",
        ids[1]: "keep",
        ids[2]: "remove",
    }
    for one in ids[:3]:
        _vote(desk, ben, one, "remove")
    assert desk.progress(ben).totals == {"kept": 2, "removed": 1, "pending": 9}


def test_one_undo_takes_the_decisions_back_and_the_tasks_are_gold_no_more(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    _gold(desk, ids[:3], "keep", ada)
    _vote(desk, ben, ids[0], "keep")
    assert sorted(undo(desk.store, desk.study, person=ada)) == sorted(ids[:3])
    assert gold_tasks(desk.store, desk.study) == {}
    assert hit_rates(desk.store, desk.study) == []
    assert desk.progress(ada).totals == {"kept": 1, "pending": 11}
    # Marked anew, the mark counts anew.
    _gold(desk, ids[1:2], "keep", ada)
    assert gold_tasks(desk.store, desk.study) == {ids[1]: "keep"}


def test_a_mark_that_is_taken_off_leaves_what_was_decided(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    _gold(desk, ids[:2], "remove", ada)
    _vote(desk, ben, ids[0], "remove")
    assert unmark_gold(desk.store, desk.study, ids[:1], person=ada) == 1
    assert gold_tasks(desk.store, desk.study) == {ids[1]: "remove"}
    assert hit_rates(desk.store, desk.study) == []
    assert desk.board().state(ids[0]) == "removed"


def test_hit_rates_by_hand_with_their_intervals(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    # Ben: 3 of 4 as they should be, a skip counts for nothing. Cem: 1 of 1. Ada marked them all,
    # and her own votes are no test of her.
    cem = person_named(desk.store, "Cem")
    _gold(desk, ids[:3], "keep", ada)
    _gold(desk, ids[3:6], "remove", ada)
    for at, action in enumerate(("keep", "keep", "remove", "remove", "skip")):
        _vote(desk, ben, ids[at], action)
    _vote(desk, cem, ids[0], "keep")
    _vote(desk, ada, ids[0], "remove")
    _vote(desk, ben, ids[8], "keep")
    first, second = hit_rates(desk.store, desk.study)
    assert (first.person, first.n_right, first.n_decided) == ("Ben", 3, 4)
    # Wilson, z² = 3.841459: centre (3/4 + z²/8) / (1 + z²/4) = 1.2301824 / 1.9603647 = 0.627527,
    # half z √((3 + z²) / 64) / (1 + z²/4) = 1.959964 · 0.326952 / 1.9603647 = 0.326885.
    z = 1.959963984540054
    centre = (3 / 4 + z * z / 8) / (1 + z * z / 4)
    half = z * (3 / 64 + z * z / 64) ** 0.5 / (1 + z * z / 4)
    assert (first.low, first.high) == pytest.approx((centre - half, centre + half), abs=1e-12)
    assert (round(first.low, 4), round(first.high, 4)) == (0.3006, 0.9544)
    # One of one: low is 1 / (1 + z²) = 0.2065.
    assert (second.person, second.n_right, second.n_decided) == ("Cem", 1, 1)
    assert (round(second.low, 4), second.high) == (0.2065, 1.0)


def test_each_marker_is_left_out_of_their_own_tasks_only(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    _gold(desk, ids[:1], "keep", ada)
    _gold(desk, ids[1:2], "keep", ben)
    for person in (ada, ben):
        for one in ids[:2]:
            _vote(desk, person, one, "keep")
    assert _rates(desk) == {"Ada": (1, 1), "Ben": (1, 1)}


def test_gold_comes_only_every_so_many_decisions_and_ends_with_the_marks(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    set_rules(desk.store, desk.study, DeskRules(gold_every=3), person=ada)
    _gold(desk, ids[9:11], "keep", ada)
    given = []
    for _ in range(9):
        given.append(desk.open_next(ben))
        desk.decide(ben, given[-1], "keep", seen_seq=desk.board().newest_seq(given[-1]))
    assert {given[2], given[5]} == set(ids[9:11])
    assert [given[at] for at in (0, 1, 3, 4, 6, 7, 8)] == ids[:7]
    assert _rates(desk) == {"Ben": (2, 2)}


def test_two_people_have_the_same_gold_task_before_them_at_once(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    set_rules(desk.store, desk.study, DeskRules(gold_every=3), person=ada)
    _gold(desk, ids[11:], "keep", ada)
    cem = person_named(desk.store, "Cem")
    for _ in range(2):
        for person in (ben, cem):
            desk.decide(person, desk.open_next(person), "keep", seen_seq=0)
    assert desk.open_next(ben) == desk.open_next(cem) == ids[11]
    seen = desk.board().newest_seq(ids[11])
    for person, action in ((ben, "keep"), (cem, "skip")):
        desk.decide(person, ids[11], action, seen_seq=seen)
    assert desk.board().state(ids[11]) == "kept"


def test_a_mark_that_cannot_be_used_marks_nothing(desk: Desk, ids: list[str], ada: Person) -> None:
    with pytest.raises(InputError, match="a removal was given no reason"):
        mark_gold(desk.store, desk.study, ids[:2], "remove", person=ada)
    assert gold_tasks(desk.store, desk.study) == {}
    assert desk.board().state(ids[0]) == "pending"


def test_a_skip_is_no_right_decision(desk: Desk, ids: list[str], ada: Person) -> None:
    with pytest.raises(InputError):
        _gold(desk, ids[:1], "skip", ada)


def test_a_task_of_no_study_is_not_marked(tmp_path: Path) -> None:
    with Store.open(tmp_path / "other.duckdb") as store:
        study, ada = empty_study(store), person_named(store, "Ada")
        with pytest.raises(NotFoundError):
            mark_gold(store, study, ["nope"], "keep", person=ada)


def test_the_right_decision_is_the_one_that_settles_the_task(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    _gold(desk, ids[:1], "keep", ada)
    _gold(desk, ids[:1], "remove", ada)
    _vote(desk, ben, ids[0], "keep")
    undo(desk.store, desk.study, person=ada)
    assert desk.board().state(ids[0]) == "kept"
    assert gold_tasks(desk.store, desk.study) == {ids[0]: "keep"}
    assert _rates(desk) == {"Ben": (1, 1)}


def test_an_undone_mark_is_gone_on_a_task_that_was_settled_before(
    desk: Desk, ids: list[str], ada: Person
) -> None:
    decide(desk.store, desk.study, ids[0], "keep", person=ada, is_final=True)
    _gold(desk, ids[:1], "remove", ada)
    undo(desk.store, desk.study, person=ada)
    assert desk.board().state(ids[0]) == "kept"
    assert gold_tasks(desk.store, desk.study) == {}
