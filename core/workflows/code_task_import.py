"""Imports of code tasks: all files or none of them, and never the same task twice.

A code task is a task of its study, of the type of its file, with what its checks need beside it.
Its id follows from all of that, so that it is the same on every import.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import ConflictError
from core.exchange.code_tasks import CodeTask, CodeTaskFile, read_code_tasks
from core.exchange.row_file import BadRow, raise_for_bad_rows
from core.identity import canonical_json, content_id
from core.protocols.base import CODE_TASKS
from core.protocols.in_advance_confidence import TESTS
from core.store.cleaning import clean_text
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.imported import Imported, with_cells
from core.workflows.stored_code_tasks import stored_checks
from core.workflows.studies import Study, study_named


def import_code_tasks(
    store: Store, paths: Sequence[Path], *, study_name: str, skip_bad_rows: bool = False
) -> list[Imported]:
    """What each file of code tasks brought into a study; all files go in together or not at all.

    Every format of `read_code_tasks` will do. A file's name without its endings is the type of its
    tasks.

    Raises:
        InputError: a file cannot be read, has bad rows and they are not to be skipped, or has no
            row that fits the study.
        NotFoundError: there is no such study, or no such file.
        ConflictError: the study takes no code tasks.
    """
    study = study_named(store, study_name)
    if study.shape.makes_tasks or study.shape.brought is not CODE_TASKS:
        raise ConflictError(
            f"{study.name} takes no code tasks, since it is one of {study.shape.title}",
            hint="make a study of in-advance confidence for them",
        )
    files = [(path, read_code_tasks(path)) for path in map(Path, paths)]
    if not skip_bad_rows:
        for _, file in files:
            raise_for_bad_rows(file)

    def add(tx: Transaction) -> list[Imported]:
        return [_add_file(tx, study, path, file, skip_bad_rows) for path, file in files]

    return store.write(add)


def _add_file(
    tx: Transaction, study: Study, path: Path, file: CodeTaskFile, skip_bad_rows: bool
) -> Imported:
    stored = tx.rows("code_tasks_to_match", study_id=study.study_id)
    known = {row["task_id"] for row in stored}
    names = {(row["type"], row["name"]) for row in stored}
    first, now = max((row["position"] for row in stored), default=-1) + 1, datetime.now(UTC)
    kind = clean_text(path.name.removesuffix(".gz").rsplit(".", 1)[0])
    tasks, fit, unfit = [], [], []
    for row in file.rows:
        task = _task(row, kind)
        task_id = content_id("code task", study.study_id, canonical_json(task))
        if task_id not in known and (kind, row.task_id) in names:
            unfit.append(_said_otherwise(study, file, row))
            continue
        fit.append(row)
        if task_id not in known:
            place = {"task_id": task_id, "position": first + len(tasks)}
            tasks.append(_task_row(study, task, f"{file.name}#{row.line}", now) | place)
    bad_rows = tuple(sorted([*file.bad_rows, *unfit], key=lambda bad: bad.line))
    if not (skip_bad_rows and fit):
        raise_for_bad_rows(replace(file, rows=tuple(fit), bad_rows=bad_rows))
    tx.append("task", tasks)
    return Imported(
        file.name,
        study.name,
        len(file.rows) + len(file.bad_rows),
        len(tasks),
        file.findings,
        # A packed file cannot be read by rows again.
        bad_rows if path.name.endswith(".gz") else with_cells(path, bad_rows),
    )


def _task(row: CodeTask, kind: str) -> dict[str, str]:
    """What makes a code task itself, as it is stored."""
    return {
        "text": clean_text(row.instruct_prompt or row.prompt),
        "intent": TESTS,
        "type": kind,
        "checks_json": stored_checks(row),
    }


def _task_row(
    study: Study, task: Mapping[str, str], reference: str, now: datetime
) -> dict[str, Any]:
    return {
        **task,
        "study_id": study.study_id,
        "reason": None,
        "source": "imported",
        "source_ref": reference,
        "note": "",
        "created_at": now,
    }


def _said_otherwise(study: Study, file: CodeTaskFile, row: CodeTask) -> BadRow:
    return BadRow(
        file.name,
        row.line,
        f"has the task id {row.task_id!r}, which is in {study.name} already with another content",
        {"task_id": row.task_id, "prompt": row.prompt, "test": row.checks},
        "what is stored stays as it is; import a corrected file into a new study",
    )
