"""Frames of agents' estimates as the results show them, for each study and model.

Of a counts frame, the rows of part `agent` are looked at, one an estimate: study, model, type (the
evaluation), budget (tool calls) and sandbox, each missing where the log does not say, run, result
(solved, failed or missing), step (missing after submission), estimate (missing where it could not
be read), is_asked. A run without a result is in no metric; a task worked on several times counts as
often, and its runs are taken as independent.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from core.metrics.agent_steps import AFTER, step_curves

if TYPE_CHECKING:
    from pandas import DataFrame

SUBJECT = ["study", "model"]
PART, SOLVED = "agent", "solved"
_UNKNOWN = "unknown"
GLANCE = [*SUBJECT, "runs", "decided", "solved", "success_rate", "steps"]
GLANCE += ["estimate_first", "estimate_last", "estimate_after"]
GLANCE += ["auroc_first", "auroc_last", "auroc_after", "unread"]


def has_agents(counts: "DataFrame") -> bool:
    """Whether any agent was at work."""
    return bool((counts["part"] == PART).any())


def agent_curves(counts: "DataFrame", *, metrics: tuple[str, ...] = ()) -> "DataFrame":
    """Each metric of `agent_steps.step_curves` at each step, for each study and model.

    Args:
        metrics: those wanted; all by default.

    Returns:
        study, model, step (text: 1, 2, … and `after`), metric, value, low, high, n, n_carried, p,
        method, why, caution, success_rate (of the runs that count).
    """
    import pandas as pd

    found = [
        curves.assign(study=who[0], model=who[1], success_rate=rate)
        for who, curves, rate in _of_subjects(counts)
    ]
    if not found:
        return pd.DataFrame(columns=[*SUBJECT, "step", "metric", "value", "low", "high", "n"])
    every = pd.concat(found, ignore_index=True)
    every["step"] = every["step"].astype(str)
    if metrics:
        every = every[every["metric"].isin(metrics)].reset_index(drop=True)
    names = [*SUBJECT, "step", "metric"]
    return every[[*names, *(name for name in every.columns if name not in names)]]


def agent_glance(counts: "DataFrame") -> "DataFrame":
    """Runs, what was solved, and estimates and AUROC at the first step, the last and after it all.

    Returns:
        a row for each study and model with the columns of `GLANCE`; NaN is not defined. steps is
        the number of the last one, unread how many replies stated no chance that can be read.
    """
    import pandas as pd

    curves = {who: found for who, found, _ in _of_subjects(counts)}
    table = []
    for who, own in _agents(counts):
        runs = own.drop_duplicates("run")
        solved, decided = (runs["result"] == SOLVED).sum(), runs["result"].notna().sum()
        at = partial(_value, curves.get(who))
        n_steps = int(own["step"].max()) if own["step"].notna().any() else 0
        points = ("1", str(n_steps), AFTER)
        estimates = [at(point, "mean_estimate") for point in points]
        aurocs = [at(point, "auroc") for point in points]
        unread = int((own["is_asked"].astype(bool) & own["estimate"].isna()).sum())
        rate = solved / decided if decided else float("nan")
        table.append((*who, len(runs), decided, solved, rate, n_steps, *estimates, *aurocs, unread))
    return pd.DataFrame(table, columns=GLANCE)


def agent_sources(counts: "DataFrame") -> "DataFrame":
    """What the runs of each study and model were part of: study, model, evaluation, budget (tool
    calls, in words), sandbox, runs, and decided, those with an outcome."""
    import pandas as pd

    columns = [*SUBJECT, "evaluation", "budget", "sandbox"]
    runs = counts[counts["part"] == PART].drop_duplicates("run")
    if runs.empty:
        return pd.DataFrame(columns=[*columns, "runs", "decided"])
    budget = runs["budget"].map(lambda n: _UNKNOWN if pd.isna(n) else f"{n:,.0f} calls")
    sandbox = runs["sandbox"].fillna(_UNKNOWN)
    told = runs.assign(evaluation=runs["type"], budget=budget, sandbox=sandbox)
    grouped = told.groupby(columns, sort=True)
    return grouped.agg(runs=("run", "size"), decided=("result", "count")).reset_index()


def estimates_at(counts: "DataFrame") -> "DataFrame":
    """How many runs stated a chance as they began and when done: study, model, step (1 or after),
    with_estimate, and unparsable (asked, and the reply stated none that can be read)."""
    import pandas as pd

    rows = []
    for who, own in _agents(counts):
        asked = own[own["is_asked"].astype(bool)]
        for point, there in (("1", asked["step"] == 1), (AFTER, asked["step"].isna())):
            n_read = int(asked.loc[there, "estimate"].notna().sum())
            rows.append((*who, point, n_read, int(there.sum()) - n_read))
    return pd.DataFrame(rows, columns=[*SUBJECT, "step", "with_estimate", "unparsable"])


def _agents(counts: "DataFrame") -> Iterator[tuple[tuple[str, str], "DataFrame"]]:
    yield from counts[counts["part"] == PART].groupby(SUBJECT, sort=True)


def _of_subjects(counts: "DataFrame") -> Iterator[tuple[tuple[str, str], "DataFrame", float]]:
    for who, own in _agents(counts):
        decided = own[own["result"].notna()]
        outcomes = {
            run: float(outcome == SOLVED)
            for run, outcome in zip(decided["run"], decided["result"], strict=True)
        }
        if not outcomes:
            continue
        asked = decided[decided["is_asked"].astype(bool)].rename(columns={"run": "task"})
        steps = asked[asked["step"].notna()]
        after = asked[asked["step"].isna()].set_index("task")["estimate"]
        curves = step_curves(
            steps[["task", "step", "estimate"]].astype({"step": int}),
            outcomes,
            after=after.to_dict() if len(after) else None,
        )
        yield who, curves, sum(outcomes.values()) / len(outcomes)


def _value(curves: "DataFrame | None", step: str, metric: str) -> float:
    if curves is None:
        return float("nan")
    there = curves[(curves["step"].astype(str) == step) & (curves["metric"] == metric)]
    return float(there["value"].iloc[0]) if len(there) else float("nan")
