"""Metrics of uncertainty attribution as frames, one row per value, with their intervals.

NaN stands for "not defined" in the number columns, and `why` then says why. F1s carry the name of
their form, released or balanced (`core.metrics.attribution`).
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.metrics.attribution import WILSON, attribution_metrics
from core.metrics.attribution_counts import AttributionCounts
from core.metrics.attribution_replicates import METRICS, attribution_metric, replicated
from core.metrics.attribution_rows import counts_by, no_reply_by
from core.metrics.intervals import TOO_OFTEN_UNDEFINED, percentile_interval, wilson_interval
from core.metrics.redrawing import REPLICATES

BOOTSTRAP = "bootstrap"
ALWAYS_THE_SAME = "no interval: with these questions no other value can come about"

_FEW = 5


def metric_intervals(
    frame: pd.DataFrame,
    *,
    by: Sequence[str] = ("study", "model"),
    metrics: Sequence[str] = METRICS,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> pd.DataFrame:
    """Metrics of each group with their 95 % intervals, of which none has the width zero.

    Wilson's for the ACC of one file, and where files have fewer than 5 answerable questions on the
    average; else the percentiles of `core.metrics.attribution_replicates`: each file has its number
    of questions for sure, and how many are left for MU-F1 (M) is a matter of chance.

    Coverage in simulations (tests/bench/bench_attribution_intervals.py): 94 to 97 % for five files
    like the published ones or of 40 questions each, 93 to 97 % for one file of 20 + 20 questions,
    95 to 99 % where labels are rare. The closed interval of DU-F1 released takes M as fixed, and
    covers 88 to 92 % in small studies.

    Args:
        frame: a counts frame, of one judge per study or with `judge` in `by`.
        by: columns of it that make the groups.
        metrics: names of `core.metrics.attribution_replicates.METRICS`, in the order wanted.

    Returns:
        The columns of `by`, then metric, value, n (questions it rests on), low, high, interval
        (wilson, bootstrap, or empty), why (there is no value) and why_no_interval.

    Raises:
        InputError: as `core.metrics.attribution_replicates.replicated`.
    """
    rows = []
    for key, counts, drawn, n_strata in replicated(frame, by, replicates=replicates, seed=seed):
        found = named_metrics(counts)
        for name in metrics:
            one = found[name]
            if one.value is None:
                rows.append((*key, name, None, one.n, None, None, "", one.why, one.why))
                continue
            if name == "ACC" and (n_strata == 1 or one.n < _FEW * n_strata):
                ends, method = wilson_interval(counts.correct, one.n), "wilson"
            else:
                replicate = attribution_metric(drawn, name)
                ends, method = percentile_interval(replicate, value=one.value), BOOTSTRAP
            rows.append((*key, name, one.value, one.n, *_told(ends, method)))
    names = [*by, "metric", "value", "n", "low", "high", "interval", "why", "why_no_interval"]
    return pd.DataFrame(rows, columns=names).astype(
        {"value": float, "n": "int64", "low": float, "high": float}
    )


def glance(frame: pd.DataFrame, *, by: Sequence[str] = ("study", "model")) -> pd.DataFrame:
    """One row per group: questions of either side that count, then every metric with its interval.

    Returns:
        The columns of `by`, answerable, unanswerable, unjudged (answers without a verdict) and
        no_reply (questions without a reply), which both count nowhere, each metric with NAME_low
        and NAME_high beside it, and why.
    """
    long = metric_intervals(frame, by=by)
    silent = no_reply_by(frame, by)
    rows = []
    for key, counts in counts_by(frame, by).items():
        row: dict[str, Any] = dict(zip(by, key, strict=True))
        row |= {"answerable": counts.n_answerable, "unanswerable": counts.n_unanswerable}
        row |= {"unjudged": counts.unjudged, "no_reply": silent.get(key, 0)}
        of_group = long
        for name, value in zip(by, key, strict=True):
            of_group = of_group[of_group[name] == value]
        for one in of_group.itertuples():
            row |= {one.metric: one.value, f"{one.metric}_low": one.low}
            row |= {f"{one.metric}_high": one.high}
        whys = [f"{one.metric} is {one.why}" for one in of_group.itertuples() if one.why]
        rows.append(row | {"why": "; ".join(whys)})
    numbers = [f"{name}{end}" for name in METRICS for end in ("", "_low", "_high")]
    columns = [*by, "answerable", "unanswerable", "unjudged", "no_reply", *numbers, "why"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(numbers, float))


def removal_effect(without_removed: pd.DataFrame, with_removed: pd.DataFrame) -> pd.DataFrame:
    """Each metric of each study and model without the removed questions, with them, and by how
    much removing raised it.

    Both values share all the questions that were not removed: the difference says what removing
    did to this very sample, and has no interval.

    Returns:
        study, model, metric, without_removed, with_removed, difference, n_without, n_with and why.
    """
    by = ("study", "model")
    rest, every = counts_by(without_removed, by), counts_by(with_removed, by)
    rows = []
    for key, counts in every.items():
        with_them = named_metrics(counts)
        alone = named_metrics(rest.get(key, AttributionCounts()))
        for name in METRICS:
            one, other = alone[name], with_them[name]
            known = one.value is not None and other.value is not None
            causes = [
                f"{where} {found.why.removeprefix('not defined: ')}"
                for where, found in (("without the removed questions", one), ("with them", other))
                if found.why
            ]
            why = f"not defined: {'; '.join(causes)}" if causes else ""
            difference = one.value - other.value if known else None
            rows.append((*key, name, one.value, other.value, difference, one.n, other.n, why))
    numbers = ["without_removed", "with_removed", "difference"]
    columns = [*by, "metric", *numbers, "n_without", "n_with", "why"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(numbers, float))


def named_metrics(counts: AttributionCounts) -> dict[str, Any]:
    """The metrics of counts by the names of `METRICS`, each with its closed interval."""
    found = attribution_metrics(counts)
    return {f"{one.name} {one.form}".strip(): one for one in found}


def interval_words() -> str:
    """What the intervals are, in two sentences."""
    return (
        "Intervals cover 95 %: the percentiles of "
        f"{REPLICATES:,} Bayesian bootstrap replicates, drawn within each file and side; "
        f"for the ACC of a single file {WILSON}. They tell what chance leaves open if the "
        "questions are a sample of others like them."
    )


def _told(ends: tuple[float, float] | None, method: str) -> tuple[Any, ...]:
    """low, high, interval, why and why_no_interval."""
    if ends is None:
        return None, None, "", "", TOO_OFTEN_UNDEFINED
    if ends[0] == ends[1]:
        return None, None, "", "", ALWAYS_THE_SAME
    return *ends, method, "", ""
