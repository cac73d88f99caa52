"""Which of a study's tasks the rows of a file are, and why the other rows are none.

A task is the study's own when the row names it by its id; otherwise its id follows from its
content, so that it is the same on every import.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from core.exchange.decisions import DecidedTaskRow
from core.exchange.wording import listed, shown
from core.identity import content_id
from core.store.cleaning import clean_text
from core.taxonomy import INTENTS
from core.workflows.studies import Study

_ABOUT = ("intent", "type", "reason")


class UnfitRow(Exception):
    """Why a row does not fit the study, and what would do."""

    def __init__(self, why: str, wanted: str = "") -> None:
        super().__init__(why)
        self.wanted = wanted


def matched_tasks(
    study: Study, rows: Iterable[DecidedTaskRow], stored: Mapping[str, Mapping[str, Any]]
) -> tuple[list[tuple[DecidedTaskRow, str]], dict[int, UnfitRow]]:
    """Each row with the id of its task here, and why other rows (by their numbers) have none.

    Args:
        stored: the study's tasks by their ids, as `tasks_to_match` has them.
    """
    matched: list[tuple[DecidedTaskRow, str]] = []
    unfit: dict[int, UnfitRow] = {}
    seen: Counter[tuple[Any, ...]] = Counter()
    named: dict[tuple[Any, ...], str] = {}
    for row in rows:
        same = (row.text, row.intent, row.type, row.reason)
        task_id = named.get((row.task_id, same)) if row.task_id else None
        if task_id is None:
            # A file may hold the same task twice; its n-th copy is the same on every import.
            task_id = content_id("import", study.study_id, *same, seen[same])
            seen[same] += 1
            if row.task_id:
                task_id = row.task_id if row.task_id in stored else task_id
                named[row.task_id, same] = task_id
        try:
            _check_task(study, row, stored.get(task_id))
        except UnfitRow as fault:
            unfit[row.line] = fault
        else:
            matched.append((row, task_id))
    return matched, unfit


def _check_task(study: Study, row: DecidedTaskRow, stored: Mapping[str, Any] | None) -> None:
    """Nothing, when the row's task can be stored or says what is stored."""
    if stored is None:
        if row.intent is None:
            named = f", and {study.name} has no task {shown(row.task_id)}" if row.task_id else ""
            raise UnfitRow(f"has no intent{named}", listed(INTENTS))
        return
    if clean_text(row.text) != stored["text"]:
        raise UnfitRow(
            f"has another text than the task {shown(stored['task_id'])}, which it names",
            "the text as it was exported; without its task_id it is a task of its own",
        )
    # Without an intent, at most the type is said.
    is_whole = row.intent is not None
    for name in (one for one in _ABOUT if is_whole or getattr(row, one) is not None):
        if getattr(row, name) != stored[name]:
            raise UnfitRow(
                f"has {shown(getattr(row, name))} for {name}, and the task "
                f"{shown(stored['task_id'])}, which it names, has {shown(stored[name])}",
                "what was exported, or intent, type and reason all empty",
            )
