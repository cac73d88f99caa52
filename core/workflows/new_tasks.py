"""Rows of files as tasks of a study: all files or none of them, and never the same task twice.

A task's id follows from its content, so that it is the same on every import. Nothing stored is
ever changed: a row that says something else about a task of its file cannot be used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from core.exchange.row_file import BadRow, raise_for_bad_rows
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.imported import Imported, with_cells
from core.workflows.studies import Study

_AS_IT_IS = "what is stored stays as it is; import a corrected file into a new study"


class TaskFile(Protocol):
    """A file of rows that are to be tasks, a dataclass."""

    name: str
    rows: tuple[Any, ...]
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


@dataclass(frozen=True)
class NewTask:
    """A row as a task.

    Args:
        line: the row number.
        values: the columns of the task that its row fills.
        clash: how it contradicts what is stored; empty when it does not.
        cells: the row as met, where it cannot be read from the file again.
    """

    line: int
    task_id: str
    values: Mapping[str, str | None]
    clash: str = ""
    cells: Mapping[str, Any] = field(default_factory=dict)


def import_as_tasks(
    store: Store,
    study: Study,
    paths: Sequence[Path],
    *,
    read: Callable[[Path], TaskFile],
    query: str,
    tasks_of: Callable[[Path, TaskFile, Sequence[Mapping[str, Any]]], Sequence[NewTask]],
    skip_bad_rows: bool,
) -> list[Imported]:
    """What each file brought into a study.

    Args:
        query: name of the store's query for the study's tasks, with their ids and positions.
        tasks_of: the rows of a file as tasks, in the file's order, given what `query` found.

    Raises:
        InputError: a file cannot be read, has bad rows and they are not to be skipped, or has no
            row that fits the study.
        NotFoundError: there is no such file.
    """
    files = [(path, read(path)) for path in map(Path, paths)]
    if not skip_bad_rows:
        for _, file in files:
            raise_for_bad_rows(file)

    def add(tx: Transaction) -> list[Imported]:
        return [add_file(tx, path, file) for path, file in files]

    def add_file(tx: Transaction, path: Path, file: TaskFile) -> Imported:
        stored = tx.rows(query, study_id=study.study_id)
        known = {row["task_id"] for row in stored}
        first, now = max((row["position"] for row in stored), default=-1) + 1, datetime.now(UTC)
        made = tasks_of(path, file, stored)
        fit = [task for task in made if task.task_id in known or not task.clash]
        new = [task for task in fit if task.task_id not in known]
        clashes = [
            BadRow(file.name, task.line, task.clash, task.cells, _AS_IT_IS)
            for task in made
            if task.clash and task.task_id not in known
        ]
        bad_rows = tuple(sorted([*file.bad_rows, *clashes], key=lambda bad: bad.line))
        if not (skip_bad_rows and fit):
            raise_for_bad_rows(replace(file, rows=tuple(fit), bad_rows=bad_rows))
        tx.append(
            "task",
            [
                _task_row(study, task, f"{file.name}#{task.line}", now) | {"position": first + at}
                for at, task in enumerate(new)
            ],
        )
        n_rows = len(file.rows) + len(file.bad_rows)
        told = with_cells(path, bad_rows)
        return Imported(file.name, study.name, n_rows, len(new), file.findings, told)

    return store.write(add)


def _task_row(study: Study, task: NewTask, reference: str, now: datetime) -> dict[str, Any]:
    return {
        **task.values,
        "task_id": task.task_id,
        "study_id": study.study_id,
        "reason": None,
        "source": "imported",
        "source_ref": reference,
        "note": "",
        "created_at": now,
    }
