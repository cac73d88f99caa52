"""Code tasks as the store holds them: what the checks need, and nothing that gives them away."""

import json
from dataclasses import asdict

from core.exchange.code_tasks import CodeTask
from core.identity import canonical_json

_NOT_STORED = ("line", "canonical_solution")


def stored_checks(task: CodeTask) -> str:
    """What the checks of a task need, as JSON. The published solution is left out, so that nobody
    can show it to a subject by accident."""
    # ASCII, so that half a character is kept as it is.
    return canonical_json({k: v for k, v in asdict(task).items() if k not in _NOT_STORED})


def code_task_from(checks_json: str) -> CodeTask:
    """The code task that was stored, without its published solution.

    Args:
        checks_json: as `stored_checks` made it.
    """
    stored = json.loads(checks_json)
    libraries = tuple(stored.pop("libraries"))
    return CodeTask(line=0, canonical_solution=None, libraries=libraries, **stored)
