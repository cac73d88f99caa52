"""The chart of an exhibit, by its kind."""

import altair as alt
import pandas as pd

from core.charts.balance import balance_chart
from core.charts.confusion import confusion_chart
from core.charts.funnel import funnel_chart
from core.charts.metric_bars import metric_bars

WIDE = 900
"""Pixels; a screen stretches the chart to its own width."""


def exhibit_chart(kind: str, table: pd.DataFrame) -> alt.Chart | alt.LayerChart:
    """The chart of that kind, drawn from an exhibit's table.

    Args:
        kind: confusion, balance, funnel or metric_bars.
        table: the frame that is made for it.

    Raises:
        KeyError: there is no such kind.
    """
    if kind == "metric_bars":
        # The model is named only where a study was classified by more than one.
        is_crossed = table.groupby("study")["model"].nunique().max() > 1
        groups = ("study", "model") if is_crossed else "study"
        return metric_bars(table, group=groups, width=WIDE)
    charts = {"confusion": confusion_chart, "balance": balance_chart, "funnel": funnel_chart}
    return charts[kind](table, width=WIDE)
