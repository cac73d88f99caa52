"""Which sandbox is taken, and docker's through a stand-in with Inspect's own interface."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import InputError, SandboxError
from core.records import CheckedProgram
from core.sandbox import choose
from core.sandbox.choose import choose_sandbox, docker_problem, run_checks
from core.sandbox.inspect_docker import SOURCES, run_in_docker
from core.sandbox.local import protections, run_local
from core.sandbox.outcomes import CheckStatus, SandboxLimits

RIGHT = CheckedProgram("def f(x):\n    return x\n", "def check(c):\n    assert c(1) == 1\n", "f")


class Container:
    """A container as Inspect shows it, whose commands run in a folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.calls = folder, []

    async def write_file(self, file: str, contents: str) -> None:
        place = self.folder / file.removeprefix("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(contents, "utf-8")

    async def exec(self, cmd, *, input, env, timeout, timeout_retry):
        self.calls.append((cmd, timeout, timeout_retry))
        python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
        moved = [python, *cmd[1:-1], str(self.folder / SOURCES.removeprefix("/"))]
        done = await asyncio.to_thread(
            subprocess.run, moved, input=input, env=env, capture_output=True, timeout=timeout
        )
        return SimpleNamespace(stdout=done.stdout.decode(), stderr=done.stderr.decode())


class Containers:
    """Inspect's class of sandboxes, as far as it is used."""

    def __init__(self, container: object) -> None:
        self.container, self.steps, self.compose = container, [], ""

    async def task_init(self, task_name, config):
        self.steps.append("task_init")
        self.compose = Path(config).read_text()

    async def sample_init(self, task_name, config, metadata):
        self.steps.append("sample_init")
        return {"default": self.container}

    async def sample_cleanup(self, task_name, config, environments, interrupted):
        self.steps.append("sample_cleanup")

    async def task_cleanup(self, task_name, config, cleanup):
        self.steps.append("task_cleanup")


def test_a_process_of_this_machine_is_taken_only_when_asked_for_by_name(sandbox):
    if problem := docker_problem():
        with pytest.raises(InputError) as met:
            choose_sandbox()
        assert str(met.value) == f"no sandbox is to be had: {problem}"
        assert "ask by name" in met.value.hint and met.value.hint.endswith("local")
        with pytest.raises(InputError):
            choose_sandbox("docker")
    else:
        assert choose_sandbox() == "docker"
    assert choose_sandbox("local") == "local"


def stand_in(folder: Path, walls: str) -> str:
    """A Python whose supervisor puts no namespaces up, and says this of the other walls."""
    place = folder / "python"
    place.write_text(f"""#!{sys.executable}
import json, sys
job = json.loads(sys.stdin.buffer.read(int(sys.stdin.buffer.read(12))))
said = {{"status": "passed", "detail": "", "seconds": 0.1}} | {walls}
if job["namespaces"]:
    said |= {{"status": "no_sandbox", "detail": "OSError: [Errno 1] unshare: not permitted"}}
print(json.dumps(said))
""")
    place.chmod(0o755)
    return str(place)


def test_a_machine_that_hides_no_files_runs_nothing_and_says_why(tmp_path):
    python = stand_in(tmp_path, '{"landlock": 0, "filter": True}')
    for ask in (
        lambda: protections(interpreter=python),
        lambda: asyncio.run(run_local(RIGHT, limits=SandboxLimits(), interpreter=python)),
    ):
        with pytest.raises(InputError) as met:
            ask()
        assert str(met.value) == (
            "this machine cannot keep a program away from your files: its kernel has no Landlock, "
            "and no namespaces (OSError: [Errno 1] unshare: not permitted)"
        )
        assert met.value.hint == "run where Docker runs, or on Linux 5.13 or newer"


def test_what_is_weaker_is_said_with_every_outcome(tmp_path):
    python = stand_in(tmp_path, '{"landlock": 3, "filter": False}')
    outcome = asyncio.run(run_local(RIGHT, limits=SandboxLimits(), interpreter=python))
    who = "nobody" if os.geteuid() == 0 else "this user"
    assert outcome.sandbox == (
        "local: no namespaces, network open; Landlock 3; no system calls filtered; "
        f"as {who}; limits of time, memory, processes and files"
    )


def test_a_kernel_that_refuses_namespaces_is_met_in_earnest(sandbox):
    if sandbox.namespaces or not sandbox.protections.filters_calls:
        pytest.skip("once is enough, and it takes a filter to refuse them")
    script = """
import os
from core.errors import SandboxError
from core.sandbox import kernel, seccomp
from core.sandbox.local import protections
if os.geteuid():
    kernel.give_up_privileges()
seccomp.restrict(has_own_network=True)
found = protections(interpreter=os.environ["PYTHON"])
print(found.namespaces, found.landlock > 0, found.why_not)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(choose.__file__).parents[2],
        env={"PYTHON": sandbox.interpreter},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == (
        "False True PermissionError: [Errno 1] unshare: Operation not permitted"
    ), done.stderr


def test_an_unknown_sandbox_is_answered_with_those_that_exist():
    for ask in (
        lambda: choose_sandbox("chroot"),
        lambda: asyncio.run(run_checks(RIGHT, kind="chroot")),
    ):
        with pytest.raises(InputError) as met:
            ask()
        assert (str(met.value), met.value.hint) == (
            "there is no sandbox chroot",
            "choose one of: docker, local",
        )


def test_a_program_runs_in_the_kind_that_was_chosen(sandbox):
    outcome = asyncio.run(run_checks(RIGHT, kind="local"))
    assert outcome.status == CheckStatus.PASSED
    assert outcome.sandbox.startswith("local: ")


def test_a_container_runs_one_program_and_is_taken_down(sandbox, tmp_path):
    container = Container(tmp_path)
    containers = Containers(container)
    limits = SandboxLimits(wall_s=20, processes=10)
    outcome = asyncio.run(run_in_docker(RIGHT, limits=limits, environments=containers))
    assert outcome.status == CheckStatus.PASSED
    assert outcome.sandbox.startswith("docker: container of python:3.11-slim without network")
    assert containers.steps == ["task_init", "sample_init", "sample_cleanup", "task_cleanup"]
    assert "network_mode: none" in containers.compose
    assert "pids_limit: 42" in containers.compose
    [(command, timeout, again)] = container.calls
    assert (command[0], timeout, again) == ("python3", 50, False)
    wrong = CheckedProgram("import os\nos._exit(0)\n", RIGHT.checks, "f")
    outcome = asyncio.run(run_in_docker(wrong, limits=limits, environments=containers))
    assert outcome.status == CheckStatus.CRASHED


@pytest.mark.parametrize("named", [None, "", "libraries:1"])
def test_an_image_is_named_in_the_environment(monkeypatch, named):
    images = []

    async def run(program, *, limits, image):
        images.append(image)
        return "as told"

    monkeypatch.setattr(choose, "run_in_docker", run)
    if named is None:
        monkeypatch.delenv("SELFBOUND_SANDBOX_IMAGE", raising=False)
    else:
        monkeypatch.setenv("SELFBOUND_SANDBOX_IMAGE", named)
    assert asyncio.run(run_checks(RIGHT, kind="docker")) == "as told"
    assert images == [named or "python:3.11-slim"]


def test_a_container_without_python_is_told_and_taken_down():
    class Bare(Container):
        async def exec(self, cmd, **options):
            return SimpleNamespace(stdout="", stderr="python3: not found")

    containers = Containers(Bare(Path("/nowhere")))
    containers.container.write_file = lambda *_: asyncio.sleep(0)
    with pytest.raises(SandboxError, match="did not run the program: python3: not found"):
        asyncio.run(run_in_docker(RIGHT, limits=SandboxLimits(), environments=containers))
    assert containers.steps[-2:] == ["sample_cleanup", "task_cleanup"]


def test_the_supervisor_needs_nothing_but_what_a_container_is_given():
    """The sources put into a container are those of the package, and import nothing above it."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import core.sandbox.supervisor; import json;"
        "print(json.dumps([name for name in sys.modules if name.startswith('core')]))"
    )
    root = str(Path(choose.__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", script, root], capture_output=True, check=True)
    names = [name for name in json.loads(done.stdout) if name not in ("core", "core.sandbox")]
    assert names and all(name.startswith("core.sandbox.") for name in names)


def test_what_the_task_needs_and_is_missing_is_no_failure_of_the_program(sandbox):
    needs = ("os", "no_such_library", "xml.etree", "__main__", "neither")
    program = replace(RIGHT, needs=needs)
    with pytest.raises(InputError) as met:
        asyncio.run(sandbox.run(program))
    assert str(met.value) == "the sandbox lacks no_such_library, neither, which the task needs"
    outcome = asyncio.run(sandbox.run(replace(RIGHT, needs=("os", "json.decoder"))))
    assert outcome.status == CheckStatus.PASSED
