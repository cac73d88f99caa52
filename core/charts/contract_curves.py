"""What models make of contracts, by the contract's place in its trial."""

import altair as alt
import pandas as pd

from core.charts.theme import MIN_N, NEUTRAL, finish, message_chart, model_colours
from core.metric_names import in_words

HEIGHT = 300


def contract_curve_chart(
    frame: pd.DataFrame, *, title: str = "", width: int = 620
) -> alt.Chart | alt.LayerChart:
    """One or two metrics by the contract's number, a line a model, with 95 % intervals.

    Args:
        frame: study, model, contract, metric, value, low, high, n, n_missing, why; NaN is not
            defined, and breaks the line.
        title: plain text; empty for none.
        width: in pixels.

    Returns:
        The chart; where no contract was answered in five trials, a chart that says so in words.
    """
    enough = frame[(frame["n"] >= MIN_N) & frame["value"].notna()]
    if enough.empty:
        words = f"Nothing to draw: no contract was answered in {MIN_N} trials."
        return message_chart(words, title=title)
    shown = _named(enough)
    base = alt.Chart(shown, width=width, height=HEIGHT)
    x = alt.X(field="contract", type="ordinal", title="Contract", axis=alt.Axis(labelAngle=0))
    scale = alt.Scale(domain=_domain(shown), nice=False)
    y = alt.Y(field="value", type="quantitative", title=None, scale=scale)
    names = list(shown["who"].unique())
    colours = model_colours(names)
    colour = alt.Color(
        field="who",
        type="nominal",
        sort=names,
        title=None,
        scale=alt.Scale(domain=names, range=[colours[name] for name in names]),
        legend=alt.Legend(orient="top", labelLimit=420) if len(names) > 1 else None,
    )
    metrics = list(shown["line"].unique())
    dashes = [[1, 0], [6, 4], [2, 3]][: len(metrics)]
    dash = alt.StrokeDash(
        field="line",
        type="nominal",
        sort=metrics,
        title=None,
        scale=alt.Scale(domain=metrics, range=dashes),
        legend=alt.Legend(orient="top", labelLimit=420) if len(metrics) > 1 else None,
    )
    # Lines beside each other would hide each other's intervals.
    offset = alt.XOffset(
        field="series", type="nominal", scale=alt.Scale(paddingInner=0, paddingOuter=1)
    )
    tooltip = [
        alt.Tooltip(field="who", title="Model"),
        alt.Tooltip(field="contract", type="quantitative", title="Contract"),
        alt.Tooltip(field="words", title="Value"),
        alt.Tooltip(field="why", title="Note"),
    ]
    lines = base.mark_line().encode(x=x, y=y, color=colour, strokeDash=dash, xOffset=offset)
    ends = base.mark_rule(strokeWidth=1.5, opacity=0.8).encode(
        x=x,
        xOffset=offset,
        y=alt.Y(field="low", type="quantitative"),
        y2=alt.Y2(field="high"),
        color=colour,
    )
    dots = base.mark_circle(size=45, opacity=1).encode(
        x=x, y=y, color=colour, xOffset=offset, tooltip=tooltip
    )
    layers = [ends, lines, dots]
    by_chance = _by_chance(shown)
    if by_chance is not None:
        level = alt.Chart(alt.Data(values=[{"level": by_chance}]), width=width, height=HEIGHT)
        rule = level.mark_rule(color=NEUTRAL, strokeDash=[4, 4])
        layers.insert(0, rule.encode(y=alt.Y(field="level", type="quantitative")))
    said = "; ".join(
        f"{one.who}, {one.line}, contract {one.contract}: {one.words}" for one in shown.itertuples()
    )
    return finish(alt.layer(*layers), title=title, description=f"By contract: {said}.")


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    who = frame["model"].astype(str)
    if frame["study"].nunique() > 1:
        who = frame["study"].astype(str) + " · " + who
    line = frame["metric"].astype(str).map(in_words)
    words = [_words(row) for row in frame.itertuples()]
    return frame.assign(who=who, line=line, series=who + " · " + line, words=words)


def _words(row: tuple) -> str:
    interval = "" if pd.isna(row.low) else f" [{row.low:.2f}, {row.high:.2f}]"
    missing = f", {row.n_missing:,} missing" if row.n_missing else ""
    return f"{row.value:.2f}{interval}, n = {row.n:,}{missing}"


def _by_chance(shown: pd.DataFrame) -> float | None:
    """What estimates that tell nothing come to, where that is the same for everybody."""
    if shown["metric"].str.contains("profit").any():
        return 0.0
    return 0.5 if (shown["metric"] == "auroc").all() else None


def _domain(shown: pd.DataFrame) -> list[float]:
    """[0, 1], or what profits lie in where one is below 0 or meant to be."""
    is_profit = shown["metric"].str.contains("profit").any()
    return [-0.5, 0.5] if is_profit else [0.0, 1.0]
