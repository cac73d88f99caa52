"""What a check says about a task, and the removal reason it speaks for.

A flag is read by people who do not know how the task was meant. Its sentence therefore says what
stands in the text and never whether the task was meant to be feasible, nor of which type or for
which reason.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Flag:
    """What a check noticed.

    Args:
        code: a key of `REMOVAL_REASON_OF_FLAG`.
        why: one sentence for the annotator.
        spans: the places in the text, as (start, end); empty when it is the text as a whole.
    """

    code: str
    why: str
    spans: tuple[tuple[int, int], ...] = ()


REMOVAL_REASON_OF_FLAG: dict[str, str] = {
    "empty": "malformed",
    "truncated": "malformed",
    "too_short": "malformed",
    "too_long": "malformed",
    "refusal": "malformed",
    "leaked_prompt": "malformed",
    "wrong_language": "wrong_language",
    "states_feasibility": "states_feasibility",
    "missing_data": "needs_missing_data",
    "too_short_for_cell": "malformed",
    "too_long_for_cell": "malformed",
}
"""The removal reason each flag speaks for, the gravest first."""
