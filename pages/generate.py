"""Generate: have the subject invent tasks, watch it, and top up cells that curation emptied."""

from collections.abc import Mapping

import streamlit as st

from core.errors import SelfboundError
from core.protocols.base import Cell, Step
from core.workflows.curation import cell_counts
from core.workflows.drawing import supply_shortfalls
from core.workflows.plans import plan_cells
from core.workflows.steps import live_run
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.imports import bring_dialog, import_is_done, import_panel
from pages.shared.quantities import human_count
from pages.shared.run_panel import run_controls, run_details
from pages.shared.session import chosen_study, guarded_workbench
from pages.shared.study_bar import screen_title, to_next_screen
from pages.shared.text import plain
from pages.shared.widgets import problem


def offer_top_up(
    bench: Workbench, study: Study, step: Step, cells: Mapping[Cell, Mapping[str, int]]
) -> None:
    """The cells that cannot fill the draw, each with a button that plans what is missing."""
    short = supply_shortfalls(bench.store, study, step, cells)
    if not short:
        return
    with st.expander(f"{human_count(len(short), 'cell')} short of tasks", expanded=True):
        st.caption(
            f"The draw wants {human_count(study.per_cell, 'task')} from each cell. "
            "A cell falls short when replies could not be used or tasks were removed; "
            "calls that are planned already are counted in."
        )
        for one in short:
            missing = one.wanted - one.found
            left, right = st.columns([4, 1], vertical_alignment="center")
            left.markdown(plain(f"{', '.join(one.cell)}: {one.found} of {one.wanted}"))
            if right.button(f"Top up by {missing}", key=f"top_up_{'_'.join(one.cell)}"):
                try:
                    plan_cells(bench.store, study, step, {one.cell: missing})
                except SelfboundError as error:
                    problem(error)
                else:
                    st.rerun()


def bring_tasks(bench: Workbench, study: Study) -> None:
    """What this screen holds where people bring the tasks: the way to do so, and the way on."""
    was_done = import_is_done()
    noun = study.shape.brought.noun
    n_tasks = bench.store.value("n_tasks", study_id=study.study_id)
    here = f"There are {human_count(n_tasks, noun)}." if n_tasks else "There are none yet."
    st.info(f"Nothing is generated in this study: people bring its {noun}s. {here}")
    with st.container(horizontal=True):
        if st.button(f"Import {noun}s", type="secondary" if n_tasks else "primary"):
            bring_dialog(bench, study)
        if n_tasks:
            to_next_screen("Look through them", "curate", is_main=False)
            to_next_screen(f"Go on to {study.shape.steps[0].title}", "classify")
    import_panel(was_done=was_done)


bench = guarded_workbench()
head = st.empty()
with head.container():
    screen_title("Generate", "The subject invents tasks it believes it can and cannot carry out.")
study = chosen_study(bench)
step = next((step for step in study.shape.steps if step.makes_tasks), None)

if step is None:
    with head.container():
        screen_title("Generate", f"Where the {study.shape.brought.noun}s of this study come from.")
    bring_tasks(bench, study)
    st.stop()
if study.source == "imported":
    st.info("This study came with its tasks, so there is nothing to generate.")
    to_next_screen("Look at its results", "results")
    st.stop()

st.caption(
    plain(
        f"{study.subject} · prompts {study.prompt_set} · "
        f"{study.per_type} tasks per type and side, "
        f"{study.per_type * len(study.shape.cells)} in all"
    )
)
run_controls(bench, study, step, model=study.subject)
is_running = live_run(bench, study, step.name) is not None
cells = cell_counts(bench.store, study)
n_tasks = sum(counts["n_tasks"] for counts in cells.values())
if n_tasks and not is_running:
    to_next_screen(f"Curate {human_count(n_tasks, 'task')}", "curate")
    offer_top_up(bench, study, step, cells)
run_details(bench, study, step)
