"""What a supervisor is started with, wherever it runs."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.records import CheckedProgram
from core.sandbox.outcomes import SandboxLimits
from core.sandbox.reports import as_part

NO_SANDBOX = "no_sandbox"
"""The status of a run whose walls could not be put up."""

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
        "limits": asdict(limits),
        **settings,
    }
    second = {
        "checks": program.checks,
        "support": program.support,
        "entry_point": program.entry_point,
    }
    return as_part(first) + as_part(second)
