"""Tasks that travel together with people's decisions: JSONL, CSV, Parquet and Label Studio JSON.

The flat formats share their columns. `decisions_json` holds the whole history and is what counts;
the columns before it say what stands, for people and spreadsheets. Where nobody decided it is
empty, and a decision can be entered in those. A file that a person made has only those, or none of
them: then its tasks are not decided yet.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from json import JSONEncoder
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.exchange.decision_cells import (
    ACTION_OF_WORD,
    decision_of_cells,
    history_items,
    history_of,
)
from core.exchange.decisions import (
    DecidedTask,
    DecidedTaskFile,
    DecidedTaskRow,
    Decision,
    decided_file,
    decided_row,
    speaking,
    standing,
)
from core.exchange.label_studio import is_label_studio, read_label_studio, write_label_studio
from core.exchange.named_cells import is_blank
from core.exchange.removal_reasons import Reasons, reason_spellings
from core.exchange.row_file import RowFile, Value
from core.exchange.rows import read_rows
from core.exchange.tasks import TASK_SPELLINGS, Spellings, matched_columns, task_findings
from core.exchange.times import seconds_or_none
from core.exchange.wording import counted, listed
from core.exchange.writers import write_table
from core.taxonomy import LINE_OF_DUTY, Taxonomy

__all__ = [
    "COLUMNS",
    "FORMATS",
    "DecidedTask",
    "DecidedTaskFile",
    "DecidedTaskRow",
    "Decision",
    "read_decided_tasks",
    "write_decided_tasks",
]

LABEL_STUDIO = "label-studio"
FORMATS = ("jsonl", "csv", "parquet", LABEL_STUDIO)

COLUMNS: dict[str, type] = {
    "task_id": str,
    "text": str,
    "intent": str,
    "type": str,
    "reason": str,
    "state": str,
    "removal_reason": str,
    "note": str,
    "decided_by": str,
    "decided_at": datetime,
    "seconds_active": float,
    "decisions_json": str,
}
"""The columns of the flat formats, in order."""

_HISTORY = "decisions_json"
_SPELLINGS: Spellings = {
    **TASK_SPELLINGS,
    "task_id": ("task id", "selfbound task id"),
    "decision": ("decision", "action", "state"),
    "removal_reason": ("removal reason", "reason for removal"),
    "note": ("note", "comment"),
    "decided_by": ("decided by", "person", "annotator"),
    "decided_at": ("decided at",),
    "seconds_active": ("seconds active",),
    _HISTORY: ("decisions json",),
}
"""Headers that are understood for each column (see `tasks`)."""

_OF_A_DECISION = ("removal_reason", "note", "decided_by", "decided_at", "seconds_active")
"""Columns that say nothing where no column says what was decided."""

_encoded = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_decided_tasks(tasks: Iterable[DecidedTask], path: Path | str, *, format: str) -> int:
    """The number of tasks written to `path`, which is replaced only once all are written.

    Args:
        tasks: in the order wanted; taken one by one.
        path: the file; its folder exists.
        format: jsonl, csv, parquet or label-studio. `writers` says what each does to odd text.

    Raises:
        InputError: the format is unknown.
        OSError: the disk refuses; nothing is left behind.
    """
    if format not in FORMATS:
        raise InputError(f"the format {format!r} is not known", hint=f"one of {listed(FORMATS)}")
    if format == LABEL_STUDIO:
        return write_label_studio(tasks, path)
    return write_table(map(_flat, tasks), path, columns=COLUMNS, format=format)


def read_decided_tasks(
    path: Path | str, *, reasons: Reasons, taxonomy: Taxonomy = LINE_OF_DUTY
) -> DecidedTaskFile:
    """The tasks of a file with what people decided about them, good and bad rows apart.

    Any format of `read_rows` will do, and any export of Label Studio (see `label_studio`). Where
    a row has a history, that counts; otherwise its columns decision (or state), removal_reason,
    note, decided_by, decided_at and seconds_active make one decision, or none when the decision
    is empty, pending, disputed or decided by others. Bad rows do not raise: see
    `raise_for_bad_rows`.

    Args:
        reasons: the codes of removal reasons that are known; a mapping gives their labels, which
            are then understood too.
        taxonomy: the types and reasons that a task can have.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file cannot be read, has no column for the text, or no good row.
    """
    spellings = reason_spellings(reasons)
    with _collector_paused():
        file = read_rows(path)
        read = read_label_studio if is_label_studio(file) else _read_flat
        return read(file, spellings, taxonomy)


def _flat(task: DecidedTask) -> dict[str, Any]:
    one = speaking(task.decisions)
    return {
        "task_id": task.task_id,
        "text": task.text,
        "intent": task.intent,
        "type": task.type,
        "reason": task.reason,
        "state": task.state,
        "removal_reason": task.removal_reason,
        "note": task.note,
        "decided_by": one and one.person,
        "decided_at": one and one.decided_at,
        "seconds_active": one and seconds_or_none(one.seconds_active),
        _HISTORY: _encoded(history_items(task.decisions)) if task.decisions else None,
    }


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Rows make no cycles, and looking for some in millions of cells takes longer than reading."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_flat(file: RowFile, spellings: Mapping[str, str], taxonomy: Taxonomy) -> DecidedTaskFile:
    columns = _columns(file) if file.rows else {}
    overruled: list[int] = []
    unsaid: list[int] = []

    def read_row(line: int, cells: Mapping[str, Value]) -> DecidedTaskRow:
        named = {name: cells[met] for name, met in columns.items()}
        has_history = not is_blank(named.get(_HISTORY))
        if has_history:
            decisions = history_of(named[_HISTORY], spellings)
        else:
            plain = decision_of_cells(named, spellings)
            decisions = () if plain is None else (plain,)
        row = decided_row(line, named, decisions, taxonomy)
        if has_history and _is_overruled(named.get("decision"), decisions):
            overruled.append(line)
        if not has_history and not decisions and not is_blank(named.get("note")):
            unsaid.append(line)
        return row

    def findings(rows: Sequence[DecidedTaskRow]) -> list[str]:
        found = task_findings(file, columns.values(), [row.text for row in rows])
        if overruled:
            found.append(
                counted(len(overruled), "row says", "rows say")
                + f" in {columns['decision']} what {columns[_HISTORY]} does not, which counts; "
                + f"the first is row {overruled[0]}"
            )
        if unsaid:
            found.append(
                counted(len(unsaid), "row has a note", "rows have a note")
                + f" and no decision, and it is not used; the first is row {unsaid[0]}"
            )
        return found

    return decided_file(file, read_row, findings)


def _columns(file: RowFile) -> dict[str, str]:
    found = matched_columns(file, _SPELLINGS, needed=("text",))
    if not {"decision", _HISTORY} & found.keys():
        return {name: met for name, met in found.items() if name not in _OF_A_DECISION}
    return found


def _is_overruled(said: Value, history: Sequence[Decision]) -> bool:
    """Whether a plain cell says what no decision says that stands, as after an edit by hand."""
    action = ACTION_OF_WORD.get(said.strip().casefold()) if isinstance(said, str) else None
    if action is None or (history and history[-1].action == action):
        return False
    return action not in {one.action for one in standing(history)}
