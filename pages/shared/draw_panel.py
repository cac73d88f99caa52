"""The balanced draw: what is drawn, what was short of tasks, and the form that draws."""

import json

import pandas as pd
import streamlit as st

from core.errors import SelfboundError
from core.sampling import Shortfall
from core.store.store import Store
from core.workflows.drawing import (
    draw_every_task,
    draw_tasks,
    shortfall_sentence,
    takes_removed,
)
from core.workflows.studies import Study
from core.workflows.study_settings import MOST_PER_TYPE
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem


def show_draw(store: Store, study: Study, *, is_running: bool) -> bool:
    """Show the draw of a study, and offer to draw; whether anything is drawn now.

    Args:
        is_running: whether the drawn tasks are before a model now, so that none are drawn anew.
    """
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
        tell_draw(study, current[0], store.rows("drawn_cells", study_id=study.study_id))
    if undecided and study.source != "imported":
        st.caption(
            f"{human_count(undecided, 'task')} of {len(supply):,} on offer "
            "have not been decided by anybody yet; the draw takes them as they are."
        )
    if is_running:
        return bool(current)
    if current:
        with st.expander("Draw again"):
            draw_form(store, study, current[0])
    else:
        draw_form(store, study, None)
    return bool(current)


def draw_form(store: Store, study: Study, draw: dict | None) -> None:
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


def tell_draw(study: Study, draw: dict, cells: list[dict]) -> None:
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
