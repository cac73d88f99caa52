"""What the profile of a model says of its in-advance confidence.

On single tasks, on contracts and as an agent a model is asked other things of other tasks, so each
is a part of its own; what was never measured of a model is named as such. Studies of one model
count together; an agent's run that stands in several of them counts once.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.auroc import auroc
from core.metrics.calibration import overconfidence, predicted_success_rate, true_success_rate
from core.metrics.confidence import Measured
from core.metrics.confidence_frames import pairs
from core.metrics.contract_frames import attitudes, totals
from core.protocols.shown import NOT_MEASURED

if TYPE_CHECKING:
    from pandas import DataFrame

SINGLE, CONTRACTS, BEGUN, SUBMITTED = (
    "single tasks",
    "contracts",
    "agents, step 1",
    "agents, submitted",
)
OF_CONTRACTS = ("predicted_success_rate", "true_success_rate", "overconfidence", "auroc")
OF_CONTRACTS += ("acceptance_rate", "expected_profit")
COLUMNS = ["model", "part", "prompt_set", "metric", "value", "low", "high", "n", "why", "caution"]


def confidence_profile(counts: "DataFrame") -> "DataFrame":
    """What is said of each model, over all its studies.

    Args:
        counts: a counts frame of in-advance confidence. Trials of one number in one study are the
            same only where `named`, the model's own name there, is the same.

    Returns:
        model, part (single tasks, contracts; agents, step 1; agents, submitted), prompt_set (empty
        for agents, whose prompts are those of their logs), metric, value, low, high (95 %
        interval), n, why (there is no value or no interval), caution.
    """
    import pandas as pd

    rows = []
    for model, own in counts.groupby("model", sort=True):
        for part, found in (
            (SINGLE, _single_tasks(own)),
            (CONTRACTS, _contracts(own)),
            (BEGUN, _agents(own, own["step"] == 1)),
            (SUBMITTED, _agents(own, own["step"].isna())),
        ):
            for prompts, metric, one in list(found) or [_NOTHING]:
                numbers = (one.value, one.low, one.high, one.n)
                rows.append((model, part, prompts, metric, *numbers, one.why, one.caution))
    numeric = dict.fromkeys(("value", "low", "high"), float)
    return pd.DataFrame(rows, columns=COLUMNS).astype(numeric)


Told = Iterator[tuple[str, str, Measured]]
"""Prompt set, metric and what was measured."""

_NOTHING = ("", "", Measured(None, None, None, 0, why=NOT_MEASURED))


def _single_tasks(own: "DataFrame") -> Told:
    for prompts, tasks in own[own["part"] == "task"].groupby("prompt_set", sort=True):
        yield from ((prompts, name, one) for name, one in _of_chances(*pairs(tasks)))


def _agents(own: "DataFrame", is_there: "DataFrame") -> Told:
    agents = own[own["part"] == "agent"]
    # Where one study has a run that was cut short and another how it was decided, that counts.
    decided_first = agents.sort_values("result", kind="stable", na_position="last")
    once = decided_first.drop_duplicates(["log_task", "sample", "epoch"])["run"]
    is_there = is_there & own["run"].isin(once)
    runs = own[(own["part"] == "agent") & own["is_asked"].eq(True) & is_there]
    if not runs.empty:
        said = runs[runs["estimate"].notna() & runs["result"].notna()]
        solved = (said["result"] == "solved").to_numpy(dtype=int)
        chances = said["estimate"].to_numpy(dtype=float)
        yield from (("", name, one) for name, one in _of_chances(solved, chances))


def _of_chances(outcomes: np.ndarray, chances: np.ndarray) -> Iterator[tuple[str, Measured]]:
    yield "predicted_success_rate", predicted_success_rate(chances)
    yield "true_success_rate", true_success_rate(outcomes)
    yield "overconfidence", overconfidence(outcomes, chances)
    yield "auroc", auroc(outcomes, chances)


def _contracts(own: "DataFrame") -> Told:
    offered = own[own["part"] == "contract"]
    for prompts, contracts in offered.groupby("prompt_set", sort=True):
        # Every study numbers its trials from 1.
        apart = contracts.groupby(["study", "named", "trial"]).ngroup()
        together = contracts.assign(study="", trial=apart)
        for row in totals(together).itertuples():
            if row.metric in OF_CONTRACTS:
                yield prompts, row.metric, _measured(row, row.value)
        for row in attitudes(together).rename(columns={"lambda": "value"}).itertuples():
            yield prompts, "risk_attitude", _measured(row, row.value, caution=row.caution)


def _measured(row: "object", value: float, caution: str = "") -> Measured:
    return Measured(value, row.low, row.high, int(row.n), why=row.why, caution=caution)
