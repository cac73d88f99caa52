"""The metrics of in-advance confidence as frames, from counts of what was stated and what came.

A counts frame has a row for each study, model, type, stated chance and result, and how many tasks
have them: study, subject, model, prompt_set, part, type, estimate (missing where none was stated),
result (passed, failed, no_program, or missing while nothing has come of an attempt), n. A reply
without a program has not solved its task. Rows of another part than `task` are left out.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.brier import brier_score
from core.metrics.calibration import calibration_curve, true_success_rate
from core.metrics.confidence_table import confidence_table
from core.metrics.risk_coverage import risk_coverage_area, risk_coverage_curve

if TYPE_CHECKING:
    from pandas import DataFrame

PASSED, FAILED, NO_PROGRAM = "passed", "failed", "no_program"
WHO = ("study", "model")
IN_UNIT = ("predicted_success_rate", "true_success_rate", "auroc", "brier_score")
"""Metrics in [0, 1] that stand side by side as bars."""


def pairs(counts: "DataFrame") -> tuple[np.ndarray, np.ndarray]:
    """Outcome and estimate of each task that has both, in the order of the counts.

    Example:
        >>> import pandas as pd
        >>> rows = {"estimate": [0.5, None], "result": ["passed", "failed"], "n": [2, 1]}
        >>> [one.tolist() for one in pairs(pd.DataFrame(rows))]
        [[1, 1], [0.5, 0.5]]
    """
    both = counts[counts["estimate"].notna() & counts["result"].notna()]
    n = both["n"].to_numpy(dtype=int)
    outcomes = (both["result"] == PASSED).to_numpy(dtype=int)
    return np.repeat(outcomes, n), np.repeat(both["estimate"].to_numpy(dtype=float), n)


def subjects_in(counts: "DataFrame") -> Iterator[tuple[tuple[str, str], "DataFrame"]]:
    """The counts of each model's single tasks in each study, in order of their names."""
    yield from single_tasks(counts).groupby(list(WHO), sort=True)


def has_single_tasks(counts: "DataFrame") -> bool:
    """Whether any task was put to a model by itself."""
    return bool((counts["part"] == "task").any())


def single_tasks(counts: "DataFrame") -> "DataFrame":
    """The counts of tasks alone, where there are contracts beside them."""
    return counts[counts["part"] == "task"]


def glance(counts: "DataFrame") -> "DataFrame":
    """Every metric of each model in a row: study, model, n, the metrics, and what to be careful of.

    NaN is not defined.
    """
    import pandas as pd

    rows = []
    for who, own in subjects_in(counts):
        found = confidence_table(*pairs(own)).set_index("metric")
        careful = found.loc["auroc", "caution"] or found.loc["auroc", "why"]
        values = found["value"].to_dict()
        rows.append((*who, int(found["n"].max()), *values.values(), careful))
        names = list(values)
    return pd.DataFrame(rows, columns=[*WHO, "n", *names, "caution"] if rows else [*WHO, "n"])


def metric_intervals(counts: "DataFrame") -> "DataFrame":
    """Every metric of each model with its interval: study, model, metric, value, low, high, n,
    interval (how it was made), why (a gap), caution."""
    import pandas as pd

    frames = [
        confidence_table(*pairs(own))
        .rename(columns={"method": "interval"})
        .assign(study=who[0], model=who[1])
        for who, own in subjects_in(counts)
    ]
    names = ["metric", "value", "low", "high", "n", "interval", "why", "caution"]
    if not frames:
        return pd.DataFrame(columns=[*WHO, *names])
    return pd.concat(frames, ignore_index=True)[[*WHO, *names]]


def unit_metrics(counts: "DataFrame") -> "DataFrame":
    """The rows of `metric_intervals` whose metric lies in [0, 1] and is drawn as a bar."""
    found = metric_intervals(counts)
    return found[found["metric"].isin(IN_UNIT)].reset_index(drop=True)


