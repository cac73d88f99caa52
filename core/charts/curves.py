"""Curves of stated chances: calibration, risk by coverage, and contracts by their place."""

import altair as alt
import pandas as pd

from core.charts.theme import MIN_N, NEUTRAL, finish, message_chart, model_colours, picked

SMALLEST_DOT, LARGEST_DOT = 30, 500
HEIGHT = 360


def calibration_chart(
    frame: pd.DataFrame, *, title: str = "", width: int = 460
) -> alt.Chart | alt.LayerChart:
    """Success rate by stated chance, a dot for each bin, with the diagonal of perfect calibration.

    Args:
        frame: study, model, bin_low, bin_high, n, mean_estimate, success_rate, low, high; the more
            tasks in a bin, the larger its dot, and n stands beside it.
        title: plain text; empty for none.
        width: in pixels.

    Returns:
        The chart; with fewer than five tasks in all, a chart that says so in words.
    """
    if frame.empty or frame["n"].sum() < MIN_N:
        return message_chart(f"Nothing to draw: fewer than {MIN_N} tasks have both.", title=title)
    shown = _named(frame)
    shown["least"], shown["most"] = shown["bin_low"].astype(str), shown["bin_high"].astype(str)
    shown["words"] = [
        f"{one.success_rate:.0%} solved of {one.n:,} given {one.mean_estimate:.0%} on average"
        for one in shown.itertuples()
    ]
    base = alt.Chart(shown, width=width, height=HEIGHT)
    x, y = _unit("mean_estimate", "Stated chance of success"), _unit("success_rate", "Solved")
    colour = _colour(shown)
    lines = base.mark_line(strokeWidth=1.5, opacity=0.85).encode(x=x, y=y, color=colour)
    ends = base.mark_rule(strokeWidth=1.5, opacity=0.85).encode(
        x=x, y=alt.Y(field="low", type="quantitative"), y2=alt.Y2(field="high"), color=colour
    )
    dot = base.mark_circle(opacity=0.95, cursor="pointer")
    dots = picked(dot, ("study", "model", "least", "most")).encode(
        x=x,
        y=y,
        color=colour,
        size=alt.Size(
            field="n",
            type="quantitative",
            legend=None,
            scale=alt.Scale(range=[SMALLEST_DOT, LARGEST_DOT]),
        ),
        tooltip=[alt.Tooltip(field="who", title="Model"), alt.Tooltip(field="words", title="Bin")],
    )
    numbers = base.mark_text(align="left", dx=12, dy=-9, color=NEUTRAL, fontSize=11).encode(
        x=x, y=y, text=alt.Text(field="n", type="quantitative", format=",")
    )
    said = "; ".join(f"{one.who}: {one.words}" for one in shown.itertuples())
    return finish(
        alt.layer(_diagonal(width), ends, lines, dots, numbers),
        title=title,
        description=f"Share of tasks solved by the chance stated before: {said}.",
    )


def risk_coverage_chart(
    frame: pd.DataFrame, *, title: str = "", width: int = 460
) -> alt.Chart | alt.LayerChart:
    """Share that fails of the tasks a model is surest of, by how many of all tasks these are.

    Args:
        frame: study, model, threshold, n, coverage, risk, by_chance, in rising coverage.
        title: plain text; empty for none.
        width: in pixels.

    Returns:
        The chart, dashed the risk of estimates that tell nothing; with fewer than five tasks in
        all, a chart that says so in words.
    """
    if frame.empty or frame["n"].max() < MIN_N:
        return message_chart(f"Nothing to draw: fewer than {MIN_N} tasks have both.", title=title)
    shown = _named(frame)
    shown["words"] = [
        f"{one.risk:.0%} of the {one.n:,} tasks given {one.threshold:.0%} or more fail"
        for one in shown.itertuples()
    ]
    base = alt.Chart(shown, width=width, height=HEIGHT)
    x, colour = _unit("coverage", "Share of the tasks attempted, surest first"), _colour(shown)
    line = base.mark_line(point=True).encode(
        x=x,
        y=_unit("risk", "Share of them that fails"),
        color=colour,
        tooltip=[
            alt.Tooltip(field="who", title="Model"),
            alt.Tooltip(field="words", title="Threshold"),
        ],
    )
    chance = base.mark_line(strokeDash=[4, 4], opacity=0.7).encode(
        x=x, y=_unit("by_chance", "Share of them that fails"), color=colour
    )
    last = shown.groupby("who", sort=False).tail(1)
    said = "; ".join(f"{one.who}: {one.words}" for one in last.itertuples())
    return finish(
        alt.layer(chance, line),
        title=title,
        description=f"Share of failures by share of tasks attempted; of all: {said}.",
    )


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with who each row is about, as short as tells them apart."""
    who = frame["model"].astype(str)
    if frame["study"].nunique() > 1:
        who = frame["study"].astype(str) + " · " + who
    return frame.assign(who=who)


def _unit(field: str, title: str) -> alt.X:
    kind = alt.X if field in ("mean_estimate", "coverage") else alt.Y
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".0%", domain=False)
    return kind(field=field, type="quantitative", title=title, scale=scale, axis=axis)


def _colour(shown: pd.DataFrame) -> alt.Color:
    names = list(shown["who"].unique())
    colours = model_colours(names)
    return alt.Color(
        field="who",
        type="nominal",
        sort=names,
        title=None,
        scale=alt.Scale(domain=names, range=[colours[name] for name in names]),
        legend=alt.Legend(orient="top", labelLimit=420) if len(names) > 1 else None,
    )


def _diagonal(width: int) -> alt.Chart:
    ends = alt.Data(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    return (
        alt.Chart(ends, width=width, height=HEIGHT)
        .mark_line(color=NEUTRAL, strokeDash=[4, 4], strokeWidth=1)
        .encode(x=alt.X(field="x", type="quantitative"), y=alt.Y(field="y", type="quantitative"))
    )
