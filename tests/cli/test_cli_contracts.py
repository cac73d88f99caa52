"""Contracts from the command line: drawn once, killed in the middle, and gone on with."""

import json
import random
import signal
import time
from collections import Counter
from pathlib import Path

from core.store.store import Store
from core.store.verify import verify
from tests.support.contracts import offer, settled_study, state_chances
from tests.support.openai_server import Answer, completion, serve

from .conftest import MODEL, Cli

SOLVED, FAILED = [f"s{at}" for at in "abcdef"], [f"f{at}" for at in "abcdef"]
N_CONTRACTS = 5
N_CALLS = 2**N_CONTRACTS * N_CONTRACTS
CONCURRENCY = 4


def _answer(request: dict) -> Answer:
    """A reply that depends on nothing but the conversation."""
    said = json.dumps(request["messages"])
    chance = random.Random(said)
    decision = chance.choice(["YES", "NO"])
    return Answer(completion(offer(chance.randint(0, 100), decision)), delay_s=0.01)


def _settle(cli: Cli, folder: Path, name: str = "Offered") -> None:
    with Store.open(cli.store) as store:
        settled_study(store, folder, solved=SOLVED, failed=FAILED, name=name, model=MODEL)


def test_contracts_go_on_in_the_middle_of_their_trials_after_kills(
    cli: Cli, tmp_path: Path
) -> None:
    _settle(cli, tmp_path)
    drawn = cli.run("contracts", "Offered", "--number", str(N_CONTRACTS), "--json")
    assert drawn.document["n_added"] == N_CALLS
    assert cli.run("contracts", "Offered", "--number", "5", "--json").document["n_added"] == 0
    command = ("contract", "Offered", "--concurrency", str(CONCURRENCY))
    with serve(_answer) as server:
        held: set[str] = set()
        for until in (40, 110):
            running = cli.start(*command, "--api-base", server.api_base)
            deadline = time.monotonic() + 60
            while len(server.requests) < until:
                assert time.monotonic() < deadline, "no request came for a minute"
                time.sleep(0.002)
            n_before = len(server.requests)
            running.signal(signal.SIGKILL)
            running.process.join()
            with Store.open(cli.store) as store:
                assert verify(store) == []
            assert n_before < N_CALLS
        [stands] = cli.run("status", "Offered", "--json").document["contracts"]
        assert (stands["n_trials"], stands["n_contracts"]) == (2**N_CONTRACTS, N_CALLS)
        assert 0 < stands["n_answered"] < N_CALLS
        assert stands["n_answered"] + stands["n_left"] == N_CALLS
        told = cli.run("tables", "Offered").err
        assert f"{stands['n_answered']} of {N_CALLS} contracts are answered" in told
        assert "no task has both a stated chance (0 have one) and a result (12 have one" in told
        done = cli.run(*command, "--json", "--api-base", server.api_base)
        asked = Counter(json.dumps(one["messages"]) for one in server.requests)
        held = set(asked)
    assert done.code == 0
    assert (done.document["planned"], done.document["outcomes"]["ok"]) == (N_CALLS, N_CALLS)
    told = cli.run("status", "Offered").out
    assert f"{2**N_CONTRACTS} of {2**N_CONTRACTS} trials have ended" in told
    assert f"{N_CALLS} of {N_CALLS} contracts are answered, 0 are left" in told
    # A conversation is its own key: what is in the store was never asked again, only what was on
    # its way when a process died.
    assert len(held) <= N_CALLS
    assert len(server.requests) - N_CALLS <= 2 * CONCURRENCY
    [table] = cli.run("tables", "Offered", "--format", "json").document["contracts"]
    assert table["trials"] == {
        "trials": 2**N_CONTRACTS,
        "complete": 2**N_CONTRACTS,
        "unreadable": 0,
        "open": 0,
        "contracts": N_CALLS,
        "answered": N_CALLS,
    }
    assert cli.run("verify").code == 0


