"""Plans of steps about answers: a judge is asked about each once, and again where it must be.

An answer is named by the item that gave it. A judge is a model with a prompt, so another version of
a judge's prompt is another judge, asked about every answer anew.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from core.llm.client import same_model
from core.protocols.base import Step
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.planned_rows import checked_prompts, next_try, planned_row, step_prompts
from core.workflows.studies import Study


def unplanned_answers(
    source: Store | Transaction, study: Study, step: Step, model: str, prompt_hash: str
) -> list[dict[str, Any]]:
    """The answers that a step about answers takes and has not planned for a judge.

    A judge is never asked about an answer of its own.
    """
    rows = source.rows(
        "unplanned_answers",
        study_id=study.study_id,
        step=step.name,
        answers_of=step.answers_of,
        model=model,
        prompt_hash=prompt_hash,
    )
    return [row for row in rows if step.takes(row) and not same_model(row["model"], model)]


def n_unplanned_answers(
    store: Store, study: Study, step: Step, model: str, *, judge_version: int | None = None
) -> int:
    """How many calls `plan_answers` would add."""
    (prompt,) = step_prompts(store, study, step, model, judge_version=judge_version).values()
    return len(unplanned_answers(store, study, step, model, prompt.hash))


def plan_answers(
    store: Store, study: Study, step: Step, model: str, *, judge_version: int | None = None
) -> int:
    """How many items were added, so that a judge has one for each answer that the step takes.

    Raises:
        NotFoundError, PromptError: a prompt file is gone, wrong, or changed after a run used it.
    """
    prompts = checked_prompts(store, study, step, model, judge_version=judge_version)
    (prompt,) = prompts.values()

    def add(tx: Transaction) -> int:
        rows = [
            planned_row(
                study,
                step,
                model,
                prompts,
                context=_context(step, row),
                position=row["position"],
                draw_number=0,
                task_id=row["task_id"],
            )
            for row in unplanned_answers(tx, study, step, model, prompt.hash)
        ]
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def plan_again(store: Store, study: Study, step: Step, model: str) -> int:
    """How many verdicts a judge is asked for again: those that were not valid.

    Each is asked for with the prompt it was asked for with before. What the judge said before
    stays, and counts as before until there is a valid verdict.
    """

    def add(tx: Transaction) -> int:
        keys = {"study_id": study.study_id, "step": step.name, "model": model}
        rows = [
            next_try(study, step, row) | {"planned_at": datetime.now(UTC)}
            for row in tx.rows("items_without_verdict", **keys)
        ]
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def about_the_answer(item: Mapping[str, Any]) -> dict[str, str]:
    """What a prompt is also filled with: an answer, where the item is about one, and the task's
    reference answers, a line each; the step decides what a prompt may hold of them."""
    references = json.loads(item["references_json"] or "[]")
    return {"answer": item["answer"] or "", "references": "\n".join(references)}


def _context(step: Step, row: Mapping[str, Any]) -> dict[str, Any]:
    references = json.loads(row["references_json"] or "[]")
    about = {key: row[key] for key in ("intent", "type", "reason", "answer_of")}
    return about | dict(step.about_answer(row["answer"] or "", references))
