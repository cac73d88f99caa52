"""Named rows against named columns: a square a pair, coloured by a share, with two numbers."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from core.charts.theme import NEUTRAL, axis_options, heat_colour, picked, text_colour_on

STEP = 40
"""Height of a row in pixels: room for two numbers."""
MOST_WITH_TEXT = 20
"""With more columns, a square is too narrow for numbers; pointing at it still tells them."""
NARROW_STEP = 20


def squares_chart(
    squares: pd.DataFrame,
    *,
    row_title: str,
    column_title: str,
    told: Sequence[alt.Tooltip],
    width: int,
    picks: Sequence[str] = ("row", "column"),
    is_named: bool = True,
) -> alt.LayerChart:
    """The chart, without its title and description; a click on a square picks its names.

    Args:
        squares: row, column, share (NaN for none), above and below (the two texts in the square),
            is_outlined, and what `told` names. Names keep their order of appearance.
        row_title, column_title: what the axes are called.
        told: what pointing at a square tells, after its names.
        width: of the squares together, in pixels; labels come on top.
        picks: the columns that a click picks.
        is_named: whether the axes show what they are called; else only pointing tells.
    """
    drawn = squares.assign(fill=[heat_colour(share) for share in squares["share"].fillna(0.0)])
    drawn["ink"] = [text_colour_on(fill) for fill in drawn["fill"]]
    drawn["outline"] = [NEUTRAL if one else "transparent" for one in drawn["is_outlined"]]
    drawn["outline_width"] = [2 if one else 0 for one in drawn["is_outlined"]]
    # Vega would sort by name.
    down, across = list(drawn["row"].unique()), list(drawn["column"].unique())
    has_text = len(across) <= MOST_WITH_TEXT
    step = STEP if has_text else NARROW_STEP
    base = alt.Chart(drawn, width=width, height=alt.Step(step)).encode(
        x=alt.X(
            field="column",
            type="nominal",
            sort=across,
            title=column_title if is_named else None,
            axis=alt.Axis(orient="top", labelAngle=-35, **axis_options()),
        ),
        y=alt.Y(
            field="row",
            type="nominal",
            sort=down,
            title=row_title if is_named else None,
            axis=alt.Axis(**axis_options()),
        ),
        tooltip=[
            alt.Tooltip(field="row", type="nominal", title=row_title),
            alt.Tooltip(field="column", type="nominal", title=column_title),
            *told,
        ],
    )
    rects = base.mark_rect(cursor="pointer").encode(
        fill=alt.Fill(field="fill", type="nominal", scale=None),
        stroke=alt.Stroke(field="outline", type="nominal", scale=None),
        strokeWidth=alt.StrokeWidth(field="outline_width", type="quantitative", scale=None),
    )
    rects = picked(rects, picks)
    if not has_text:
        return alt.layer(rects)
    colour = alt.Color(field="ink", type="nominal", scale=None)
    above = base.mark_text(dy=-6, fontSize=12, fontWeight="bold").encode(
        text=alt.Text(field="above", type="nominal"), color=colour
    )
    below = base.mark_text(dy=8, fontSize=10).encode(
        text=alt.Text(field="below", type="nominal"), color=colour
    )
    return alt.layer(rects, above, below)
