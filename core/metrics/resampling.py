"""Intervals of the boundary's metrics, by Wilson's formula or from tasks drawn again.

Percentiles of the replicates of `core.metrics.replicates` are the interval, as they are the same
whatever scale a metric is put on.
"""

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError
from core.metrics.boundary import cells, mean_of
from core.metrics.cells import METRIC_NAMES, boundary_metrics, shares, why_not_defined
from core.metrics.counts import CountRow, Counts
from core.metrics.intervals import (
    TOO_OFTEN_UNDEFINED,
    check_level,
    percentile_interval,
    wilson_interval,
)
from core.metrics.replicates import (
    REPLICATES,
    Group,
    replicate_metric,
    replicated,
    stratum_of,
)
from core.taxonomy import FEASIBLE, INFEASIBLE, LINE_OF_DUTY, Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

ALWAYS_THE_SAME = "no interval: with these tasks no other value can come about"

_FEW = 5
_SIDE_OF = {"foresight": INFEASIBLE, "overconfidence": FEASIBLE, "conservatism": INFEASIBLE}


def metric_intervals(
    counts: Counts,
    *,
    by: Sequence[str] = ("study", "model"),
    metrics: Sequence[str] = METRIC_NAMES,
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> "DataFrame":
    """Metrics of each group with their intervals, of which none has the width zero.

    Wilson's, where the tasks a share is out of are one stratum, their number fixed beforehand:
    foresight, overconfidence and conservatism of one type of one study. The bootstrap elsewhere:

    * harmonic mean and confidence balance are no shares;
    * insight is out of a number that chance decides, and accuracy out of two sides;
    * any share over several strata varies less than Wilson's formula takes it to, for each stratum
      has its number of tasks for sure. Wilson's interval then covers 96 to 98 % instead of 95 %.

    Below 5 tasks a stratum on the average, strata tell too little of themselves, and every share
    has Wilson's: too wide over several strata, which is the safe side.

    Coverage of the 95 % interval, in simulations of studies like the published ones: at 80 tasks
    per type and side 94 to 96 % for every metric on the average, 93 to 98 % for one type with
    rates near 0 or 1. Down to 5 tasks, 93 to 96 % over all types; by type it rises to 98 % on the
    average, but a single share can fall to 85 %, by Wilson's interval. With 2 tasks, the harmonic
    mean over all types is covered 90 % of the time.

    Args:
        counts, by, replicates, seed, taxonomy: as for `replicate_cells`.
        metrics: names of metrics, in the order wanted.
        level: coverage, above 0 and below 1.

    Returns:
        The columns of `by`, then metric, value, successes, n (tasks the value is out of), low,
        high, interval (wilson, bootstrap, or empty), why (there is no value) and why_no_interval.
        A metric that is no plain share has all tasks of the group as n.

    Raises:
        InputError: as for `replicate_cells`, an unknown metric, or a level outside (0, 1).
    """
    _check_tails(level, replicates)
    rows = []
    for key, part, drawn in replicated(counts, by, replicates, seed, taxonomy):
        found = cells(part)
        values, counted = boundary_metrics(found), shares(found)
        for metric in metrics:
            why = why_not_defined(metric, found) or ""
            successes, n = counted.get(metric, (None, found.total))
            value = values[metric]
            if metric in counted and _is_wilsons(metric, part):
                method, ends = "wilson", wilson_interval(successes, n, level)
            else:
                method, ends = "bootstrap", None
                if value is not None:
                    of_metric = replicate_metric(drawn, metric)
                    ends = percentile_interval(of_metric, value=value, level=level)
            rows.append((*key, metric, value, successes, n, *_told(ends, method, why)))
    return _frame(rows, [*by, "metric", "value", "successes", "n"])


def prompt_mean_intervals(
    counts: Counts,
    *,
    by: Sequence[str] = ("subject", "model", "type"),
    metrics: Sequence[str] = ("accuracy", "foresight", "insight"),
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> "DataFrame":
    """The plain mean over a group's prompt sets of each metric, as in the paper's Table 3.

    Args:
        counts, metrics, level, replicates, seed, taxonomy: as for `metric_intervals`.
        by: as there, without prompt_set.

    Returns:
        The columns of `by`, then metric, value, n (tasks of all the prompt sets), low, high,
        interval (bootstrap or empty), why and why_no_interval.

    Raises:
        InputError: as for `metric_intervals`.
    """
    _check_tails(level, replicates)
    sets: dict[Group, list[tuple[Any, np.ndarray]]] = {}
    by_set = (*by, "prompt_set")
    for key, part, drawn in replicated(counts, by_set, replicates, seed, taxonomy):
        sets.setdefault(key[:-1], []).append((cells(part), drawn))
    rows = []
    for key, parts in sets.items():
        n = sum(found.total for found, _ in parts)
        for metric in metrics:
            causes = dict.fromkeys(why_not_defined(metric, found) for found, _ in parts)
            why = next((cause for cause in causes if cause), "")
            value = mean_of([boundary_metrics(found)[metric] for found, _ in parts])
            ends = None
            if value is not None:
                mean = np.mean([replicate_metric(drawn, metric) for _, drawn in parts], axis=0)
                ends = percentile_interval(mean, value=value, level=level)
            rows.append((*key, metric, value, n, *_told(ends, "bootstrap", why)))
    return _frame(rows, [*by, "metric", "value", "n"])


def coverage_sentence() -> str:
    """What the intervals here cover, and what they do not, for the screen."""
    return (
        "The interval tells how far a value may move when the same model invents other tasks with "
        "the same prompts and they are drawn alike, as many of each type and side; it does not "
        "tell what another wording, temperature, model version or curator would change, and it is "
        "too narrow where tasks repeat one another."
    )


def _is_wilsons(share: str, rows: list[CountRow]) -> bool:
    side = _SIDE_OF.get(share)
    out_of = [row for row in rows if side in (None, row.intent)]
    n_strata = len({stratum_of(row) for row in out_of})
    if share == "insight" and all(row.intent == FEASIBLE for row in rows):
        return False  # It is 0 by design then, and no share that could have been another.
    if side and n_strata == 1:
        return True
    return sum(row.n for row in out_of) < _FEW * n_strata


def _told(ends: tuple[float, float] | None, method: str, why: str) -> tuple[Any, ...]:
    """low, high, interval, why and why_no_interval."""
    if ends is None:
        return None, None, "", why, why or TOO_OFTEN_UNDEFINED
    if ends[0] == ends[1]:
        return None, None, "", why, ALWAYS_THE_SAME
    return *ends, method, why, ""


def _frame(rows: list[tuple], names: list[str]) -> "DataFrame":
    import pandas as pd

    frame = pd.DataFrame(
        rows, columns=[*names, "low", "high", "interval", "why", "why_no_interval"]
    )
    kinds = {"value": float, "successes": "Int64", "n": "int64", "low": float, "high": float}
    return frame.astype({name: kind for name, kind in kinds.items() if name in frame})


def _check_tails(level: float, replicates: int) -> None:
    check_level(level)
    fewest = ceil(2 / (1 - level) - 1e-9)
    if replicates < fewest:
        raise InputError(
            f"{replicates} replicates are too few for an interval of level {level}; "
            f"wanted {fewest} or more",
            hint="give 2000, for instance",
        )
