"""Label Studio's JSON in pieces, as its exports hold them, for tests that write or read it."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from core.exchange.decided_tasks import LABEL_STUDIO, DecidedTask, Decision, write_decided_tasks
from tests.support import decided_files

REASONS = {"malformed": "Malformed", "other": "Other, see note", "unsafe": 'Unsafe <"to" show>'}
ADA = "ada@example.org"

decision = partial(decided_files.decision, person=ADA)
"""A decision of the person whom `annotation` names."""
read = partial(decided_files.read, reasons=REASONS)
faults = partial(decided_files.faults, reasons=REASONS)


def choice(name: str, *choices: str) -> dict[str, Any]:
    """What was chosen in a control."""
    return {
        "id": "Dx_aB91ISN",
        "from_name": name,
        "to_name": "text",
        "type": "choices",
        "value": {"choices": list(choices)},
    }


def note(*lines: str) -> dict[str, Any]:
    """What was written into the control of the note."""
    return choice("note") | {"type": "textarea", "value": {"text": list(lines)}}


def annotation(*results: dict[str, Any], **other: object) -> dict[str, Any]:
    """An annotation as Label Studio exports it."""
    plain = {
        "id": 71,
        "completed_by": {
            "id": 1,
            "email": ADA,
            "first_name": "Ada",
            "last_name": "Lovelace",
        },
        "result": list(results),
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-03-01T11:00:00.000000Z",
        "updated_at": "2026-03-01T12:00:00.000000Z",
        "lead_time": 4.25,
        "import_id": None,
    }
    return plain | other


def decisions(path: Path) -> tuple[Decision, ...]:
    """The history of a file's only task."""
    (row,) = read(path).rows
    return row.decisions


def items_written(folder: Path, *tasks: DecidedTask) -> list[dict[str, Any]]:
    """What a file of these tasks holds."""
    path = folder / "out.json"
    assert write_decided_tasks(tasks, path, format=LABEL_STUDIO) == len(tasks)
    return json.loads(path.read_text(encoding="utf-8"))
