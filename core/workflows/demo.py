"""The demo study: the whole feasibility-boundary pipeline on the embedded model.

On screen a person curates. Without a screen the automatic checks stand in for the curator, under
a name of their own, and the output says so.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.curation.checks import check_task, standing_in_decision
from core.curation.duplicates import exact_repeats
from core.errors import ConflictError, ModelError
from core.runs.progress import COMPLETED, FAILED, Progress
from core.runs.run import Run
from core.settings import EMBEDDED_MODEL
from core.store.store import Store
from core.workflows.curation import decide
from core.workflows.drawing import Draw, draw_tasks
from core.workflows.people import person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study, free_name
from core.workflows.workbench import Workbench

DEMO_NAME = "Demo study"
DEMO_PER_CELL = 4
STAND_IN = "Automatic checks (standing in for a person)"


@dataclass(frozen=True)
class DemoResult:
    """What the demo did: its study, how many tasks the checks kept and removed, and the draw."""

    study: Study
    n_kept: int
    n_removed: int
    draw: Draw


def create_demo_study(store: Store, *, per_cell: int = DEMO_PER_CELL) -> Study:
    """A new small study of the embedded model, marked as a demo."""
    return create_study(
        store,
        free_name(store, DEMO_NAME),
        protocol="feasibility_boundary",
        subject=EMBEDDED_MODEL,
        per_type=per_cell,
        is_demo=True,
    )


def run_demo(
    bench: Workbench, *, per_cell: int = DEMO_PER_CELL, watch: Callable[[str, Run], Progress]
) -> DemoResult:
    """The demo from start to end.

    Args:
        per_cell: tasks to invent per type and side.
        watch: waits for a run to end and gives its last progress; given the step's title and
            the run.

    Raises:
        ModelError: the embedded model cannot be run on this machine.
        ConflictError: a run was stopped before its end.
    """
    study = create_demo_study(bench.store, per_cell=per_cell)
    _run(bench, study, "generate", watch)
    n_kept, n_removed = stand_in_for_curator(bench.store, study)
    draw = draw_tasks(bench.store, study)
    _run(bench, study, "classify", watch)
    return DemoResult(study, n_kept, n_removed, draw)


def stand_in_for_curator(store: Store, study: Study) -> tuple[int, int]:
    """How many tasks the automatic checks kept and removed, each stored as their decision."""
    tasks = store.rows("tasks_short", study_id=study.study_id)
    repeats = exact_repeats({task["task_id"]: task["text"] for task in tasks})
    person = person_named(store, STAND_IN)
    n_kept = n_removed = 0
    for task in tasks:
        if task["state"] != "pending":
            continue
        about = {key: task[key] for key in ("intent", "type", "reason")}
        flags = check_task(task["text"], **about, taxonomy=study.taxonomy)
        action, reason = standing_in_decision(flags, is_repeat=task["task_id"] in repeats)
        decide(store, study, task["task_id"], action, person=person, reason=reason)
        n_kept += action == "keep"
        n_removed += action == "remove"
    return n_kept, n_removed


def _run(
    bench: Workbench, study: Study, step_name: str, watch: Callable[[str, Run], Progress]
) -> None:
    run = start_step(bench, study, step_name)
    if run is None:
        return
    step = study.shape.step(step_name)
    progress = watch(step.title, run)
    if progress.detail == FAILED:
        raise ModelError(progress.message, hint=progress.hint)
    if progress.detail != COMPLETED:
        raise ConflictError(
            f"{study.name} was stopped while {step.doing}",
            hint="what was answered is stored; go on in the app, or with the commands of its steps",
        )
