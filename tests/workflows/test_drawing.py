"""The draw: frozen, repeatable, and plain about what is missing."""

import pytest

from core.errors import ConflictError, InputError
from core.store import verify
from core.workflows.curation import decide
from core.workflows.drawing import (
    draw_every_task,
    draw_tasks,
    shortfall_sentence,
    takes_removed,
)
from core.workflows.people import person_named
from core.workflows.results import label_counts
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.tasks import queue, remove_one


@pytest.fixture(autouse=True)
def _generated(bench: Workbench, study: Study) -> None:
    start_step(bench, study, "generate").wait(20)


def test_the_same_draw_twice_is_one_draw(bench: Workbench, study: Study) -> None:
    first = draw_tasks(bench.store, study, per_cell=1, seed=4)
    again = draw_tasks(bench.store, study, per_cell=1, seed=4)
    assert (first.is_new, again.is_new) == (True, False)
    assert first.draw_id == again.draw_id
    assert first.n_tasks == 10


def test_going_back_to_an_earlier_draw_is_possible(bench: Workbench, study: Study) -> None:
    draw_tasks(bench.store, study, per_cell=1, seed=4)
    draw_tasks(bench.store, study, per_cell=2, seed=4)
    back = draw_tasks(bench.store, study, per_cell=1, seed=4)
    assert back.is_new
    assert bench.store.rows("draw_now", study_id=study.study_id)[0]["n_tasks"] == 10


def test_removed_tasks_are_not_drawn_and_the_shortfall_is_said(
    bench: Workbench, study: Study
) -> None:
    ada = person_named(bench.store, "Ada")
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "remove", person=ada, reason="malformed")
    draw = draw_tasks(bench.store, study)
    assert draw.n_tasks == draw.n_undecided == 19
    sentences = [shortfall_sentence(one) for one in draw.shortfalls]
    assert sentences == [f"{task.type}, {task.intent}: 1 of 2, 1 short"]


def test_drawing_every_task_takes_all_that_nobody_removed(bench: Workbench, study: Study) -> None:
    assert draw_every_task(bench.store, study).n_tasks == 20


def test_removed_tasks_are_drawn_where_they_are_asked_for_and_the_draw_says_so(
    bench: Workbench, study: Study
) -> None:
    removed = remove_one(bench.store, study).task_id
    draw = draw_tasks(bench.store, study, with_removed=True)
    assert (draw.n_tasks, draw.n_removed, draw.n_undecided, draw.shortfalls) == (20, 1, 19, ())
    [row] = bench.store.rows("draw_now", study_id=study.study_id)
    assert row["kind"] == draw.kind == "balanced_with_removed"
    assert takes_removed(row["kind"])
    drawn = bench.store.rows("drawn_ids", draw_id=draw.draw_id)
    assert removed in {one["task_id"] for one in drawn}


def test_a_draw_with_removed_tasks_is_repeatable_and_another_than_one_without(
    bench: Workbench, study: Study
) -> None:
    options = {"per_cell": 1, "seed": 4}
    without = draw_tasks(bench.store, study, **options)
    first = draw_tasks(bench.store, study, **options, with_removed=True)
    again = draw_tasks(bench.store, study, **options, with_removed=True)
    assert (first.is_new, again.is_new) == (True, False)
    assert first.draw_id == again.draw_id != without.draw_id
    assert not takes_removed(without.kind)


def test_removing_a_task_does_not_change_a_draw_that_takes_removed_ones(
    bench: Workbench, study: Study
) -> None:
    before = draw_tasks(bench.store, study, with_removed=True)
    remove_one(bench.store, study)
    after = draw_tasks(bench.store, study, with_removed=True)
    assert (after.draw_id, after.is_new, after.n_removed) == (before.draw_id, False, 1)


def test_an_answer_to_a_removed_task_counts_on_in_a_draw_that_takes_it(
    bench: Workbench, study: Study
) -> None:
    draw_tasks(bench.store, study)
    start_step(bench, study, "classify").wait(20)
    remove_one(bench.store, study)
    draw_tasks(bench.store, study)
    assert draw_tasks(bench.store, study, with_removed=True).n_tasks == 20
    # Its answer under the first draw counts on, so nothing is owed and nothing is paid again.
    assert start_step(bench, study, "classify") is None
    assert label_counts(bench.store, [study])["n"].sum() == 19
    assert label_counts(bench.store, [study], with_removed=True)["n"].sum() == 20
    assert verify(bench.store) == []


def test_drawing_every_task_can_take_the_removed_ones_too(bench: Workbench, study: Study) -> None:
    remove_one(bench.store, study)
    assert draw_every_task(bench.store, study).n_tasks == 19
    draw = draw_every_task(bench.store, study, with_removed=True)
    assert (draw.n_tasks, draw.n_removed, draw.kind) == (20, 1, "all_with_removed")


def test_a_size_below_one_is_refused(bench: Workbench, study: Study) -> None:
    with pytest.raises(InputError, match="tasks per cell is 0"):
        draw_tasks(bench.store, study, per_cell=0)


def test_a_study_without_tasks_has_nothing_to_draw(bench: Workbench) -> None:
    from core.workflows.studies import create_study

    empty = create_study(bench.store, "Empty", protocol="feasibility_boundary", subject="a/b")
    with pytest.raises(ConflictError, match="Empty has no tasks to draw from"):
        draw_tasks(bench.store, empty)


def test_a_new_draw_keeps_the_answers_its_tasks_already_have(
    bench: Workbench, study: Study
) -> None:
    draw_tasks(bench.store, study, per_cell=1, seed=1)
    start_step(bench, study, "classify").wait(20)
    draw_tasks(bench.store, study, per_cell=2)
    assert label_counts(bench.store, [study])["n"].sum() == 10
    start_step(bench, study, "classify").wait(20)
    assert label_counts(bench.store, [study])["n"].sum() == 20
    assert verify(bench.store) == []
