"""Every curve of agents once more from the files of an export: numpy alone, pair by pair."""

import json
from math import exp, lgamma, log, pi, sqrt

import numpy as np
import pytest

from core.store.store import Store
from core.workflows.agent_import import add_agent_logs
from core.workflows.exporting import export_study
from core.workflows.results import tables_document
from core.workflows.studies import create_study
from tests.support.agents import agent_log

Z = 1.959963984540054
N_RUNS, N_STEPS = 80, 12


def _runs(seed: int) -> dict:
    """Runs that end early or late, know a little, and now and then say nothing that can be read."""
    rng = np.random.default_rng(seed)
    runs = {}
    for at in range(N_RUNS):
        solved = int(rng.random() < 0.5)
        steps = []
        for step in range(int(rng.integers(1, N_STEPS + 1))):
            known = 0.5 + (solved - 0.5) * step / N_STEPS
            value = float(np.clip(rng.normal(known, 0.2), 0, 1).round(2))
            steps.append(None if rng.random() < 0.1 else value)
        after = None if rng.random() < 0.1 else float(np.clip(rng.normal(0.8, 0.2), 0, 1).round(2))
        runs[f"task {at:02}"] = (None if rng.random() < 0.1 else solved, steps, after)
    return runs


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The curves as the tables have them, and what the export says, by run."""
    folder = tmp_path_factory.mktemp("agents")
    with Store.open(folder / "s.duckdb") as store:
        study = create_study(
            store, "agents", protocol="in_advance_confidence", subject="openai/agent"
        )
        # A run that was tried again, and that counts once.
        first = {"task 00": (None, [0.1] * 3, None)}
        add_agent_logs(store, study, [agent_log(first), agent_log(_runs(6))])
        [entry] = tables_document(store, [study])["agents"]
        export_study(store, study, folder / "out")
    runs, said = (
        [json.loads(line) for line in (folder / "out" / f"{name}.jsonl").read_text().splitlines()]
        for name in ("agent_runs", "agent_estimates")
    )
    return entry["curves"], runs, said


def _tables(runs, said):
    """Outcome, estimates carried forward, which are carried, and the last estimate of each run."""
    own = [one for one in runs if one["counts"] and one["outcome"] is not None]
    place = {one["agent_run_id"]: at for at, one in enumerate(own)}
    outcomes = np.array([one["outcome"] == "solved" for one in own])
    stated = np.full((len(own), N_STEPS), np.nan)
    after = np.full(len(own), np.nan)
    for one in said:
        at = place.get(one["agent_run_id"])
        if at is None or one["estimate"] is None:
            continue
        if one["at_step"] is None:
            after[at] = one["estimate"]
        else:
            stated[at, one["at_step"] - 1] = one["estimate"]
    kept = stated.copy()
    for step in range(1, N_STEPS):
        gone = np.isnan(kept[:, step])
        kept[gone, step] = kept[gone, step - 1]
    return outcomes, kept, np.isnan(stated) & ~np.isnan(kept), after


def _t_quantile(degrees: int) -> float:
    """The point that Student's t stays below with 97.5 %: half of it by Gauss and Legendre."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    scale = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2) - 0.5 * log(degrees * pi))

    def between(end: float) -> float:
        x = (nodes + 1) * end / 2
        return end / 2 * float(weights @ (scale * (1 + x**2 / degrees) ** (-(degrees + 1) / 2)))

    low, high = 0.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if between(middle) < 0.475 else (low, middle)
    return low


def _mean(values, lowest=0.0):
    half = _t_quantile(len(values) - 1) * values.std(ddof=1) / sqrt(len(values))
    return values.mean(), max(lowest, values.mean() - half), min(1.0, values.mean() + half)


def _beaten(outcomes, scores):
    """Of each pair of a success and a failure: 1 where it is in the right order, ½ where tied."""
    won, lost = scores[outcomes][:, None], scores[~outcomes][None, :]
    return (won > lost) + 0.5 * (won == lost)


def _delong(pairs):
    by_success, by_failure = pairs.mean(axis=1), pairs.mean(axis=0)
    variance = by_success.var(ddof=1) / len(by_success) + by_failure.var(ddof=1) / len(by_failure)
    return pairs.mean(), variance


def _expected(outcomes, kept, carried, after):
    points = [
        (str(step + 1), kept[:, step], int(carried[:, step].sum())) for step in range(N_STEPS)
    ]
    first = kept[:, 0]
    for name, here, n_carried in [*points, ("after", after, 0)]:
        there = ~np.isnan(here)
        happened, said = outcomes[there], here[there]
        yield name, "mean_estimate", *_mean(said), len(said), n_carried
        apart = said - happened
        centre = apart.sum() / (len(said) + 2)
        spread = (np.square(apart).sum() + 1) / (len(said) + 2) - centre**2
        half = Z * sqrt(spread / (len(said) + 2))
        yield (
            name,
            "overconfidence",
            apart.mean(),
            centre - half,
            centre + half,
            len(said),
            n_carried,
        )
        value, variance = _delong(_beaten(happened, said))
        ends = (max(0, value - Z * sqrt(variance)), min(1, value + Z * sqrt(variance)))
        yield name, "auroc", value, *ends, len(said), n_carried
        if name == "1":
            continue
        both = there & ~np.isnan(first)
        change = here[both] - first[both]
        yield name, "estimate_change", *_mean(change, -1.0), len(change), n_carried
        apart = _beaten(outcomes[both], here[both]) - _beaten(outcomes[both], first[both])
        value, variance = _delong(apart)
        half = Z * sqrt(variance)
        yield name, "auroc_difference", value, value - half, value + half, len(change), n_carried


def test_every_curve_follows_from_the_export(exported) -> None:
    curves, runs, said = exported
    found = {(row["step"], row["metric"]): row for row in curves}
    expected = list(_expected(*_tables(runs, said)))
    assert len(expected) == len(found) == 5 * (N_STEPS + 1) - 2
    for step, metric, value, low, high, n, n_carried in expected:
        row = found[step, metric]
        assert (row["n"], row["n_carried"]) == (n, n_carried)
        shown = (row["value"], row["low"], row["high"])
        assert shown == pytest.approx((value, low, high), abs=1e-9, rel=0), (step, metric)


def test_the_runs_are_such_that_something_is_tested(exported) -> None:
    curves, runs, said = exported
    outcomes, kept, carried, after = _tables(runs, said)
    assert 20 < outcomes.sum() < len(outcomes) - 20 and len(outcomes) < N_RUNS < len(runs)
    assert carried[:, -1].sum() > 50 and np.isnan(kept[:, 0]).any() and np.isnan(after).any()
    assert max(row["value"] for row in curves if row["metric"] == "auroc_difference") > 0.2
