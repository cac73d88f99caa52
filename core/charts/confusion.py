"""Confusion charts: one square per pair of names, with its count and its share of the row."""

import altair as alt
import pandas as pd

from core.charts.theme import (
    MIN_N,
    NEUTRAL,
    axis_options,
    compact,
    finish,
    heat_colour,
    message_chart,
    percent,
    picked,
    text_colour_on,
)

STEP = 40
"""Height of a row in pixels: room for a count above a share."""
MOST_WITH_TEXT = 20
"""With more columns, a square is too narrow for numbers; pointing at it still tells them."""
NARROW_STEP = 20


def confusion_chart(
    frame: pd.DataFrame,
    *,
    rows: str = "generated",
    columns: str = "classified",
    row_title: str = "Generated as",
    column_title: str = "Classified as",
    share_title: str = "Share of the row",
    title: str = "",
    width: int = 620,
) -> alt.Chart | alt.LayerChart:
    """The chart of a confusion frame: colour is the share of the row, outlined cells agree.

    Args:
        frame: the two name columns, n, row_total and share: one row per pair, as
            `metrics.confusion.confusion_frame` gives. Names keep their order of appearance.
        rows, columns: the columns of the frame that name the rows and columns of the chart.
        row_title, column_title: what the axes are called.
        share_title: what a square's share is.
        title: plain text; empty for none.
        width: of the squares together, in pixels; labels come on top.

    Returns:
        The chart; with fewer than five tasks, a chart that says so in words.
    """
    total = int(frame["n"].sum())
    if total < MIN_N:
        return message_chart(_too_few(total), title=title)
    cells = _cells(frame, rows, columns)
    # Vega would sort by name; the frame comes in the order of the taxonomy.
    down, across = list(cells["row"].unique()), list(cells["column"].unique())
    has_text = len(across) <= MOST_WITH_TEXT
    step = STEP if has_text else NARROW_STEP
    base = alt.Chart(cells, width=width, height=alt.Step(step)).encode(
        x=alt.X(
            field="column",
            type="nominal",
            sort=across,
            title=column_title,
            axis=alt.Axis(orient="top", labelAngle=-35, **axis_options()),
        ),
        y=alt.Y(
            field="row",
            type="nominal",
            sort=down,
            title=row_title,
            axis=alt.Axis(**axis_options()),
        ),
        tooltip=[
            alt.Tooltip(field="row", type="nominal", title=row_title),
            alt.Tooltip(field="column", type="nominal", title=column_title),
            alt.Tooltip(field="n", type="quantitative", title="Tasks", format=","),
            alt.Tooltip(
                field="row_total", type="quantitative", title="Tasks in the row", format=","
            ),
            alt.Tooltip(field="share_text", type="nominal", title=share_title),
        ],
    )
    squares = base.mark_rect(cursor="pointer").encode(
        fill=alt.Fill(field="fill", type="nominal", scale=None),
        stroke=alt.Stroke(field="outline", type="nominal", scale=None),
        strokeWidth=alt.StrokeWidth(field="outline_width", type="quantitative", scale=None),
    )
    squares = picked(squares, ("row", "column"))
    colour = alt.Color(field="ink", type="nominal", scale=None)
    counts = base.mark_text(dy=-6, fontSize=12, fontWeight="bold").encode(
        text=alt.Text(field="count_text", type="nominal"), color=colour
    )
    shares = base.mark_text(dy=8, fontSize=10).encode(
        text=alt.Text(field="cell_share", type="nominal"), color=colour
    )
    chart = alt.layer(squares, counts, shares) if has_text else alt.layer(squares)
    return finish(
        chart, title=title, description=_description(cells, total, row_title, column_title)
    )


def _cells(frame: pd.DataFrame, rows: str, columns: str) -> pd.DataFrame:
    cells = pd.DataFrame(
        {"row": frame[rows].astype(str), "column": frame[columns].astype(str)}
    ).assign(n=frame["n"], row_total=frame["row_total"], share=frame["share"].astype(float))
    filled = cells["n"] > 0
    agree = cells["row"] == cells["column"]
    cells["fill"] = [heat_colour(share) for share in cells["share"].fillna(0.0)]
    cells["ink"] = [text_colour_on(fill) for fill in cells["fill"]]
    cells["outline"] = [NEUTRAL if same else "transparent" for same in agree]
    cells["outline_width"] = [2 if same else 0 for same in agree]
    cells["share_text"] = [
        "no task in the row" if pd.isna(share) else percent(share) for share in cells["share"]
    ]
    # A square without tasks stays blank: in twelve by twelve the zeros would hide the rest.
    cells["count_text"] = cells["n"].map(compact).where(filled, "")
    cells["cell_share"] = cells["share_text"].where(filled, "")
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
