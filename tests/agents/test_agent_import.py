"""Logs of agents into a study: once each, all or nothing, and the curves that come of them."""

import json
import subprocess
import sys
import zipfile

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.metrics.agent_frames import agent_curves
from core.store.store import Store
from core.store.verify import verify
from core.workflows.agent_import import import_agent_logs
from core.workflows.results import label_counts
from core.workflows.studies import create_study, study_named
from tests.support.agents import BEYOND, SOLUTIONS

pytestmark = pytest.mark.inspect
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

HOPELESS = (BEYOND, "fix_median", "sum_sales")


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "store.duckdb") as opened:
        create_study(opened, "agents", protocol="in_advance_confidence", subject="mockllm/model")
        yield opened


def _commands(name):
    return ["ls", "ls"] if name in HOPELESS else ["ls", "ls", SOLUTIONS[name]]


def _estimate(name, n_calls):
    """At first all the same; from step 2 on it knows; in the end it is sure of itself."""
    if n_calls is None:
        return "LIKELIHOOD OF SUCCESS: 95%"
    known = 20 if name in HOPELESS else 80
    return f"LIKELIHOOD OF SUCCESS: {50 if n_calls == 1 else known}%"


@pytest.fixture
def log(run_scripted):
    return run_scripted(_commands, _estimate)


def _rows(store):
    return label_counts(store, [study_named(store, "agents")])


def test_a_run_is_imported_once_and_its_curves_are_right(store, log):
    [first] = import_agent_logs(store, [log], study_name="agents")
    assert (first.n_rows, first.n_added, first.findings) == (8, 8, ())
    [again] = import_agent_logs(store, [log], study_name="agents")
    assert (again.n_rows, again.n_added) == (8, 0)
    assert verify(store) == []

    curves = agent_curves(_rows(store)).set_index(["metric", "step"])["value"]
    assert curves["mean_estimate", "1"] == 0.5
    assert curves["mean_estimate", "2"] == pytest.approx((5 * 0.8 + 3 * 0.2) / 8)
    # The hopeless ones have ended by step 3 and keep what they said.
    assert curves["mean_estimate", "3"] == pytest.approx((5 * 0.8 + 3 * 0.2) / 8)
    assert curves["mean_estimate", "after"] == pytest.approx(0.95)
    assert (curves["auroc", "1"], curves["auroc", "2"], curves["auroc", "after"]) == (0.5, 1, 0.5)
    assert curves["auroc_difference", "2"] == 0.5
    assert curves["overconfidence", "after"] == pytest.approx(0.95 - 5 / 8)


def test_a_log_as_json_holds_the_same_runs(store, log, tmp_path):
    from inspect_ai.log import read_eval_log, write_eval_log

    other = tmp_path / "same.json"
    write_eval_log(read_eval_log(log), other)
    results = import_agent_logs(store, [log, other], study_name="agents")
    assert [one.n_added for one in results] == [8, 0]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_log_that_was_cut_off_is_refused_in_one_sentence(store, log, tmp_path, share):
    data = log.read_bytes()
    cut = tmp_path / "cut.eval"
    cut.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(InputError, match=r"cut\.eval is no readable log of Inspect: ") as told:
        import_agent_logs(store, [log, cut], study_name="agents")
    assert "\n" not in str(told.value)
    assert _rows(store).empty


def test_a_log_with_a_broken_part_is_refused(store, log, tmp_path):
    broken = tmp_path / "broken.eval"
    with zipfile.ZipFile(log) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            is_sample = name.startswith("samples/")
            new.writestr(name, b'{"id": 1' if is_sample else old.read(name))
    with pytest.raises(InputError, match=r"broken\.eval is no readable log of Inspect: "):
        import_agent_logs(store, [broken], study_name="agents")


def test_what_is_no_log_is_refused(store, tmp_path):
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"a": 1}))
    text = tmp_path / "notes.txt"
    text.write_text("x")
    with pytest.raises(InputError, match=r"other\.json is no readable log"):
        import_agent_logs(store, [other], study_name="agents")
    with pytest.raises(InputError, match=r"notes\.txt is no \.eval or \.json log"):
        import_agent_logs(store, [text], study_name="agents")
    with pytest.raises(NotFoundError, match="there is no file"):
        import_agent_logs(store, [tmp_path / "none.eval"], study_name="agents")


def test_a_study_of_another_kind_takes_no_agents(store, log):
    create_study(store, "lod", protocol="feasibility_boundary", subject="openai/x")
    with pytest.raises(ConflictError, match="lod takes no logs of agents"):
        import_agent_logs(store, [log], study_name="lod")


BESIDE_A_PAGE = """
import asyncio, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
before = asyncio.run, asyncio.BaseEventLoop.run_until_complete
from core.agents.logs import read_agent_log
with ThreadPoolExecutor(1) as pool:
    log = pool.submit(read_agent_log, Path(sys.argv[1])).result()
assert len(log.runs) == 8
assert (asyncio.run, asyncio.BaseEventLoop.run_until_complete) == before
"""


def test_a_log_is_read_beside_a_page_without_touching_its_event_loops(log):
    command = [sys.executable, "-c", BESIDE_A_PAGE, str(log)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
