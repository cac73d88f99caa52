"""How many usable tasks each cell has against what the draw wants, as a small table."""

import streamlit as st

from core.protocols.base import Cell
from core.workflows.studies import Study
from pages.shared.text import exact_html


def curation_table(study: Study, cells: dict[Cell, dict[str, int]]) -> None:
    """A row per type, a column per side: tasks not removed, of the number wanted."""
    sides = list(dict.fromkeys(side for _, side in cells))
    types = list(dict.fromkeys(kind for kind, _ in cells))
    head = "".join(f"<th>{exact_html(side)}</th>" for side in sides)
    rows = "".join(
        f"<tr><th>{exact_html(kind)}</th>"
        + "".join(_cell(cells[kind, side], study.per_cell) for side in sides)
        + "</tr>"
        for kind in types
    )
    st.html(
        f'<table class="sb-cells"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
    st.caption(f"Tasks not removed, of the {study.per_cell:,} the draw wants from each cell.")


def _cell(counts: dict[str, int], wanted: int) -> str:
    usable = counts["n_tasks"] - counts["removed"]
    short = ' class="sb-short"' if usable < wanted else ""
    share = min(100, round(100 * usable / wanted))
    return f'<td{short}><span style="--share:{share}%">{usable:,}</span></td>'
