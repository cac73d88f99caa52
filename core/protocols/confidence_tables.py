"""The document and the rows that `selfbound tables` prints of in-advance confidence."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.metrics.agent_frames import agent_curves, agent_glance, agent_sources, estimates_at
from core.metrics.confidence_frames import (
    brier_parts,
    calibration_points,
    denominators,
    metric_intervals,
    risk_coverage_points,
    subjects_in,
)
from core.metrics.contract_frames import attitudes, curves, totals, trial_counts
from core.metrics.stated_chances import chances_alone

METRICS = (
    "predicted_success_rate",
    "true_success_rate",
    "overconfidence",
    "auroc",
    "brier_score",
    "risk_coverage_area",
    "calibration_error",
)
HEADER = [
    "study",
    "model",
    "prompts",
    "planned",
    "with_estimate",
    "unparsable",
    "with_outcome",
    "n",
]
HEADER += ["trials", "complete", "incomplete", *METRICS]
_NO_TRIALS = ["", "", ""]
_CURVES = {"calibration": calibration_points, "risk_coverage": risk_coverage_points}


def tables(counts: pd.DataFrame) -> dict[str, Any]:
    """Everything measured, for each study and model.

    Returns:
        `studies`, sorted by name: study, subject, prompt_set, model, tasks (what the metrics are
        out of), metrics (value, low, high, n, interval, why and caution of each), brier (its
        parts), calibration and risk_coverage (the points of the curves), by_type (the metrics of
        each file). `chances_alone`, of each person or model without any result: study, model, n,
        predicted_success_rate, low and high. `contracts`, of each study and model to which any were
        offered: study, model, trials (how they stand), curves (every metric by contract), totals
        (every metric over all contracts) and risk_attitude. `agents`, of each study and model whose
        agents were at work: study, model, glance (runs, what was solved, the first and the last
        estimates), sources (the evaluations, budgets and sandboxes that are pooled), estimates (how
        many stated one as they began and when done) and curves (every metric by step). None is not
        defined.
    """
    studies = []
    for who, own in subjects_in(counts):
        first = own.iloc[0]
        entry = {
            "study": who[0],
            "subject": first["subject"],
            "prompt_set": first["prompt_set"],
            "model": who[1],
            "tasks": _rows(denominators(own))[0],
            "metrics": _metrics(own),
            "brier": _rows(brier_parts(own))[0],
            **{name: _rows(points(own)) for name, points in _CURVES.items()},
            "by_type": {str(kind): _metrics(part) for kind, part in own.groupby("type")},
        }
        studies.append(entry)
    return {
        "studies": studies,
        "chances_alone": _records(chances_alone(counts)),
        "contracts": _contracts(counts),
        "agents": _agents(counts),
    }


def flat_rows(document: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """A header and one row per study and model; one more for all contracts together, and two for
    agents, as they begin and when done.

    Metrics are out of n: of the tasks, contracts or runs planned those with an estimate and an
    outcome. A reply without a program is an outcome, and so is what a drawn contract is known to
    end in. Only trials of contracts can be complete or not; incomplete ones are open, or ended
    where a reply could not be read.
    """
    rows = []
    for one in document["studies"]:
        names = [one["study"], one["model"], one["prompt_set"]]
        values = [one["metrics"][metric]["value"] for metric in METRICS]
        tasks = one["tasks"]
        n_outcomes = tasks["passed"] + tasks["failed"] + tasks["no_program"]
        stated = [tasks["planned"], tasks["estimates"], tasks["no_estimate"]]
        rows.append([*names, *stated, n_outcomes, tasks["both"], *_NO_TRIALS, *values])
    for one in document["contracts"]:
        if one["totals"]:
            totals_of = {metric: row["value"] for metric, row in one["totals"].items()}
            values = [totals_of.get(metric) for metric in METRICS]
            trials = one["trials"]
            planned, n = trials["contracts"], trials["answered"]
            # An unreadable trial ends at the one contract that could not be read.
            numbers = [planned, n, trials["unreadable"], planned, n]
            incomplete = trials["unreadable"] + trials["open"]
            numbers += [trials["trials"], trials["complete"], incomplete]
            rows.append([one["study"], one["model"], "contracts", *numbers, *values])
    for one in document["agents"]:
        for words, point in (("agents, step 1", "1"), ("agents, submitted", "after")):
            at = {row["metric"]: row for row in one["curves"] if row["step"] == point}
            if not at:
                continue
            shown = {
                "predicted_success_rate": at["mean_estimate"]["value"],
                "true_success_rate": one["glance"]["success_rate"],
                "overconfidence": at["overconfidence"]["value"],
                "auroc": at["auroc"]["value"],
            }
            values = [shown.get(metric) for metric in METRICS]
            [said] = [row for row in one["estimates"] if row["step"] == point]
            numbers = [one["glance"]["runs"], said["with_estimate"], said["unparsable"]]
            numbers += [one["glance"]["decided"], at["mean_estimate"]["n"], *_NO_TRIALS]
            rows.append([one["study"], one["model"], words, *numbers, *values])
    return HEADER, rows


def flat_notes(document: Mapping[str, Any]) -> list[str]:
    """Why rows of single tasks are empty, and how far contracts have come that are not done.

    Example:
        >>> tasks = {"both": 0, "estimates": 6, "passed": 0, "failed": 0, "no_program": 1}
        >>> one = {"study": "S", "model": "m", "tasks": tasks | {"not_run": 5}}
        >>> flat_notes({"studies": [one], "contracts": []})[0][:55]
        'S, m: no task has both a stated chance (6 have one) and'
    """
    notes = []
    for one in document["studies"]:
        tasks = one["tasks"]
        if not tasks["both"]:
            n_results = tasks["passed"] + tasks["failed"] + tasks["no_program"]
            notes.append(
                f"{one['study']}, {one['model']}: no task has both a stated chance "
                f"({tasks['estimates']:,} have one) and a result ({n_results:,} have one; "
                f"{tasks['not_run']:,} programs have not run)"
            )
    for one in document["contracts"]:
        trials = one["trials"]
        if trials["open"]:
            notes.append(
                f"{one['study']}, {one['model']}: {trials['open']:,} of {trials['trials']:,} "
                f"trials are open, and {trials['answered']:,} of {trials['contracts']:,} contracts "
                "are answered"
            )
    return notes


def _agents(counts: pd.DataFrame) -> list[dict[str, Any]]:
    found = []
    for who, own in counts[counts["part"] == "agent"].groupby(["study", "model"], sort=True):
        curves = _rows(agent_curves(own))
        found.append(
            {
                "study": who[0],
                "model": who[1],
                "glance": _rows(agent_glance(own))[0],
                "sources": _rows(agent_sources(own)),
                "estimates": _rows(estimates_at(own)),
                "curves": curves,
            }
        )
    return found


def _contracts(counts: pd.DataFrame) -> list[dict[str, Any]]:
    offered = counts[counts["part"] == "contract"]
    found = []
    for who, own in offered.groupby(["study", "model"], sort=True):
        attitude = _rows(attitudes(own))
        found.append(
            {
                "study": who[0],
                "model": who[1],
                "trials": _rows(trial_counts(own))[0],
                "curves": _rows(curves(own)),
                "totals": {row.pop("metric"): row for row in _rows(totals(own))},
                "risk_attitude": attitude[0] if attitude else None,
            }
        )
    return found


def _metrics(counts: pd.DataFrame) -> dict[str, Any]:
    return {row.pop("metric"): row for row in _rows(metric_intervals(counts))}


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows without who they are about, None for a missing number."""
    return _records(frame.drop(columns=["study", "model"]))


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.astype(object).where(frame.notna(), None).to_dict("records")
