"""A number for each cell of a study against the number wanted: a row a type, a column a side."""

from collections.abc import Mapping

import streamlit as st

from core.protocols.base import Cell
from pages.shared.text import exact_html


def cell_table(found: Mapping[Cell, int], wanted: Mapping[Cell, int], *, note: str) -> None:
    """Show how far each cell is; a cell that falls short stands out.

    Args:
        found: the number each cell has, in display order.
        wanted: the number each cell should have.
        note: what the numbers count, shown below.
    """
    st.html(cell_table_html(found, wanted))
    st.caption(note)


def cell_table_html(found: Mapping[Cell, int], wanted: Mapping[Cell, int]) -> str:
    """The HTML of `cell_table`; a cell that is in neither is none of the study's.

    Example:
        >>> cell_table_html({("A", "x"): 3}, {("A", "x"): 4}).count("sb-short")
        1
    """
    sides = list(dict.fromkeys(side for _, side in found))
    kinds = list(dict.fromkeys(kind for kind, _ in found))
    head = "".join(f"<th>{exact_html(side)}</th>" for side in sides)
    rows = "".join(
        f"<tr><th>{exact_html(kind)}</th>"
        + "".join(_cell(found.get((kind, side)), wanted.get((kind, side))) for side in sides)
        + "</tr>"
        for kind in kinds
    )
    return (
        f'<table class="sb-cells"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _cell(found: int | None, wanted: int | None) -> str:
    if found is None or wanted is None:
        return "<td>–</td>"
    short = ' class="sb-short"' if found < wanted else ""
    share = min(100, round(100 * found / wanted)) if wanted else 0
    return f'<td{short}><span style="--share:{share}%">{found:,} / {wanted:,}</span></td>'
