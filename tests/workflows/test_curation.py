"""Curation: decisions are only added, undo is exact, and nobody overwrites another by accident."""

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.workflows.curation import (
    Decision,
    cell_counts,
    decide,
    decide_together,
    task_from_prefix,
    task_history,
    undo,
)
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.people import Person, person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.study_overviews import TASK_COUNTS
from core.workflows.workbench import Workbench
from tests.support.tasks import queue


@pytest.fixture
def ada(bench: Workbench, study: Study) -> Person:
    """Somebody at the desk of a study whose 20 tasks are generated."""
    start_step(bench, study, "generate").wait(20)
    return person_named(bench.store, "Ada")


def _totals(bench: Workbench, study: Study) -> dict[str, int]:
    counts = cell_counts(bench.store, study).values()
    return {name: sum(cell[name] for cell in counts) for name in TASK_COUNTS}


def test_the_counts_always_add_up(bench: Workbench, study: Study, ada: Person) -> None:
    for action, reason in (("keep", None), ("remove", "malformed"), ("skip", None)):
        [task] = queue(bench.store, study, n=1)
        decide(bench.store, study, task.task_id, action, person=ada, reason=reason)
    totals = _totals(bench, study)
    assert totals == dict.fromkeys(TASK_COUNTS, 0) | {
        "n_tasks": 20,
        "kept": 1,
        "removed": 1,
        "skipped": 1,
        "pending": 17,
    }


def test_undo_goes_back_step_by_step_and_the_history_keeps_all(
    bench: Workbench, study: Study, ada: Person
) -> None:
    [first] = queue(bench.store, study, n=1)
    decide(bench.store, study, first.task_id, "keep", person=ada)
    decide(bench.store, study, first.task_id, "remove", person=ada, reason="duplicate")
    assert undo(bench.store, study, person=ada) == [first.task_id]
    assert _totals(bench, study)["kept"] == 1
    assert undo(bench.store, study, person=ada) == [first.task_id]
    assert undo(bench.store, study, person=ada) == []
    history = task_history(bench.store, first.task_id)
    assert [(row["action"], row["before"], row["after"]) for row in history] == [
        ("keep", "pending", "kept"),
        ("remove", "kept", "removed"),
        ("undo", "removed", "kept"),
        ("undo", "kept", "pending"),
    ]


def test_undo_takes_back_only_ones_own_decisions(
    bench: Workbench, study: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    one, two = queue(bench.store, study, n=2)
    decide(bench.store, study, one.task_id, "keep", person=ada)
    decide(bench.store, study, two.task_id, "keep", person=ben)
    assert undo(bench.store, study, person=ada) == [one.task_id]
    assert undo(bench.store, study, person=ada) == []
    assert _totals(bench, study)["kept"] == 1


def test_a_late_decision_does_not_overwrite_somebody_elses(
    bench: Workbench, study: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=ben, seen_seq=0)
    with pytest.raises(ConflictError, match="Ben has decided this task in the meantime"):
        decide(
            bench.store,
            study,
            task.task_id,
            "remove",
            person=ada,
            reason="malformed",
            seen_seq=0,
        )
    assert _totals(bench, study)["removed"] == 0


def test_undo_leaves_alone_what_somebody_decided_after(
    bench: Workbench, study: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=ada)
    decide(bench.store, study, task.task_id, "remove", person=ben, reason="malformed")
    assert undo(bench.store, study, person=ada) == [task.task_id]
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
    with pytest.raises(InputError, match="no name is given"):
        person_named(bench.store, "  ")


def test_decisions_made_together_are_all_stored_or_none(
    bench: Workbench, study: Study, ada: Person
) -> None:
    [task] = queue(bench.store, study, n=1)
    with pytest.raises(NotFoundError, match="Small has no task 'zz'"):
        decide_together(
            bench.store,
            study,
            [Decision(task.task_id, "keep"), Decision("zz", "keep")],
            person=ada,
        )
    with pytest.raises(InputError, match="a removal was given no reason"):
        decide_together(bench.store, study, [Decision(task.task_id, "remove")], person=ada)
    assert _totals(bench, study)["pending"] == 20


def test_a_change_of_mind_keeps_both_in_the_history_and_the_last_one_counts(
    bench: Workbench, study: Study, ada: Person
) -> None:
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=ada)
    decide(bench.store, study, task.task_id, "remove", person=ada, reason="unsafe")
    assert [row["action"] for row in task_history(bench.store, task.task_id)] == ["keep", "remove"]
    assert _totals(bench, study)["removed"] == 1


def test_a_final_decision_settles_what_two_people_disagree_on(
    bench: Workbench, study: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    set_rules(bench.store, study, DeskRules(overlap=2), person=ada)
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=ada)
    decide(bench.store, study, task.task_id, "remove", person=ben, reason="malformed")
    assert _totals(bench, study)["disputed"] == 1
    decide(bench.store, study, task.task_id, "keep", person=ada, is_final=True)
    assert (_totals(bench, study)["disputed"], _totals(bench, study)["kept"]) == (0, 1)
    undo(bench.store, study, person=ada)
    assert _totals(bench, study)["disputed"] == 1