def calibration_points(counts: "DataFrame") -> "DataFrame":
    """The calibration curve of each model: study, model and the columns of `calibration_curve`."""
    return _curves(counts, calibration_curve)


def risk_coverage_points(counts: "DataFrame") -> "DataFrame":
    """The risk-coverage curve of each model: study, model, the columns of `risk_coverage_curve`,
    and by_chance, the risk of estimates that tell nothing."""
    found = _curves(counts, risk_coverage_curve)
    last = found.groupby(list(WHO))["risk"].transform("last") if len(found) else []
    return found.assign(by_chance=last)


def brier_parts(counts: "DataFrame") -> "DataFrame":
    """The Brier score of each model and what it is made of; NaN is not defined."""
    import pandas as pd

    rows = []
    for who, own in subjects_in(counts):
        one = brier_score(*pairs(own))
        parts = (one.reliability, one.resolution, one.uncertainty, one.within_bins, one.skill)
        rows.append((*who, one.n, one.value, one.low, one.high, *parts))
    names = ["n", "brier_score", "low", "high", "reliability", "resolution", "uncertainty"]
    columns = [*WHO, *names, "within_bins", "skill"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[3:], float))


def risk_coverage_areas(counts: "DataFrame") -> "DataFrame":
    """The area under the risk-coverage curve of each model, between the best it could be and that
    of estimates that tell nothing: study, model, n, area, low, high, best, by_chance."""
    import pandas as pd

    rows = []
    for who, own in subjects_in(counts):
        one = risk_coverage_area(*pairs(own))
        rows.append((*who, one.n, one.value, one.low, one.high, one.best, one.by_chance))
    columns = [*WHO, "n", "area", "low", "high", "best", "by_chance"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[3:], float))


def denominators(counts: "DataFrame") -> "DataFrame":
    """What the metrics of each model are out of, in tasks.

    Returns:
        study, model, planned (tasks put to the model), asked (those with an answer to any ask),
        estimates, no_estimate (asked, and no answer states a chance), attempted (with a reply),
        passed, failed, no_program, not_run (attempts whose program has not run yet), both (with an
        estimate and a result, which the metrics are out of), success_of_attempted (a reply without
        a program has failed) and success_of_programs, each in [0, 1].
    """
    import pandas as pd

    rows = []
    for who, own in subjects_in(counts):
        n = own["n"]
        stated, result = own["estimate"].notna(), own["result"]
        asked, attempted = own["is_predicted"].astype(bool), own["is_attempted"].astype(bool)
        passed, failed = int(n[result == PASSED].sum()), int(n[result == FAILED].sum())
        without = int(n[result == NO_PROGRAM].sum())
        rows.append(
            (
                *who,
                int(n.sum()),
                int(n[asked].sum()),
                int(n[stated].sum()),
                int(n[asked & ~stated].sum()),
                int(n[attempted].sum()),
                passed,
                failed,
                without,
                int(n[attempted & result.isna()].sum()),
                int(n[stated & result.notna()].sum()),
                _rate(passed, failed + without),
                _rate(passed, failed),
            )
        )
    columns = [*WHO, "planned", "asked", "estimates", "no_estimate", "attempted"]
    columns += [
        PASSED,
        FAILED,
        NO_PROGRAM,
        "not_run",
        "both",
        "success_of_attempted",
        "success_of_programs",
    ]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[-2:], float))


def _curves(counts: "DataFrame", curve: object) -> "DataFrame":
    import pandas as pd

    frames = [
        curve(*pairs(own)).assign(study=who[0], model=who[1]) for who, own in subjects_in(counts)
    ]
    found = pd.concat(frames, ignore_index=True) if frames else curve([], [])
    names = [name for name in found.columns if name not in WHO]
    return found.reindex(columns=[*WHO, *names])


def _rate(passed: int, others: int) -> float | None:
    return true_success_rate([1] * passed + [0] * others).value
