"""Leases: a task has one holder at a time, for as long as they are there, over a restart too."""

from datetime import timedelta

import pytest

from core.store.store import Store
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.leases import LEASE_TIME, LONGEST_HOLD, Leases
from core.workflows.people import Person, person_named
from tests.support.clock import START, Clock
from tests.support.few_tasks import numbered_study

SECOND = timedelta(seconds=1)


@pytest.fixture
def desk(store: Store, clock: Clock) -> Desk:
    """The desk of a study of six tasks."""
    return Desk(store, numbered_study(store, 6), clock=clock)


def _on_disk(store: Store, study_id: str) -> dict[str, str]:
    store.write([])
    rows = store.rows("leases_of_study", study_id=study_id)
    return {row["person_id"]: row["task_id"] for row in rows}


def test_a_lease_lasts_for_its_time_and_then_the_task_is_anybodys(store: Store) -> None:
    leases = Leases(store, "s")
    leases.take("ada", "t1", START)
    last = START + LEASE_TIME - SECOND
    assert list(leases.others("ben", last)) == [("ada", "t1")]
    assert list(leases.others("ben", START + LEASE_TIME)) == []
    assert list(leases.others("ada", last)) == []
    assert leases.holder_counts("ben", last) == {"t1": 1}


def test_a_person_holds_one_task_and_taking_it_again_renews_it_in_time(store: Store) -> None:
    leases = Leases(store, "s")
    leases.take("ada", "t1", START)
    leases.enter("ada", "t1", START, reason="other", note="half a")
    # A lease that is fresh stays as it is; from half its time on it is written anew.
    assert leases.take("ada", "t1", START + SECOND).expires_at == START + LEASE_TIME
    later = START + LEASE_TIME / 2
    again = leases.take("ada", "t1", later)
    assert (again.note, again.expires_at) == ("half a", later + LEASE_TIME)
    leases.take("ada", "t2", START)
    assert leases.holder_counts("ben", START) == {"t2": 1}
    assert _on_disk(store, "s") == {"ada": "t2"}


def test_a_renewal_ends_half_an_hour_after_the_last_thing_entered(store: Store) -> None:
    leases, now = Leases(store, "s"), START
    leases.take("ada", "t1", START)
    while now < START + LONGEST_HOLD - SECOND:
        now += SECOND * 60
        assert leases.renew("ada", "t1", now, 1.0) == (now < START + LONGEST_HOLD)
    assert leases.of("ada").expires_at == START + LONGEST_HOLD
    # Something entered begins the half hour anew.
    assert leases.enter("ada", "t1", now, reason=None, note="still here")
    assert leases.renew("ada", "t1", now + SECOND * 90, 1.0)
    assert leases.of("ada").expires_at == now + SECOND * 90 + LEASE_TIME


def test_seconds_never_run_backwards(store: Store) -> None:
    leases = Leases(store, "s")
    leases.take("ada", "t1", START)
    leases.renew("ada", "t1", START, 9.0)
    leases.renew("ada", "t1", START, 2.0)
    assert leases.of("ada").seconds_active == 9.0


def test_only_the_task_one_holds_is_renewed_entered_or_dropped(store: Store) -> None:
    leases = Leases(store, "s")
    assert not leases.renew("ada", "t1", START, 1.0)
    assert not leases.enter("ada", "t1", START, reason=None, note="x")
    leases.take("ada", "t1", START)
    assert not leases.renew("ada", "t2", START, 1.0)
    assert not leases.enter("ada", "t2", START, reason=None, note="x")
    leases.drop("ada", "t2")
    assert leases.of("ada").task_id == "t1"
    leases.drop("ada", "t1")
    assert leases.of("ada") is None
    assert _on_disk(store, "s") == {}


def test_a_restart_finds_the_leases_of_this_study_only(store: Store) -> None:
    Leases(store, "other").take("ada", "t9", START)
    leases = Leases(store, "s")
    leases.take("ada", "t1", START)
    leases.take("ben", "t2", START)
    leases.drop("ben", "t2")
    store.write([])
    again = Leases(store, "s")
    assert again.of("ada") == leases.of("ada")
    assert again.of("ben") is None


# --- at the desk


def test_who_comes_after_a_lease_ran_out_owns_the_task_alone(
    desk: Desk, ada: Person, ben: Person, clock: Clock
) -> None:
    task = desk.open_next(ada)
    clock.now += LEASE_TIME
    assert desk.open_next(ben) == task
    assert desk.open_next(ada) != task
    desk.decide(ben, task, "keep", seen_seq=0)
    assert desk.board().state(task) == "kept"


@pytest.mark.parametrize("how", ["heartbeat", "draft"])
def test_who_was_away_does_not_come_back_to_a_task_that_somebody_else_has(
    desk: Desk, ada: Person, ben: Person, clock: Clock, how: str
) -> None:
    task = desk.open_next(ada)
    clock.now += LEASE_TIME
    assert desk.open_next(ben) == task
    if how == "heartbeat":
        assert not desk.heartbeat(ada, task, 3.0)
    else:
        assert not desk.keep_draft(ada, task, reason=None, note="back again")
    desk.decide(ben, task, "keep", seen_seq=0)
    assert desk.board().state(task) == "kept"


def test_who_was_away_comes_back_to_a_task_that_nobody_took(
    desk: Desk, ada: Person, clock: Clock
) -> None:
    task = desk.open_next(ada)
    clock.now += 3 * LEASE_TIME
    assert desk.heartbeat(ada, task, 3.0)
    assert desk.open_next(ada) == task


def test_where_two_decide_two_may_hold_a_task_and_a_third_may_not(
    desk: Desk, ada: Person, ben: Person
) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2), person=ada)
    cem = person_named(desk.store, "Cem")
    task = desk.open_next(ada)
    assert desk.open_next(ben) == task
    assert desk.open_next(cem) != task
    desk.decide(ada, task, "keep", seen_seq=0)
    # One more is wanted, and Ben has it before him.
    assert desk.open_next(ada) != task
    desk.decide(ben, task, "keep", seen_seq=desk.board().newest_seq(task))
    assert desk.board().state(task) == "kept"


def test_a_look_back_keeps_what_was_begun(desk: Desk, ada: Person) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2), person=ada)
    desk.decide(ada, desk.open_next(ada), "keep", seen_seq=0)
    task = desk.open_next(ada)
    desk.keep_draft(ada, task, reason="other", note="half a")
    desk.open_by_hand(ada, desk.newest_decided(ada))
    assert desk.open_next(ada) == task
    assert desk.lease(ada, task).note == "half a"


def test_a_look_at_ones_own_vote_holds_no_task(desk: Desk, ada: Person, ben: Person) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2), person=ada)
    task = desk.open_next(ada)
    desk.decide(ada, task, "keep", seen_seq=0)
    desk.open_by_hand(ada, task)
    assert desk.open_next(ben) == task
