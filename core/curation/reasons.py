"""Why a person removes a task: the codes that are stored, their labels and their keys."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RemovalReason:
    """One way a task can be unfit: the label people see, and the key that chooses it."""

    label: str
    key: str


REMOVAL_REASONS: dict[str, RemovalReason] = {
    "malformed": RemovalReason("Malformed", "1"),
    "states_feasibility": RemovalReason("States its own (in)feasibility", "2"),
    "needs_missing_data": RemovalReason("Needs data it lacks by accident", "3"),
    "wrong_type": RemovalReason("Wrong type", "4"),
    "duplicate": RemovalReason("Duplicate", "5"),
    "wrong_language": RemovalReason("Not in the study's language", "6"),
    "unsafe": RemovalReason("Unsafe to show", "7"),
    "other": RemovalReason("Other, see note", "8"),
}
"""Code → label and key, in the order in which they are shown. Codes are stored: never rename."""
