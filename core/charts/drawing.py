"""The chart of an exhibit, by its kind."""

import altair as alt
import pandas as pd

from core.charts.agent_curves import agent_curve_chart
from core.charts.balance import balance_chart
from core.charts.confusion import confusion_chart
from core.charts.contract_curves import contract_curve_chart
from core.charts.curves import calibration_chart, risk_coverage_chart
from core.charts.funnel import funnel_chart
from core.charts.matrix import matrix_chart
from core.charts.metric_bars import metric_bars
from core.charts.outcomes import outcome_chart
from core.charts.theme import model_colours

WIDE = 900
"""Pixels; a screen stretches the chart to its own width."""


_DRAWN = {
    "confusion": confusion_chart,
    "balance": balance_chart,
    "funnel": funnel_chart,
    "matrix": matrix_chart,
    "outcomes": outcome_chart,
    "calibration": calibration_chart,
    "risk_coverage": risk_coverage_chart,
    "contract_curve": contract_curve_chart,
    "agent_curve": agent_curve_chart,
}


_BUNDLES: dict[str, str | tuple[str, str]] = {
    "type_bars": "type",
    "group_bars": ("group", "metric"),
}


def exhibit_chart(kind: str, table: pd.DataFrame) -> alt.Chart | alt.LayerChart:
    """The chart of that kind, drawn from an exhibit's table.

    Args:
        kind: confusion, balance, funnel, matrix, outcomes, calibration, risk_coverage,
            contract_curve, agent_curve, metric_bars (a bundle a study), type_bars (a bundle a
            type), group_bars (a bundle a group and metric) or mode_bars (a bundle a model and
            metric, a bar a prompt set).
        table: the frame that is made for it.

    Raises:
        KeyError: there is no such kind.
    """
    if kind == "metric_bars":
        return metric_bars(table, group=_naming(table), width=WIDE)
    if kind == "mode_bars":
        return metric_bars(table, group=("model", "metric"), series="prompt_set", width=WIDE)
    if kind in _BUNDLES:
        naming = _naming(table)
        first, *others = (naming,) if isinstance(naming, str) else naming
        who = table[first].astype(str)
        for name in others:
            who = who + " · " + table[name].astype(str)
        table = table.assign(who=who)
        colours = model_colours(who)
        group = _BUNDLES[kind]
        if kind == "group_bars":
            # The chart's own bundles are called groups.
            table = table.assign(question_group=table["group"])
        return metric_bars(table, group=group, series="who", colours=colours, width=WIDE)
    return _DRAWN[kind](table, width=WIDE)


def _naming(table: pd.DataFrame) -> str | tuple[str, str]:
    """The columns that tell rows apart: studies, models, or both where a study has several."""
    if table["study"].nunique() == 1:
        return "model"
    return ("study", "model") if table.groupby("study")["model"].nunique().max() > 1 else "study"
