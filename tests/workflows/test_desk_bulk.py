"""Many tasks at once: said before, taken back by one undo, and nobody is overrun."""

import pytest

from core.errors import InputError
from core.store.store import Store
from core.workflows.curation import cell_counts, decide, task_history
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.desk_table import (
    BulkPlan,
    TaskFilter,
    apply_bulk,
    keep_one,
    matching_ids,
    plan_bulk,
    table_page,
)
from core.workflows.people import Person, person_named
from tests.support.few_tasks import add_tasks, empty_study, numbered_study


@pytest.fixture
def desk(store: Store) -> Desk:
    """The desk of a blind study of eight tasks."""
    return Desk(store, numbered_study(store, 8))


@pytest.fixture
def ids(desk: Desk) -> list[str]:
    """The tasks in the queue's order."""
    return list(desk.board().task_ids)


def _states(desk: Desk) -> list[str]:
    return [desk.board().state(one) for one in desk.board().task_ids]


def _vote(desk: Desk, person: Person, task_id: str, action: str) -> None:
    reason = "malformed" if action == "remove" else None
    decide(desk.store, desk.study, task_id, action, person=person, reason=reason)


def test_twelve_of_a_thousand_change_and_one_undo_restores_twelve(
    store: Store, ada: Person
) -> None:
    study = empty_study(store, "Thousand")
    # Every 83rd from the 40th on: 40, 123, … 953, which are 12.
    texts = [f"Task {n} of{' winter' if n % 83 == 40 else ''}." for n in range(1000)]
    add_tasks(store, study, texts)
    desk, wanted = Desk(store, study), TaskFilter(words="Winter")
    ids = matching_ids(desk, ada, wanted)
    plan = plan_bulk(desk, ada, ids, "remove", "unsafe")
    assert plan == BulkPlan(tuple(ids), 0, 0, 0)
    assert len(ids) == table_page(desk, ada, wanted, n=5).n_matching == 12
    assert apply_bulk(desk, ada, plan, "remove", "unsafe") == 12
    assert desk.progress(ada).totals == {"removed": 12, "pending": 988}
    assert sum(cell["removed"] for cell in cell_counts(store, study).values()) == 12
    assert sorted(desk.undo(ada)) == sorted(ids)
    assert desk.progress(ada).totals == {"pending": 1000}
    assert desk.undo(ada) == []


def test_the_numbers_of_a_plan_add_up_to_the_tasks_asked_for(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    for at, person, action in ((0, ada, "keep"), (1, ada, "remove"), (2, ben, "keep")):
        _vote(desk, person, ids[at], action)
    _vote(desk, ben, ids[3], "skip")
    held = desk.open_next(ben)
    assert held == ids[4]
    plan = plan_bulk(desk, ada, ids, "keep", None)
    # Her own removal is changed; somebody's skip leaves a task open.
    assert plan.task_ids == (ids[1], ids[3], *ids[5:])
    assert (plan.n_same, plan.n_held, plan.n_by_others) == (1, 1, 1)
    assert len(plan.task_ids) + plan.n_same + plan.n_held + plan.n_by_others == len(ids)
    assert apply_bulk(desk, ada, plan, "keep", None) == 5
    assert _states(desk) == ["kept"] * 4 + ["pending"] + ["kept"] * 3
    assert len(task_history(desk.store, ids[2])) == 1


def test_another_reason_is_a_change_and_the_same_one_is_not(
    desk: Desk, ids: list[str], ada: Person
) -> None:
    _vote(desk, ada, ids[0], "remove")
    assert plan_bulk(desk, ada, ids[:1], "remove", "malformed").n_same == 1
    assert plan_bulk(desk, ada, ids[:1], "remove", "unsafe").task_ids == (ids[0],)


def test_where_two_decide_the_second_vote_is_nobody_elses_decision(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2), person=ada)
    _vote(desk, ben, ids[0], "keep")
    cem = person_named(desk.store, "Cem")
    for person in (ben, cem):
        _vote(desk, person, ids[1], "keep")
    plan = plan_bulk(desk, ada, ids[:2], "keep", None)
    assert (plan.task_ids, plan.n_by_others) == ((ids[0],), 1)


