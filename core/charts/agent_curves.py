"""What agents say of their chances, by the step of their work, and once more after it."""

import altair as alt
import pandas as pd

from core.charts.theme import MIN_N, NEUTRAL, finish, message_chart, model_colours

HEIGHT = 300
AFTER = "after"
_LEGEND = alt.Legend(orient="top", labelLimit=420, symbolOpacity=1, symbolType="square")
_CHANCE = {"auroc": 0.5, "auroc_difference": 0.0, "estimate_change": 0.0, "overconfidence": 0.0}
"""Where each metric stands when estimates tell nothing, or nothing has changed."""


def agent_curve_chart(
    frame: pd.DataFrame, *, title: str = "", width: int = 620
) -> alt.Chart | alt.LayerChart:
    """One metric by step, a line a model with its 95 % band, and a dot for after submission.

    Args:
        frame: study, model, step (text: 1, 2, … or `after`), metric (one), value, low, high, n,
            n_carried, success_rate; NaN is not defined, and breaks the line.
        title: plain text; empty for none.
        width: in pixels.

    Returns:
        The chart; dashed is the share of tasks solved under a mean estimate, and else where a
        metric stands that tells nothing. Without five runs a chart that says so in words.
    """
    enough = frame[(frame["n"] >= MIN_N) & frame["value"].notna()] if len(frame) else frame
    if enough.empty:
        words = f"Nothing to draw: fewer than {MIN_N} runs have a chance stated and an outcome."
        return message_chart(words, title=title)
    shown = _placed(enough)
    metric = shown["metric"].iloc[0]
    base = alt.Chart(shown, width=width, height=HEIGHT)
    names = list(shown["who"].unique())
    colours = model_colours(names)
    colour = alt.Color(
        field="who",
        type="nominal",
        sort=names,
        title=None,
        scale=alt.Scale(domain=names, range=[colours[name] for name in names]),
        legend=_LEGEND if len(names) > 1 else None,
    )
    x, y = _x(shown), _y(shown, metric)
    low, high = alt.Y(field="low", type="quantitative"), alt.Y2(field="high")
    at_work = base.transform_filter("datum.step !== 'after'")
    afterwards = base.transform_filter("datum.step === 'after'")
    tooltip = [
        alt.Tooltip(field="who", title="Model"),
        alt.Tooltip(field="point", title="When"),
        alt.Tooltip(field="words", title="Value"),
    ]
    layers = [
        *_references(shown, metric, width, colour),
        at_work.mark_area(opacity=0.18).encode(x=x, y=low, y2=high, color=colour),
        at_work.mark_line().encode(x=x, y=y, color=colour),
        at_work.mark_circle(size=30, opacity=1).encode(x=x, y=y, color=colour, tooltip=tooltip),
        afterwards.mark_rule(strokeWidth=1.5).encode(x=x, y=low, y2=high, color=colour),
        afterwards.mark_square(size=80, opacity=1).encode(x=x, y=y, color=colour, tooltip=tooltip),
    ]
    ends = shown.groupby("who", sort=False).apply(_ends, include_groups=False)
    said = "; ".join(f"{who}: {words}" for who, words in ends.items())
    return finish(alt.layer(*layers), title=title, description=f"By step, {said}.")


def _placed(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows with where they stand, who they are about and their words."""
    at = pd.to_numeric(frame["step"], errors="coerce")
    last = int(at.max()) if at.notna().any() else 0
    who = frame["model"].astype(str)
    if frame["study"].nunique() > 1:
        who = frame["study"].astype(str) + " · " + who
    return frame.assign(
        at=at.fillna(last + max(1, round(last * 0.05))),
        who=who,
        point=[_point(step) for step in frame["step"]],
        words=[_words(row) for row in frame.itertuples()],
    )


def _x(shown: pd.DataFrame) -> alt.X:
    at_work = shown.loc[shown["step"] != AFTER, "at"]
    last, end = (int(at_work.max()) if len(at_work) else 0), int(shown["at"].max())
    apart = max(1, -(-last // 14))
    values = [step for step in range(1, last + 1) if step == 1 or step % apart == 0]
    values += [end] if end > last else []
    words = f"datum.value > {last} ? 'after' : datum.value"
    return alt.X(
        field="at",
        type="quantitative",
        title="Step",
        scale=alt.Scale(domain=[min(1, last), end], nice=False, padding=12),
        axis=alt.Axis(values=values, labelExpr=words, grid=False, domain=False),
    )


def _y(shown: pd.DataFrame, metric: str) -> alt.Y:
    is_share = metric in ("mean_estimate", "auroc")
    domain = [0.0, 1.0]
    if not is_share:
        ends = shown[["value", "low", "high"]].abs().to_numpy().max()
        domain = [-ends, ends] if ends > 0 else [-0.1, 0.1]
    axis = alt.Axis(format=".0%" if metric == "mean_estimate" else ".2f", domain=False)
    scale = alt.Scale(domain=domain, nice=not is_share)
    return alt.Y(field="value", type="quantitative", title=None, scale=scale, axis=axis)


def _references(shown: pd.DataFrame, metric: str, width: int, colour: alt.Color) -> list[alt.Chart]:
    if metric == "mean_estimate":
        solved = alt.Chart(shown.drop_duplicates("who"), width=width, height=HEIGHT)
        rate = alt.Y(field="success_rate", type="quantitative")
        return [solved.mark_rule(strokeDash=[4, 4], opacity=0.8).encode(y=rate, color=colour)]
    line = alt.Chart(alt.Data(values=[{"chance": _CHANCE[metric]}]), width=width, height=HEIGHT)
    at = alt.Y(field="chance", type="quantitative")
    return [line.mark_rule(color=NEUTRAL, strokeDash=[4, 4]).encode(y=at)]


def _point(step: str) -> str:
    return "after submission" if step == AFTER else f"step {step}"


def _words(row: tuple) -> str:
    interval = "" if pd.isna(row.low) else f" [{row.low:.2f}, {row.high:.2f}]"
    carried = f", {row.n_carried:,} of them carried on" if row.n_carried else ""
    return f"{row.value:.2f}{interval}, n = {row.n:,}{carried}"


def _ends(own: pd.DataFrame) -> str:
    """The first and the last point of a model, in words."""
    rows = own.sort_values("at")
    ends = rows.iloc[[0, -1]].drop_duplicates("at")
    return ", ".join(f"{row.point} {row.words}" for row in ends.itertuples())
