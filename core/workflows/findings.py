"""What was found out about a study's tasks before people look: flags, and tasks that look alike.

Findings follow from the tasks alone and are made anew when tasks are added or a check changes. It
takes seconds for thousands of tasks, so screens have it done beside them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from core.curation.checks import CHECKS_VERSION, check_task, check_tasks
from core.curation.flags import Flag
from core.curation.lengths import length_limits
from core.curation.similarity import similar_pairs
from core.identity import canonical_json
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.desk_rules import LEAST_SIMILARITY, rules_of
from core.workflows.studies import Study
from core.workflows.workbench import Workbench

CHECKED_AT_ONCE = 500
"""Tasks checked before their flags are stored: a stop loses no more."""


def are_findings_whole(store: Store, study: Study) -> bool:
    """Whether every task has been checked and compared."""
    n_tasks = store.value("n_tasks", study_id=study.study_id)
    n_checked = store.value("n_checked", study_id=study.study_id, checks_version=CHECKS_VERSION)
    compared = store.rows("similar_run_of_study", study_id=study.study_id)
    n_compared = compared[0]["n_tasks"] if compared else 0
    return n_tasks == n_checked and n_tasks == n_compared


def findings_under_way(bench: Workbench, study: Study) -> "Future[None] | None":
    """The check of a study's tasks that goes on beside the caller, begun now if it is due.

    None when all is checked. A check that failed is not begun again in this process; what it
    raised is in the future.
    """
    with bench.lock:
        work = bench.findings.get(study.study_id)
        if work is not None and (not work.done() or work.exception() is not None):
            return work
        if are_findings_whole(bench.store, study):
            return None
        work = bench.aside(refresh_findings, bench.store, study)
        bench.findings[study.study_id] = work
        return work


def refresh_findings(store: Store, study: Study) -> None:
    """Nothing; every task of the study is now checked and compared with the others."""
    check_new_tasks(store, study)
    compare_tasks(store, study)


def check_new_tasks(store: Store, study: Study) -> int:
    """How many tasks were checked: those that the present checks had not seen.

    Where the study's language changes meanwhile, what is left is checked in the new one.
    """
    n_checked, is_whole = 0, False
    while not is_whole:
        n_more, is_whole = _check_in_one_language(store, study)
        n_checked += n_more
    old = {"study_id": study.study_id, "checks_version": CHECKS_VERSION}
    store.write(lambda tx: tx.execute("drop_old_task_checks", **old))
    return n_checked


def _check_in_one_language(store: Store, study: Study) -> tuple[int, bool]:
    """How many tasks were checked, and whether the language stayed the same until the end."""
    rows = store.rows("unchecked_tasks", study_id=study.study_id, checks_version=CHECKS_VERSION)
    lengths = {
        (row["type"], row["intent"]): row["lengths"]
        for row in store.rows("task_lengths", study_id=study.study_id)
    }
    language = rules_of(store, study).language
    found = check_tasks(
        rows, language=language, limits=length_limits(lengths), taxonomy=study.taxonomy
    )
    n_checked = 0
    while chunk := _check_rows(study, islice(found, CHECKED_AT_ONCE)):

        def add(tx: Transaction, checks: list[dict[str, Any]] = chunk) -> int:
            same = rules_of(tx, study).language == language
            return tx.append("task_check", checks) if same else 0

        n_added = store.write(add)
        if not n_added:
            return n_checked, False
        n_checked += n_added
    return n_checked, True


def compare_tasks(store: Store, study: Study) -> int:
    """How many pairs of tasks say nearly the same, now stored; 0 as well when none are new."""
    texts = {
        row["task_id"]: row["text"]
        for row in store.rows("texts_to_compare", study_id=study.study_id)
    }
    compared = store.rows("similar_run_of_study", study_id=study.study_id)
    if compared and compared[0]["n_tasks"] == len(texts):
        return 0
    pairs = similar_pairs(texts, floor=LEAST_SIMILARITY)
    found = [
        {"study_id": study.study_id, "task_id": one, "other_id": other, "similarity": similarity}
        for one, other, similarity in pairs
    ]
    run = {"study_id": study.study_id, "n_tasks": len(texts), "made_at": datetime.now(UTC)}

    def replace(tx: Transaction) -> None:
        tx.execute("drop_similar_pairs", study_id=study.study_id)
        tx.execute("drop_similar_run", study_id=study.study_id)
        tx.append("similar_pair", found)
        tx.append("similar_run", [run])

    store.write(replace)
    return len(found)


def stored_flags(store: Store, study: Study, task_id: str) -> list[Flag] | None:
    """What the checks found in a task; None while they have not reached it."""
    about = {"study_id": study.study_id, "task_id": task_id, "checks_version": CHECKS_VERSION}
    stored = store.rows("flags_of_task", **about)
    if not stored:
        return None
    return [
        Flag(one["code"], one["why"], tuple((start, end) for start, end in one["spans"]))
        for one in json.loads(stored[0]["flags_json"])
    ]


def flags_of(store: Store, study: Study, task: Mapping[str, Any], *, language: str) -> list[Flag]:
    """What the checks found in a task; one they have not reached yet is checked at once."""
    stored = stored_flags(store, study, task["task_id"])
    if stored is not None:
        return stored
    about = {key: task[key] for key in ("intent", "type", "reason")}
    return check_task(task["text"], **about, language=language, taxonomy=study.taxonomy)


def _check_rows(study: Study, found: Iterable[tuple[str, Sequence[Flag]]]) -> list[dict[str, Any]]:
    return [
        {
            "study_id": study.study_id,
            "task_id": task_id,
            "checks_version": CHECKS_VERSION,
            "codes": ",".join(flag.code for flag in flags),
            "flags_json": canonical_json([asdict(flag) for flag in flags]),
        }
        for task_id, flags in found
    ]
