"""Do models of one family know better beforehand what they can do, the larger they are?

A model's size is read off its name, where it is written there as people write it: `70b` or `1.5B`
for thousands of millions of parameters, `135m` for millions.
"""

import re
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.confidence_frames import metric_intervals
from core.metrics.family_trend import rank_trend

if TYPE_CHECKING:
    from pandas import DataFrame

FEWEST_MODELS = 3
METRICS = ("predicted_success_rate", "true_success_rate", "overconfidence", "auroc", "brier_score")
_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.IGNORECASE)


def size_in_name(model: str) -> float | None:
    """Millions of parameters, by the model's name; None where it tells none, or more than one.

    Example:
        >>> size_in_name("ollama/qwen2.5-coder:1.5b"), size_in_name("openai/gpt-4o")
        (1500.0, None)
    """
    found = {(number, unit.lower()) for number, unit in _SIZE.findall(model)}
    if len(found) != 1:
        return None
    [(number, unit)] = found
    return float(number) * (1000 if unit == "b" else 1)


def has_sizes(counts: "DataFrame") -> bool:
    """Whether enough models tell their sizes for a trend to be defined."""
    return (
        len({size_in_name(model) for model in counts["model"].unique()} - {None}) >= FEWEST_MODELS
    )


def size_trends(counts: "DataFrame") -> "DataFrame":
    """The rank correlation of each metric with the size that a model's name tells.

    A model in several studies counts once for each.

    Returns:
        metric, value (in [-1, 1]), low, high, n (models), p, why, caution.
    """
    import pandas as pd

    every = metric_intervals(counts)
    every = every.assign(size=[size_in_name(model) for model in every["model"]])
    rows = []
    for metric in METRICS:
        own = every[(every["metric"] == metric) & every["value"].notna() & every["size"].notna()]
        found = rank_trend(np.log(own["size"].to_numpy(float)), own["value"].to_numpy(float))
        ends = (found.value, found.low, found.high)
        rows.append((metric, *ends, found.n, found.p, found.why, found.caution))
    columns = ["metric", "value", "low", "high", "n", "p", "why", "caution"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:4], float))
