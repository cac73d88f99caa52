"""A workbench on a fresh store with a scripted model, a study to fill, and who sits at its desk."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.llm.scripted import ScriptedClient
from core.records import Reply, Request
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.people import Person, person_named
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.clock import Clock

MODEL = "scripted/model"


def obedient(request: Request) -> Reply:
    """A model that invents numbered tasks and classifies each as it was meant."""
    if request.context["task_id"] is None:
        text = json.dumps({"task": f"Task {request.context['position']} of its cell."})
    elif request.context["intent"] == "feasible":
        text = json.dumps({"task_class": "feasible", "answer": "Done.", "reason": ""})
    else:
        reason = request.context["reason"]
        text = json.dumps({"task_class": "infeasible", "answer": "", "reason": reason})
    return Reply(text=text, model=MODEL, prompt_tokens=10, completion_tokens=5, cost_usd=0.001)


@pytest.fixture
def open_bench(tmp_path: Path, new_store_file: bytes) -> Iterator[Callable[..., Workbench]]:
    """Opens a workbench on the test's store with the given replies, once at a time."""
    path = tmp_path / "s.duckdb"
    path.write_bytes(new_store_file)
    opened: list[Workbench] = []

    def open_one(replies: Callable[[Request], object] = obedient, **options: object) -> Workbench:
        for bench in opened:
            bench.close()
        client = ScriptedClient(replies, **options)
        bench = Workbench(Store.open(path), Engine(), lambda: client)
        bench.scripted = client
        opened.append(bench)
        return bench

    yield open_one
    for bench in opened:
        bench.close()


@pytest.fixture
def bench(open_bench: Callable[..., Workbench]) -> Workbench:
    """A workbench whose model does as it is told."""
    return open_bench()


@pytest.fixture
def store(bench: Workbench) -> Store:
    """The workbench's store."""
    return bench.store


@pytest.fixture
def study(bench: Workbench) -> Study:
    """A study with two tasks to invent per type and side: 20 in all."""
    return create_study(
        bench.store, "Small", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )


@pytest.fixture
def clock() -> Clock:
    """The time at the desk."""
    return Clock()


@pytest.fixture
def ada(store: Store) -> Person:
    """One annotator."""
    return person_named(store, "Ada")


@pytest.fixture
def ben(store: Store) -> Person:
    """Another annotator."""
    return person_named(store, "Ben")
