"""How the planned calls of a step stand, as a sum that always adds up to what was planned."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from core.protocols.base import Step
from core.records import PENDING, Outcome
from core.runs.progress import BUDGET, STOPPED
from core.store.store import Store
from core.workflows.contract_plans import contract_progress
from core.workflows.studies import Study
from core.workflows.workbench import Workbench


def step_outcomes(
    store: Store, study: Study, step: Step, *, model: str | None = None
) -> dict[str, int]:
    """How the planned calls of a step stand: `planned`, each outcome, and `pending`.

    The parts add up to `planned`. Calls that were never sent count by how their run ended:
    cancelled when a person stopped it, budget-stopped when the money was used up, else pending.
    What was planned after that run is pending too.

    Args:
        model: the model whose calls are counted; by default those of all models.
    """
    runs = {
        row["model"]: row
        for row in store.rows("last_runs", study_id=study.study_id)
        if row["step"] == step.name
    }
    total: Counter[str] = Counter({outcome.value: 0 for outcome in Outcome} | {PENDING: 0})
    planned = 0
    for row in store.rows("step_outcomes", study_id=study.study_id):
        if row["step"] != step.name or model not in (None, row["model"]):
            continue
        planned += row["planned"]
        for outcome in Outcome:
            total[outcome.value] += row[outcome.value]
        run = runs.get(row["model"])
        n_later = 0 if run is None else _planned_since(store, study, run)
        total[_unsent_as(run)] += row[PENDING] - n_later
        total[PENDING] += n_later
    return {"planned": planned} | dict(total)


def status_document(store: Store, study: Study) -> dict[str, Any]:
    """A study's steps and outcomes as `selfbound status --json` prints them.

    An optional step stands there only when something of it was planned. Where contracts are drawn,
    `contracts` tells for each model how far it has come, as a call is planned only once the
    contract before it is answered.
    """
    counts = [(step, step_outcomes(store, study, step)) for step in study.shape.steps]
    steps = {
        step.name: step_document(found)
        for step, found in counts
        if found["planned"] or not step.is_optional
    }
    contracts = [
        dict(row) | contract_progress(store, study, row["model"])
        for row in store.rows("contract_models", study_id=study.study_id)
    ]
    return {"study": study.name, "steps": steps} | ({"contracts": contracts} if contracts else {})


def step_document(counts: Mapping[str, int]) -> dict[str, Any]:
    """One step's counts as the command line prints them; pending only while there are any."""
    outcomes = {outcome.value: counts[outcome.value] for outcome in Outcome}
    if counts[PENDING]:
        outcomes[PENDING] = counts[PENDING]
    return {"planned": counts["planned"], "outcomes": outcomes}


def interrupted_models(bench: Workbench, study: Study, step_name: str) -> list[str]:
    """The models whose last run of a step neither ended nor runs in this process."""
    with bench.lock:
        live = {run.run_id for run in bench.runs.values()}
    return [
        row["model"]
        for row in bench.store.rows("last_runs", study_id=study.study_id)
        if row["step"] == step_name and row["event"] != "ended" and row["run_id"] not in live
    ]


def _planned_since(store: Store, study: Study, run: Mapping[str, Any]) -> int:
    return store.value(
        "open_items_since",
        study_id=study.study_id,
        step=run["step"],
        model=run["model"],
        since=run["started_at"],
    )


def _unsent_as(run: Mapping[str, Any] | None) -> str:
    if run is None or run["event"] != "ended":
        return PENDING
    unsent = {STOPPED: Outcome.CANCELLED.value, BUDGET: Outcome.BUDGET_STOPPED.value}
    return unsent.get(run["detail"], PENDING)
