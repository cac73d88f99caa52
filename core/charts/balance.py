"""The confidence balance as bars to either side of zero."""

import altair as alt
import pandas as pd

from core.charts.theme import (
    BAR_HEIGHT,
    CONSERVATIVE,
    MIN_N,
    NEUTRAL,
    OVERCONFIDENT,
    axis_options,
    finish,
    message_chart,
    percent,
    picked,
)

STEP = 26
STEP_IN_BUNDLE = 20


def balance_chart(
    frame: pd.DataFrame,
    *,
    label: str = "type",
    series: str | None = None,
    title: str = "",
    width: int = 460,
) -> alt.Chart | alt.LayerChart:
    """Bars of confidence balance in [-1, 1]: right of zero overconfident, left conservative.

    Args:
        frame: the columns that `label` and `series` name, confidence_balance, overconfidence,
            conservatism, n_feasible and n_infeasible, as `metrics.metric_frames.balance_table`
            gives; one row per bar. NaN is "not defined" and gets words, and so does a bar with
            fewer than five tasks on either side.
        label: the column that names the bars; it keeps its order.
        series: the column that names the bars of one label when there are several.
        title: plain text; empty for none.
        width: of the bars' area, in pixels.

    Returns:
        The chart; with no bar to draw, a chart that says so in words.
    """
    bars = _bars(frame, label, series)
    if bars["value"].isna().all():
        return message_chart("Nothing to draw: too few tasks have been classified.", title=title)
    height = alt.Step(STEP) if series is None else alt.Step(STEP_IN_BUNDLE, **{"for": "offset"})
    base = alt.Chart(bars, width=width, height=height).encode(
        y=alt.Y(
            field="label",
            type="nominal",
            sort=list(bars["label"].unique()),
            title=None,
            axis=alt.Axis(**axis_options()),
            scale=alt.Scale(paddingInner=0.2),
        ),
        tooltip=[
            alt.Tooltip(field="name", type="nominal", title="Tasks of"),
            alt.Tooltip(field="number", type="nominal", title="Confidence balance"),
            alt.Tooltip(field="over_text", type="nominal", title="Overconfidence"),
            alt.Tooltip(field="cons_text", type="nominal", title="Conservatism"),
        ],
    )
    if series is not None:
        order = list(bars["series"].unique())
        spread = alt.Scale(paddingInner=0.15)
        base = base.encode(
            yOffset=alt.YOffset(field="series", type="nominal", sort=order, scale=spread)
        )
    x = alt.X(
        field="value",
        type="quantitative",
        stack=None,
        scale=alt.Scale(domain=[-1, 1], nice=False),
        title="← conservative · confidence balance · overconfident →",
        axis=alt.Axis(
            values=[-1, -0.5, 0, 0.5, 1],
            labelExpr="datum.value == 0 ? '0' : format(datum.value, '+.1f')",
            domain=False,
            grid=True,
        ),
    )
    drawn = picked(base.mark_bar(cornerRadius=2, height=BAR_HEIGHT), ("label",)).encode(
        x=x, color=alt.Color(field="colour", type="nominal", scale=None)
    )
    zero = (
        alt.Chart(alt.Data(values=[{"value": 0}]))
        .mark_rule(color=NEUTRAL, strokeWidth=1.5)
        .encode(x=alt.X(field="value", type="quantitative"))
    )
    # The number stands at the right edge, in line with the others, so that no bar hides it.
    numbers = base.mark_text(align="left", dx=8, color=NEUTRAL, fontSize=12, limit=240).encode(
        x=alt.value("width"), text=alt.Text(field="text", type="nominal")
    )
    return finish(alt.layer(drawn, zero, numbers), title=title, description=_description(bars))


def _bars(frame: pd.DataFrame, label: str, series: str | None) -> pd.DataFrame:
    labels = frame[label].astype(str)
    names = labels if series is None else frame[series].astype(str)
    smaller_side = frame[["n_feasible", "n_infeasible"]].min(axis=1)
    value = frame["confidence_balance"].astype(float).where(smaller_side >= MIN_N)
    number = [
        _number(balance, n)
        for balance, n in zip(frame["confidence_balance"], smaller_side, strict=True)
    ]
    bars = pd.DataFrame(
        {
            "label": labels,
            "series": names,
            "value": value,
            "colour": [OVERCONFIDENT if at > 0 else CONSERVATIVE for at in value],
            "number": number,
            "over_text": _rates(frame["overconfidence"], frame["n_feasible"], "feasible"),
            "cons_text": _rates(frame["conservatism"], frame["n_infeasible"], "infeasible"),
        }
    )
    bars["name"] = labels if series is None else labels + ", " + names
    bars["text"] = bars["number"] if series is None else bars["number"] + "   " + names
    return bars


def _number(value: float, smaller_side: int) -> str:
    if pd.isna(value):
        return "not defined"
    if smaller_side < MIN_N:
        return f"too few (n = {smaller_side})"
    return f"{value:+.2f}".replace("-", "−")


def _rates(rates: pd.Series, sizes: pd.Series, side: str) -> list[str]:
    return [
        f"{'not defined' if pd.isna(rate) else percent(rate)} of {n:,} generated as {side}"
        for rate, n in zip(rates, sizes, strict=True)
    ]


def _description(bars: pd.DataFrame) -> str:
    values = "; ".join(f"{bar.name} {bar.number}" for bar in bars.itertuples())
    return (
        f"Confidence balance from −1 (conservative) to +1 (overconfident), 0 is balanced: {values}."
    )
