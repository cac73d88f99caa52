"""Estimates of an agent while it works: does it come to know whether it will succeed?

After each step, a tool call, the agent states its chance of final success, and once more after it
has submitted. A task that ends before a step, or whose estimate there cannot be read, keeps its
last estimate before it, so that every step is about the same tasks. Tasks without any estimate so
far are left out of a step.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError
from core.metrics.auroc import auroc, auroc_difference
from core.metrics.calibration import overconfidence, predicted_success_rate
from core.metrics.confidence import Measured, checked_outcomes, mean_with_interval

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ["step", "metric", "value", "low", "high", "n", "n_carried", "p", "method", "why"]
COLUMNS += ["caution"]
AFTER = "after"

_NO_FIRST = "not defined: no task has an estimate both at step 1 and here"


def carried_forward(estimates: "DataFrame", *, n_steps: int | None = None) -> "DataFrame":
    """The estimate of each task at each step, those of ended tasks carried forward.

    Args:
        estimates: task, step (from 1), estimate in [0, 1]; missing where it could not be read.
        n_steps: how many steps are wanted; the highest in the frame where None.

    Returns:
        a row for each task, by name, and a column for each step; NaN before its first estimate.

    Raises:
        InputError: a step is not a whole number from 1 to n_steps, or a task has one twice.

    Example:
        >>> import pandas as pd
        >>> rows = [("a", 1, 0.5), ("a", 2, 0.25), ("b", 1, 0.75)]
        >>> carried_forward(pd.DataFrame(rows, columns=["task", "step", "estimate"])).values
        array([[0.5 , 0.25],
               [0.75, 0.75]])
    """
    return _stated(estimates, n_steps).ffill(axis=1)


def step_curves(
    estimates: "DataFrame",
    outcomes: Mapping[Any, float],
    *,
    after: Mapping[Any, float] | None = None,
    n_steps: int | None = None,
) -> "DataFrame":
    """Each metric at each step, and after the fact.

    Metrics: `mean_estimate`; `overconfidence`; `auroc`; and against step 1, on the tasks with both
    estimates, `estimate_change` (the mean change, Student's t interval of the paired change) and
    `auroc_difference` (DeLong's paired interval; above 0 where it knows better than at step 1).

    Args:
        estimates, n_steps: as for `carried_forward`. Estimates of tasks without an outcome are
            left out.
        outcomes: by task, 1 where it finally succeeded and 0 where it failed.
        after: by task, the estimate stated after submission; missing where there is none.

    Returns:
        step (1, 2, …, and "after" where given), metric, value, low, high (95 % interval), n (tasks
        with an estimate), n_carried (of them, estimates carried forward), p (of no difference of
        the two AUROCs, NaN elsewhere), method, why, caution.

    Raises:
        InputError: as for `carried_forward`, an outcome is neither 0 nor 1, or an estimate lies
            outside [0, 1].
    """
    import pandas as pd

    known = estimates[estimates["task"].isin(list(outcomes))]
    stated = _stated(known, n_steps)
    every = stated.ffill(axis=1)
    carried = every.notna() & stated.isna()
    steps = [(int(step), every[step], int(carried[step].sum())) for step in every.columns]
    if after is not None:
        told = pd.Series(dict(after), dtype=float)
        # A task may be submitted before there is any estimate.
        tasks = [task for task in outcomes if task in every.index or task in told.index]
        every, told = every.reindex(tasks), told.reindex(tasks)
        steps = [(step, one.reindex(tasks), n) for step, one, n in steps]
        steps.append((AFTER, told, 0))
    happened = checked_outcomes([outcomes[task] for task in every.index])
    first = every[1].to_numpy() if 1 in every.columns else np.full(len(every), np.nan)
    rows = []
    for step, series, n_carried in steps:
        found = _at_step(happened, first, series.to_numpy(dtype=float), is_first=step == 1)
        for metric, one in found.items():
            p = getattr(one, "p", None)
            ends, told = (one.value, one.low, one.high), (one.method, one.why, one.caution)
            rows.append((step, metric, *ends, one.n, n_carried, p, *told))
    numbers = dict.fromkeys(("value", "low", "high", "p"), float)
    return pd.DataFrame(rows, columns=COLUMNS).astype(numbers)


def _at_step(
    happened: np.ndarray, first: np.ndarray, here: np.ndarray, *, is_first: bool
) -> dict[str, Measured]:
    there = ~np.isnan(here)
    found = {
        "mean_estimate": predicted_success_rate(here[there]),
        "overconfidence": overconfidence(happened[there], here[there]),
        "auroc": auroc(happened[there], here[there]),
    }
    if is_first:
        return found
    both = there & ~np.isnan(first)
    if not both.any():
        none = Measured(None, None, None, 0, why=_NO_FIRST)
        return found | {"estimate_change": none, "auroc_difference": none}
    change = mean_with_interval(here[both] - first[both], lowest=-1.0)
    difference = auroc_difference(happened[both], first[both], here[both])
    return found | {"estimate_change": change, "auroc_difference": difference}


def _stated(estimates: "DataFrame", n_steps: int | None) -> "DataFrame":
    """What was stated, a row for each task and a column for each step, NaN where nothing was."""
    steps = estimates["step"].to_numpy(dtype=float)
    n = n_steps if n_steps is not None else (int(steps.max()) if len(steps) else 0)
    strange = (steps < 1) | (steps != np.floor(steps)) | np.isnan(steps)
    if strange.any():
        raise InputError(
            f"there is a step {steps[strange][0]:g}", hint="number steps 1, 2, 3 and so on"
        )
    if (steps > n).any():
        raise InputError(f"there is a step {steps.max():g} beyond the {n} wanted")
    twice = estimates.duplicated(["task", "step"])
    if twice.any():
        at = estimates[twice].iloc[0]
        raise InputError(f"task {at['task']} has step {at['step']} twice")
    wide = estimates.astype({"estimate": float}).pivot(
        index="task", columns="step", values="estimate"
    )
    return wide.reindex(columns=range(1, n + 1))
