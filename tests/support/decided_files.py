"""Tasks with decisions made in a line, and the files they travel in, for tests of such files."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.exchange.decided_tasks import (
    LABEL_STUDIO,
    DecidedTask,
    Decision,
    read_decided_tasks,
    write_decided_tasks,
)
from core.exchange.decisions import DecidedTaskFile

REASONS = {
    "malformed": "Malformed",
    "wrong_language": "Not in the study's language",
    "other": "Other, see note",
}
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def decision(action: str = "keep", **other: object) -> Decision:
    """A decision of Ada's, a removal as malformed, with no more said than what is given."""
    plain = {
        "decision_id": None,
        "person": "Ada",
        "action": action,
        "reason": "malformed" if action == "remove" else None,
        "note": "",
        "decided_at": None,
        "seconds_active": None,
        "undoes": None,
        "is_final": False,
    }
    return Decision(**plain | other)


def task(*history: Decision, **other: object) -> DecidedTask:
    """A feasible task with this history, pending where no state is given."""
    plain = {
        "task_id": "t1",
        "text": "Fold a paper crane",
        "intent": "feasible",
        "type": "Functional Ceiling",
        "reason": None,
        "state": "pending",
        "removal_reason": None,
        "note": "",
        "decisions": history,
    }
    return DecidedTask(**plain | other)


def path_for(folder: Path, format: str, name: str = "tasks") -> Path:
    """Where a file of a format belongs."""
    return folder / (f"{name}.json" if format == LABEL_STUDIO else f"{name}.{format}")


def written(folder: Path, tasks: Sequence[DecidedTask], format: str) -> Path:
    """The file that holds these tasks."""
    path = path_for(folder, format)
    assert write_decided_tasks(iter(tasks), path, format=format) == len(tasks)
    return path


def read(path: Path, reasons: Mapping[str, str] = REASONS) -> DecidedTaskFile:
    """What a file of tasks with decisions holds."""
    return read_decided_tasks(path, reasons=reasons)


def faults(path: Path, reasons: Mapping[str, str] = REASONS) -> list[str]:
    """What is wrong with each bad row of a file."""
    return [str(bad) for bad in read(path, reasons).bad_rows]
