"""A run killed at random moments ends as one that never was, and asks nothing twice that it has."""

import random
import signal
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from core.llm.scripted import ScriptedClient
from core.runs.engine import Engine
from core.store.store import Store
from core.store.verify import verify
from core.workflows.drawing import draw_tasks
from core.workflows.steps import start_step
from core.workflows.studies import create_study, study_named
from core.workflows.workbench import Workbench
from tests.support.openai_server import OpenAIServer, serve

from .conftest import MODEL, Cli, reply_text, scripted, served

PER_TYPE = 4
N_CALLS = PER_TYPE * 10
CONCURRENCY = 4
KILLS = 2


def _key(request: Mapping) -> str:
    """What tells two requests apart: the reply that each of them gets."""
    return reply_text(request["messages"], request["seed"])


def _acknowledged(store_path: Path, step: str) -> set[str]:
    """The replies that are in the store; opening it repairs what the kill left."""
    with Store.open(store_path) as store:
        assert verify(store) == []
        study = study_named(store, "Killed")
        calls = store.rows("export_calls", study_id=study.study_id)
        return {row["text"] for row in calls if row["step"] == step and row["outcome"] == "ok"}


def _kill_when_asked(cli: Cli, server: OpenAIServer, step: str, n: int, wait_s: float) -> None:
    command = (step, "Killed", "--concurrency", str(CONCURRENCY), "--api-base", server.api_base)
    running = cli.start(*command)
    deadline = time.monotonic() + 60
    while len(server.requests) < n:
        assert time.monotonic() < deadline, "no request came for a minute"
        time.sleep(0.002)
    time.sleep(wait_s)
    running.signal(signal.SIGKILL)
    running.process.join()


def _run_with_kills(cli: Cli, step: str, chance: random.Random) -> None:
    """Run a step to its end through `KILLS` kills, checking after each what is asked again."""
    with serve(lambda request: served(request, delay_s=0.06)) as server:
        for _ in range(KILLS):
            held = _acknowledged(cli.store, step) if server.requests else set()
            n_before = len(server.requests)
            n_until = n_before + chance.randint(2 + CONCURRENCY, 14)
            _kill_when_asked(cli, server, step, n_until, chance.uniform(0, 0.08))
            assert not held & {_key(request) for request in server.requests[n_before:]}
        held, n_before = _acknowledged(cli.store, step), len(server.requests)
        done = cli.run(step, "Killed", "--json", "--api-base", server.api_base)
    assert held
    assert done.code == 0
    assert done.document["outcomes"] == {
        **dict.fromkeys(done.document["outcomes"], 0),
        "ok": N_CALLS,
    }
    asked = Counter(map(_key, server.requests))
    assert not held & {_key(request) for request in server.requests[n_before:]}
    assert len(asked) == N_CALLS
    # Only what was on its way when the process died can have been asked again.
    assert asked.total() - N_CALLS <= KILLS * CONCURRENCY
    assert _acknowledged(cli.store, step) == set(asked)


def _end_state(store: Store) -> dict[str, list]:
    study = study_named(store, "Killed")
    tasks = {row["task_id"]: row for row in store.rows("export_tasks", study_id=study.study_id)}
    labels = [
        (tasks[row["task_id"]]["position"], row["outcome"], row["label"])
        for row in store.rows("export_items", study_id=study.study_id)
        if row["step"] == "classify"
    ]
    texts = [(row["position"], row["intent"], row["text"]) for row in tasks.values()]
    return {"tasks": sorted(texts), "labels": sorted(labels)}


def test_a_study_killed_again_and_again_ends_as_one_that_never_was(
    cli: Cli, tmp_path: Path
) -> None:
    chance = random.Random(20)
    options = {"protocol": "feasibility_boundary", "subject": MODEL, "per_type": PER_TYPE}
    with Store.open(cli.store) as store:
        create_study(store, "Killed", **options)
    _run_with_kills(cli, "generate", chance)
    drawing = cli.start("draw", "Killed")
    time.sleep(chance.uniform(0, 0.4))
    drawing.kill()
    assert cli.run("draw", "Killed").code == 0
    _run_with_kills(cli, "classify", chance)
    sound = cli.run("verify")
    assert (sound.code, "The store is sound." in sound.err) == (0, True)

    with Workbench(
        Store.open(tmp_path / "calm.duckdb"), Engine(), lambda: ScriptedClient(scripted)
    ) as bench:
        calm = create_study(bench.store, "Killed", **options)
        start_step(bench, calm, "generate").wait(30)
        draw_tasks(bench.store, calm)
        start_step(bench, calm, "classify").wait(30)
        wanted = _end_state(bench.store)
    assert len(wanted["tasks"]) == len(wanted["labels"]) == N_CALLS
    with Store.open(cli.store) as store:
        assert _end_state(store) == wanted
