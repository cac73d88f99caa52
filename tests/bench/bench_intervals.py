"""What intervals cost beside the point tables, and how often they hold the true value.

Coverage is counted on simulated studies whose true cell rates are known: the rates below are of
the kind that the published studies show, types near an edge among them. Every simulated study is
one study of one counts frame, so the numbers are those of the code that is used.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.metrics.cells import METRIC_NAMES
from core.metrics.counts import CountRow
from core.metrics.metric_frames import metric_table
from core.metrics.replicates import replicate_metric
from core.metrics.resampling import metric_intervals
from core.taxonomy import FEASIBLE, INFEASIBLE, LINE_OF_DUTY

STUDIES = 400
TASKS_PER_STRATUM = (80, 25, 5, 2)
TIMED_STUDIES = 10
BOTH = (("study", "model"), ("study", "model", "type"))


class Rates(NamedTuple):
    """Of one type: called infeasible among feasible; called feasible, same reason among others."""

    fr: float
    rf: float
    rr: float


TRUTHS = {
    "declines a lot": (
        Rates(0.68, 0.05, 0.85),
        Rates(0.15, 0.02, 0.77),
        Rates(0.04, 0.05, 0.79),
        Rates(0.42, 0.02, 0.95),
        Rates(0.27, 0.03, 0.55),
    ),
    "tries a lot": (
        Rates(0.43, 0.12, 0.66),
        Rates(0.02, 0.13, 0.25),
        Rates(0.02, 0.14, 0.68),
        Rates(0.07, 0.06, 0.88),
        Rates(0.03, 0.16, 0.25),
    ),
    "names other reasons": (
        Rates(0.20, 0.20, 0.10),
        Rates(0.30, 0.30, 0.05),
        Rates(0.50, 0.25, 0.15),
        Rates(0.10, 0.10, 0.30),
        Rates(0.40, 0.40, 0.05),
    ),
}
REASON_OF = {kind.name: [reason.name for reason in kind.reasons] for kind in LINE_OF_DUTY.types}


def simulated(
    truth: tuple[Rates, ...], n: int, studies: int, rng: np.random.Generator
) -> list[CountRow]:
    """Counts of studies with n tasks per type and side, drawn from the true rates."""
    return [
        row
        for kind, rates in zip(REASON_OF, truth, strict=True)
        for row in _of_type(kind, rates, n, studies, rng)
    ]


def _of_type(
    kind: str, rates: Rates, n: int, studies: int, rng: np.random.Generator
) -> Iterator[CountRow]:
    same, other = REASON_OF[kind][:2]
    fr = rng.binomial(n, rates.fr, studies)
    made = rng.multinomial(n, [rates.rf, rates.rr, 1 - rates.rf - rates.rr], studies)
    for at in range(studies):
        names = (f"study {at}", "m", "m", "vanilla")
        for intent, label, label_reason, tasks in (
            (FEASIBLE, FEASIBLE, None, n - fr[at]),
            (FEASIBLE, INFEASIBLE, same, fr[at]),
            (INFEASIBLE, FEASIBLE, None, made[at, 0]),
            (INFEASIBLE, INFEASIBLE, same, made[at, 1]),
            (INFEASIBLE, INFEASIBLE, other, made[at, 2]),
        ):
            reason = same if intent == INFEASIBLE else None
            if tasks:
                yield CountRow(*names, intent, kind, reason, label, label_reason, int(tasks))


def true_values(truth: tuple[Rates, ...]) -> pd.DataFrame:
    """Each metric of the true rates: type (None for all of them), metric, truth."""
    cells = np.array([[1 - r.fr, r.fr, r.rf, r.rr, 1 - r.rf - r.rr] for r in truth])
    every = {None: cells.sum(axis=0), **dict(zip(REASON_OF, cells, strict=True))}
    rows = [
        (kind, metric, float(replicate_metric(found[None], metric)[0]))
        for kind, found in every.items()
        for metric in METRIC_NAMES
    ]
    return pd.DataFrame(rows, columns=["type", "metric", "truth"])


def coverage(n: int, studies: int, seed: int) -> pd.DataFrame:
    """By truth, scope and metric: the share of the intervals that hold the truth, of those there.

    Beside it the same of Wilson's interval, NaN for what is no share.
    """
    found = []
    for name, truth in TRUTHS.items():
        rows = simulated(truth, n, studies, np.random.default_rng(seed))
        for by in BOTH:
            ours = metric_intervals(rows, by=by, seed=seed)
            wilson = metric_table(rows, by=by, metrics=METRIC_NAMES)
            ours[["wilson_low", "wilson_high"]] = wilson[["low", "high"]]
            ours["type"] = ours["type"] if "type" in by else None
            ours = ours.merge(true_values(truth), on=["type", "metric"]).dropna(subset="low")
            ours["holds"] = ours["truth"].between(ours["low"], ours["high"])
            inside = ours["truth"].between(ours["wilson_low"], ours["wilson_high"])
            ours["wilson_holds"] = inside.where(ours["wilson_low"].notna())
            ours["scope"] = "type" if "type" in by else "study"
            ours["truth_name"] = name
            found.append(ours)
    every = pd.concat(found).astype({"wilson_holds": float})
    each = every.groupby(["scope", "metric", "truth_name", "type"], dropna=False)
    return each[["holds", "wilson_holds"]].mean().reset_index()


def print_coverage() -> None:
    """Print the coverage of the 95 % interval by scope, size and metric."""
    print(f"coverage of the 95 % interval, {STUDIES} studies of each of {len(TRUTHS)} truths:")
    print("mean (lowest to highest over truths and types), and that of Wilson's for shares")
    for n in TASKS_PER_STRATUM:
        found = coverage(n, STUDIES, seed=n)
        for scope in ("study", "type"):
            print(f"  {n} tasks per type and side, one {scope}:")
            for metric in METRIC_NAMES:
                part = found[(found["scope"] == scope) & (found["metric"] == metric)]
                mean, low, high = (part["holds"].agg(how) for how in ("mean", "min", "max"))
                line = f"    {metric:18} {mean:6.1%} ({low:6.1%} to {high:6.1%})"
                if part["wilson_holds"].notna().any():
                    line += f"   wilson {part['wilson_holds'].mean():6.1%}"
                print(line, flush=True)


def print_cost() -> None:
    """Print what the intervals of ten studies cost beside their point tables."""
    truths = list(TRUTHS.values())
    rng = np.random.default_rng(1)
    rows = [
        row._replace(study=f"study {at}")
        for at in range(TIMED_STUDIES)
        for row in simulated(truths[at % len(truths)], 80, 1, rng)
    ]

    def best(make) -> float:
        times = []
        for _ in range(5):
            started = perf_counter()
            for by in BOTH:
                make(by)
            times.append(perf_counter() - started)
        return min(times)

    points = best(lambda by: metric_table(rows, by=by, metrics=METRIC_NAMES))
    intervals = best(lambda by: metric_intervals(rows, by=by))
    print(
        f"intervals: {TIMED_STUDIES} studies overall and by type, 2,000 replicates, take "
        f"{intervals / points:.1f} times their point tables ({intervals:.2f} s)"
    )


def main() -> None:
    """Print the cost, then the coverage."""
    print_cost()
    print_coverage()


if __name__ == "__main__":
    main()
