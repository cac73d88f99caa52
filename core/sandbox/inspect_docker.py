"""Run a program in a container, through Inspect AI's docker sandbox.

One container for each run, without network and thrown away after it. Inside it the same supervisor
keeps the same limits and decides success in the same way as on this machine; the container takes
the place of the namespaces. Needs a container engine and the optional extra `inspect`.
"""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import SandboxError
from core.records import CheckedProgram
from core.sandbox.job import ENVIRONMENT, START, job_parts, outcome_of
from core.sandbox.outcomes import SandboxLimits, SandboxOutcome

IMAGE = "python:3.11-slim"
"""What runs unless another is named; tasks that need libraries need an image that has them."""

SOURCES = "/opt/selfbound"
"""Where the supervisor's source is put inside the container."""

_HERE = Path(__file__).resolve().parent
_START_AND_END_S = 30
_COMPOSE = """services:
  default:
    image: {image}
    command: ["sleep", "infinity"]
    init: true
    network_mode: none
    mem_limit: {memory_mib}m
    pids_limit: {processes}
    cap_drop: [ALL]
    cap_add: [CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID, SETPCAP, SETUID]
    security_opt: ["no-new-privileges:true"]
"""


async def run_in_docker(
    program: CheckedProgram,
    *,
    limits: SandboxLimits,
    image: str = IMAGE,
    environments: Any = None,
) -> SandboxOutcome:
    """How the program's checks went, in a container of its own.

    Args:
        image: the container's image.
        environments: Inspect's class of sandboxes; docker's when None.

    Raises:
        InputError: the image lacks a module that the task needs.
        SandboxError: the container did not start, or the supervisor in it did not.
    """
    environments = environments or _docker_environments()
    name = "selfbound"
    with tempfile.TemporaryDirectory(prefix="selfbound-compose-") as folder:
        config = str(Path(folder, "compose.yaml"))
        # Room for the supervisor's own processes beside those of the program.
        Path(config).write_text(
            _COMPOSE.format(
                image=image,
                memory_mib=limits.memory_mib + limits.disk_mib + 256,
                processes=limits.processes + 32,
            )
        )
        await environments.task_init(name, config)
        try:
            started = await environments.sample_init(name, config, {})
            try:
                said = await _run(next(iter(started.values())), program, limits)
            finally:
                await environments.sample_cleanup(name, config, started, False)
        finally:
            await environments.task_cleanup(name, config, True)
    closed = f"Landlock {said['landlock']}" if said["landlock"] else "no Landlock"
    closed += "; system calls filtered" if said["filter"] else "; no filter of system calls"
    about = f"docker: container of {image} without network; {closed}; as nobody; limits"
    return outcome_of(said, f"{about} of time, memory, processes and files")


async def _run(
    environment: Any, program: CheckedProgram, limits: SandboxLimits
) -> Mapping[str, Any]:
    for source in [_HERE.parent / "__init__.py", *sorted(_HERE.glob("*.py"))]:
        place = source.relative_to(_HERE.parents[1])
        await environment.write_file(f"{SOURCES}/{place.as_posix()}", source.read_text("utf-8"))
    settings = {
        "namespaces": False,
        "landlock": True,
        "filter": True,
        "folder": "/tmp/selfbound-run",
        # Its input ends with the two parts; the container ends with the run.
        "watch_parent": False,
    }
    result = await environment.exec(
        ["python3", "-P", "-s", "-c", START, SOURCES],
        input=job_parts(program, limits, settings),
        env=ENVIRONMENT,
        timeout=int(limits.wall_s) + _START_AND_END_S,
        timeout_retry=False,
    )
    try:
        return json.loads(result.stdout)
    except ValueError:
        raise SandboxError(
            f"the container did not run the program: {result.stderr[-300:].strip()}",
            hint="its image needs Python 3.11 or newer",
        ) from None


def _docker_environments() -> Any:
    # Here, because importing Inspect takes long and most people run without it.
    from inspect_ai.util._sandbox.registry import registry_find_sandboxenv

    return registry_find_sandboxenv("docker")
