"""Runs from the command line, against a provider on this machine: stopped, capped, and discreet."""

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.openai_server import Answer, OpenAIServer, completion, serve

from .conftest import KEY, MODEL, Cli, served

NEW = ("--protocol", "feasibility_boundary", "--subject")


def _wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "nothing happened for a minute"
        time.sleep(0.01)


def _closed(entry: dict) -> dict[str, int]:
    """The outcomes that occurred; they add up to what was planned."""
    assert sum(entry["outcomes"].values()) == entry["planned"]
    return {name: n for name, n in entry["outcomes"].items() if n}


def _addressed(server: OpenAIServer) -> tuple[str, str]:
    return ("--api-base", server.api_base)


def test_classify_all_takes_every_task_that_is_not_removed(worked: Cli) -> None:
    worked.run("draw", "Small", "--per-cell", "1")
    with serve(served) as server:
        done = worked.run("classify", "Small", "--all", "--json", *_addressed(server))
    # All 19 were classified with these very requests before: nothing is paid for twice.
    assert (done.code, len(server.requests)) == (0, 0)
    assert _closed(done.document["steps"]["classify"]) == {"ok": 19}
    assert done.document["steps"]["classify"].items() <= done.document.items()
    assert "classify of Small owes nothing" in done.err


def test_another_model_is_asked_at_the_address_given_and_its_numbers_are_told(worked: Cli) -> None:
    with serve(served) as server:
        done = worked.run(
            *("classify", "Small", "--model", "openai/other", "--json"),
            *("--concurrency", "3", *_addressed(server)),
        )
    assert done.code == 0
    assert {request["model"] for request in server.requests} == {"other"}
    assert len(server.requests) == 19
    entry = done.document["steps"]["classify"]
    assert _closed(entry) == {"ok": 38}
    assert 1 <= entry["peak_in_flight"] <= 3
    assert entry["calls_per_s"] > 0
    assert "19/19" in done.err


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(cli: Cli) -> None:
    cli.run("new", "Stopped", *NEW, MODEL, "--per-type", "2")
    with serve(lambda request: served(request, delay_s=0.2)) as server:
        command = ("generate", "Stopped", "--json", "--concurrency", "2", *_addressed(server))
        running = cli.start(*command)
        _wait_for(lambda: len(server.requests) >= 4)
        running.signal(signal.SIGINT)
        stopped = running.finish()
        assert stopped.code == 0
        assert "stopping; the calls in flight may finish" in stopped.err
        assert "was stopped; the same command goes on with what is left" in stopped.err
        counts = _closed(stopped.document["steps"]["generate"])
        assert counts == {"ok": len(server.requests), "cancelled": 20 - len(server.requests)}
        assert counts["cancelled"] > 0
        assert (
            cli.run("status", "Stopped", "--json").document["steps"]["generate"]["outcomes"]
            == (stopped.document["outcomes"])
        )
        resumed = cli.run(*command)
    assert _closed(resumed.document["steps"]["generate"]) == {"ok": 20}
    assert len(server.requests) == 20


def test_a_second_ctrl_c_does_not_wait_for_calls_that_hang(cli: Cli) -> None:
    cli.run("new", "Hung", *NEW, MODEL, "--per-type", "1")
    # A generous delay, and short enough for the server to end with the test.
    with serve(lambda request: served(request, delay_s=4)) as server:
        running = cli.start("generate", "Hung", *_addressed(server))
        _wait_for(lambda: len(server.requests) >= 1)
        running.signal(signal.SIGINT)
        time.sleep(0.5)
        running.signal(signal.SIGINT)
        done = running.finish()
    assert (done.code, done.out) == (0, "generate: 10 planned = 10 cancelled\n")


def test_a_budget_is_never_passed_and_what_it_stopped_is_counted(cli: Cli) -> None:
    cli.run("new", "Capped", *NEW, "openai/gpt-4o-mini", "--per-type", "2")
    # $0.15 and $0.60 per million tokens: a call of 1,000 + 500 tokens costs $0.00045.
    usage = {"prompt_tokens": 1_000, "completion_tokens": 500, "total_tokens": 1_500}

    def dear(request: dict) -> Answer:
        text = served(request).body["choices"][0]["message"]["content"]
        return Answer(completion(text, usage=usage))

    with serve(dear) as server:
        done = cli.run(
            *("generate", "Capped", "--budget", "0.003", "--concurrency", "1", "--json"),
            *_addressed(server),
        )
    assert done.code == 0
    counts = _closed(done.document["steps"]["generate"])
    assert counts == {"ok": len(server.requests), "budget_stopped": 20 - len(server.requests)}
    assert 0 < len(server.requests) <= 6
    assert 0 < done.document["cost_usd"] <= 0.003
    assert "generate of Capped has used up its budget" in done.err


def test_a_provider_that_never_answers_is_a_problem_that_is_told(cli: Cli) -> None:
    cli.run("new", "Mute", *NEW, MODEL, "--per-type", "1")
    refusal = {"error": {"message": "no such model", "type": "invalid_request_error"}}
    with serve(lambda request: Answer(refusal, status=404)) as server:
        done = cli.run("generate", "Mute", "--json", *_addressed(server))
    assert done.code == 1
    counts = _closed(done.document["steps"]["generate"])
    assert set(counts) <= {"provider_error", "pending"}
    assert "error: generate of Mute: " in done.err
    assert "\nhint: " in done.err
    # Each call was refused once; none is sent a second time within one run.
    assert len(server.requests) == counts["provider_error"]


def test_calls_that_failed_are_told_beside_those_that_did_not(cli: Cli) -> None:
    cli.run("new", "Mixed", *NEW, MODEL, "--per-type", "1")

    def every_second(request: dict) -> Answer:
        if len(server.requests) % 2:
            return served(request)
        return Answer({"error": {"message": "odd one", "type": "x"}}, status=400)

    with serve(every_second) as server:
        command = ("generate", "Mixed", "--concurrency", "1", *_addressed(server))
        done = cli.run(*command)
    assert (done.code, done.out) == (0, "generate: 10 planned = 5 ok + 5 provider error\n")
    assert "generate of Mixed: 5 calls were not answered; the newest: " in done.err
    assert "odd one" in done.err


def test_the_key_is_nowhere_even_when_the_provider_repeats_it(cli: Cli, tmp_path: Path) -> None:
    cli.run("new", "Discreet", *NEW, MODEL, "--per-type", "2")

    def repeats_the_key(request: dict) -> Answer:
        if len(server.requests) <= 5:
            return served(request)
        error = {"message": f"Incorrect API key provided: {KEY}.", "type": "invalid_request_error"}
        return Answer({"error": error | {"code": "invalid_api_key"}}, status=401)

    with serve(repeats_the_key) as server:
        done = cli.run("generate", "Discreet", "--concurrency", "1", *_addressed(server))
    assert f"Bearer {KEY}" in server.headers[0].values()  # it did travel
    assert (done.code, "error: generate of Discreet: " in done.err) == (1, True)
    assert "5 ok" in done.out
    exported = cli.run("export", "Discreet", "--to", str(tmp_path / "out"))
    assert exported.code == 0
    assert KEY not in done.out + done.err + exported.err
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 8
    assert [path.name for path in files if KEY.encode() in path.read_bytes()] == []
    calls = (tmp_path / "out" / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum(json.loads(line)["outcome"] == "provider_error" for line in calls) >= 1
