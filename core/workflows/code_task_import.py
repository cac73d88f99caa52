"""Imports of code tasks.

A code task is a task of its study, of the type of its file, with what its checks need beside it;
its id follows from all of that.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.errors import ConflictError
from core.exchange.code_tasks import CodeTask, CodeTaskFile, read_code_tasks
from core.identity import canonical_json, content_id
from core.protocols.base import CODE_TASKS
from core.protocols.in_advance_confidence import TESTS
from core.store.cleaning import clean_text
from core.store.store import Store
from core.workflows.imported import Imported
from core.workflows.new_tasks import NewTask, import_as_tasks
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
    return import_as_tasks(
        store,
        study,
        paths,
        read=read_code_tasks,
        query="code_tasks_to_match",
        tasks_of=partial(_tasks, study),
        skip_bad_rows=skip_bad_rows,
    )


def _tasks(
    study: Study, path: Path, file: CodeTaskFile, stored: Sequence[Mapping[str, Any]]
) -> list[NewTask]:
    kind = clean_text(path.name.removesuffix(".gz").rsplit(".", 1)[0])
    names = {(row["type"], row["name"]) for row in stored}
    otherwise = f"which is in {study.name} already with another content"
    tasks = []
    for row in file.rows:
        task = _task(row, kind)
        clash = f"has the task id {row.task_id!r}, {otherwise}"
        tasks.append(
            NewTask(
                row.line,
                content_id("code task", study.study_id, canonical_json(task)),
                task,
                clash if (kind, row.task_id) in names else "",
                # A packed file cannot be read by rows again.
                {"task_id": row.task_id, "prompt": row.prompt, "test": row.checks},
            )
        )
    return tasks


def _task(row: CodeTask, kind: str) -> dict[str, str]:
    """What makes a code task itself, as it is stored."""
    return {
        "text": clean_text(row.instruct_prompt or row.prompt),
        "intent": TESTS,
        "type": kind,
        "checks_json": stored_checks(row),
    }
