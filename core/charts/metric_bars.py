"""Shares as bars with their intervals, the numbers written beside them."""

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from core.charts.theme import (
    BAR_HEIGHT,
    MIN_N,
    MODEL_COLOURS,
    NEUTRAL,
    axis_options,
    finish,
    message_chart,
    picked,
)
from core.metric_names import in_words

STEP = 22
LETTER, LONGEST_NAME = 7.2, 420
"""Pixels: about the width of a letter of the legend, and how much of a name it shows."""
PICKED = ("study", "model", "type", "question_group", "metric")
"""Columns of the frame that tell which tasks are behind a bar."""


def metric_bars(
    frame: pd.DataFrame,
    *,
    group: str | tuple[str, ...] = "study",
    series: str = "metric",
    colours: Mapping[str, str] | None = None,
    title: str = "",
    width: int = 460,
) -> alt.Chart | alt.LayerChart:
    """Bars in [0, 1] by group, one for each of the series, with 95 % intervals where there are.

    Args:
        frame: the columns that `group` and `series` name, value, low, high, n and why, as
            `metrics.metric_frames.metric_table` gives. NaN is "not defined" and gets words, and
            so does a row of fewer than five tasks.
        group: the column that names the bundles of bars (study, type, subject ...), or several
            columns that name them together.
        series: the column that names the bars of a bundle (metric, subject, prompt_set ...).
        colours: a colour per value of `series` (`theme.model_colours` for models), grey for one
            it lacks; by default the palette in order of appearance.
        title: plain text; empty for none.
        width: of the bars' area, in pixels.

    Returns:
        The chart; with no bar to draw, a chart that says so in words.
    """
    bars = _bars(frame, group, series)
    if bars["value"].isna().all():
        return message_chart("Nothing to draw: too few tasks have been classified.", title=title)
    names = list(bars["series"].unique())
    found = colours or _in_turn(frame[series].unique())
    palette = [found.get(value, NEUTRAL) for value in frame[series].unique()]
    base = _rows(bars, names, width)
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f", domain=False, grid=True)
    bar = base.mark_bar(cornerRadius=2, height=BAR_HEIGHT, cursor="pointer")
    drawn = picked(bar, [name for name in PICKED if name in bars.columns]).encode(
        x=alt.X(field="value", type="quantitative", scale=scale, title=None, axis=axis, stack=None),
        color=alt.Color(
            field="series",
            type="nominal",
            sort=names,
            title=None,
            scale=alt.Scale(domain=names, range=palette),
            legend=_legend(names, width),
        ),
    )
    ends = base.encode(
        x=alt.X(field="low", type="quantitative", scale=scale), x2=alt.X2(field="high")
    )
    # A white rim under a dark line: seen on every bar colour and on either background.
    intervals = (
        ends.mark_rule(color="#FFFFFF", strokeWidth=4, opacity=0.75),
        ends.mark_rule(color="#2B3440", strokeWidth=1.8),
    )
    # The number stands at the right edge, in line with the others, clear of bar and interval.
    numbers = base.mark_text(align="left", dx=8, color=NEUTRAL, fontSize=11).encode(
        x=alt.value("width"), text=alt.Text(field="text", type="nominal")
    )
    layers = alt.layer(drawn, *intervals, numbers)
    return finish(layers, title=title, description=_description(bars))


def _rows(bars: pd.DataFrame, names: list[str], width: int) -> alt.Chart:
    """What the layers share: the rows, their bundles and the tooltip."""
    return alt.Chart(bars, width=width, height=alt.Step(STEP, **{"for": "offset"})).encode(
        y=alt.Y(
            field="group",
            type="nominal",
            sort=list(bars["group"].unique()),
            title=None,
            axis=alt.Axis(**axis_options()),
            scale=alt.Scale(paddingInner=0.15),
        ),
        yOffset=alt.YOffset(
            field="series", type="nominal", sort=names, scale=alt.Scale(paddingInner=0.15)
        ),
        tooltip=[
            alt.Tooltip(field="group", type="nominal", title="Group"),
            alt.Tooltip(field="series", type="nominal", title="Bar"),
            alt.Tooltip(field="text", type="nominal", title="Value"),
            alt.Tooltip(field="why", type="nominal", title="Note"),
        ],
    )


def _legend(names: Sequence[str], width: int) -> alt.Legend | None:
    """A legend above the bars that wraps: one row as wide as all names would be cut off."""
    if len(names) < 2:
        return None
    widths = [min(len(name) * LETTER, LONGEST_NAME) + 40 for name in names]
    n_columns = len(names) if sum(widths) <= width else max(1, int(width // max(widths)))
    return alt.Legend(orient="top", labelLimit=LONGEST_NAME, columns=n_columns)


def _in_turn(names: Sequence[str]) -> dict[str, str]:
    return {name: MODEL_COLOURS[at % len(MODEL_COLOURS)] for at, name in enumerate(names)}


def _bars(frame: pd.DataFrame, group: str | tuple[str, ...], series: str) -> pd.DataFrame:
    enough = frame["n"] >= MIN_N
    first, *others = (group,) if isinstance(group, str) else group
    groups = _shown(frame, first)
    for column in others:
        groups = groups + " · " + _shown(frame, column)
    known = {name: frame[name].astype(str) for name in PICKED if name in frame.columns}
    return pd.DataFrame(
        known
        | {
            "group": groups,
            "series": _shown(frame, series),
            "value": frame["value"].astype(float).where(enough),
            "low": frame["low"].astype(float).where(enough),
            "high": frame["high"].astype(float).where(enough),
            "text": [_number(row) for row in frame.itertuples()],
            "why": frame["why"],
        }
    )


def _shown(frame: pd.DataFrame, column: str) -> pd.Series:
    """The names as they are, but for metrics, which are words of ours."""
    names = frame[column].astype(str)
    return names.map(in_words) if column == "metric" else names


def _number(row: tuple) -> str:
    if pd.isna(row.value):
        return "not defined"
    if row.n < MIN_N:
        return f"too few (n = {row.n})"
    interval = "" if pd.isna(row.low) else f"  [{row.low:.2f}, {row.high:.2f}]"
    return f"{row.value:.2f}{interval}  n = {row.n:,}"


def _description(bars: pd.DataFrame) -> str:
    values = "; ".join(f"{bar.group}, {bar.series}: {bar.text}" for bar in bars.itertuples())
    return f"Shares from 0 to 1 with 95 % intervals: {values}."
