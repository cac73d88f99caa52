"""Imports: files into studies, all or nothing per file, and never the same thing twice."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Any

from core.curation.reasons import REMOVAL_REASONS
from core.errors import ConflictError
from core.exchange.decided_tasks import read_decided_tasks
from core.exchange.line_of_duty import PublishedStudy, read_line_of_duty
from core.exchange.row_file import raise_for_bad_rows
from core.identity import canonical_json, content_id, new_id
from core.store.keys import derive_item_id
from core.store.store import Store
from core.store.transaction import Transaction
from core.taxonomy import LINE_OF_DUTY
from core.workflows.decided_exchange import Added, add_decided_tasks, imported_task_row
from core.workflows.drawing import drawn_task_rows
from core.workflows.imported import Imported, with_cells
from core.workflows.studies import Study, create_study, find_study, study_named
from core.workflows.study_settings import checked_model, checked_name

CLASSIFY = "classify"


def import_line_of_duty(
    store: Store,
    paths: Sequence[Path],
    *,
    study_name: str | None = None,
    skip_bad_rows: bool = False,
) -> list[Imported]:
    """What each published result file brought: its tasks, its draw and its classifications.

    Every file is read before anything is stored, so one bad file changes nothing. Each becomes a
    study named after it, unless `study_name` gathers them in one.

    Raises:
        InputError: a file cannot be read, has another layout, or has bad rows and they are not
            to be skipped.
        ConflictError: files of different subjects or prompt sets were to go into one study, or
            a study of that name is about something else or has other types and reasons.
    """
    published = [read_line_of_duty(path) for path in paths]
    if not skip_bad_rows:
        for one in published:
            raise_for_bad_rows(one)
    groups: dict[str, list[PublishedStudy]] = {}
    for one in published:
        checked_model(one.subject, f"the subject of {one.file}")
        groups.setdefault(checked_name(study_name or one.name).lower(), []).append(one)
    for files in groups.values():
        _check_one_subject(store, checked_name(study_name or files[0].name), files)
    return [
        _store_published(store, checked_name(study_name or files[0].name), one)
        for files in groups.values()
        for one in files
    ]


def import_tasks(
    store: Store, paths: Sequence[Path], *, study_name: str, skip_bad_rows: bool = False
) -> list[Imported]:
    """What each file of tasks brought into a study: its tasks, and people's decisions on them.

    Every format of `read_decided_tasks` will do, and all files go in together or not at all. What
    the study has already is not added again (see `decided_exchange`).

    Raises:
        InputError: a file cannot be read, has bad rows and they are not to be skipped, or has no
            row that fits the study.
        NotFoundError: there is no such study, or no such file.
        ConflictError: the study is one of questions.
    """
    study = study_named(store, study_name)
    if not study.shape.makes_tasks:
        brought = study.shape.brought
        raise ConflictError(
            f"{study.name} is a study of {brought.noun}s, and these files are of tasks with "
            "intent, type and reason",
            hint=f"bring {brought.noun}s: selfbound import {brought.format} FILE --study "
            f"{quote(study.name)}",
        )
    labels = {code: reason.label for code, reason in REMOVAL_REASONS.items()}
    files = [read_decided_tasks(path, reasons=labels, taxonomy=study.taxonomy) for path in paths]
    if not skip_bad_rows:
        for one in files:
            raise_for_bad_rows(one)

    def add(tx: Transaction) -> list[Added]:
        return [add_decided_tasks(tx, study, one, skip_bad_rows=skip_bad_rows) for one in files]

    return [
        Imported(
            file.name,
            study.name,
            len(file.rows) + len(file.bad_rows),
            added.n_tasks,
            added.findings,
            with_cells(path, added.bad_rows),
            added.n_decisions,
        )
        for path, file, added in zip(paths, files, store.write(add), strict=True)
    ]


def _check_one_subject(store: Store, name: str, files: Sequence[PublishedStudy]) -> None:
    kinds = {(one.subject, one.prompt_set) for one in files}
    study = find_study(store, name)
    if study is not None:
        kinds.add((study.subject, study.prompt_set))
        if not study.taxonomy.is_built_in:
            raise ConflictError(
                f"{name} has the types and reasons of {study.taxonomy.title}, and published files "
                f"those of {LINE_OF_DUTY.title}",
                hint="leave --study out to make one study for each file",
            )
    if len(kinds) > 1:
        listed = " and ".join(sorted(f"{subject} ({prompts})" for subject, prompts in kinds))
        raise ConflictError(
            f"{name} cannot hold both {listed}",
            hint="leave --study out to make one study for each file",
        )


def _store_published(store: Store, name: str, published: PublishedStudy) -> Imported:
    study = find_study(store, name) or create_study(
        store,
        name,
        protocol="feasibility_boundary",
        subject=published.subject,
        prompt_set=published.prompt_set,
        source="imported",
    )
    now = datetime.now(UTC)

    def add(tx: Transaction) -> int:
        known = {row["task_id"] for row in tx.rows("tasks_short", study_id=study.study_id)}
        drawn = tx.rows("drawn_now_ids", study_id=study.study_id)
        draw_id, start = new_id(), len(drawn)
        tasks, planned, labels = [], [], []
        seen: Counter[tuple[Any, ...]] = Counter()
        for row in published.rows:
            same = (row.id or row.row_number, row.text)
            task_id = content_id("import", study.study_id, *same, seen[same])
            seen[same] += 1
            if task_id in known:
                continue
            position = start + len(tasks)
            reference = f"{published.file}#{row.id or row.row_number}"
            tasks.append(imported_task_row(study, task_id, row, position, reference, now))
            item = _imported_item(study, task_id, position, row, now)
            planned.append(item)
            labels.append(
                {
                    "study_id": study.study_id,
                    "step": CLASSIFY,
                    "item_id": item["item_id"],
                    "call_id": None,
                    "task_id": task_id,
                    "model": study.subject,
                    "seq": store.next_seq(),
                    "label": row.label,
                    "reason": row.label_reason,
                    "type": row.label_type,
                    "answer": None,
                    "value": None,
                    "note": row.note,
                    "labelled_at": now,
                }
            )
        if not tasks:
            return 0
        ids = tuple(row["task_id"] for row in [*drawn, *tasks])
        # A later file for the same study takes over what was drawn before: one draw is current.
        before = tx.rows("planned_now", study_id=study.study_id, step=CLASSIFY)
        tx.append("task", tasks)
        tx.append("draw", [_imported_draw(store, study, draw_id, now)])
        tx.append("drawn_task", drawn_task_rows(draw_id, study.study_id, ids))
        tx.append("planned", [item | {"draw_id": draw_id} for item in [*before, *planned]])
        tx.append("label", labels)
        return len(tasks)

    n_added = store.write(add)
    return Imported(
        published.file,
        study.name,
        len(published.rows) + len(published.bad_rows),
        n_added,
        published.findings,
        published.bad_rows,
    )


def _imported_item(
    study: Study, task_id: str, position: int, row: Any, now: datetime
) -> dict[str, Any]:
    context = {"intent": row.intent, "type": row.type, "reason": row.reason}
    item = {
        "study_id": study.study_id,
        "step": CLASSIFY,
        "draw_id": None,
        "position": position,
        "task_id": task_id,
        "draw_number": 0,
        "model": study.subject,
        "prompt_hash": "",
        "parameters_json": "{}",
        "context_json": canonical_json(context),
        "planned_at": now,
    }
    return item | {"item_id": derive_item_id(item)}


def _imported_draw(store: Store, study: Study, draw_id: str, now: datetime) -> dict[str, Any]:
    return {
        "draw_id": draw_id,
        "study_id": study.study_id,
        "seq": store.next_seq(),
        "kind": "imported",
        "seed": None,
        "per_cell": None,
        "shortfalls_json": "[]",
        "drawn_at": now,
    }
