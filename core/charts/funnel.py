"""The way of a study's tasks as bars: made, flagged, decided, drawn, classified."""

import altair as alt
import pandas as pd

from core.charts.theme import (
    BAR_HEIGHT,
    NEUTRAL,
    axis_options,
    finish,
    message_chart,
    percent,
    picked,
)

STEP = 24
PART_OPACITY = 0.55
"""Parts of a stage are paler than the stage."""

_COLOURS = {
    "flagged": "#E69F00",
    "kept": "#009E73",
    "removed": "#D55E00",
    "drawn_removed": "#D55E00",
    "classified_removed": "#D55E00",
    "answered_removed": "#D55E00",
    "judged_removed": "#D55E00",
    "tasks": "#0072B2",
    "drawn": "#0072B2",
    "classified": "#0072B2",
    "answered": "#0072B2",
    "judged": "#0072B2",
}
"""What goes on is blue, what people took out is vermilion; every other stage is grey."""


def funnel_chart(
    frame: pd.DataFrame, *, title: str = "", width: int = 460
) -> alt.Chart | alt.LayerChart:
    """One bar for each stage, from all tasks down to those a model classified or answered.

    Args:
        frame: stage, within (the stage it is a part of, else empty), label, n and share_of_tasks,
            one row per bar in the order wanted, all tasks first, as
            `workflows.funnel.curation_funnel` gives. Labels differ from each other.
        title: plain text; empty for none.
        width: of the bars' area, in pixels.

    Returns:
        The chart; without any task, a chart that says so in words.
    """
    n_tasks = int(frame["n"].iloc[0]) if len(frame) else 0
    if not n_tasks:
        return message_chart("Nothing to draw yet: there are no tasks.", title=title)
    bars = _bars(frame)
    base = alt.Chart(bars, width=width, height=alt.Step(STEP)).encode(
        y=alt.Y(
            field="label",
            type="nominal",
            sort=list(bars["label"]),
            title=None,
            axis=alt.Axis(**axis_options()),
            scale=alt.Scale(paddingInner=0.25),
        ),
        tooltip=[
            alt.Tooltip(field="label", type="nominal", title="Stage"),
            alt.Tooltip(field="n", type="quantitative", title="Tasks", format=","),
            alt.Tooltip(field="share", type="nominal", title="Share of all tasks"),
        ],
    )
    bar = base.mark_bar(cornerRadius=2, height=BAR_HEIGHT, cursor="pointer")
    drawn = picked(bar, ("stage",)).encode(
        x=alt.X(
            field="n",
            type="quantitative",
            scale=alt.Scale(domain=[0, n_tasks], nice=False),
            title="tasks",
            axis=alt.Axis(tickCount=5, tickMinStep=1, format=",d", domain=False, grid=True),
            stack=None,
        ),
        color=alt.Color(field="colour", type="nominal", scale=None),
        opacity=alt.Opacity(field="opacity", type="quantitative", scale=None, legend=None),
    )
    # The number stands at the right edge, in line with the others, as in the other charts.
    numbers = base.mark_text(align="left", dx=8, color=NEUTRAL, fontSize=11).encode(
        x=alt.value("width"), text=alt.Text(field="text", type="nominal")
    )
    return finish(alt.layer(drawn, numbers), title=title, description=_description(bars))


def _bars(frame: pd.DataFrame) -> pd.DataFrame:
    shares = [percent(share) for share in frame["share_of_tasks"]]
    return pd.DataFrame(
        {
            "label": frame["label"].astype(str),
            "stage": frame["stage"].astype(str),
            "n": frame["n"],
            "share": shares,
            "text": [f"{n:,}  ({share})" for n, share in zip(frame["n"], shares, strict=True)],
            "colour": [_COLOURS.get(stage.split(":")[0], NEUTRAL) for stage in frame["stage"]],
            "opacity": [
                PART_OPACITY if within and within != "decided" else 1.0
                for within in frame["within"]
            ],
        }
    )


def _description(bars: pd.DataFrame) -> str:
    stages = "; ".join(f"{bar.label} {bar.n:,} ({bar.share})" for bar in bars.itertuples())
    return f"Tasks at each stage, with their share of all tasks: {stages}."
