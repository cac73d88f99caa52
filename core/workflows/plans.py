"""Plans: which calls a step wants, as rows in the store.

A planned item is named by a hash of all that makes its call the call it is. What is owed is the
plan without what the model has answered, so nothing has to remember how far a run came.
"""

from collections.abc import Mapping
from shlex import quote
from typing import Any

from core.curation.language_names import language_name
from core.errors import ConflictError
from core.prompts import Prompt
from core.protocols.base import Cell, Step, WorksOn
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.answer_plans import plan_answers
from core.workflows.ask_plans import rows_to_ask_again
from core.workflows.contract_plans import plan_contracts
from core.workflows.desk_rules import rules_of
from core.workflows.planned_rows import checked_prompts, planned_row
from core.workflows.rewrite_plans import plan_rewrites
from core.workflows.score_plans import plan_scores
from core.workflows.studies import Study

_UNPLANNED = {
    WorksOn.DRAWN_TASKS: "unplanned_drawn_tasks",
    WorksOn.EVERY_TASK: "unplanned_tasks",
}
"""The query that gives the tasks for which a step has no plan yet, by what it works on."""

_UNJUDGED = {
    WorksOn.EVERY_TASK: "unplanned_screening",
    WorksOn.REWRITES: "unplanned_rewrites",
}
"""The same of a judge's steps: another version of the prompt goes through every task anew."""


def plan_step(
    store: Store, study: Study, step: Step, model: str, *, judge_version: int | None = None
) -> int:
    """How many items were added to the plan, so that every cell or task of the step has its own.

    A step that works on tasks, or on the answers to them, is planned for those that nobody has
    removed. What is planned stays planned, also when its task is removed before the call is made.

    Args:
        judge_version: of a judge's prompt; by default the one the study used first, else the
            newest.

    Raises:
        ConflictError: there are no tasks for the step to work on, none are drawn or rewritten, or
            none answered.
        PromptError: a prompt file was changed after a run had used it.
    """
    if step.makes_tasks:
        return plan_cells(store, study, step, cells_to_plan(store, study, step))
    if step.offers_contracts:
        return plan_contracts(store, study, step, model)
    _check_there_are_tasks(store, study, step)
    if step.by_sandbox:
        return plan_scores(store, study, step, model)
    if step.works_on is WorksOn.ANSWERS:
        return plan_answers(store, study, step, model, judge_version=judge_version)
    if step.rewrites_tasks:
        return plan_rewrites(store, study, step)
    prompts = checked_prompts(store, study, step, model, judge_version=judge_version)
    known = study_context(store, study, step)

    def add(tx: Transaction) -> int:
        rows = [
            planned_row(
                study,
                step,
                model,
                prompts,
                context={key: task[key] for key in ("intent", "type", "reason")} | known,
                position=task["position"],
                draw_number=0,
                task_id=task["task_id"],
                draw_id=task["draw_id"],
            )
            for task in unplanned_tasks(tx, study, step, model, prompts)
        ]
        if step.most_asks > 1:
            rows += rows_to_ask_again(tx, study, step, model, prompts)
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def unplanned_tasks(
    source: Store | Transaction,
    study: Study,
    step: Step,
    model: str,
    prompts: Mapping[str, Prompt],
) -> list[Mapping[str, Any]]:
    """The tasks that a step works on and has no plan for; a judge's step has one prompt."""
    keys = {"study_id": study.study_id, "step": step.name, "model": model}
    if step.by_judge:
        (prompt,) = prompts.values()
        return source.rows(_UNJUDGED[step.works_on], **keys, prompt_hash=prompt.hash)
    return source.rows(_UNPLANNED[step.works_on], **keys)


def plan_cells(store: Store, study: Study, step: Step, extra: Mapping[Cell, int]) -> int:
    """How many items were added to the plan of a step that makes tasks: `extra` in each cell.

    This also tops up a cell that curation has emptied; starting the step then works them off.
    """
    if not any(extra.values()):
        return 0
    prompts = checked_prompts(store, study, step, study.subject)
    cells = study.shape.cells

    def add(tx: Transaction) -> int:
        planned = _planned_per_cell(tx, study, step)
        rows = []
        for index, cell in enumerate(cells):
            first = planned[cell]
            for number in range(first, first + extra.get(cell, 0)):
                rows.append(
                    planned_row(
                        study,
                        step,
                        study.subject,
                        prompts,
                        context=step.context_at(cell, number),
                        # Cells take turns, so that a run that is stopped early is balanced.
                        position=number * len(cells) + index,
                        draw_number=number,
                    )
                )
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def cells_to_plan(store: Store, study: Study, step: Step) -> dict[Cell, int]:
    """How many items each cell lacks in the plan of a step that makes tasks."""
    planned = _planned_per_cell(store, study, step)
    return {cell: max(0, study.per_type - n) for cell, n in planned.items()}


def study_context(store: Store, study: Study, step: Step) -> dict[str, str | None]:
    """What every item of a step knows beside the task it is about."""
    if step.screens_tasks:
        return {"language": language_name(rules_of(store, study).language)}
    return {"ask": "0"} if step.most_asks > 1 else {}


def _check_there_are_tasks(store: Store, study: Study, step: Step) -> None:
    if step.works_on_draw and not store.rows("draw_now", study_id=study.study_id):
        raise ConflictError(
            f"no tasks of {study.name} are drawn yet",
            hint=f"draw the balanced sample first: selfbound draw {quote(study.name)}",
        )
    if not store.value("n_tasks", study_id=study.study_id):
        raise ConflictError(
            f"{study.name} has no tasks to {step.title.lower()}",
            hint=_how_tasks_come(study),
        )
    is_about_rewrites = step.works_on is WorksOn.REWRITES
    if is_about_rewrites and not store.value("n_rewrites", study_id=study.study_id):
        raise ConflictError(
            f"{study.name} has no rewrites to {step.title.lower()}",
            hint=f"have some made first: selfbound rewrite {quote(study.name)}",
        )


def _how_tasks_come(study: Study) -> str:
    if study.shape.makes_tasks:
        return f"generate some first: selfbound generate {quote(study.name)}"
    brought = study.shape.brought.format
    return f"bring some first: selfbound import {brought} FILE --study {quote(study.name)}"


def _planned_per_cell(source: Store | Transaction, study: Study, step: Step) -> dict[Cell, int]:
    rows = source.rows("planned_per_cell", study_id=study.study_id, step=step.name)
    found = {(row["type"], row["intent"]): row["n"] for row in rows}
    return {cell: found.get(cell, 0) for cell in study.shape.cells}
