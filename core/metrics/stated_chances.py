"""Stated chances that nothing can be held against: who stated them has no result of any attempt."""

from typing import TYPE_CHECKING

from core.metrics.calibration import predicted_success_rate
from core.metrics.confidence_frames import WHO, subjects_in

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = (*WHO, "n", "predicted_success_rate", "low", "high")


def chances_alone(counts: "DataFrame") -> "DataFrame":
    """The mean chance of each person or model without any result: study, model, n (tasks with a
    stated chance), predicted_success_rate in [0, 1], low, high (95 % interval over the tasks; NaN
    where there is none).

    Args:
        counts: as in `core.metrics.confidence_frames`.
    """
    import pandas as pd

    rows = []
    for who, own in subjects_in(counts):
        stated = own[own["estimate"].notna()]
        if own["result"].notna().any() or stated.empty:
            continue
        estimates = stated["estimate"].repeat(stated["n"].astype(int)).to_numpy(dtype=float)
        mean = predicted_success_rate(estimates)
        rows.append((*who, mean.n, mean.value, mean.low, mean.high))
    return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COLUMNS[3:], float))


def has_chances_alone(counts: "DataFrame") -> bool:
    """Whether anybody stated chances that nothing can be held against."""
    return not chances_alone(counts).empty
