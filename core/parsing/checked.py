"""Reads what a sandbox says of a program: a line of JSON that this program wrote itself."""

import json
from typing import Any

from core.records import Outcome, Reading

PASSED, FAILED = "passed", "failed"


def parse_checked(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    """How a program's checks went.

    Args:
        text: the object `{"status", "detail", "sandbox"}` as JSON.
        finish_reason, refusal: not looked at; a sandbox neither stops early nor refuses.

    Returns:
        outcome ok with `passed` or `failed` as label; how it ended as `reason`, such as timed_out,
        the end of its traceback as `answer`, and the protections in force as `note`.

    Example:
        >>> said = '{"status": "timed_out", "detail": "after 10 s", "sandbox": "local"}'
        >>> read = parse_checked(said)
        >>> read.label, read.reason, read.note
        ('failed', 'timed_out', 'local')
    """
    try:
        said: Any = json.loads(text or "")
        status, detail, sandbox = (str(said[key]) for key in ("status", "detail", "sandbox"))
    except (ValueError, TypeError, KeyError):
        return Reading(Outcome.UNPARSABLE, note="the sandbox did not say how the checks went")
    label = PASSED if status == PASSED else FAILED
    ended = None if label == PASSED else status
    return Reading(Outcome.OK, label=label, reason=ended, answer=detail or None, note=sandbox)
