"""An exhibit on screen: its sentences, its chart with a way to the tasks, numbers and files."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.drawing import exhibit_chart
from core.protocols.shown import Exhibit
from core.workflows.drilldown import TaskQuery
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.kept import kept
from pages.shared.tables import show_table
from pages.shared.task_drill import pick_chart
from pages.shared.text import plain


def show_exhibit(
    exhibit: Exhibit,
    counts: pd.DataFrame,
    *,
    models: Sequence[str],
    judges: Mapping[str, str],
    key: Hashable,
    sources: Sequence[str],
) -> None:
    """Show an exhibit of the studies' protocol, when these counts have anything for it.

    Args:
        models: whose answers the counts hold, where these are not all.
        judges: by the study's name whose verdicts they hold, where there are any.
        key: all that the counts depend on.
    """
    if not exhibit.is_wanted(counts):
        return
    downloads = title_row(exhibit.title, anchor=exhibit.key)
    st.caption(plain(exhibit.reading))
    table = kept(exhibit.key, key, lambda: exhibit.table(counts))
    chart = exhibit_chart(exhibit.chart, table) if exhibit.chart else None
    with downloads:
        offer_exhibit(
            exhibit.key,
            exhibit.title,
            table,
            chart,
            best=exhibit.best(table) if exhibit.best else None,
            best_within=exhibit.best_within,
            sources=sources,
        )
    for sentence in exhibit.words(table) if exhibit.words else ():
        # A number and its sign stay on one line.
        st.markdown(plain(sentence.replace(" %", "\N{NO-BREAK SPACE}%")))
    if chart is not None:
        pick_chart(chart, key=exhibit.key, query_of=_query_of(exhibit, models, judges))
    if chart is None and exhibit.words is None:
        show_table(table)
        return
    with st.expander("The numbers"):
        show_table(table)


def _query_of(exhibit: Exhibit, models: Sequence[str], judges: Mapping[str, str]) -> Any:
    if exhibit.pick is None:
        return None
    pick = exhibit.pick

    def query(mark: Mapping[str, str]) -> TaskQuery:
        asked = TaskQuery(**{"models": tuple(models)} | pick(mark))
        return replace(asked, judge=judges.get(asked.of_study, ""))

    return query
