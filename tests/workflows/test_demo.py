"""The demo: the whole pipeline, with the checks' decisions stored as theirs and nobody else's."""

from collections import Counter
from collections.abc import Callable

import pytest

from core.errors import ConflictError, ModelError
from core.records import Reply, Request
from core.runs.progress import Progress
from core.runs.run import Run
from core.settings import EMBEDDED_MODEL
from core.store.verify import verify
from core.workflows.curation import cell_counts, decide, task_history
from core.workflows.demo import STAND_IN, create_demo_study, run_demo, stand_in_for_curator
from core.workflows.people import person_named
from core.workflows.results import tables_document
from core.workflows.steps import start_step
from core.workflows.study_overviews import list_studies
from core.workflows.workbench import Workbench
from tests.support.tasks import queue

from .conftest import obedient


def _watched(titles: list[str]) -> Callable[[str, Run], Progress]:
    def watch(title: str, run: Run) -> Progress:
        titles.append(title)
        progress = run.wait(20)
        assert progress.state == "ended"
        return progress

    return watch


def _some_broken(request: Request) -> Reply:
    """Two good tasks that are the same, one that gives itself away, and the rest as wanted."""
    position = request.context["position"]
    if request.context["task_id"] is None and position in (0, 10):
        return Reply(text='{"task": "Name the capital of Italy in one word."}')
    if request.context["task_id"] is None and position == 1:
        return Reply(text='{"task": "This task is infeasible because you lack the context."}')
    return obedient(request)


def test_the_demo_runs_every_step_and_its_numbers_are_there(bench: Workbench) -> None:
    titles: list[str] = []
    result = run_demo(bench, per_cell=2, watch=_watched(titles))
    assert titles == ["Generate", "Classify"]
    assert (result.study.is_demo, result.study.subject) == (True, EMBEDDED_MODEL)
    assert result.n_kept + result.n_removed == 20
    assert result.draw.n_tasks == result.n_kept
    assert result.draw.n_undecided == 0
    [entry] = tables_document(bench.store, [result.study])["studies"]
    assert sum(entry["cells"].values()) == result.n_kept
    assert verify(bench.store) == []


def test_what_the_checks_decide_stands_under_their_own_name_with_a_reason(
    open_bench: Callable[..., Workbench],
) -> None:
    bench = open_bench(_some_broken)
    result = run_demo(bench, per_cell=2, watch=_watched([]))
    rows = bench.store.rows("export_tasks", study_id=result.study.study_id)
    assert {row["decided_by"] for row in rows} == {STAND_IN}
    removed = [row for row in rows if row["state"] == "removed"]
    assert len(removed) == result.n_removed
    reasons = Counter(row["removal_reason"] for row in removed)
    assert reasons["duplicate"] == 1
    assert reasons["states_feasibility"] == 1


def test_the_stand_in_decides_each_task_once_and_no_task_a_person_decided(
    open_bench: Callable[..., Workbench],
) -> None:
    bench = open_bench(_some_broken)
    study = create_demo_study(bench.store, per_cell=1)
    start_step(bench, study, "generate").wait(20)
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=person_named(bench.store, "Ada"))
    kept, removed = stand_in_for_curator(bench.store, study)
    assert kept + removed == 9
    assert stand_in_for_curator(bench.store, study) == (0, 0)
    assert [row["person"] for row in task_history(bench.store, task.task_id)] == ["Ada"]
    assert sum(cell["pending"] for cell in cell_counts(bench.store, study).values()) == 0


def test_a_second_demo_is_a_study_of_its_own(bench: Workbench) -> None:
    for _ in range(2):
        run_demo(bench, per_cell=1, watch=_watched([]))
    assert [one.study.name for one in list_studies(bench.store)] == ["Demo study 2", "Demo study"]


@pytest.mark.parametrize("per_cell", [1, 3])
def test_the_demo_invents_as_many_tasks_in_each_cell_as_asked(
    bench: Workbench, per_cell: int
) -> None:
    result = run_demo(bench, per_cell=per_cell, watch=_watched([]))
    counts = cell_counts(bench.store, result.study)
    assert {cell["n_tasks"] for cell in counts.values()} == {per_cell}


def test_a_model_that_cannot_be_run_ends_the_demo_with_its_own_reason(
    open_bench: Callable[..., Workbench],
) -> None:
    def missing(_request: Request) -> Exception:
        return ModelError("the weights are not there", hint="run make install")

    bench = open_bench(missing)
    with pytest.raises(ModelError, match="the weights are not there") as caught:
        run_demo(bench, per_cell=1, watch=_watched([]))
    assert caught.value.hint == "run make install"


def test_a_demo_that_is_stopped_goes_no_further(bench: Workbench) -> None:
    def stop(_title: str, run: Run) -> Progress:
        run.stop()
        return run.wait(20)

    with pytest.raises(ConflictError, match="was stopped while inventing tasks"):
        run_demo(bench, per_cell=90, watch=stop)
