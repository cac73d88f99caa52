"""Generate: have the subject invent tasks, watch it, and top up cells that curation emptied."""

import streamlit as st

from core.errors import SelfboundError
from core.workflows.curation import cell_counts
from core.workflows.drawing import supply_shortfalls
from core.workflows.plans import plan_cells
from core.workflows.steps import live_run
from pages.shared.quantities import human_count
from pages.shared.run_panel import run_panel
from pages.shared.session import chosen_study, guarded_workbench
from pages.shared.study_bar import screen_title, to_next_screen
from pages.shared.text import plain
from pages.shared.widgets import problem

bench = guarded_workbench()
screen_title("Generate", "The subject invents tasks it believes it can and cannot carry out.")
study = chosen_study(bench)
step = next((step for step in study.shape.steps if step.makes_tasks), None)

if study.source == "imported" or step is None:
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
run_panel(bench, study, step, model=study.subject)

if live_run(bench, study, step.name) is None:
    cells = cell_counts(bench.store, study)
    n_tasks = sum(counts["n_tasks"] for counts in cells.values())
    short = supply_shortfalls(cells, study.per_cell) if n_tasks else ()
    if short:
        st.subheader("Cells that are short", anchor=False)
        st.write(
            f"The draw wants {human_count(study.per_cell, 'task')} from each cell. "
            "A cell falls short when replies could not be used or tasks were removed."
        )
        for one in short:
            missing = one.wanted - one.found
            left, right = st.columns([4, 1], vertical_alignment="center")
            left.markdown(plain(f"{', '.join(one.cell)}: {one.found} of {one.wanted}"))
            if right.button(f"Top up by {missing}", key=f"top_up_{'_'.join(one.cell)}"):
                try:
                    plan_cells(bench, study, step, {one.cell: missing})
                except SelfboundError as error:
                    problem(error)
                else:
                    st.rerun()
    if n_tasks:
        to_next_screen(f"Curate {human_count(n_tasks, 'task')}", "curate")
