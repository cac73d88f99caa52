"""Classify: draw the balanced sample, then let models and people carry out or decline its tasks."""

import json

import pandas as pd
import streamlit as st

from core.errors import SelfboundError
from core.sampling import Shortfall
from core.workflows.drawing import (
    draw_every_task,
    draw_tasks,
    shortfall_sentence,
    takes_removed,
)
from core.workflows.human_baseline import attempt_step
from core.workflows.results import has_results
from core.workflows.steps import live_run, model_for
from core.workflows.studies import Study
from core.workflows.study_settings import MOST_PER_TYPE
from pages.shared.attempt_desk import show_attempt_desk
from pages.shared.quantities import human_count
from pages.shared.run_panel import run_controls, run_details
from pages.shared.session import chosen_study, guarded_workbench
from pages.shared.study_bar import screen_title, to_next_screen
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem

VIEWS = {"model": "A model", "people": "People"}

bench = guarded_workbench()
screen_title("Classify", "Each drawn task is carried out, or declined for one reason.")
left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
study = chosen_study(bench, place=right)
by = "model"
if attempt_step(study) is not None:
    asked = st.query_params.get("by")
    st.session_state.setdefault("by", asked if asked in VIEWS else "model")
    by = left.segmented_control(
        "Who classifies",
        list(VIEWS),
        format_func=VIEWS.get,
        required=True,
        label_visibility="collapsed",
        key="by",
    )
    # Not bound to the address: a button could then lead to no other screen.
    if by != st.query_params.get("by", "model"):
        st.query_params["by"] = by
if by == "people":
    # Nothing else of this screen: it would tell how the tasks were meant.
    show_attempt_desk(bench, study)
    st.stop()

step = next(step for step in study.shape.steps if step.works_on_draw)
store = bench.store
is_running = live_run(bench, study, step.name) is not None


def draw_form(study: Study, draw: dict | None) -> None:
    """The size and seed of a draw, and the button that makes it."""
    with st.form("draw", border=True):
        left, middle, right = st.columns([2, 2, 3], vertical_alignment="bottom")
        every = right.checkbox("Take every task instead")
        per_cell = left.number_input("Tasks per type and side", 1, MOST_PER_TYPE, study.per_cell)
        seed = middle.number_input("Seed", value=study.seed, step=1)
        with_removed = st.checkbox(
            "Include removed tasks",
            value=draw is not None and takes_removed(draw["kind"]),
            help="Removed tasks are put before the model too, so that results can be told with "
            "and without them; it costs their calls.",
        )
        if st.form_submit_button("Draw again" if draw else "Draw the sample", type="primary"):
            try:
                if every:
                    draw_every_task(store, study, with_removed=with_removed)
                else:
                    draw_tasks(
                        store, study, per_cell=per_cell, seed=seed, with_removed=with_removed
                    )
            except SelfboundError as error:
                problem(error)
            else:
                st.rerun()


def tell_draw(draw: dict, cells: list[dict]) -> None:
    """The draw in force: how many tasks of each cell, and what was short."""
    st.markdown(
        plain(
            f"{human_count(draw['n_tasks'], 'task')} drawn"
            + (f" with seed {draw['seed']}" if draw["seed"] is not None else "")
            + f", {draw['drawn_at']:%d %B %Y, %H:%M} UTC"
        )
    )
    shortfalls = [
        Shortfall(tuple(cell), wanted, found)
        for cell, wanted, found in json.loads(draw["shortfalls_json"])
    ]
    if shortfalls:
        said = "; ".join(shortfall_sentence(one) for one in shortfalls)
        st.warning(plain(f"Some cells had fewer tasks than were wanted. {said}."))
    removed = sum(cell["removed_since"] for cell in cells)
    if removed and takes_removed(draw["kind"]):
        count = human_count(removed, "removed task is", "removed tasks are")
        st.info(
            f"{count} among them, for the comparison with and without; the tables leave them out."
        )
    elif removed:
        count = human_count(removed, "drawn task has", "drawn tasks have")
        st.info(f"{count} been removed since; the results leave them out.")
    table = pd.DataFrame(cells).pivot(index="type", columns="intent", values="drawn")
    table = table.reindex(dict.fromkeys(kind for kind, _ in study.shape.cells))
    with st.expander("Drawn tasks by type and side"):
        st.dataframe(table.fillna(0).astype(int))


st.subheader("The draw", anchor=False)
current = store.rows("draw_now", study_id=study.study_id)
supply = store.rows("drawable_tasks", study_id=study.study_id)
if not supply:
    if empty_state(
        "There are no tasks to draw from",
        "Tasks are generated first; people then remove the malformed ones.",
        "Go to Generate",
        key="to_generate",
    ):
        st.switch_page("pages/generate.py")
    st.stop()
undecided = sum(row["state"] in ("pending", "skipped") for row in supply)
if current:
    tell_draw(current[0], store.rows("drawn_cells", study_id=study.study_id))
if undecided and study.source != "imported":
    st.caption(
        f"{human_count(undecided, 'task')} of {len(supply):,} on offer "
        "have not been decided by anybody yet; the draw takes them as they are."
    )
if not is_running:
    if current:
        with st.expander("Draw again"):
            draw_form(study, current[0])
    else:
        draw_form(study, None)
if not current:
    st.stop()

st.subheader("The run", anchor=False)
if study.source == "imported":
    st.caption("The subject's own classifications came with the import.")
model = st.text_input(
    "Model", study.subject, help="Another model than the subject classifies the same tasks too."
)
if model.strip():
    try:
        run_controls(bench, study, step, model=model_for(study, step, model))
    except SelfboundError as error:
        problem(error)
if not is_running and has_results(store, study):
    to_next_screen("See the results", "results")
run_details(bench, study, step)
