"""Who classified whose tasks: a square a pair, with the value of a metric and its tasks."""

import altair as alt
import pandas as pd

from core.charts.squares import squares_chart
from core.charts.theme import MIN_N, compact, finish, message_chart


def matrix_chart(
    frame: pd.DataFrame, *, title: str = "", width: int = 620
) -> alt.Chart | alt.LayerChart:
    """The chart of one metric of a cross-model table; outlined squares are a model's own tasks.

    Args:
        frame: subject, model, metric (one and the same), value in [0, 1] (NaN for not defined), n
            and why, one row a pair; pairs that are not there stay blank.
        title: plain text; empty for none.
        width: of the squares together, in pixels.

    Returns:
        The chart; where every pair has fewer than five tasks, a chart that says so in words.
    """
    if frame.empty or frame["n"].max() < MIN_N:
        return message_chart(f"Nothing to draw: no pair has {MIN_N} tasks.", title=title)
    metric = str(frame["metric"].iloc[0]).replace("_", " ")
    squares = _squares(frame)
    told = [
        alt.Tooltip(field="said", type="nominal", title=metric.capitalize()),
        alt.Tooltip(field="n", type="quantitative", title="Tasks it is out of", format=","),
    ]
    chart = squares_chart(
        squares, row_title="Invented by", column_title="Classified by", told=told, width=width
    )
    values = "; ".join(
        f"{one.row} by {one.column}: {one.said} (n = {one.n:,})"
        for one in squares.itertuples()
        if one.n
    )
    said = f"{metric.capitalize()} by who invented the tasks and who classified them: {values}."
    return finish(chart, title=title, description=said)


def _squares(frame: pd.DataFrame) -> pd.DataFrame:
    subjects = list(dict.fromkeys(frame["subject"]))
    models = list(dict.fromkeys([*subjects, *frame["model"]]))
    grid = pd.MultiIndex.from_product([subjects, models], names=["row", "column"])
    pairs = frame.set_index(["subject", "model"])[["value", "n"]].rename_axis(["row", "column"])
    squares = pairs.reindex(grid).reset_index()
    squares["n"] = squares["n"].fillna(0).astype(int)
    enough = squares["n"] >= MIN_N
    squares["share"] = squares["value"].astype(float).where(enough)
    squares["said"] = [_said(*pair) for pair in zip(squares["value"], squares["n"], strict=True)]
    squares["above"] = squares["said"].where(squares["n"] > 0, "")
    squares["below"] = ("n = " + squares["n"].map(compact)).where(squares["n"] > 0, "")
    return squares.assign(is_outlined=squares["row"] == squares["column"])


def _said(value: float, n: int) -> str:
    if not n:
        return "no tasks"
    if n < MIN_N:
        return "too few"
    return "not defined" if pd.isna(value) else f"{value:.2f}"
