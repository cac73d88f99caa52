"""What a supervisor is started with, and what becomes of its outcome, wherever it runs."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.errors import InputError, SandboxError
from core.records import CheckedProgram
from core.sandbox.outcomes import CheckStatus, SandboxLimits, SandboxOutcome
from core.sandbox.reports import UNFIT, as_part

NO_SANDBOX, LACKING = "no_sandbox", "lacking"
"""The status of a run whose walls could not be put up, and of one whose task needs more modules."""

START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from core.sandbox.supervisor import main; "
    "del sys.path[0]; main()"
)
"""The supervisor as a program; its argument is the folder above `core`."""

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # sets print in the same order every time
    "PYTHONDONTWRITEBYTECODE": "1",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""All that a program finds in its environment, besides HOME and TMPDIR."""


def job_parts(program: CheckedProgram, limits: SandboxLimits, settings: Mapping[str, Any]) -> bytes:
    """What the supervisor reads: first the solution and its limits, then the checks.

    Args:
        settings: `namespaces`, `landlock` and `filter`, whether to use them; `folder`, to be made
            for the run; `watch_parent`, whether the run ends when the supervisor's input closes.
    """
    first = {
        "solution": program.solution,
        "entry_point": program.entry_point,
        "apart": program.apart,
        "needs": program.needs,
        "limits": asdict(limits),
        **settings,
    }
    second = {
        "checks": program.checks,
        "support": program.support,
        "entry_point": program.entry_point,
    }
    return as_part(first) + as_part(second)


def outcome_of(said: Mapping[str, Any], sandbox: str) -> SandboxOutcome:
    """How a run ended, by what its supervisor says.

    Args:
        sandbox: which sandbox it was, and which protections were in force.

    Raises:
        SandboxError: the walls could not be put up.
        InputError: the task needs modules that are not to be had, or its checks cannot be run
            apart from a program; neither is a fault of the program.
    """
    if said["status"] == NO_SANDBOX:
        raise SandboxError(f"the sandbox could not be set up: {said['detail']}")
    if said["status"] == LACKING:
        raise InputError(f"the sandbox lacks {said['detail']}, which the task needs")
    if said["status"] == UNFIT:
        raise InputError(f"the task's checks hand over more than plain data: {said['detail']}")
    status, seconds = CheckStatus(said["status"]), float(said["seconds"])
    return SandboxOutcome(status, said["detail"], seconds, sandbox)
