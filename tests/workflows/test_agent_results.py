"""What agents did, from their logs to tables, reports and exports."""

import json
from dataclasses import replace

import pytest

from core.charts.pictures import exhibit_picture
from core.store.store import Store
from core.store.verify import verify
from core.workflows.agent_import import add_agent_logs
from core.workflows.exporting import export_study
from core.workflows.reporting import report
from core.workflows.results import label_counts, studies_with_results, tables_document
from core.workflows.studies import create_study
from core.workflows.study_overviews import list_studies
from tests.support.agents import agent_log

SIX = {
    "a": (1, [0.5, 0.8, 0.9], 0.95),
    "b": (1, [0.5, 0.7], 0.95),
    "c": (1, [0.5, None, 0.6], 0.9),
    "d": (0, [0.5, 0.4], 0.95),
    "e": (0, [0.5], 0.95),
    "f": (0, [0.5, 0.2], None),
}


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "store.duckdb") as opened:
        yield opened


@pytest.fixture
def study(store):
    return create_study(store, "agents", protocol="in_advance_confidence", subject="openai/agent")


def test_a_study_of_agents_alone_has_results(store, study):
    assert studies_with_results(store) == []
    [result] = add_agent_logs(store, study, [agent_log(SIX)])
    assert (result.n_rows, result.n_added) == (6, 6)
    assert result.findings == ("2 of 19 estimates cannot be read",)
    assert studies_with_results(store) == ["agents"]
    [overview] = list_studies(store)
    assert (overview.n_agent_runs, overview.has_agents_alone) == (6, True)
    assert verify(store) == []


def test_the_tables_hold_the_curves_worked_by_hand(store, study):
    add_agent_logs(store, study, [agent_log(SIX)])
    document = tables_document(store, [study])
    [agents] = document["agents"]
    assert document["studies"] == []
    at = {(row["metric"], row["step"]): row for row in agents["curves"]}
    assert at["mean_estimate", "1"]["value"] == 0.5
    assert at["auroc", "1"]["value"] == 0.5
    # Step 2: 0.8, 0.7 and the 0.5 that c keeps, against 0.4, the 0.5 that e keeps, and 0.2.
    assert at["mean_estimate", "2"]["value"] == pytest.approx(3.1 / 6)
    assert at["auroc", "2"]["value"] == pytest.approx(8.5 / 9)
    assert at["auroc_difference", "2"]["value"] == pytest.approx(8.5 / 9 - 0.5)
    assert (at["auroc", "2"]["n"], at["auroc", "2"]["n_carried"]) == (6, 2)
    assert at["mean_estimate", "after"]["n"] == 5
    assert agents["glance"]["solved"] == 3
    header, rows = study.shape.results().flat_rows(document)
    shown = [dict(zip(header, row, strict=True)) for row in rows]
    assert [row["prompts"] for row in shown] == ["agents, step 1", "agents, submitted"]
    assert shown[0]["true_success_rate"] == 0.5
    names = ("planned", "with_estimate", "unparsable", "with_outcome", "n")
    assert [[row[name] for name in names] for row in shown] == [[6, 6, 0, 6, 6], [6, 5, 1, 6, 5]]


def test_of_an_evaluation_tried_again_the_decided_run_counts(store, study):
    first = agent_log({"a": (None, [0.1], 0.1), "b": (0, [0.4], 0.4)})
    again = agent_log({"a": (1, [0.6], 0.6), "b": (0, [0.4], 0.4)})
    results = add_agent_logs(store, study, [first, again])
    assert [one.n_added for one in results] == [2, 1]
    counts = label_counts(store, [study])
    told = counts[counts["step"] == 1].set_index("sample")["estimate"].to_dict()
    assert told == {"a": 0.6, "b": 0.4}
    assert "1 run has no outcome" in results[0].findings[0]


def test_the_same_task_of_another_evaluation_is_another_run(store, study):
    logs = [agent_log(SIX), agent_log(SIX, log_task="u"), agent_log(SIX, model="openai/other")]
    assert [one.n_added for one in add_agent_logs(store, study, logs)] == [6, 6, 6]
    glance = {row["model"]: row["glance"] for row in tables_document(store, [study])["agents"]}
    assert glance["openai/agent"]["runs"] == 12
    assert glance["openai/other"]["runs"] == 6


def test_what_a_curve_pools_is_told(store, study):
    twice = agent_log(SIX, log_task="u")
    runs = tuple(replace(one, budget=None) for one in twice.runs[:4])
    other = replace(twice, task="large", about={"sandbox": "docker"}, runs=runs)
    add_agent_logs(store, study, [agent_log(SIX)])
    exhibits = {one.key: one for one in study.shape.results().exhibits}
    told = exhibits["agents_sources"]
    [alone] = told.words(told.table(label_counts(store, [study])))
    assert alone == (
        "agents, openai/agent: all 6 runs are of the evaluation small, with the budget 70 calls "
        "and the sandbox local."
    )
    add_agent_logs(store, study, [other])
    [pooled] = told.words(told.table(label_counts(store, [study])))
    assert pooled == (
        "agents, openai/agent: one curve pools 10 runs, of evaluations large (4), small (6); "
        "budgets 70 calls (6), unknown (4); sandboxes docker (4), local (6)."
    )
    [agents] = tables_document(store, [study])["agents"]
    assert [(one["evaluation"], one["runs"]) for one in agents["sources"]] == [
        ("large", 4),
        ("small", 6),
    ]
    assert "in one curve" in exhibits["agents_auroc"].reading


def test_a_report_shows_the_agents_and_no_empty_charts_of_single_tasks(store, study):
    add_agent_logs(store, study, [agent_log(SIX)])
    html = report(store, [study], draw=exhibit_picture)
    assert "AUROC by step, against step 1" in html
    assert "Confidence at a glance" not in html


def test_an_export_holds_every_run_and_every_estimate(store, study, tmp_path):
    undecided = agent_log({"a": (None, [0.1], 0.1)})
    add_agent_logs(store, study, [undecided, agent_log(SIX)])
    counts = export_study(store, study, tmp_path / "out")
    assert (counts["agent_runs"], counts["agent_estimates"]) == (7, 21)
    lines = (tmp_path / "out" / "agent_runs.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["counts"] for row in rows] == [False] + [True] * 6
    assert rows[0]["call_budget"] == 70
