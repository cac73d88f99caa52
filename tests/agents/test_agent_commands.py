"""Agents from the command line, with Inspect's mock model and without Inspect."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

HAS_INSPECT = find_spec("inspect_ai") is not None

TWO_SCORES = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import exact, includes

@task
def two():
    return Task(dataset=[Sample("6 times 7?", target="42")], scorer=[exact(), includes()])
"""


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


@pytest.mark.inspect
@pytest.mark.skipif(not HAS_INSPECT, reason="needs the extra `inspect`")
def test_it_is_told_how_far_agents_have_come(selfbound, tmp_path):
    args = ("--sandbox", "local", "--calls", "1", "--limit", "2", "--logs", str(tmp_path))
    done = selfbound("agents", "a", *args)
    assert "1 agent is done, the newest after 0 tool calls" in done.stderr
    assert "2 agents are done" in done.stderr


def test_a_log_that_is_gone_on_with_has_its_own_settings(selfbound, tmp_path):
    log = str(tmp_path / "x.eval")
    done = selfbound("agents", "a", "--sandbox", "local", "--resume", log, "--calls", "5")
    assert done.returncode == 2
    assert "leave out --calls" in " ".join(done.stderr.replace("│", "").split())


@pytest.mark.inspect
@pytest.mark.skipif(not HAS_INSPECT, reason="needs the extra `inspect`")
def test_of_a_task_with_several_scores_the_deciding_one_is_named(selfbound, tmp_path):
    task = tmp_path / "two.py"
    task.write_text(TWO_SCORES)
    args = ("--sandbox", "local", "--task", str(task), "--calls", "1", "--json")
    done = selfbound("agents", "a", *args, "--logs", str(tmp_path / "logs"))
    assert done.returncode == 1
    assert "has 2 scores: exact, includes" in done.stderr and "--scorer exact" in done.stderr
    # The log is kept, so that nothing has to run again.
    [log] = (tmp_path / "logs").glob("*.eval")
    done = selfbound("import", "inspect", str(log), "--study", "a", "--scorer", "includes")
    assert "1 added to a" in done.stderr
    done = selfbound("agents", "a", *args, "--scorer", "exact")
    assert json.loads(done.stdout)["added"] == 1


@pytest.mark.inspect
@pytest.mark.skipif(not HAS_INSPECT, reason="needs the extra `inspect`")
def test_without_an_engine_or_the_package_of_a_task_one_sentence_says_so(selfbound):
    args = ("agents", "a", "--sandbox", "docker", "--task", "inspect_evals/swe_bench")
    done = selfbound(*args)
    assert done.returncode == 1
    assert "No inspect tasks were found" in done.stderr and "inspect-evals" in done.stderr
    if subprocess.run(["docker", "version"], capture_output=True).returncode:
        done = selfbound(*args[:4], "--limit", "1")
        assert "Docker" in done.stderr and "Traceback" not in done.stderr
