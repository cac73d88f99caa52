"""Plans of steps that a sandbox does: one run for each program that a model wrote."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from shlex import quote
from typing import Any

from core.errors import ConflictError
from core.exchange.code_programs import program_for
from core.identity import canonical_json
from core.protocols.base import Step
from core.records import Request
from core.sandbox.outcomes import SandboxLimits
from core.store.keys import derive_item_id
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.answer_plans import unplanned_answers
from core.workflows.stored_code_tasks import code_task_from
from core.workflows.studies import Study

NO_PROMPT = ""
"""What stands where the hash of a prompt stands."""


def plan_scores(store: Store, study: Study, step: Step, sandbox: str) -> int:
    """How many items were added, so that each program has one in this sandbox.

    Raises:
        ConflictError: nobody was asked for a program yet.
    """
    planned = store.rows("step_outcomes", study_id=study.study_id)
    if not any(row["step"] == step.answers_of for row in planned):
        raise ConflictError(
            f"{study.name} has no programs to run yet",
            hint=f"have its tasks attempted first: selfbound attempt {quote(study.name)}",
        )

    def add(tx: Transaction) -> int:
        rows = [
            _row(study, step, sandbox, answer)
            for answer in unplanned_answers(tx, study, step, sandbox, NO_PROMPT)
        ]
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def run_request(item: Mapping[str, Any], sandbox: str) -> Request:
    """The run of a program that is owed, with all that is needed to make it.

    Args:
        item: a row of the store's `owed_items`.
        sandbox: as the item names it.
    """
    task = code_task_from(item["checks_json"])
    return Request(
        item_id=item["item_id"],
        model=sandbox,
        messages=(),
        parameters=json.loads(item["parameters_json"]),
        context=json.loads(item["context_json"])
        | {"task_id": item["task_id"], "position": item["position"]}
        | {"program": program_for(task, item["answer"])},
    )


def _row(study: Study, step: Step, sandbox: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    context = {key: answer[key] for key in ("intent", "type", "reason", "answer_of")}
    row = {
        "study_id": study.study_id,
        "step": step.name,
        "draw_id": None,
        "position": answer["position"],
        "task_id": answer["task_id"],
        "draw_number": 0,
        "model": sandbox,
        "prompt_hash": NO_PROMPT,
        "parameters_json": canonical_json({"limits": asdict(SandboxLimits())}),
        "context_json": canonical_json(context),
        "planned_at": datetime.now(UTC),
    }
    return row | {"item_id": derive_item_id(row)}
