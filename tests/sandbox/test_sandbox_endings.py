"""Runs side by side, given up, or orphaned: nothing of them is left."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from core.errors import SandboxError
from core.records import CheckedProgram
from core.sandbox.local import protections, run_local
from core.sandbox.outcomes import SandboxLimits
from core.sandbox.processes import below

ROOT = Path(__file__).parents[2]
NOBODY = 65534
STAYS = "import time\ndef f(x):\n    time.sleep(600)\n"
CHECK = "def check(candidate):\n    assert candidate(2) == 4\n"


def test_several_run_at_once_each_in_a_folder_of_its_own(sandbox):
    solution = """
import os, time
def f(x):
    open("mine", "w").write("%d")
    time.sleep(0.3)
    return 4 if open("mine").read() == "%d" and os.listdir(".") == ["mine"] else 0
"""

    async def all_of_them() -> list[str]:
        programs = [CheckedProgram(solution % (n, n), CHECK, "f") for n in range(4)]
        outcomes = await asyncio.gather(*(sandbox.run(program) for program in programs))
        return [str(outcome.status) for outcome in outcomes]

    assert asyncio.run(all_of_them()) == ["passed"] * 4


def test_a_run_that_is_given_up_is_ended(sandbox, nothing_is_left):
    async def give_up() -> None:
        run = asyncio.create_task(sandbox.run(CheckedProgram(STAYS, CHECK, "f"), wall_s=600))
        while len(nothing_is_left()) < 3:
            await asyncio.sleep(0.05)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(give_up())
    assert nothing_is_left() == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_the_process_that_asked(sandbox, number):
    script = f"""
import asyncio, os, tempfile
from core.errors import SandboxError
from core.records import CheckedProgram
from core.sandbox.local import run_local
from core.sandbox.outcomes import SandboxLimits
tempfile.tempdir = {tempfile.gettempdir()!r}
program = CheckedProgram({STAYS!r}, {CHECK!r}, "f")
asyncio.run(run_local(program, limits=SandboxLimits(wall_s=600), namespaces={sandbox.namespaces},
    interpreter={sandbox.interpreter!r}))
"""
    asking = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
    try:
        until = time.monotonic() + 60
        # The supervisor, and the processes of the solution and of the checks below it.
        while len(started := below(asking.pid)) < 3:
            assert time.monotonic() < until, "nothing was started"
            time.sleep(0.05)
    finally:
        asking.send_signal(number)
        asking.wait()
    until = time.monotonic() + 30
    while left := [process for process in started if Path(f"/proc/{process}").exists()]:
        assert time.monotonic() < until, f"{left} live on"
        time.sleep(0.05)


def test_a_supervisor_that_is_killed_takes_the_program_with_it(sandbox):
    others = below(os.getpid())

    def new() -> list[int]:
        return [process for process in below(os.getpid()) if process not in others]

    async def kill_it() -> list[int]:
        run = asyncio.create_task(sandbox.run(CheckedProgram(STAYS, CHECK, "f"), wall_s=600))
        # The supervisor, and below it one or, with namespaces, three for each of the two sides.
        while len(started := new()) < (7 if sandbox.namespaces else 3):
            await asyncio.sleep(0.05)
        supervisor = max(started, key=lambda one: len(below(one)))
        os.kill(supervisor, signal.SIGKILL)
        with pytest.raises(Exception, match="watches over the program ended"):
            await run
        return started

    started = asyncio.run(kill_it())
    until = time.monotonic() + 30
    while left := [process for process in started if Path(f"/proc/{process}").exists()]:
        assert time.monotonic() < until, f"{left} live on"
        time.sleep(0.05)


def test_it_runs_for_a_user_without_privileges():
    if os.geteuid() != 0:
        pytest.skip("every test here runs without privileges already")
    script = """
import asyncio
from core.errors import SandboxError
from core.records import CheckedProgram
from core.sandbox.local import protections, run_local
from core.sandbox.outcomes import SandboxLimits
print(protections())
for value in (4, 5):
    program = CheckedProgram(f"def f(x):\\n    return {value}\\n",
        "def check(candidate):\\n    assert candidate(2) == 4\\n", "f")
    print(asyncio.run(run_local(program, limits=SandboxLimits(wall_s=20))).status)
"""
    asking = [
        *("/usr/bin/python3", "-P", "-s", "-c"),
        f"import sys; sys.path[0:0] = [{str(ROOT)!r}]",
    ]
    asking[-1] += script
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": [], "cwd": "/", "env": {}}
    try:
        can_read = subprocess.run(
            ["/usr/bin/python3", "-c", f"open({str(ROOT / 'core/records.py')!r})"], **options
        )
    except OSError as error:
        pytest.skip(f"there is no Python that every user can run: {error}")
    if can_read.returncode:
        pytest.skip("this checkout can be read by its owner only")
    done = subprocess.run(asking, capture_output=True, text=True, timeout=120, **options)
    first, *statuses = done.stdout.splitlines() or [done.stderr]
    if "hide" in done.stderr or "keep a program away" in done.stderr:
        pytest.skip("without privileges this machine keeps nothing away, and says so")
    assert first.startswith("local: ")
    assert statuses == ["passed", "failed"], done.stderr


def test_the_sandbox_can_be_chosen_inside_a_running_loop(sandbox):
    async def choose_and_run() -> str:
        protections.cache_clear()
        return str(protections(interpreter=sandbox.interpreter))

    assert asyncio.run(choose_and_run()).startswith("local: ")


def test_a_python_that_is_not_there_is_told_in_one_sentence():
    program = CheckedProgram(STAYS, CHECK, "f")
    with pytest.raises(SandboxError, match="/no/python cannot be started: No such file"):
        asyncio.run(run_local(program, limits=SandboxLimits(), interpreter="/no/python"))
