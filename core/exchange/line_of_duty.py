"""The published result files of "Line of Duty": one workbook for each subject and prompt set.

The files are real and messy. A row that can be counted is kept as it is, and the findings say
how many rows were odd and how; a row that says something unknown is a bad row.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.exchange.named_cells import (
    intent_name,
    is_blank,
    read_each,
    reason_name,
    task_text,
    type_name,
)
from core.exchange.row_file import BadRow, RowFile, Value, raise_for_bad_rows
from core.exchange.rows import read_rows
from core.exchange.wording import counted, listed, shown
from core.taxonomy import FEASIBLE, INFEASIBLE, TYPE_OF_REASON

COLUMNS: dict[str, str] = {
    "id": "ID",
    "text": "Task",
    "subject": "LLM",
    "intent": "Task Category (Generation)",
    "type": "Type of Self-Knowledge (Generation)",
    "reason": "Reason for Incapacity (Generation)",
    "label": "Task Category (Classification)",
    "label_type": "Type of Self-Knowledge (Classification)",
    "label_reason": "Reason for Incapacity (Classification)",
}
"""Our name for each column of the published layout, with the header it has there."""

ADVANCED_ENDING = "_advanced"
"""Ends the name of a file that holds results of the challenge + analysis prompts."""


@dataclass(frozen=True)
class PublishedRow:
    """One task as published: how it was meant, and how the subject classified it.

    Args:
        row_number: the row of the sheet; the header is row 1.
        id: the published id; None when blank.
        text: exactly as published.
        intent: feasible or infeasible, as generated.
        type: as generated; None when blank.
        reason: as generated; None when feasible or blank.
        label: feasible or infeasible, as classified.
        label_type, label_reason: as classified; None when feasible or blank.
        note: what was odd in this row, in words; empty when nothing was.
    """

    row_number: int
    id: str | None
    text: str
    intent: str
    type: str | None
    reason: str | None
    label: str
    label_type: str | None
    label_reason: str | None
    note: str = ""


@dataclass(frozen=True)
class PublishedStudy:
    """One published file: whose results, on which prompts, its rows, and what was odd.

    Args:
        name: the file's name without its extension.
        file: the file's name.
        subject: the model, as the LLM column names it.
        prompt_set: vanilla or challenge_qap.
    """

    name: str
    file: str
    subject: str
    prompt_set: str
    rows: tuple[PublishedRow, ...]
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


def read_line_of_duty(path: Path | str) -> PublishedStudy:
    """One published result file, good and bad rows apart, with findings on what was odd.

    Returns:
        The subject is the one model in the LLM column; the prompt set is challenge_qap when the
        file's name ends in `_advanced`, else vanilla. Repeats of a task are kept: they are rows
        of the published sample.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file cannot be read, lacks a column of the layout, does not name exactly
            one model, or has no good row.

    Source: "Line of Duty", public result files of its authors.
    """
    file = read_rows(path)
    header = _header(file)
    subject = _subject(file, header["subject"])
    good, bad = read_each(
        file,
        lambda line, cells: _row(line, {name: cells[met] for name, met in header.items()}),
    )
    name = Path(file.name).stem
    study = PublishedStudy(
        name=name,
        file=file.name,
        subject=subject,
        prompt_set="challenge_qap" if name.endswith(ADVANCED_ENDING) else "vanilla",
        rows=good,
        bad_rows=bad,
        findings=(*file.findings, *_findings(good)),
    )
    if not good:
        raise_for_bad_rows(study)
    return study


def _header(file: RowFile) -> dict[str, str]:
    """The file's own header for each of our columns."""
    met = {_folded(column): column for column in file.columns}
    missing = [header for header in COLUMNS.values() if _folded(header) not in met]
    if missing:
        raise InputError(
            f"{file.name} does not have the layout of the published files; "
            f"missing: {listed(map(shown, missing))}",
            hint="import it as tasks, if it has the columns text, intent, type, reason",
        )
    return {name: met[_folded(header)] for name, header in COLUMNS.items()}


def _folded(header: str) -> str:
    return " ".join(header.split()).casefold()


def _subject(file: RowFile, column: str) -> str:
    models = dict.fromkeys(str(cells[column]) for _, cells in file.rows if cells[column])
    if len(models) != 1:
        raise InputError(
            f"column {shown(column)} of {file.name} names {counted(len(models), 'model', 'models')}"
            + (f" ({listed(map(shown, models))})" if models else "")
            + " where one was wanted",
            hint="write one file for each model",
        )
    return next(iter(models))


def _row(line: int, cells: Mapping[str, Value]) -> PublishedRow:
    intent = intent_name(cells["intent"], COLUMNS["intent"])
    label = intent_name(cells["label"], COLUMNS["label"])
    return PublishedRow(
        row_number=line,
        id=None if is_blank(cells["id"]) else str(cells["id"]),
        text=task_text(cells["text"]),
        intent=intent,
        type=type_name(cells["type"]),
        reason=reason_name(cells["reason"]) if intent == INFEASIBLE else None,
        label=label,
        label_type=type_name(cells["label_type"]) if label == INFEASIBLE else None,
        label_reason=reason_name(cells["label_reason"]) if label == INFEASIBLE else None,
        note="; ".join(odd for odd, holds in _ODDITIES.items() if holds(intent, label, cells)),
    )


def _strays(kind: Value, reason: Value) -> bool:
    """Whether both are there and the reason belongs to another type."""
    if is_blank(kind) or is_blank(reason):
        return False
    return TYPE_OF_REASON[reason_name(reason)] != type_name(kind)


_ODDITIES: dict[str, Callable[[str, str, Mapping[str, Value]], bool]] = {
    "classified infeasible with no reason": lambda intent, label, cells: (
        label == INFEASIBLE and is_blank(cells["label_reason"])
    ),
    "classified feasible with a reason, which is ignored": lambda intent, label, cells: (
        label == FEASIBLE and not is_blank(cells["label_reason"])
    ),
    "generated as infeasible with no reason": lambda intent, label, cells: (
        intent == INFEASIBLE and is_blank(cells["reason"])
    ),
    "generated as feasible with a reason, which is ignored": lambda intent, label, cells: (
        intent == FEASIBLE and not is_blank(cells["reason"])
    ),
    "generated under a type that the reason does not belong to": lambda intent, label, cells: (
        intent == INFEASIBLE and _strays(cells["type"], cells["reason"])
    ),
    "classified under a type that the reason does not belong to": lambda intent, label, cells: (
        label == INFEASIBLE and _strays(cells["label_type"], cells["label_reason"])
    ),
    "without a type": lambda intent, label, cells: is_blank(cells["type"]),
    "without an ID": lambda intent, label, cells: is_blank(cells["id"]),
}
"""What can be odd in a row that still counts, and how to tell."""


def _findings(rows: Sequence[PublishedRow]) -> list[str]:
    findings = []
    for odd in _ODDITIES:
        if n := sum(odd in row.note.split("; ") for row in rows):
            findings.append(f"{counted(n, 'row is', 'rows are')} {odd}")
    if n := len(rows) - len({row.text for row in rows}):
        findings.append(
            counted(n, "row repeats", "rows repeat") + " the task of an earlier row exactly"
        )
    ids = [row.id for row in rows if row.id is not None]
    if n := len(ids) - len(set(ids)):
        findings.append(counted(n, "row has", "rows have") + " the ID of an earlier row")
    return findings
