"""Confusion charts: one square per pair of names, with its count and its share of the row."""

import altair as alt
import pandas as pd

from core.charts.squares import squares_chart
from core.charts.theme import MIN_N, compact, finish, message_chart, percent


def confusion_chart(
    frame: pd.DataFrame,
    *,
    rows: str = "generated",
    columns: str = "classified",
    row_title: str = "Generated as",
    column_title: str = "Classified as",
    title: str = "",
    width: int = 620,
) -> alt.Chart | alt.LayerChart:
    """The chart of a confusion frame: colour is the share of the row, outlined cells agree.

    Args:
        frame: the two name columns, n, row_total and share: one row per pair, as
            `metrics.confusion.confusion_frame` gives. Names keep their order of appearance.
        rows, columns: the columns of the frame that name the rows and columns of the chart.
        row_title, column_title: what the axes are called.
        title: plain text; empty for none.
        width: of the squares together, in pixels; labels come on top.

    Returns:
        The chart; with fewer than five tasks, a chart that says so in words.
    """
    total = int(frame["n"].sum())
    if total < MIN_N:
        return message_chart(_too_few(total), title=title)
    cells = _cells(frame, rows, columns)
    told = [
        alt.Tooltip(field="n", type="quantitative", title="Tasks", format=","),
        alt.Tooltip(field="row_total", type="quantitative", title="Tasks in the row", format=","),
        alt.Tooltip(field="share_text", type="nominal", title="Share of the row"),
    ]
    chart = squares_chart(
        cells, row_title=row_title, column_title=column_title, told=told, width=width
    )
    return finish(
        chart, title=title, description=_description(cells, total, row_title, column_title)
    )


def _cells(frame: pd.DataFrame, rows: str, columns: str) -> pd.DataFrame:
    cells = pd.DataFrame(
        {"row": frame[rows].astype(str), "column": frame[columns].astype(str)}
    ).assign(n=frame["n"], row_total=frame["row_total"], share=frame["share"].astype(float))
    cells["is_outlined"] = cells["row"] == cells["column"]
    cells["share_text"] = [
        "no task in the row" if pd.isna(share) else percent(share) for share in cells["share"]
    ]
    # A square without tasks stays blank: in twelve by twelve the zeros would hide the rest.
    filled = cells["n"] > 0
    cells["above"] = cells["n"].map(compact).where(filled, "")
    cells["below"] = cells["share_text"].where(filled, "")
    return cells


def _too_few(total: int) -> str:
    if not total:
        return "Nothing to draw yet: no task has been classified."
    noun = "task" if total == 1 else "tasks"
    return f"Only {total} classified {noun}: too few to draw (fewer than {MIN_N})."


def _description(cells: pd.DataFrame, total: int, row_title: str, column_title: str) -> str:
    agree = int(cells.loc[cells["row"] == cells["column"], "n"].sum())
    apart = cells[(cells["row"] != cells["column"]) & (cells["n"] > 0)]
    worst = apart.sort_values(["n", "row", "column"], ascending=[False, True, True]).head(3)
    named = "; ".join(
        f"{cell.row} as {cell.column}, {cell.n:,} of {cell.row_total:,} ({percent(cell.share)})"
        for cell in worst.itertuples()
    )
    head = (
        f"{row_title} down, {column_title.lower()} across, {total:,} tasks. "
        f"{agree:,} ({percent(agree / total)}) have the same name on both sides."
    )
    return f"{head} Most frequent confusions: {named}." if named else head
