"""The plan of a person: an item for each task they are to see, in an order of their own."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from shlex import quote
from typing import Any

from core.errors import ConflictError
from core.identity import canonical_json
from core.protocols.base import Step
from core.sampling import derived_seed, hash_order
from core.store.keys import derive_item_id
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.studies import Study


def plan_for_person(
    store: Store, study: Study, step: Step, model: str, *, only: Collection[str] | None = None
) -> int:
    """How many items were added to the plan, so that a person has one for each task of the step.

    Args:
        step: works on the drawn tasks, or on every task that nobody removed.
        model: `Person.as_model`. It also fixes the order in which the person gets the tasks, so
            that no two people have the same one.
        only: the tasks that are for the person; None for all.

    Raises:
        ConflictError: no tasks are drawn, or there are none.
    """
    ids = "drawn_now_ids" if step.works_on_draw else "standing_task_ids"
    unplanned = "unplanned_drawn_tasks" if step.works_on_draw else "unplanned_tasks"

    def add(tx: Transaction) -> int:
        tasks = [row["task_id"] for row in tx.rows(ids, study_id=study.study_id)]
        if not tasks:
            raise _nothing_to_plan(study, step)
        order = hash_order(tasks, seed=derived_seed(study.seed, step.name, model))
        place = {task_id: at for at, task_id in enumerate(order)}
        keys = {"study_id": study.study_id, "step": step.name, "model": model}
        rows = [
            _planned_row(keys, task, place[task["task_id"]])
            for task in tx.rows(unplanned, **keys)
            if only is None or task["task_id"] in only
        ]
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def _nothing_to_plan(study: Study, step: Step) -> ConflictError:
    if step.works_on_draw:
        return ConflictError(
            f"no tasks of {study.name} are drawn yet",
            hint=f"draw the balanced sample first: selfbound draw {quote(study.name)}",
        )
    return ConflictError(
        f"{study.name} has no tasks yet", hint=f"import {study.shape.brought.noun}s first"
    )


def _planned_row(keys: Mapping[str, str], task: Mapping[str, Any], position: int) -> dict[str, Any]:
    context = {name: task[name] for name in ("intent", "type", "reason")}
    row = {
        **keys,
        "draw_id": task["draw_id"],
        "position": position,
        "task_id": task["task_id"],
        "draw_number": 0,
        "prompt_hash": "",
        "parameters_json": "{}",
        "context_json": canonical_json(context),
        "planned_at": datetime.now(UTC),
    }
    return row | {"item_id": derive_item_id(row)}
