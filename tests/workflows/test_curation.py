"""Curation: decisions are only added, undo is exact, and nobody overwrites another by accident."""

from datetime import UTC, datetime

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.workflows.curation import (
    Person,
    cell_counts,
    decide,
    person_named,
    queue,
    task_from_prefix,
    task_history,
    undo,
)
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench


@pytest.fixture
def ada(bench: Workbench, study: Study) -> Person:
    """Somebody at the desk of a study whose 20 tasks are generated."""
    start_step(bench, study, "generate").wait(20)
    return person_named(bench.store, "Ada")


def _totals(bench: Workbench, study: Study) -> dict[str, int]:
    counts = cell_counts(bench.store, study).values()
    names = ("kept", "removed", "skipped", "pending", "n_tasks")
    return {name: sum(cell[name] for cell in counts) for name in names}


def test_the_counts_always_add_up(bench: Workbench, study: Study, ada: Person) -> None:
    for action, reason in (("keep", None), ("remove", "malformed"), ("skip", None)):
        [task] = queue(bench.store, study, n=1)
        decide(bench.store, study, task.task_id, action, person=ada, reason=reason)
    totals = _totals(bench, study)
    assert totals == {"kept": 1, "removed": 1, "skipped": 1, "pending": 17, "n_tasks": 20}


def test_undo_goes_back_step_by_step_and_the_history_keeps_all(
    bench: Workbench, study: Study, ada: Person
) -> None:
    [first] = queue(bench.store, study, n=1)
    decide(bench.store, study, first.task_id, "keep", person=ada)
    decide(bench.store, study, first.task_id, "remove", person=ada, reason="duplicate")
    assert undo(bench.store, study, person=ada).state == "kept"
    assert undo(bench.store, study, person=ada).state == "pending"
    assert undo(bench.store, study, person=ada) is None
    actions = [row["action"] for row in task_history(bench.store, first.task_id)]
    assert actions == ["keep", "remove", "undo", "undo"]


def test_undo_takes_back_only_ones_own_decisions(
    bench: Workbench, study: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    one, two = queue(bench.store, study, n=2)
    decide(bench.store, study, one.task_id, "keep", person=ada)
    decide(bench.store, study, two.task_id, "keep", person=ben)
    assert undo(bench.store, study, person=ada).task_id == one.task_id
    assert undo(bench.store, study, person=ada) is None
    assert _totals(bench, study)["kept"] == 1


def test_a_late_decision_does_not_overwrite_somebody_elses(
    bench: Workbench, study: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=ben, seen_state="pending")
    with pytest.raises(ConflictError, match="Ben has decided this task in the meantime"):
        decide(
            bench.store,
            study,
            task.task_id,
            "remove",
            person=ada,
            reason="malformed",
            seen_state="pending",
        )
    assert _totals(bench, study)["removed"] == 0


def test_skipped_tasks_leave_the_queue_and_come_back_when_asked_for(
    bench: Workbench, study: Study, ada: Person
) -> None:
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "skip", person=ada)
    assert task.task_id not in {one.task_id for one in queue(bench.store, study, n=99)}
    again = queue(bench.store, study, n=99, skipped_before=datetime.now(UTC))
    assert task.task_id in {one.task_id for one in again}


def test_each_skipped_task_comes_round_once_when_they_are_taken_up(
    bench: Workbench, study: Study, ada: Person
) -> None:
    for task in queue(bench.store, study, n=20):
        decide(bench.store, study, task.task_id, "skip", person=ada)
    taken_up = datetime.now(UTC)
    seen = []
    while found := queue(bench.store, study, n=1, skipped_before=taken_up):
        seen.append(found[0].task_id)
        decide(bench.store, study, found[0].task_id, "skip", person=ada)
    assert len(seen) == len(set(seen)) == 20


def test_undo_leaves_a_task_alone_that_somebody_decided_after(
    bench: Workbench, study: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=ada)
    decide(bench.store, study, task.task_id, "remove", person=ben, reason="malformed")
    assert undo(bench.store, study, person=ada) is None
    assert _totals(bench, study)["removed"] == 1


@pytest.mark.parametrize(
    ("action", "reason", "note", "wording"),
    [
        ("burn", None, "", "the decision 'burn' is not known"),
        ("remove", None, "", "a removal was given no reason"),
        ("remove", "ugly", "", "the reason 'ugly' is not known"),
        ("remove", "other", " ", "the reason other has no note"),
        ("keep", "malformed", "", "keep was given the reason 'malformed'"),
        ("keep", None, "x" * 2001, "the note has 2,001 characters"),
    ],
)
def test_a_decision_that_cannot_be_used_changes_nothing(
    bench: Workbench,
    study: Study,
    ada: Person,
    action: str,
    reason: str | None,
    note: str,
    wording: str,
) -> None:
    [task] = queue(bench.store, study, n=1)
    with pytest.raises(InputError, match=wording):
        decide(bench.store, study, task.task_id, action, person=ada, reason=reason, note=note)
    assert _totals(bench, study)["pending"] == 20


def test_a_task_is_found_by_the_beginning_of_its_id(
    bench: Workbench, study: Study, ada: Person
) -> None:
    [task] = queue(bench.store, study, n=1)
    assert task_from_prefix(bench.store, study, task.task_id[:12]) == task.task_id
    with pytest.raises(NotFoundError, match="has no task whose id begins with 'zz'"):
        task_from_prefix(bench.store, study, "zz")
    with pytest.raises(NotFoundError, match="has more than one task"):
        task_from_prefix(bench.store, study, "")


def test_a_name_is_one_person_however_it_is_spaced(bench: Workbench) -> None:
    assert person_named(bench.store, " Ada  L ") == person_named(bench.store, "Ada L")
    with pytest.raises(InputError, match="the name '' has 0 characters"):
        person_named(bench.store, "  ")
