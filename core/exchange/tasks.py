"""Tasks from a person's own file, with the columns text, intent, type and reason.

Types and reasons are those of a taxonomy, which is the built-in one where none is given.

Nothing is guessed: an intent is always stated, an infeasible task names its reason, a feasible
one its type and no reason. The one thing filled in follows by definition: the type of an
infeasible task whose type is blank is the type its reason belongs to.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.exchange.named_cells import (
    RowFault,
    intent_name,
    is_blank,
    read_each,
    reason_name,
    task_text,
    type_name,
)
from core.exchange.rejects import REJECT_COLUMNS
from core.exchange.row_file import BadRow, RowFile, Value, raise_for_bad_rows
from core.exchange.rows import read_rows
from core.exchange.wording import counted, listed, shown
from core.taxonomy import FEASIBLE, LINE_OF_DUTY, Taxonomy

Spellings = Mapping[str, Sequence[str]]

TASK_SPELLINGS: Spellings = {
    "text": ("text", "task", "task text", "prompt"),
    "intent": ("intent", "intended", "feasibility"),
    "type": ("type", "type of self knowledge", "knowledge type"),
    "reason": ("reason", "reason for incapacity", "reason for infeasibility"),
}
"""Headers that are understood for each column, the column's own name first; case, `_` and `-`
do not matter."""

_NEEDED = ("text", "intent")


@dataclass(frozen=True)
class TaskRow:
    """A task as its author means it.

    Args:
        line: the row number (see `row_file`).
        text: exactly as in the file.
        intent: feasible or infeasible. type: one of the taxonomy's.
        reason: one of the taxonomy's when infeasible, None when feasible.
    """

    line: int
    text: str
    intent: str
    type: str
    reason: str | None


@dataclass(frozen=True)
class TaskFile:
    """A file of tasks: the good rows, the bad ones, and what was odd, in sentences."""

    name: str
    format: str
    rows: tuple[TaskRow, ...]
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


def read_tasks(path: Path | str, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> TaskFile:
    """The tasks of a file in any format of `read_rows`, good and bad rows apart.

    Headers are matched whatever their case; `task` or `prompt` stands for text, and so on. Other
    columns are not used, and a finding says so. Bad rows do not raise: see `raise_for_bad_rows`.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file cannot be read, has no column for text or intent, or no good row.
    """
    file = read_rows(path)
    columns = matched_columns(file, TASK_SPELLINGS, needed=_NEEDED) if file.rows else {}
    good, bad = read_each(
        file,
        lambda line, cells: task_row(
            line, {name: cells[met] for name, met in columns.items()}, taxonomy
        ),
    )
    texts = [task.text for task in good]
    findings = (*file.findings, *task_findings(file, columns.values(), texts))
    tasks = TaskFile(file.name, file.format, good, bad, findings)
    if not good:
        raise_for_bad_rows(tasks)
    return tasks


def matched_columns(
    file: RowFile,
    spellings: Spellings,
    *,
    needed: Sequence[str] = (),
    named: Iterable[str] = TASK_SPELLINGS,
) -> dict[str, str]:
    """The file's own header for each of our columns that it has.

    Args:
        needed: columns it must have. named: those that the hint names where one of them is missing.

    Raises:
        InputError: a needed column is missing, or two headers stand for one column.
    """
    found = {name: met for name, known in spellings.items() if (met := _match(file, name, known))}
    missing = [name for name in needed if name not in found]
    if missing:
        raise InputError(
            f"{file.name} has no column {listed(missing)}; "
            f"it has {listed(map(shown, file.columns))}",
            hint=f"name the columns in the first line: {listed(named)}",
        )
    return found


def _match(file: RowFile, name: str, known: Sequence[str]) -> str | None:
    spelt = {met: _folded(met) for met in file.columns}
    matches = [met for met, folded in spelt.items() if folded == known[0]]
    matches = matches or [met for met, folded in spelt.items() if folded in known]
    if len(matches) > 1:
        raise InputError(
            f"{file.name} has {len(matches)} columns for {name}: {listed(map(shown, matches))}",
            hint=f"name only one of them {name}",
        )
    return matches[0] if matches else None


def _folded(header: str) -> str:
    return " ".join(header.replace("_", " ").replace("-", " ").split()).casefold()


def task_row(line: int, cells: Mapping[str, Value], taxonomy: Taxonomy = LINE_OF_DUTY) -> TaskRow:
    """The task that a row's cells say, keyed by our names; raises `RowFault` where they do not."""
    text = task_text(cells["text"])
    intent = intent_name(cells.get("intent"))
    if intent == FEASIBLE:
        return TaskRow(line, text, intent, _feasible_type(cells, taxonomy), None)
    return TaskRow(line, text, intent, *_infeasible_type_and_reason(cells, taxonomy))


def _feasible_type(cells: Mapping[str, Value], taxonomy: Taxonomy) -> str:
    if not is_blank(reason := cells.get("reason")):
        raise RowFault(
            f"is feasible and yet has the reason {shown(reason)}",
            "leave the reason of a feasible task empty",
        )
    if (kind := type_name(cells.get("type"), taxonomy)) is None:
        known = f"known types: {listed(taxonomy.type_names)}"
        raise RowFault("is feasible and has no type", known)
    return kind


def _infeasible_type_and_reason(cells: Mapping[str, Value], taxonomy: Taxonomy) -> tuple[str, str]:
    kind = type_name(cells.get("type"), taxonomy)
    reason = reason_name(cells.get("reason"), taxonomy)
    if reason is None:
        known = f"known reasons: {listed(taxonomy.reason_names)}"
        raise RowFault("is infeasible and has no reason", known)
    owner = taxonomy.type_of_reason[reason]
    if kind not in (None, owner):
        raise RowFault(
            f"has the type {shown(kind)}, but its reason {shown(reason)} belongs to {shown(owner)}",
            "correct one, or leave the type empty",
        )
    return owner, reason


def task_findings(file: RowFile, used: Iterable[str], texts: Sequence[str]) -> list[str]:
    """What is odd about a file of tasks: the columns nobody reads, and texts met before."""
    findings = []
    known = {*used, *REJECT_COLUMNS}
    if unused := [met for met in file.columns if met not in known]:
        findings.append(
            f"{counted(len(unused), 'column is', 'columns are')} not used: "
            + listed(map(shown, unused))
        )
    if n_repeats := len(texts) - len(set(texts)):
        findings.append(
            counted(n_repeats, "row repeats", "rows repeat") + " the text of an earlier row exactly"
        )
    return findings
