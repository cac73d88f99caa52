"""The chart of an exhibit, by its kind."""

import altair as alt
import pandas as pd

from core.charts.balance import balance_chart
from core.charts.confusion import confusion_chart
from core.charts.funnel import funnel_chart
from core.charts.matrix import matrix_chart
from core.charts.metric_bars import metric_bars
from core.charts.theme import model_colours

WIDE = 900
"""Pixels; a screen stretches the chart to its own width."""


_DRAWN = {
    "confusion": confusion_chart,
    "balance": balance_chart,
    "funnel": funnel_chart,
    "matrix": matrix_chart,
}


def exhibit_chart(kind: str, table: pd.DataFrame) -> alt.Chart | alt.LayerChart:
    """The chart of that kind, drawn from an exhibit's table.

    Args:
        kind: confusion, balance, funnel, matrix, metric_bars (a bundle a study) or type_bars (a
            bundle a type).
        table: the frame that is made for it.

    Raises:
        KeyError: there is no such kind.
    """
    if kind == "metric_bars":
        return metric_bars(table, group=_naming(table), width=WIDE)
    if kind == "type_bars":
        naming = _naming(table)
        first, *others = (naming,) if isinstance(naming, str) else naming
        who = table[first].astype(str)
        for name in others:
            who = who + " · " + table[name].astype(str)
        table = table.assign(who=who)
        colours = model_colours(who)
        return metric_bars(table, group="type", series="who", colours=colours, width=WIDE)
    return _DRAWN[kind](table, width=WIDE)


def _naming(table: pd.DataFrame) -> str | tuple[str, str]:
    """The columns that tell rows apart: studies, models, or both where a study has several."""
    if table["study"].nunique() == 1:
        return "model"
    return ("study", "model") if table.groupby("study")["model"].nunique().max() > 1 else "study"
