"""The command line as a process of its own, on a store in the test's folder."""

import hashlib
import json
import multiprocessing.process
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.llm.scripted import ScriptedClient
from core.records import Reply, Request
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.curation import decide
from core.workflows.drawing import draw_tasks
from core.workflows.people import person_named
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from core.workflows.workbench import Workbench
from tests.cli.forked import run_command
from tests.support.forking import FORKED, PROJECT
from tests.support.openai_server import Answer, completion
from tests.support.tasks import queue

COMMAND = (sys.executable, "-c", "from core.cli import main; main()")
MODEL = "openai/fake"
KEY = "sk-test-never-to-be-seen"


@dataclass(frozen=True)
class Cli:
    """Runs commands on one store; what they print is kept in `folder`."""

    store: Path
    folder: Path

    def environment(self, **changes: str) -> dict[str, str]:
        """This process's environment with a key for the fake provider, and no colours."""
        return {**os.environ, "OPENAI_API_KEY": KEY, "NO_COLOR": "1", **changes}

    def start(self, *args: str, stdin: bytes = b"") -> "Running":
        """The command under way."""
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix="streams-"))
        (folder / "stdin").write_bytes(stdin)
        line = ["--store", str(self.store), *args]
        process = FORKED.Process(target=run_command, args=(line, self.environment(), str(folder)))
        process.start()
        return Running(process, folder)

    def run(self, *args: str, stdin: bytes = b"") -> "Finished":
        """What the command printed and how it ended; a traceback fails the test."""
        return self.start(*args, stdin=stdin).finish()

    def run_anew(
        self,
        *args: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        timeout_s: float = 120,
    ) -> "Finished":
        """The same in a Python started for it, where the start itself matters."""
        done = subprocess.run(
            self.arguments(*args),
            input=stdin,
            capture_output=True,
            cwd=PROJECT,
            env=self.environment(**(env or {})),
            timeout=timeout_s,
        )
        return finished(done.returncode, done.stdout, done.stderr)

    def arguments(self, *args: str) -> list[str]:
        """The whole command, for a Python started for it."""
        return [*COMMAND, "--store", str(self.store), *args]


@dataclass(frozen=True)
class Running:
    """A command under way, and the folder of its streams."""

    process: multiprocessing.process.BaseProcess
    folder: Path

    def signal(self, number: int) -> None:
        """Send a signal to the process, which is alive."""
        assert self.process.is_alive(), self.finish()
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """SIGKILL, if it is still alive, and wait for its end."""
        self.process.kill()
        self.process.join()

    def finish(self, timeout_s: float = 120) -> "Finished":
        """What it printed and how it ended; a traceback fails the test."""
        self.process.join(timeout_s)
        if self.process.exitcode is None:
            self.kill()
            pytest.fail(f"the command did not end within {timeout_s} s")
        out, err = ((self.folder / name).read_bytes() for name in ("stdout", "stderr"))
        return finished(self.process.exitcode, out, err)


@dataclass(frozen=True)
class Finished:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)

    def problem(self) -> str:
        """The error and its hint, of a command that ended with 1 and gave no data."""
        assert (self.code, self.out) == (1, ""), self
        error, hint = self.err.splitlines()
        assert error.startswith("error: ")
        assert hint.startswith("hint: ")
        return f"{error}\n{hint}"


def finished(code: int, out: bytes, err: bytes) -> Finished:
    """A command's end; a traceback fails the test."""
    assert b"Traceback" not in err + out, err.decode()
    return Finished(code, out.decode(), err.decode())


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Commands on a store that is not there yet."""
    return Cli(tmp_path / "s.duckdb", tmp_path)


@pytest.fixture
def worked(cli: Cli, worked_store: Path) -> Cli:
    """Commands on a store with the study `Small`: 20 tasks, one removed, 19 classified."""
    shutil.copy(worked_store, cli.store)
    return cli


@pytest.fixture(scope="session")
def worked_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store, worked on through the workflows with a scripted model."""
    path = tmp_path_factory.mktemp("worked") / "s.duckdb"
    with Workbench(Store.open(path), Engine(), lambda: ScriptedClient(scripted)) as bench:
        study = create_study(
            bench.store, "Small", protocol="feasibility_boundary", subject=MODEL, per_type=2
        )
        start_step(bench, study, "generate").wait(20)
        [task] = queue(bench.store, study, n=1)
        ada = person_named(bench.store, "Ada")
        decide(bench.store, study, task.task_id, "remove", person=ada, reason="malformed")
        draw_tasks(bench.store, study)
        start_step(bench, study, "classify").wait(20)
    return path


def reply_text(messages: list[dict[str, str]], seed: int) -> str:
    """What the fake model says: always the same to the same request, and never to another."""
    key = hashlib.sha256(json.dumps([messages, seed]).encode()).hexdigest()
    if "task_class" in json.dumps(messages):
        return json.dumps({"task_class": "feasible", "answer": key, "reason": ""})
    return json.dumps({"task": f"Do {key} <b>*=1+1*</b>"})


def scripted(request: Request) -> Reply:
    """The fake model's reply, for a scripted client."""
    messages = [{"role": one.role, "content": one.content} for one in request.messages]
    return Reply(text=reply_text(messages, request.parameters["seed"]))


def served(request: Mapping[str, Any], *, delay_s: float = 0.0) -> Answer:
    """The fake model's reply, for a server."""
    text = reply_text(request["messages"], request["seed"])
    return Answer(completion(text), delay_s=delay_s)
