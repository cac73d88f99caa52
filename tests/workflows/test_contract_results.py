"""Results of contracts: every curve as an independent computation from the export gives it."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta

from core.protocols.confidence_tables import flat_rows
from core.records import Reply, Request
from core.workflows.contract_draw import draw_contracts
from core.workflows.exporting import export_study
from core.workflows.results import label_counts, tables_document
from core.workflows.steps import start_step
from tests.support.code_tasks import SUBJECT, task_name
from tests.support.contracts import offer, settled_study

SOLVED, FAILED = [f"s{at}" for at in "abcdefghi"], [f"f{at}" for at in "abcdefghi"]


def _rather_good(request: Request) -> Reply:
    """Likelihoods that tell a little, and decisions that rise with them."""
    trial, number = int(request.context["trial"]), int(request.context["contract"])
    chance = np.random.default_rng((trial, number)).normal(0.45, 0.2)
    chance += 0.15 if task_name(request) in SOLVED else -0.05
    percent = int(np.clip(round(100 * chance), 0, 100))
    return Reply(text=offer(percent, "YES" if percent >= 55 else "NO"), model=SUBJECT)


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> tuple[dict, list[dict], Path]:
    """The tables of 128 trials of seven contracts, the answers in their export, and its folder."""
    from core.llm.scripted import ScriptedClient
    from core.runs.engine import Engine
    from core.store.store import Store
    from core.workflows.workbench import Workbench

    folder = tmp_path_factory.mktemp("contracts")
    client = ScriptedClient(_rather_good)
    with Workbench(Store.open(folder / "s.duckdb"), Engine(), lambda: client) as bench:
        study = settled_study(bench.store, folder, solved=SOLVED, failed=FAILED)
        draw_contracts(bench.store, study, n_contracts=7)
        assert start_step(bench, study, "contract").wait(120).detail == "completed"
        [entry] = tables_document(bench.store, [study])["contracts"]
        export_study(bench.store, study, folder / "out")
        assert label_counts(bench.store, [study])["n"].sum() == 128 * 7 + 18
    items = [json.loads(line) for line in (folder / "out" / "items.jsonl").read_text().splitlines()]
    results = {
        one["answer_item"]: one["label"] == "passed" for one in items if one["step"] == "score"
    }
    tasks = {one["task_id"]: results[one["item_id"]] for one in items if one["step"] == "attempt"}
    answers = [
        json.loads(one["context_json"])
        | {"p": one["value"], "yes": one["label"] == "yes", "won": tasks[one["task_id"]]}
        for one in items
        if one["step"] == "contract"
    ]
    return entry, answers, folder


def _clopper_pearson(k: int, n: int) -> tuple[float, float]:
    low = beta.ppf(0.025, k, n - k + 1) if k else 0.0
    high = beta.ppf(0.975, k + 1, n - k) if k < n else 1.0
    return float(low), float(high)


def test_every_curve_follows_from_the_export(exported) -> None:
    entry, answers, _ = exported
    assert entry["trials"]["complete"] == 128 and entry["trials"]["answered"] == 896
    found = {(row["contract"], row["metric"]): row for row in entry["curves"]}
    for number in range(1, 8):
        own = [one for one in answers if one["contract"] == str(number)]
        assert len(own) == 128
        won = [one for one in own if one["won"]]
        lost = [one for one in own if not one["won"]]
        assert len(won) == 64
        beaten = [(a["p"] > b["p"]) + 0.5 * (a["p"] == b["p"]) for a in won for b in lost]
        assert found[number, "auroc"]["value"] == pytest.approx(np.mean(beaten))
        accepted = np.mean([one["yes"] for one in own])
        assert found[number, "acceptance_rate"]["value"] == pytest.approx(accepted)
        stated = np.mean([one["p"] for one in own])
        assert found[number, "predicted_success_rate"]["value"] == pytest.approx(stated)
        profit = found[number, "expected_profit"]
        earned = [(1 if one["won"] else -1) * one["yes"] for one in own]
        assert profit["value"] == pytest.approx(np.mean(earned))
        tp, fp = (sum(one["yes"] for one in part) for part in (won, lost))
        (tp_low, tp_high), (fp_low, fp_high) = (_clopper_pearson(k, 64) for k in (tp, fp))
        assert profit["low"] == pytest.approx((tp_low - fp_high) / 2)
        assert profit["high"] == pytest.approx((tp_high - fp_low) / 2)
        direct = np.mean([(1 if one["won"] else -1) * (one["p"] > 0.5) for one in own])
        assert found[number, "direct_threshold_profit"]["value"] == pytest.approx(direct)
        cuts = sorted({one["p"] for one in own} | {2.0})
        best = max(
            np.mean([(1 if one["won"] else -1) * (one["p"] >= cut) for one in own]) for cut in cuts
        )
        assert found[number, "best_threshold_profit"]["value"] == pytest.approx(best)


def test_the_risk_attitude_is_that_of_all_decisions(exported) -> None:
    entry, answers, _ = exported
    attitude = entry["risk_attitude"]
    assert attitude["n"] == len(answers) and attitude["n_trials"] == 128
    # A threshold parts accepted from declined ones: no λ can be fitted, and that is said.
    assert attitude["lambda"] is None and "threshold" in attitude["why"]


def test_the_contracts_are_exported_with_their_answers(exported) -> None:
    _, answers, folder = exported
    lines = (folder / "out" / "contracts.jsonl").read_text().splitlines()
    contracts = [json.loads(line) for line in lines]
    assert [(one["trial"], one["number"]) for one in contracts] == [
        (trial, number) for trial in range(1, 129) for number in range(1, 8)
    ]
    told = {(str(one["trial"]), str(one["number"])): one for one in contracts}
    for answer in answers:
        one = told[answer["trial"], answer["contract"]]
        said = (one["estimate"], one["is_accepted"], one["is_solvable"])
        assert said == (answer["p"], answer["yes"], answer["won"])


def test_contracts_have_a_row_of_their_own_in_printed_tables(exported) -> None:
    entry, answers, _ = exported
    nothing = {"studies": [], "agents": []}
    header, [row] = flat_rows(nothing | {"contracts": [entry]})
    told = dict(zip(header, row, strict=True))
    assert (told["prompts"], told["n"]) == ("contracts", len(answers))
    numbers = ("planned", "with_estimate", "unparsable", "with_outcome", "trials", "complete")
    assert [told[name] for name in numbers] == [896, 896, 0, 896, 128, 128]
    cut = entry["trials"] | {"complete": 120, "unreadable": 5, "open": 3, "answered": 870}
    [row] = flat_rows(nothing | {"contracts": [entry | {"trials": cut}]})[1]
    told = dict(zip(header, row, strict=True)) | {"n": len(answers)}
    assert [told[name] for name in numbers] == [896, 870, 5, 896, 128, 120]
    assert told["incomplete"] == 8
    stated, won = ([one[key] for one in answers] for key in ("p", "won"))
    assert told["overconfidence"] == pytest.approx(np.mean(stated) - np.mean(won))
    assert told["auroc"] == entry["totals"]["auroc"]["value"]
    assert flat_rows(nothing | {"contracts": [entry | {"totals": {}}]})[1] == []


def test_every_prompt_of_the_conversation_is_exported(exported) -> None:
    _, _, folder = exported
    lines = (folder / "out" / "prompts.jsonl").read_text().splitlines()
    names = {json.loads(line)["name"].rsplit("/", 1)[1] for line in lines}
    ends = {f"contract_{how}" for how in ("again", "submit", "passed", "failed", "declined")}
    assert names == {"contract", *ends}


def test_no_contract_of_a_trial_comes_before_the_one_it_follows(exported) -> None:
    _, answers, folder = exported
    calls = [json.loads(line) for line in (folder / "out" / "calls.jsonl").read_text().splitlines()]
    items = [json.loads(line) for line in (folder / "out" / "items.jsonl").read_text().splitlines()]
    context = {one["item_id"]: json.loads(one["context_json"]) for one in items}
    sent: dict[str, list[int]] = {}
    for call in calls:
        if call["step"] == "contract":
            about = context[call["item_id"]]
            sent.setdefault(about["trial"], []).append(int(about["contract"]))
    assert len(sent) == 128 and len(answers) == len(calls)
    assert all(a < b for numbers in sent.values() for a, b in pairwise(numbers))
