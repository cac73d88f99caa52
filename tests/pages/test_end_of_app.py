"""The app's process ends while a run is under way: what was asked for comes back and is stored."""

import asyncio
import json
import time
from pathlib import Path

from core.llm.scripted import ScriptedClient
from core.records import Reply, Request
from core.store.store import Store
from core.workflows.steps import start_step
from core.workflows.studies import create_study, study_named
from pages.shared import session
from tests.support.forking import FORKED

MODEL, IN_FLIGHT = "scripted/model", 3


def test_calls_in_flight_are_stored_when_the_app_ends(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store.open(path) as store:
        create_study(store, "Ending", protocol="feasibility_boundary", subject=MODEL, per_type=2)
    app = FORKED.Process(target=_app_with_a_run, args=(str(path),))
    app.start()
    app.join(60)
    assert app.exitcode == 0
    with Store.open(path) as store:
        study = study_named(store, "Ending")
        calls = store.rows("export_calls", study_id=study.study_id)
    assert [call["outcome"] for call in calls] == ["ok"] * IN_FLIGHT


def _app_with_a_run(path: str) -> None:
    """As a screen does it; then there is nothing more for the main thread to do."""

    async def slowly(_: Request) -> None:
        await asyncio.sleep(1.5)

    client = ScriptedClient(
        lambda request: Reply(text=json.dumps({"task": "Name a river."}), model=MODEL),
        latency=slowly,
    )
    bench = session._workbench(path)
    bench.make_client = lambda: client
    start_step(bench, study_named(bench.store, "Ending"), "generate", concurrency=IN_FLIGHT)
    while len(client.requests) < IN_FLIGHT:
        time.sleep(0.02)
