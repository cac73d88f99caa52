"""The profile of a model that states chances: single tasks, contracts and agents, each apart."""

from pathlib import Path

import numpy as np
import pytest

from core.llm.client import same_model
from core.protocols.confidence_profile import BEGUN, CONTRACTS, SINGLE, SUBMITTED
from core.records import Reply, Request
from core.workflows.agent_import import add_agent_logs
from core.workflows.contract_draw import draw_contracts
from core.workflows.profiles import model_profiles
from core.workflows.results import tables_document
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from tests.support.agents import agent_log
from tests.support.code_tasks import task_name
from tests.support.contracts import offer, settled_study, state_chances

HERE, THERE = "openai/agent", "azure/Agent"
SOLVED, FAILED = ("sa", "sb", "sc"), ("fa", "fb", "fc")
RUNS = {
    "a": (1, [0.9, 0.8], 0.95),
    "b": (1, [0.6], 0.7),
    "c": (0, [0.7, 0.2], 0.1),
    "d": (0, [None, 0.4], 0.5),
    "e": (None, [0.9], 0.9),
}


def _decides(request: Request) -> Reply:
    """Rather sure of what it can solve, and ready to accept most of what it is sure of."""
    rng = np.random.default_rng((int(request.context["trial"]), int(request.context["contract"])))
    percent = int(np.clip(rng.normal(60 if task_name(request) in SOLVED else 40, 20), 0, 100))
    decision = "YES" if 100 * rng.random() < percent else "NO"
    return Reply(text=offer(percent, decision), model=request.model)


@pytest.fixture
def offered(open_bench, tmp_path: Path):
    """A workbench with a study whose model stated chances, took contracts and worked as agent."""
    bench = open_bench(_decides)
    given = {"solved": SOLVED, "failed": FAILED, "name": "Offered", "model": HERE}
    study = settled_study(bench.store, tmp_path, **given)
    state_chances(bench.store, study, (0.9, 0.7, 0.4, 0.5, 0.2, 0.2))
    draw_contracts(bench.store, study, n_contracts=3)
    assert start_step(bench, study, "contract").wait(60)
    add_agent_logs(bench.store, study, [agent_log(RUNS, model=HERE)])
    return bench, study


def _by_part(found):
    return {(row.part, row.metric): row for row in found.itertuples()}


def test_each_part_says_what_the_study_itself_says(offered) -> None:
    bench, study = offered
    by = _by_part(model_profiles(bench.store))
    document = tables_document(bench.store, [study])

    def same(part: str, metric: str, one: dict) -> None:
        row = by[part, metric]
        assert (row.value, row.low, row.high, row.n) == pytest.approx(
            (one["value"], one["low"], one["high"], one["n"])
        )

    metrics = document["studies"][0]["metrics"]
    for metric in ("predicted_success_rate", "true_success_rate", "overconfidence", "auroc"):
        same(SINGLE, metric.replace("_", " "), metrics[metric])
    [contracts] = document["contracts"]
    for metric in ("overconfidence", "auroc", "acceptance_rate", "expected_profit"):
        same(CONTRACTS, metric.replace("_", " "), contracts["totals"][metric])
    attitude = contracts["risk_attitude"]
    same(CONTRACTS, "risk attitude", attitude | {"value": attitude["lambda"]})
    [agents] = document["agents"]
    curves = {(row["step"], row["metric"]): row for row in agents["curves"]}
    for part, step in ((BEGUN, "1"), (SUBMITTED, "after")):
        same(part, "predicted success rate", curves[step, "mean_estimate"])
        same(part, "overconfidence", curves[step, "overconfidence"])
        same(part, "auroc", curves[step, "auroc"])


