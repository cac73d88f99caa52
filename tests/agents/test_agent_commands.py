"""Agents from the command line, with Inspect's mock model and without Inspect."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

HAS_INSPECT = find_spec("inspect_ai") is not None


@pytest.fixture
def selfbound(tmp_path):
    """Runs the command on a store of its own, with a study in it."""

    def run(*args):
        start = [sys.executable, "-c", "from core.cli import main; main()"]
        command = [*start, "--store", str(tmp_path / "s.duckdb"), *args]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    made = run("new", "a", "--protocol", "in_advance_confidence", "--subject", "mockllm/model")
    assert made.returncode == 0, made.stderr
    return run


def test_the_sandbox_has_to_be_named(selfbound):
    done = selfbound("agents", "a")
    assert done.returncode == 2
    assert "--sandbox" in done.stderr


def test_a_study_of_another_kind_is_refused_before_anything_runs(selfbound):
    selfbound("new", "q", "--protocol", "uncertainty_attribution", "--subject", "openai/x")
    done = selfbound("agents", "q", "--sandbox", "local")
    assert done.returncode == 1
    assert "q takes no logs of agents" in done.stderr


@pytest.mark.skipif(HAS_INSPECT, reason="Inspect AI is installed")
def test_without_inspect_one_sentence_says_what_to_install(selfbound, tmp_path):
    log = tmp_path / "x.eval"
    log.write_bytes(b"")
    for args in (("agents", "a", "--sandbox", "local"), ("import", "inspect", log, "--study", "a")):
        done = selfbound(*map(str, args))
        assert done.returncode == 1
        assert "need Inspect AI, which is not installed" in done.stderr
        assert "pip install '.[inspect]'" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.inspect
@pytest.mark.skipif(not HAS_INSPECT, reason="needs the extra `inspect`")
def test_agents_run_are_logged_and_imported(selfbound, tmp_path):
    logs = tmp_path / "logs"
    args = ("--sandbox", "local", "--calls", "2", "--limit", "2", "--logs", str(logs), "--json")
    done = selfbound("agents", "a", *args)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["runs"], said["added"]) == (2, 2)
    # The mock model only ever says one thing, which states no chance.
    assert said["findings"] == ["2 of 2 estimates cannot be read"]
    assert "The local sandbox is no wall" in done.stderr
    [log] = logs.glob("*.eval")
    again = selfbound("import", "inspect", str(log), "--study", "a", "--json")
    assert json.loads(again.stdout)[0]["added"] == 0


@pytest.mark.inspect
@pytest.mark.skipif(not HAS_INSPECT, reason="needs the extra `inspect`")
def test_what_inspect_refuses_is_one_sentence(selfbound):
    for args, told in (
        (("--sandbox", "nowhere"), "Inspect does not run this"),
        (("--sandbox", "local", "--model", "nobody/x"), "Inspect cannot use the model nobody/x"),
    ):
        done = selfbound("agents", "a", *args, "--limit", "1")
        assert done.returncode == 1
        assert told in done.stderr
        assert "Traceback" not in done.stderr
