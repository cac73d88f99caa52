"""Every number on contracts equals one worked out from an export alone, through kills and all."""

import signal
import time
from pathlib import Path

import pytest

from core.store.store import Store
from tests.support.contract_subject import moody_subject
from tests.support.contracts import settled_study
from tests.support.contracts_alone import (
    exported_contracts,
    loss_weight,
    loss_weight_interval,
    numbers_at,
    trials_by_state,
)
from tests.support.openai_server import OpenAIServer, serve

from .conftest import MODEL, Cli

SOLVED, FAILED = [f"s{at}" for at in "abcdefgh"], [f"f{at}" for at in "abcdefgh"]
N_CONTRACTS = 6
CONCURRENCY = 4
KILLS = (60, 190)


def _kill_when_asked(cli: Cli, server: OpenAIServer, command: tuple[str, ...], n: int) -> None:
    running = cli.start(*command)
    deadline = time.monotonic() + 60
    while len(server.requests) < n:
        assert time.monotonic() < deadline, "no request came for a minute"
        time.sleep(0.002)
    running.signal(signal.SIGKILL)
    running.process.join()


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cli, int, int]:
    """Commands on a store with 64 trials of six contracts, answered through kills; how many calls
    were planned in all, and how often the server was asked beside the errors it gave."""
    folder = tmp_path_factory.mktemp("offered")
    cli = Cli(folder / "s.duckdb", folder)
    with Store.open(cli.store) as store:
        settled_study(store, folder, solved=SOLVED, failed=FAILED, model=MODEL)
    assert cli.run("contracts", "Offered", "--number", str(N_CONTRACTS)).code == 0
    answer, failed = moody_subject(SOLVED, delay_s=0.01)
    with serve(answer) as server:
        at = ("--api-base", server.api_base)
        command = ("contract", "Offered", "--concurrency", str(CONCURRENCY), *at)
        for n in KILLS:
            _kill_when_asked(cli, server, command, n)
        done = cli.run(*command, "--json")
        assert done.code == 0, done.err
    return cli, done.document["planned"], len(server.requests) - len(failed)


def test_what_was_answered_is_not_asked_again(offered: tuple[Cli, int, int]) -> None:
    _, planned, asked = offered
    assert 0 <= asked - planned <= len(KILLS) * CONCURRENCY


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_every_number_follows_from_the_export(
    offered: tuple[Cli, int, int], tmp_path: Path, form: str
) -> None:
    cli, _, _ = offered
    assert cli.run("export", "Offered", "--to", str(tmp_path), "--format", form).code == 0
    contracts = exported_contracts(tmp_path, form)
    [entry] = cli.run("tables", "Offered", "--format", "json").document["contracts"]
    states = trials_by_state(contracts)
    assert states["unreadable"] > 0 and states["open"] == 0
    assert entry["trials"] == states
    found = {(row["contract"], row["metric"]): row for row in entry["curves"]}
    for number in range(1, N_CONTRACTS + 1):
        own = [one for one in contracts if one.number == number]
        expected = numbers_at(own)
        for metric, numbers in expected.items():
            row = found.pop((number, metric))
            n_missing = sum(one.p is None for one in own)
            assert (row["n"], row["n_missing"]) == (len(own) - n_missing, n_missing), metric
            ends = (row["low"], row["high"]) if metric != "best_threshold_profit" else (None, None)
            assert (row["value"], *ends) == pytest.approx(numbers, abs=1e-9), (number, metric)
    assert not found


def test_the_loss_weight_follows_from_the_export(
    offered: tuple[Cli, int, int], tmp_path: Path
) -> None:
    cli, _, _ = offered
    assert cli.run("export", "Offered", "--to", str(tmp_path), "--format", "jsonl").code == 0
    contracts = exported_contracts(tmp_path, "jsonl")
    [entry] = cli.run("tables", "Offered", "--format", "json").document["contracts"]
    attitude = entry["risk_attitude"]
    weight, beta, explained = loss_weight(contracts)
    assert (attitude["lambda"], attitude["beta"]) == pytest.approx((weight, beta), abs=1e-9)
    assert attitude["n_explained"] == explained
    assert attitude["n"] == entry["trials"]["answered"]
    # The interval draws trials again; its ends are near those of another method.
    low, high = loss_weight_interval(contracts)
    assert attitude["low"] == pytest.approx(low, abs=0.2 * (high - low))
    assert attitude["high"] == pytest.approx(high, abs=0.3 * (high - low))
