"""Metrics of the feasibility boundary as long frames, one row per value, for screens and charts.

NaN stands for "not defined" in the number columns, and `why` then says why.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from core.metrics.boundary import cells, cells_by_type, groups_of
from core.metrics.cells import Cells, boundary_metrics, shares, why_not_defined
from core.metrics.counts import Counts, read_counts
from core.metrics.intervals import wilson_interval
from core.taxonomy import LINE_OF_DUTY, Taxonomy


def metric_table(
    counts: Counts,
    *,
    by: Sequence[str] = ("study",),
    metrics: Sequence[str] = ("accuracy", "foresight", "insight"),
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> pd.DataFrame:
    """Metrics of each group, with their interval where the metric is a plain share.

    Args:
        counts: a counts frame.
        by: columns of it that make the groups; with `type`, every group has all the types.
        metrics: names of metrics, in the order wanted.
        taxonomy: the types of the studies.

    Returns:
        The columns of `by`, then metric, value, successes, n (tasks the value is out of), low,
        high (95 % Wilson interval) and why (empty where the value is defined). A metric that is
        no plain share has all tasks of the group as n, and no interval.
    """
    rows = []
    for group, found in _groups(counts, by, taxonomy):
        values, counted = boundary_metrics(found), shares(found)
        for metric in metrics:
            successes, n = counted.get(metric, (None, found.total))
            ends = None if successes is None else wilson_interval(successes, n)
            low, high = ends or (None, None)
            why = why_not_defined(metric, found) or ""
            rows.append((*group, metric, values[metric], successes, n, low, high, why))
    names = [*by, "metric", "value", "successes", "n", "low", "high", "why"]
    frame = pd.DataFrame(rows, columns=names)
    return frame.astype({"value": float, "successes": "Int64", "low": float, "high": float})


def balance_table(
    counts: Counts, *, by: Sequence[str] = ("type",), taxonomy: Taxonomy = LINE_OF_DUTY
) -> pd.DataFrame:
    """The confidence balance of each group beside the two rates it is made of.

    Returns:
        The columns of `by`, then confidence_balance, overconfidence, conservatism, n_feasible and
        n_infeasible (tasks generated as such), n and why.
    """
    names = ("confidence_balance", "overconfidence", "conservatism")
    rows = []
    for group, found in _groups(counts, by, taxonomy):
        values = boundary_metrics(found)
        sizes = (found.made_feasible, found.made_infeasible, found.total)
        why = why_not_defined("confidence_balance", found) or ""
        rows.append((*group, *(values[name] for name in names), *sizes, why))
    columns = [*by, *names, "n_feasible", "n_infeasible", "n", "why"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(names, float))


def _groups(
    counts: Counts, by: Sequence[str], taxonomy: Taxonomy
) -> Iterator[tuple[tuple[Any, ...], Cells]]:
    """Each group's values of the columns `by`, in that order, with its cells."""
    outer = [name for name in by if name != "type"]
    parts = groups_of(read_counts(counts), lambda row: tuple(getattr(row, name) for name in outer))
    for key, part in parts.items():
        values = dict(zip(outer, key, strict=True))
        if "type" not in by:
            yield key, cells(part)
            continue
        for kind, found in cells_by_type(part, taxonomy=taxonomy).items():
            values["type"] = kind
            yield tuple(values[name] for name in by), found
