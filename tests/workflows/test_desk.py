"""The desk: one task one owner, nothing decided twice, all where it was after a restart."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from core.curation.votes import STATES, standing, state_of
from core.errors import ConflictError
from core.workflows.curation import (
    Decision,
    decide,
    decide_together,
    review_from,
    task_history,
)
from core.workflows.desk import Desk, desk_of
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.gold import mark_gold
from core.workflows.leases import LEASE_TIME, LONGEST_HOLD
from core.workflows.people import Person, person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.clock import Clock


@pytest.fixture
def desk(bench: Workbench, study: Study, clock: Clock) -> Desk:
    """The desk of a study with 20 tasks."""
    start_step(bench, study, "generate").wait(20)
    return Desk(bench.store, study, clock=clock)


def _settled(desk: Desk) -> None:
    """Wait until all that was handed to the store is in it."""
    desk.store.write([])


def test_reloading_without_deciding_shows_the_same_task(desk: Desk, ada: Person) -> None:
    assert len({desk.open_next(ada) for _ in range(5)}) == 1


def test_two_people_never_have_one_task(desk: Desk, ada: Person, ben: Person) -> None:
    first = desk.open_next(ada)
    assert desk.open_next(ben) != first


def test_ones_own_second_window_is_nobody_else(desk: Desk, ada: Person) -> None:
    task = desk.open_next(ada)
    assert desk.open_next(ada) == task
    desk.decide(ada, task, "keep", seen_seq=0)
    with pytest.raises(ConflictError, match="you have decided this task in another window"):
        desk.decide(ada, task, "remove", reason="malformed", seen_seq=0)


def test_the_same_decision_sent_again_is_stored_once(desk: Desk, ada: Person) -> None:
    task = desk.open_next(ada)
    once = desk.decide(ada, task, "keep", seen_seq=0)
    assert desk.decide(ada, task, "keep", seen_seq=0) == once
    assert len(task_history(desk.store, task)) == 1


def test_a_lease_runs_out_and_a_late_decision_is_refused_in_words(
    desk: Desk, ada: Person, ben: Person, clock: Clock
) -> None:
    task = desk.open_next(ada)
    clock.now += LEASE_TIME + timedelta(seconds=1)
    assert desk.open_next(ben) == task
    with pytest.raises(ConflictError, match="Ben has this task before them now"):
        desk.decide(ada, task, "keep", seen_seq=0)
    desk.decide(ben, task, "keep", seen_seq=0)
    with pytest.raises(ConflictError, match="Ben has decided this task in the meantime"):
        desk.decide(ada, task, "remove", reason="malformed", seen_seq=0)
    assert desk.open_next(ada) != task


def test_a_late_decision_counts_when_nobody_took_the_task(
    desk: Desk, ada: Person, clock: Clock
) -> None:
    task = desk.open_next(ada)
    clock.now += 10 * LEASE_TIME
    desk.decide(ada, task, "keep", seen_seq=0)
    assert desk.board().state(task) == "kept"


def test_a_heartbeat_holds_a_task_but_not_for_ever(
    desk: Desk, ada: Person, ben: Person, clock: Clock
) -> None:
    task = desk.open_next(ada)
    for _ in range(12):
        clock.now += LEASE_TIME / 2
        assert desk.heartbeat(ada, task, 3.0)
        assert desk.open_next(ben) != task
    clock.now += LONGEST_HOLD
    assert not desk.heartbeat(ada, task, 3.0)
    assert desk.open_next(person_named(desk.store, "Cem")) == task


def test_what_was_begun_is_there_again_after_a_restart(
    open_bench: Callable[..., Workbench], desk: Desk, ada: Person, study: Study
) -> None:
    task = desk.open_next(ada)
    assert desk.keep_draft(ada, task, reason="other", note="2 problems: 1) no date")
    desk.heartbeat(ada, task, 7.5)
    _settled(desk)
    again = Desk(open_bench().store, study)
    assert again.open_next(ada) == task
    lease = again.lease(ada, task)
    assert (lease.reason, lease.note, lease.seconds_active) == (
        "other",
        "2 problems: 1) no date",
        7.5,
    )


def test_a_draft_is_gone_once_the_task_is_decided(desk: Desk, ada: Person) -> None:
    task = desk.open_next(ada)
    desk.keep_draft(ada, task, reason=None, note="half a")
    desk.decide(ada, task, "skip", seen_seq=0)
    assert desk.open_next(ada) != task
    assert desk.lease(ada, task) is None


def test_undo_goes_back_and_puts_the_task_before_the_person(desk: Desk, ada: Person) -> None:
    done = []
    for _ in range(3):
        done.append(desk.open_next(ada))
        desk.decide(ada, done[-1], "keep", seen_seq=0)
    assert [desk.undo(ada) for _ in range(4)] == [[done[2]], [done[1]], [done[0]], []]
    assert desk.open_next(ada) == done[0]


def test_a_batch_is_undone_at_once(desk: Desk, ada: Person) -> None:
    ids = desk.board().task_ids[:12]
    decisions = [Decision(one, "remove", "duplicate") for one in ids]
    assert decide_together(desk.store, desk.study, decisions, person=ada) == 12
    assert desk.progress(ada).totals["removed"] == 12
    assert sorted(desk.undo(ada)) == sorted(ids)
    assert desk.progress(ada).totals["pending"] == 20


def test_with_an_overlap_of_two_every_task_is_decided_by_two(desk: Desk, ada: Person) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2), person=ada)
    people = [ada, *(person_named(desk.store, name) for name in ("Ben", "Cem"))]
    seen: dict[str, list[str]] = {}
    for _ in range(14):
        for person in people:
            task = desk.open_next(person)
            if task is not None:
                seen.setdefault(task, []).append(person.name)
                desk.decide(person, task, "keep", seen_seq=desk.board().newest_seq(task))
    assert len(seen) == 20
    assert all(len(set(names)) == len(names) == 2 for names in seen.values())
    assert desk.progress(ada).totals == {"kept": 20}


def test_gold_tasks_are_mixed_in_for_everybody_but_their_maker(
    desk: Desk, ada: Person, ben: Person
) -> None:
    set_rules(desk.store, desk.study, DeskRules(gold_every=3), person=ada)
    gold = desk.board().task_ids[10]
    mark_gold(desk.store, desk.study, [gold], "keep", person=ada)
    given = []
    for _ in range(4):
        given.append(desk.open_next(ben))
        desk.decide(ben, given[-1], "keep", seen_seq=desk.board().newest_seq(given[-1]))
    assert given[2] == gold
    assert gold not in {desk.open_next(ada)}
    assert desk.board().state(gold) == "kept"


def test_the_counts_are_those_of_the_store(desk: Desk, ada: Person, ben: Person) -> None:
    set_rules(desk.store, desk.study, DeskRules(overlap=2), person=ada)
    ids = desk.board().task_ids
    for person, offset in ((ada, 0), (ben, 1)):
        for at, task in enumerate(ids[:9]):
            action = ("keep", "remove", "skip")[(at + offset * (at % 4)) % 3]
            reason = "malformed" if action == "remove" else None
            decide(desk.store, desk.study, task, action, person=person, reason=reason)
    decide(desk.store, desk.study, ids[1], "keep", person=ben, is_final=True)
    desk.undo(ben), desk.undo(ada)
    board = desk.board()
    rows = desk.store.rows("tasks_short", study_id=desk.study.study_id)
    assert {row["task_id"]: row["state"] for row in rows} == {
        one: board.state(one) for one in board.task_ids
    }
    assert len({row["state"] for row in rows}) >= 4
    for row in rows:
        events = map(review_from, desk.store.rows("reviews_of_task", task_id=row["task_id"]))
        assert state_of(standing(events), 2) == row["state"]
    cells = desk.store.rows("curation_cells", study_id=desk.study.study_id)
    assert all(row["n_tasks"] == sum(row[state] for state in STATES) for row in cells)


def test_twenty_people_at_once_lose_nothing_and_double_nothing(
    bench: Workbench, study: Study
) -> None:
    tasks = [
        {
            "task_id": f"t{n:05}",
            "study_id": study.study_id,
            "position": n,
            "text": f"Task {n}",
            "intent": "feasible",
            "type": "Ethical Integrity",
            "reason": None,
            "source": "imported",
            "source_ref": str(n),
            "note": "",
            "created_at": datetime.now(UTC),
        }
        for n in range(1000)
    ]
    bench.store.append("task", tasks)
    desk = desk_of(bench, study)
    people = [person_named(bench.store, f"P{n}") for n in range(20)]
    owners: dict[str, set[str]] = {}
    faults: list[object] = []
    lock = threading.Lock()

    def work(person: Person) -> None:
        try:
            for _ in range(50):
                task = desk.open_next(person)
                with lock:
                    owners.setdefault(task, set()).add(person.name)
                desk.decide(person, task, "keep", seen_seq=0)
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(owners) == 1000
    assert all(len(names) == 1 for names in owners.values())
    reviews = bench.store.rows("reviews_since", study_id=study.study_id, seq=0)
    assert len({row["task_id"] for row in reviews}) == len(reviews) == 1000
    assert desk.progress(people[0]).totals["kept"] == 1000
    assert desk.progress(people[0]).mine == {"keep": 50}