def test_what_others_decided_after_ones_own_skip_is_left_alone(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    _vote(desk, ada, ids[0], "skip")
    _vote(desk, ben, ids[0], "keep")
    plan = plan_bulk(desk, ada, ids[:1], "remove", "unsafe")
    assert (plan.task_ids, plan.n_by_others) == ((), 1)


def test_a_bulk_action_that_cannot_be_used_changes_nothing(
    desk: Desk, ids: list[str], ada: Person
) -> None:
    plan = plan_bulk(desk, ada, ids, "remove", "other")
    with pytest.raises(InputError, match="the reason other has no note"):
        apply_bulk(desk, ada, plan, "remove", "other")
    assert _states(desk) == ["pending"] * 8
    assert apply_bulk(desk, ada, plan, "remove", "other", note="off topic") == 8


# --- a cluster


def test_where_two_decide_the_others_go_when_one_has_kept_the_task_oneself(
    desk: Desk, ids: list[str], ada: Person
) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2), person=ada)
    _vote(desk, ada, ids[0], "keep")
    assert keep_one(desk, ada, ids[:3], ids[0]) == 2
    assert desk.progress(ada).mine == {"keep": 1, "remove": 2}


def test_one_of_a_cluster_is_kept_and_one_undo_takes_it_back(
    desk: Desk, ids: list[str], ada: Person
) -> None:
    assert keep_one(desk, ada, ids[:4], ids[2]) == 4
    assert _states(desk)[:4] == ["removed", "removed", "kept", "removed"]
    last = task_history(desk.store, ids[0])[-1]
    assert (last["action"], last["reason"]) == ("remove", "duplicate")
    assert sorted(desk.undo(ada)) == sorted(ids[:4])
    assert _states(desk) == ["pending"] * 8


def test_a_task_of_a_cluster_that_somebody_holds_is_left_alone(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    assert desk.open_next(ben) == ids[0]
    assert keep_one(desk, ada, ids[:3], ids[1]) == 2
    assert _states(desk)[:3] == ["pending", "kept", "removed"]
    desk.decide(ben, ids[0], "keep", seen_seq=0)
    assert _states(desk)[:3] == ["kept", "kept", "removed"]


def test_a_cluster_that_is_decided_so_already_is_decided_once(
    desk: Desk, ids: list[str], ada: Person
) -> None:
    assert keep_one(desk, ada, ids[:3], ids[0]) == 3
    assert keep_one(desk, ada, ids[:3], ids[0]) == 0
    # The other one is chosen instead: those two change, the third is a duplicate still.
    assert keep_one(desk, ada, ids[:3], ids[1]) == 2
    assert _states(desk)[:3] == ["removed", "kept", "removed"]
    desk.undo(ada)
    assert _states(desk)[:3] == ["kept", "removed", "removed"]


@pytest.mark.parametrize("how", ["held", "decided"])
def test_nothing_is_removed_when_the_one_to_keep_is_somebody_elses(
    desk: Desk, ids: list[str], ada: Person, ben: Person, how: str
) -> None:
    assert desk.open_next(ben) == ids[0]
    if how == "decided":
        desk.decide(ben, ids[0], "remove", reason="malformed", seen_seq=0)
    assert keep_one(desk, ada, ids[:2], ids[0]) == 0
    assert desk.board().state(ids[1]) == "pending"


def test_a_cluster_decision_leaves_alone_what_others_decided_in_an_open_study_too(
    desk: Desk, ids: list[str], ada: Person, ben: Person
) -> None:
    set_rules(desk.store, desk.study, DeskRules(is_blind=False), person=ada)
    _vote(desk, ben, ids[1], "keep")
    assert keep_one(desk, ada, ids[:2], ids[0]) == 1
    assert _states(desk)[:2] == ["kept", "kept"]
