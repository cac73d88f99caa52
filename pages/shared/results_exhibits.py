"""An exhibit on screen: its sentence, its chart with a way to the tasks, its numbers, its files."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.drawing import exhibit_chart
from core.protocols.base import Exhibit
from core.workflows.drilldown import TaskQuery
from pages.shared.exhibit_downloads import offer_exhibit
from pages.shared.kept import kept
from pages.shared.tables import show_table
from pages.shared.task_drill import pick_chart
from pages.shared.text import plain


def show_exhibit(
    exhibit: Exhibit, counts: pd.DataFrame, *, key: Hashable, sources: Sequence[str]
) -> None:
    """Show an exhibit of the studies' protocol.

    Args:
        key: all that the counts depend on.
    """
    head, downloads = st.columns([6, 1], vertical_alignment="bottom")
    with head:
        st.subheader(plain(exhibit.title), anchor=exhibit.key)
    st.caption(plain(exhibit.reading))
    table = kept(exhibit.key, key, lambda: exhibit.table(counts))
    chart = exhibit_chart(exhibit.chart, table) if exhibit.chart else None
    with downloads:
        offer_exhibit(exhibit.key, exhibit.title, table, chart, best=exhibit.best, sources=sources)
    if chart is None:
        show_table(table)
        return
    pick_chart(chart, key=exhibit.key, query_of=_query_of(exhibit))
    with st.expander("The numbers"):
        show_table(table)


def _query_of(exhibit: Exhibit) -> Any:
    if exhibit.pick is None:
        return None
    pick = exhibit.pick

    def query(mark: Mapping[str, str]) -> TaskQuery:
        return TaskQuery(**pick(mark))

    return query
