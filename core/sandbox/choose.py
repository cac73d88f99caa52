"""Which sandbox is to be had here, and running a program in it.

Docker is taken where its engine runs. A process of this machine is never taken instead of it
unasked: it has to be asked for by its name, `local`.
"""

import importlib.util
import shutil
import subprocess

from core.errors import InputError
from core.records import CheckedProgram
from core.sandbox.inspect_docker import IMAGE, run_in_docker
from core.sandbox.local import protections, run_local
from core.sandbox.outcomes import SandboxLimits, SandboxOutcome
from core.settings import sandbox_image

DOCKER, LOCAL = "docker", "local"
KINDS = (DOCKER, LOCAL)
_ENGINE_ANSWERS_S = 20


def choose_sandbox(asked: str | None = None) -> str:
    """The kind of sandbox to run in: the one asked for, or docker when none is named.

    Raises:
        InputError: it is not to be had here; the hint says what to do.
        SandboxError: not even a trivial program runs on this machine.
    """
    if asked is not None and asked not in KINDS:
        raise InputError(f"there is no sandbox {asked}", hint=f"choose one of: {', '.join(KINDS)}")
    if asked == LOCAL:
        protections()
        return LOCAL
    if problem := docker_problem():
        raise InputError(
            f"no sandbox is to be had: {problem}",
            hint="start Docker with the extra selfbound[inspect] installed, or ask by name to run "
            "what the model writes on this machine: local",
        )
    return DOCKER


async def run_checks(
    program: CheckedProgram, *, limits: SandboxLimits | None = None, kind: str
) -> SandboxOutcome:
    """How a program's checks went in a sandbox; several can run at once.

    Args:
        limits: what the run may use; the usual limits when None.
        kind: what `choose_sandbox` returned.

    Raises:
        InputError: no such kind, this machine cannot keep a program away from its files, or the
            sandbox lacks a module that the task needs.
        SandboxError: the sandbox could not be set up.
    """
    limits = limits or SandboxLimits()
    if kind == LOCAL:
        return await run_local(program, limits=limits)
    if kind != DOCKER:
        raise InputError(f"there is no sandbox {kind}", hint=f"choose one of: {', '.join(KINDS)}")
    return await run_in_docker(program, limits=limits, image=sandbox_image() or IMAGE)


def docker_problem() -> str:
    """Why nothing can be run in docker here; empty when it can.

    Example:
        >>> isinstance(docker_problem(), str)
        True
    """
    if importlib.util.find_spec("inspect_ai") is None:
        return "Inspect AI, which starts containers, is not installed"
    if shutil.which("docker") is None:
        return "there is no docker command"
    try:
        asked = subprocess.run(
            ["docker", "info"], capture_output=True, timeout=_ENGINE_ANSWERS_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "the docker command does not answer"
    return "" if asked.returncode == 0 else "no container engine runs here"
