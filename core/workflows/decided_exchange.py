"""Tasks that come with people's decisions, added to a study: each of them once, however often.

A task is the study's own when the file names it by its id; otherwise it follows from its content,
and so does a decision without an id. Nothing stored is ever changed: a row that says something
else about a task or a decision that is stored cannot be used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from core.exchange.decisions import DecidedTaskFile
from core.exchange.row_file import BadRow, raise_for_bad_rows
from core.exchange.wording import counted
from core.store.transaction import Transaction
from core.workflows.decision_matching import new_reviews, review_rows
from core.workflows.studies import Study
from core.workflows.task_matching import UnfitRow, matched_tasks


@dataclass(frozen=True)
class Added:
    """What a file added to a study.

    Args:
        n_tasks, n_decisions: tasks and decisions that were new to it.
        bad_rows: rows left out, in order; those that only the study spoils have no cells.
        findings: what was odd, in sentences.
    """

    n_tasks: int
    n_decisions: int
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


def add_decided_tasks(
    tx: Transaction, study: Study, file: DecidedTaskFile, *, skip_bad_rows: bool = False
) -> Added:
    """What a file adds to a study that it does not have yet; all of it is stored with `tx`.

    New tasks stand behind the others. New decisions come after all that was decided before, in
    the order of their times; one without a time gets that of the import.

    Raises:
        InputError: a row does not fit the study and is not to be skipped, or no row fits.
    """
    now = datetime.now(UTC)
    stored = {row["task_id"]: row for row in tx.rows("tasks_to_match", study_id=study.study_id)}
    matched, unfit = matched_tasks(study, file.rows, stored)
    reviews, undecided = new_reviews(tx, study, matched, now)
    unfit |= undecided
    fit = {row.line: (row, task_id) for row, task_id in matched if row.line not in unfit}
    file = replace(
        file,
        rows=tuple(row for row, _ in fit.values()),
        bad_rows=_all_bad_rows(file, unfit),
    )
    if not (skip_bad_rows and fit):
        raise_for_bad_rows(file)
    first = max((row["position"] for row in stored.values()), default=-1) + 1
    tasks: dict[str, dict[str, Any]] = {}
    for row, task_id in fit.values():
        if task_id not in stored and task_id not in tasks:
            position, reference = first + len(tasks), f"{file.name}:{row.line}"
            tasks[task_id] = imported_task_row(study, task_id, row, position, reference, now)
    tx.append("task", list(tasks.values()))
    tx.append("review", review_rows(tx, study, reviews, now))
    n_untimed = sum(one.decision.decided_at is None for one in reviews)
    findings = [_untimed(n_untimed)] if n_untimed else []
    return Added(len(tasks), len(reviews), file.bad_rows, (*file.findings, *findings))


def imported_task_row(
    study: Study, task_id: str, row: Any, position: int, reference: str, now: datetime
) -> dict[str, Any]:
    """A row of the table `task` for a task from a file; `reference` says where in it."""
    return {
        "task_id": task_id,
        "study_id": study.study_id,
        "position": position,
        "text": row.text,
        "intent": row.intent,
        "type": row.type,
        "reason": row.reason,
        "source": "imported",
        "source_ref": reference,
        "note": "",
        "created_at": now,
    }


def _all_bad_rows(file: DecidedTaskFile, unfit: Mapping[int, UnfitRow]) -> tuple[BadRow, ...]:
    found = [BadRow(file.name, line, str(fault), {}, fault.wanted) for line, fault in unfit.items()]
    return tuple(sorted([*file.bad_rows, *found], key=lambda row: row.line))


def _untimed(n: int) -> str:
    return counted(n, "decision has", "decisions have") + " no time, and that of the import counts"
