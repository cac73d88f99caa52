"""Screening from the command line: a judge that is named, a run that is killed and goes on."""

import json
import signal
import time
from collections import Counter

from tests.support.openai_server import Answer, completion, serve

from .conftest import MODEL, Cli

VERDICT = json.dumps({"verdict": "malformed", "reason": "unsafe", "why": "It is cruel."})
JUDGE = ("--model", "openai/judge")


def test_a_screening_that_is_killed_goes_on_with_what_is_missing(worked: Cli) -> None:
    assert "screen" not in worked.run("status", "Small", "--json").document["steps"]
    with serve(lambda _request: Answer(completion(VERDICT), delay_s=0.1)) as server:
        command = ("screen", "Small", *JUDGE, "--json", "--concurrency", "2")
        command += ("--api-base", server.api_base)
        running = worked.start(*command)
        deadline = time.monotonic() + 60
        while len(server.requests) < 6:
            assert time.monotonic() < deadline, "no request came for a minute"
            time.sleep(0.005)
        running.signal(signal.SIGKILL)
        running.process.join()
        done = worked.run(*command)
    # 20 tasks, one of them removed; only the two calls in flight can have been made twice.
    assert (done.code, done.document["planned"]) == (0, 19)
    assert {name: n for name, n in done.document["outcomes"].items() if n} == {"ok": 19}
    asked = Counter(json.dumps(request["messages"]) for request in server.requests)
    assert len(asked) == 19
    assert asked.total() <= 19 + 2
    entry = worked.run("status", "Small", "--json").document["steps"]["screen"]
    assert entry == {key: done.document[key] for key in ("planned", "outcomes")}
    assert worked.run("verify").code == 0


def test_who_judges_has_to_be_named_and_is_not_the_subject(worked: Cli) -> None:
    said = worked.run("screen", "Small").problem()
    assert "screen needs a judge, and Small names none; name a model with --model" in said
    said = worked.run("screen", "Small", "--model", MODEL).problem()
    assert f"screen was asked to use {MODEL}, which is the study's subject" in said
    assert "a model does not judge its own work" in said
