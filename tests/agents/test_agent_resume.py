"""A run of agents that was killed: what was done is in its log, and is not done again."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = pytest.mark.inspect
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from core.agents.logs import log_header, read_agent_log  # noqa: E402
from core.errors import InputError  # noqa: E402
from core.settings import EMBEDDED_MODEL, PROJECT_ROOT  # noqa: E402
from core.workflows.agent_runs import resume_agents_of  # noqa: E402

# Each task takes a second, so that there is a moment to kill in.
SLOW = """
import sys
from pathlib import Path
from inspect_ai.model import get_model
from core.agents.running import run_agents
from core.errors import SelfboundError
from core.settings import PROJECT_ROOT
from tests.support.agents import scripted_agent
told = (PROJECT_ROOT / "data" / "agent_tasks").glob("*/instruction.md")
told = {path.parent.name: path.read_text("utf-8").strip() for path in told}
said = scripted_agent(told, lambda name: ["sleep 1"], lambda name, n: "LIKELIHOOD OF SUCCESS: 40%")
model = get_model("mockllm/model", custom_outputs=said, memoize=False)
try:
    run_agents(model, sandbox="local", budget=3, logs=Path(sys.argv[1]), concurrency=1)
except SelfboundError as error:
    print(error, error.hint, sep="; ")
"""


def _runs(log: Path):
    try:
        return read_agent_log(log).runs
    except InputError:
        return ()


def _ended_by(sent, tmp_path):
    """The log of a run that got a signal when two of its tasks or more were done; what it said."""
    command = [sys.executable, "-c", SLOW, str(tmp_path)]
    # A home of its own: its agents' login shells could be killed while they hold a lock in ours.
    environment = os.environ | {"HOME": str(tmp_path)}
    process = subprocess.Popen(
        command,
        cwd=PROJECT_ROOT,
        env=environment,
        start_new_session=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    said = ""
    try:
        for _ in range(600):
            found = list(tmp_path.glob("*.eval"))
            if found and len(_runs(found[0])) >= 2:
                break
            time.sleep(0.1)
        process.send_signal(sent)
        said, _ = process.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return found[0], said


@pytest.fixture
def killed(tmp_path):
    """The log of a run that was killed when two of its tasks or more were done."""
    return _ended_by(signal.SIGKILL, tmp_path)[0]


def test_who_stops_a_run_is_told_how_it_goes_on(tmp_path):
    log, said = _ended_by(signal.SIGINT, tmp_path)
    assert said == f"the agents were stopped; go on with --resume {log}, or import it as it is\n"
    assert 2 <= len(_runs(log)) < 8
    log = resume_agents_of(log, sandbox="local", logs=tmp_path)
    assert {run.outcome for run in read_agent_log(log).runs} == {0}
    assert len(read_agent_log(log).runs) == 8


def test_only_what_is_missing_is_run_again(killed, tmp_path):
    before = _runs(killed)
    assert 2 <= len(before) < 8
    log = resume_agents_of(killed, sandbox="local", logs=tmp_path)
    after = read_agent_log(log)
    assert (after.status, len(after.runs)) == ("success", 8)
    ids = {run.uuid: run for run in after.runs}
    assert all(ids[run.uuid] == run for run in before)


def test_the_sandbox_of_the_log_has_to_be_named_again(killed, tmp_path):
    assert log_header(killed).sandbox == "local"
    with pytest.raises(InputError, match="work in the sandbox local, not docker"):
        resume_agents_of(killed, sandbox="docker", logs=tmp_path)


def test_a_model_of_this_machine_is_run_anew(killed, tmp_path, monkeypatch):
    from core.agents import logs
    from core.agents.needed import LogHeader

    monkeypatch.setattr(logs, "log_header", lambda path: LogHeader(EMBEDDED_MODEL, "local"))
    with pytest.raises(InputError, match="is of a model on this machine"):
        resume_agents_of(killed, sandbox="local", logs=tmp_path)
