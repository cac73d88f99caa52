"""Run a program on this machine, in a child process that is locked down.

What is in force depends on the machine and is found out once, by trying: namespaces of its own
(users, processes, files, network), Landlock, a filter of system calls, another user than root, and
in every case the limits of `SandboxLimits`, an environment without keys, closed input, no new
privileges, and an end to every process it started. Without the filter, memory that no process maps
is bounded by the size of files only, and what System V shares outlives a run without namespaces.
"""

import asyncio
import functools
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError, SandboxError
from core.records import CheckedProgram
from core.sandbox.folder import remove
from core.sandbox.job import ENVIRONMENT, NO_SANDBOX, START, job_parts, outcome_of
from core.sandbox.landlock import SIGNALS_VERSION, TCP_VERSION
from core.sandbox.outcomes import CheckStatus, SandboxLimits, SandboxOutcome

_START_AND_END_S = 30
_ROOT = str(Path(__file__).resolve().parents[2])

_TRIAL = CheckedProgram(
    solution="import decimal\ndef tried():\n    return 1\n",
    checks="def check(candidate):\n    assert candidate() == 1\n",
    entry_point="tried",
)


@dataclass(frozen=True)
class Protections:
    """What is in force around a program on this machine.

    Args:
        namespaces: it has users, processes, files and a network of its own.
        landlock: the version of Landlock; 0 where the kernel has none.
        filters_calls: calls of the kernel that no program of a task needs are refused.
        as_nobody: it runs as nobody, since this process is root.
        why_not: why there are no namespaces.
    """

    namespaces: bool
    landlock: int
    filters_calls: bool
    as_nobody: bool
    why_not: str = ""

    @property
    def hides_files(self) -> bool:
        """Whether homes, the store and other processes are out of its sight."""
        return self.namespaces or self.landlock > 0

    @property
    def no_network(self) -> bool:
        """Whether nothing at all is reached over the network."""
        return self.namespaces or self.filters_calls

    @property
    def no_tcp(self) -> bool:
        """Whether no TCP connection can be made."""
        return self.no_network or self.landlock >= TCP_VERSION

    @property
    def no_signals(self) -> bool:
        """Whether no signal reaches a process outside."""
        return self.namespaces or self.as_nobody or self.landlock >= SIGNALS_VERSION

    def __str__(self) -> str:
        parts = []
        if self.namespaces:
            parts.append("own user, process, file and network namespaces")
        else:
            network = "network open but for TCP" if self.no_tcp else "network open"
            parts.append(f"no namespaces, {'no network' if self.no_network else network}")
        parts.append(f"Landlock {self.landlock}" if self.landlock else "no Landlock")
        parts.append(f"{'system calls' if self.filters_calls else 'no system calls'} filtered")
        parts.append("as nobody" if self.as_nobody or self.namespaces else "as this user")
        return "local: " + "; ".join([*parts, "limits of time, memory, processes and files"])


async def run_local(
    program: CheckedProgram,
    *,
    limits: SandboxLimits,
    interpreter: str = sys.executable,
    namespaces: bool = True,
) -> SandboxOutcome:
    """How the program's checks went, in a process of this machine.

    Several can run at once. When the task that awaits is cancelled, or this process ends, all that
    the program started is ended, too.

    Args:
        interpreter: the Python, 3.11 or newer, that the program runs on.
        namespaces: false to do without them, for a look at what is in force then.

    Raises:
        InputError: this machine cannot keep a program away from its files, or lacks a module that
            the task needs.
        SandboxError: the walls could not be put up.
    """
    found = await asyncio.to_thread(
        protections, interpreter=interpreter, with_namespaces=namespaces
    )
    return outcome_of(await _run(program, limits, interpreter, found), str(found))


@functools.cache
def protections(*, interpreter: str = sys.executable, with_namespaces: bool = True) -> Protections:
    """What is in force here, found out by a trial run; the same for the life of this process.

    Raises:
        InputError: this is not Linux, or it cannot keep a program away from its files.
        SandboxError: not even a trivial program runs.
    """
    if sys.platform != "linux":
        raise InputError(
            "a program can be run on this machine only under Linux",
            hint="start Docker and use the sandbox docker",
        )
    why_not = "they were not asked for"
    as_nobody = os.geteuid() == 0
    if with_namespaces:
        said = _tried(interpreter, Protections(True, 1, True, False))
        if said["status"] == CheckStatus.PASSED:
            return Protections(True, said["landlock"], said["filter"], as_nobody)
        why_not = said["detail"]
    if not with_namespaces or said["status"] == NO_SANDBOX:
        said = _tried(interpreter, Protections(False, 1, True, False))
    if said["status"] != CheckStatus.PASSED:
        raise SandboxError(
            f"no program can be run on this machine: {said['detail']}",
            hint="Python must be where every user can read it" if as_nobody else "",
        )
    found = Protections(False, said["landlock"], said["filter"], as_nobody, why_not)
    if not found.hides_files:
        raise InputError(
            "this machine cannot keep a program away from your files: "
            f"its kernel has no Landlock, and no namespaces ({found.why_not})",
            hint="run where Docker runs, or on Linux 5.13 or newer",
        )
    return found


def _tried(interpreter: str, wanted: Protections) -> Mapping[str, Any]:
    """How a trivial program went; in a thread, for who asks may have a running loop."""
    with ThreadPoolExecutor(1) as thread:
        trial = _run(_TRIAL, SandboxLimits(wall_s=60), interpreter, wanted)
        return thread.submit(asyncio.run, trial).result()


async def _run(
    program: CheckedProgram, limits: SandboxLimits, interpreter: str, found: Protections
) -> Mapping[str, Any]:
    settings = {
        "namespaces": found.namespaces,
        "landlock": found.landlock > 0,
        "filter": found.filters_calls,
        "folder": tempfile.mkdtemp(prefix="selfbound-run-"),
        "watch_parent": True,
    }
    try:
        try:
            process = await asyncio.create_subprocess_exec(
                *(interpreter, "-P", "-s", "-c", START, _ROOT),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=ENVIRONMENT,
                cwd=settings["folder"],
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"{interpreter} cannot be started: {error.strerror}") from None
        return await _said_by(process, job_parts(program, limits, settings), limits.wall_s)
    finally:
        # Who watched over the run has removed it, unless that process was ended.
        remove(settings["folder"])


async def _said_by(
    process: asyncio.subprocess.Process, job: bytes, wall_s: float
) -> Mapping[str, Any]:
    """The outcome that a supervisor writes; when this ends, so has all that it started."""
    try:
        process.stdin.write(job)
        return json.loads(
            await asyncio.wait_for(process.stdout.readline(), wall_s + _START_AND_END_S)
        )
    except (ValueError, TimeoutError, ConnectionError):
        process.stdin.close()
        said = (await process.stderr.read()).decode("utf-8", "replace").strip().splitlines()
        why = said[-1] if said else "without a word"
        raise SandboxError(f"the process that watches over the program ended: {why}") from None
    finally:
        # Closing its input is what ends it, and all below it, when it has not ended by itself.
        process.stdin.close()
        try:
            await asyncio.wait_for(asyncio.shield(process.wait()), _START_AND_END_S)
        finally:
            if process.returncode is None:
                process.kill()
