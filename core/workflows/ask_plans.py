"""Plans of steps that ask again where no reply could be read, each time more strictly."""

import json
from collections.abc import Mapping
from typing import Any

from core.prompts import Prompt
from core.protocols.base import Step
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.planned_rows import planned_row
from core.workflows.studies import Study


def asks_due_again(
    source: Store | Transaction, study: Study, step: Step, model: str
) -> list[Mapping[str, Any]]:
    """The newest ask about each task whose reply could not be read and may be followed by one."""
    keys = {"study_id": study.study_id, "step": step.name, "model": model}
    return source.rows("asks_due_again", **keys, most_asks=step.most_asks)


def rows_to_ask_again(
    source: Store | Transaction,
    study: Study,
    step: Step,
    model: str,
    prompts: Mapping[str, Prompt],
) -> list[dict[str, Any]]:
    """Rows of the plan, one for each task to ask about again: an item of its own."""
    found = []
    for row in asks_due_again(source, study, step, model):
        ask = row["draw_number"] + 1
        found.append(
            planned_row(
                study,
                step,
                model,
                prompts,
                context=json.loads(row["context_json"]) | {"ask": str(ask)},
                position=row["position"],
                draw_number=ask,
                task_id=row["task_id"],
            )
        )
    return found
