"""Downloads of an exhibit: its table as CSV, LaTeX and Markdown, its chart as SVG and PNG.

Every file is made when its button is clicked, in a thread of its own, so that showing the buttons
costs nothing and the page stays alive meanwhile.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.pictures import chart_png, chart_svg
from core.exchange.shown_table import Best
from core.exchange.table_text import GAP_NOTE, csv_text, latex_table, markdown_table
from pages.shared.text import plain

DIGITS = {"2 decimals": 2, "3 decimals": 3}


def title_row(title: str, *, anchor: str) -> Any:
    """The place at the end of the heading's line, for the downloads; the heading is written."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.subheader(plain(title), anchor=anchor, width="content")
        return st.container(width="content")


def offer_exhibit(
    exhibit_key: str,
    title: str,
    table: pd.DataFrame,
    chart: Any = None,
    *,
    best: Mapping[str, Best] | None = None,
    best_within: Sequence[str] = (),
    gap_note: str = GAP_NOTE,
    sources: Sequence[str] = (),
) -> None:
    """A popover with a button for each format.

    Args:
        exhibit_key: names files and buttons; used once on a page.
        title: the caption of a LaTeX table.
        table: the exhibit's numbers. chart: its Altair chart, where it has one.
        best, best_within: what is bold in LaTeX and Markdown, see `core.exchange.shown_table`.
        gap_note: why values can be missing, where the column `why` does not say so.
        sources: comments that say where a LaTeX table's numbers come from.
    """
    with st.popover("Download", icon=":material/download:", key=f"downloads-{exhibit_key}"):
        digits = DIGITS[
            st.segmented_control(
                "In LaTeX and Markdown",
                DIGITS,
                default="2 decimals",
                required=True,
                key=f"digits-{exhibit_key}",
            )
        ]
        marks = {"best": best, "best_within": best_within, "gap_note": gap_note, "digits": digits}
        latex = partial(
            latex_table, table, caption=title, label=exhibit_key, sources=sources, **marks
        )
        _button(exhibit_key, "CSV", ".csv", "text/csv", partial(csv_text, table))
        _button(exhibit_key, "LaTeX", ".tex", "application/x-tex", latex)
        markdown = partial(markdown_table, table, **marks)
        _button(exhibit_key, "Markdown", ".md", "text/markdown", markdown)
        if chart is not None:
            _button(exhibit_key, "SVG", ".svg", "image/svg+xml", partial(chart_svg, chart))
            _button(exhibit_key, "PNG", ".png", "image/png", partial(chart_png, chart))


def _button(exhibit_key: str, name: str, ending: str, media_type: str, make: Any) -> None:
    st.download_button(
        name,
        make,
        file_name=f"{exhibit_key}{ending}",
        mime=media_type,
        on_click="ignore",
        key=f"download-{exhibit_key}{ending}",
        width="stretch",
    )