def test_agents_are_told_apart_with_their_own_n(offered) -> None:
    bench, _ = offered
    by = _by_part(model_profiles(bench.store))
    # At step 1 d states nothing that can be read, and nothing decided about e.
    assert (by[BEGUN, "overconfidence"].n, by[SUBMITTED, "overconfidence"].n) == (3, 4)
    assert by[BEGUN, "overconfidence"].value == pytest.approx((0.9 + 0.6 + 0.7 - 2) / 3)
    assert by[SUBMITTED, "auroc"].value == 1.0
    assert by[BEGUN, "auroc"].caution.startswith("DeLong") or by[BEGUN, "auroc"].low is not None
    for part in (SINGLE, CONTRACTS, BEGUN, SUBMITTED):
        rows = {metric: row for (own, metric), row in by.items() if own == part}
        stated, solved = rows["predicted success rate"], rows["true success rate"]
        assert rows["overconfidence"].value == pytest.approx(stated.value - solved.value)


def test_a_run_in_two_studies_counts_once(offered) -> None:
    bench, _ = offered
    once = _by_part(model_profiles(bench.store))
    other = create_study(bench.store, "Again", protocol="in_advance_confidence", subject=HERE)
    # Here the run of e has come to an end, and the others are the same.
    add_agent_logs(bench.store, other, [agent_log(RUNS | {"e": (0, [0.9], 0.9)}, model=HERE)])
    by = _by_part(model_profiles(bench.store))
    assert (once[BEGUN, "overconfidence"].n, by[BEGUN, "overconfidence"].n) == (3, 4)
    assert (once[SUBMITTED, "auroc"].n, by[SUBMITTED, "auroc"].n) == (4, 5)


def test_what_was_never_asked_of_a_model_is_not_measured(store) -> None:
    study = create_study(store, "Agents", protocol="in_advance_confidence", subject=HERE)
    add_agent_logs(store, study, [agent_log(RUNS, model=HERE)])
    found = model_profiles(store, with_unmeasured=True)
    unmeasured = found[found["why"] == "not measured"]
    assert list(zip(unmeasured["protocol"], unmeasured["part"], strict=True)) == [
        ("In-advance confidence", SINGLE),
        ("In-advance confidence", CONTRACTS),
        ("Feasibility boundary", ""),
        ("Uncertainty attribution", ""),
    ]
    assert unmeasured["value"].isna().all() and (unmeasured["n"] == 0).all()
    assert model_profiles(store)["protocol"].unique().tolist() == ["In-advance confidence"]


def test_a_model_is_the_same_whoever_offers_it(offered, tmp_path: Path) -> None:
    bench, _ = offered
    folder = tmp_path / "there"
    folder.mkdir()
    given = {"solved": SOLVED, "failed": FAILED, "name": "There", "model": THERE}
    study = settled_study(bench.store, folder, **given)
    state_chances(bench.store, study, (0.9, 0.7, 0.4, 0.5, 0.2, 0.2))
    draw_contracts(bench.store, study, n_contracts=3)
    assert start_step(bench, study, "contract").wait(60)
    add_agent_logs(bench.store, study, [agent_log(RUNS, model="openai-api/x/agent", log_task="u")])
    for name in ("agent", HERE, THERE):
        found = model_profiles(bench.store, models=[name])
        [shown] = found["model"].unique()
        assert shown == "azure/Agent, openai-api/x/agent, openai/agent"
        assert all(same_model(name, one) for one in shown.split(", "))
    by = _by_part(found)
    assert by[SINGLE, "auroc"].n == 12
    # Both studies number their eight trials of three contracts from 1.
    assert by[CONTRACTS, "acceptance rate"].n == 48
    assert by[BEGUN, "auroc"].n == 6


def test_a_model_that_classifies_its_own_tasks_under_another_name_is_their_subject(
    open_bench,
) -> None:
    from core.workflows.drawing import draw_tasks

    from .conftest import obedient

    bench = open_bench(obedient)
    study = create_study(
        bench.store, "Tasks", protocol="feasibility_boundary", subject="openai/x", per_type=1
    )
    assert start_step(bench, study, "generate").wait(30)
    draw_tasks(bench.store, study)
    assert start_step(bench, study, "classify", model="azure/X").wait(30)
    found = model_profiles(bench.store)
    assert found["model"].unique().tolist() == ["azure/X, openai/x"]
    assert found["part"].unique().tolist() == ["tasks"]
    assert found.set_index("metric")["value"]["accuracy"] == 1.0
