"""The way of the tasks on Results: how many reached each stage, and what removing some changed."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.charts.drawing import exhibit_chart
from core.protocols.shown import Exhibit, Words
from core.store.store import Store
from core.workflows.drilldown import TaskQuery
from core.workflows.funnel import curation_funnels, funnel_reading
from core.workflows.reporting import sources
from core.workflows.studies import Study
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.tables import show_table
from pages.shared.task_drill import pick_chart
from pages.shared.text import plain


def show_funnel(store: Store, studies: Sequence[Study], words: Words) -> None:
    """How many tasks reached each stage: the chart of one study, the numbers of all; nothing where
    there are no tasks, as where a study has agents alone."""
    table = curation_funnels(store, studies)
    if not table["n"].any():
        return
    downloads = title_row(words.funnel, anchor="funnel")
    st.caption(plain(funnel_reading(words.task)))
    names = [study.name for study in studies]
    name = (
        st.selectbox("The funnel of", names, key="funnel", bind="query-params")
        if len(names) > 1
        else names[0]
    )
    chart = exhibit_chart("funnel", table[table["study"] == name])
    pick_chart(
        chart,
        key=f"funnel_{name}",
        query_of=lambda mark: TaskQuery(of_study=name, stage=mark["stage"]),
    )
    numbers = table.drop(columns=["stage", "within"])
    with st.expander("The numbers"):
        show_table(numbers)
    with downloads:
        offer_exhibit("funnel", words.funnel, numbers, chart, sources=sources(studies))


def show_removal(exhibit: Exhibit, effect: pd.DataFrame | None, words: Words) -> None:
    """The metrics without and with the removed tasks, or why there is nothing to compare."""
    st.subheader(plain(exhibit.title), anchor=exhibit.key)
    if effect is None:
        none = f"No removed {words.task} has been {words.done}, so there is nothing to compare."
        st.caption(plain(f"{none} {words.no_removed}".strip()))
        return
    st.caption(plain(exhibit.reading))
    show_table(effect)
