"""Who classified whose tasks: one square a pair, with a metric's value and the tasks behind it."""

import altair as alt
import pandas as pd

from core.charts.confusion import confusion_chart


def matrix_chart(
    frame: pd.DataFrame, *, metric: str, width: int = 620
) -> alt.Chart | alt.LayerChart:
    """The chart of one metric of a cross-model table; outlined squares are a model's own tasks.

    Args:
        frame: subject, model, metric, value (NaN for not defined) and n, one row a pair.
        metric: the one to draw.
        width: of the squares together, in pixels.
    """
    part = frame[frame["metric"] == metric]
    subjects = list(dict.fromkeys(part["subject"]))
    models = list(dict.fromkeys([*subjects, *part["model"]]))
    grid = pd.MultiIndex.from_product([subjects, models], names=["subject", "model"])
    cells = part.set_index(["subject", "model"])[["value", "n"]].reindex(grid).reset_index()
    cells["n"] = cells["n"].fillna(0).astype(int)
    cells = cells.rename(columns={"value": "share"}).assign(row_total=cells["n"])
    return confusion_chart(
        cells,
        rows="subject",
        columns="model",
        row_title="Invented by",
        column_title="Classified by",
        share_title=metric.replace("_", " ").capitalize(),
        width=width,
    )