def test_published_sequences_keep_the_tasks_that_came_out_so(cli: Cli, tmp_path: Path) -> None:
    _settle(cli, tmp_path)
    prompts = [
        json.loads(line)["prompt"] for line in (tmp_path / "own.jsonl").read_text().splitlines()
    ]
    tasks, sequences = tmp_path / "tasks.json", tmp_path / "sequences.json"
    # The second task of those said to be solved is one that this subject failed.
    named = {
        "solved_by_every_model": [prompts[0], prompts[6], "elsewhere"],
        "solved_by_no_model": [prompts[7], prompts[8]],
    }
    tasks.write_text(json.dumps(named))
    sequences.write_text(
        json.dumps([[["C", 0], ["C", 1], ["I", 0]], [["I", 1], ["C", 2], ["I", 0]]])
    )
    command = ("contracts", "Offered", "--sequences", str(sequences), "--tasks", str(tasks))
    done = cli.run(*command, "--json")
    assert done.document == {"n_trials": 2, "n_contracts": 3, "n_added": 6, "n_replaced": 2}
    again = cli.run(*command, "--json")
    assert again.document == done.document | {"n_added": 0}
    sequences.write_text(json.dumps([[["C", 0], ["I", 2]]]))
    told = cli.run(*command).problem()
    assert "trial 1 names task 2 of those that are failed, and tasks.json has 2" in told
    sequences.write_text('[[["C", 0], ["X", 1]]]')
    assert "trial 1 of sequences.json has the contract" in cli.run(*command).problem()
    sequences.write_text("[[")
    assert "sequences.json is no JSON file" in cli.run(*command).problem()


def test_what_is_missing_for_contracts_is_told_one_thing_after_the_other(cli: Cli) -> None:
    cli.run("new", "Bare", "--protocol", "in_advance_confidence", "--subject", MODEL)
    told = cli.run("contract", "Bare").problem()
    assert "no contracts for openai/fake are drawn in Bare yet" in told
    assert "selfbound contracts Bare" in told
    assert "contracts" not in cli.run("status", "Bare", "--json").document


def test_a_subject_with_too_few_results_is_told_what_is_missing(cli: Cli, tmp_path: Path) -> None:
    with Store.open(cli.store) as store:
        settled_study(store, tmp_path, solved=SOLVED, failed=[], name="Able", model=MODEL)
    told = cli.run("contracts", "Able").problem()
    assert f"needs up to 9 tasks that {MODEL} has solved, and Able has 6" in told
    assert "have more tasks attempted and scored first" in told
    told = cli.run("contracts", "Able", "--number", "3").problem()
    assert f"needs up to 3 tasks that {MODEL} has failed, and Able has 0" in told
    told = cli.run("contracts", "Able", "--model", "openai/another").problem()
    assert "needs up to 9 tasks that openai/another has solved, and Able has 0" in told
    sequences = tmp_path / "sequences.json"
    sequences.write_text(json.dumps([[["C", 0], ["I", 0]]]))
    told = cli.run("contracts", "Able", "--sequences", str(sequences)).problem()
    assert "needs up to 1 task that openai/fake has failed" in told


def test_the_profile_of_a_model_is_printed_and_an_unknown_one_named(
    cli: Cli, tmp_path: Path
) -> None:
    with Store.open(cli.store) as store:
        study = settled_study(store, tmp_path, solved=SOLVED, failed=FAILED, model=MODEL)
        state_chances(store, study, [0.9] * 6 + [0.3] * 6)
    rows = cli.run("profile", MODEL, "--format", "json").document
    auroc = next(row for row in rows if row["metric"] == "auroc")
    assert (auroc["value"], auroc["n"], auroc["protocol"]) == (1.0, 12, "In-advance confidence")
    assert cli.run("profile", "--format", "csv").out.startswith(
        "model,protocol,part,prompt_set,metric"
    )
    latex = cli.run("profile", "--format", "latex").out.splitlines()
    # An interval stands in the column of its value, and why there is none below the table.
    assert {line.count(" & ") for line in latex if line.endswith(r"\\")} == {7}
    assert len(latex[0].partition("{tabular}{")[2].rstrip("}")) == 8
    assert "% a: not measured" in latex
    told = cli.run("profile").out
    assert MODEL in told and "AUROC" in told and "auroc" not in told
    [line] = told.partition("| Feasibility boundary\n")[2].splitlines()[2:3]
    assert line.split() == ["not", "measured", "0"]
    assert "AUROC Brier score" in " ".join(cli.run("tables", "Offered").out.split())
    assert "there are no results of nobody" in cli.run("profile", "nobody").problem()
