"""Plans: which calls a step wants, as rows in the store.

A planned item is named by a hash of all that makes its call the call it is. What is owed is the
plan without what the model has answered, so nothing has to remember how far a run came.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from shlex import quote
from typing import Any

from core.curation.language_names import language_name
from core.errors import ConflictError, PromptError
from core.identity import canonical_json, content_hash
from core.prompts import Prompt, load_prompt
from core.protocols.base import JUDGE_PROMPTS, Cell, Context, Step, WorksOn
from core.sampling import derived_seed
from core.store.keys import derive_item_id
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.desk_rules import rules_of
from core.workflows.studies import Study
from core.workflows.study_settings import default_prompt_set


def plan_step(store: Store, study: Study, step: Step, model: str) -> int:
    """How many items were added to the plan, so that every cell or task of the step has its own.

    A step that works on every task is planned for those that nobody has removed. What is planned
    stays planned, also when its task is removed before the call is made.

    Raises:
        ConflictError: there are no tasks for the step to work on, or none are drawn.
        PromptError: a prompt file was changed after a run had used it.
    """
    if step.makes_tasks:
        return plan_cells(store, study, step, cells_to_plan(store, study, step))
    _check_there_are_tasks(store, study, step)
    prompts = _checked_prompts(store, study, step, model)
    known = study_context(store, study, step)
    unplanned = "unplanned_drawn_tasks" if step.works_on_draw else "unplanned_tasks"

    def add(tx: Transaction) -> int:
        rows = [
            _planned_row(
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
            for task in tx.rows(unplanned, study_id=study.study_id, step=step.name, model=model)
        ]
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def plan_cells(store: Store, study: Study, step: Step, extra: Mapping[Cell, int]) -> int:
    """How many items were added to the plan of a step that makes tasks: `extra` in each cell.

    This also tops up a cell that curation has emptied; starting the step then works them off.
    """
    if not any(extra.values()):
        return 0
    prompts = _checked_prompts(store, study, step, study.subject)
    cells = study.shape.cells

    def add(tx: Transaction) -> int:
        planned = _planned_per_cell(tx, study, step)
        rows = []
        for index, cell in enumerate(cells):
            first = planned[cell]
            for number in range(first, first + extra.get(cell, 0)):
                rows.append(
                    _planned_row(
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


def step_prompts(store: Store, study: Study, step: Step, model: str) -> dict[str, Prompt]:
    """Every prompt that a step may use with a model, by its name.

    Those of the study's set come in the version that the study fixed when it was made. Those for
    judges belong to no study: they come in the version that the study's first calls of the step
    were planned with, so that its verdicts compare, else in the newest.

    Raises:
        NotFoundError, PromptError: a prompt file is gone or wrong.
    """
    prompts = {
        what: load_prompt(
            study.protocol, study.prompt_set, what, version=study.prompt_versions.get(what)
        )
        for what in step.prompts
    }
    for what in step.judge_prompts:
        judge_set = f"{JUDGE_PROMPTS}/{default_prompt_set(model)}"
        used = store.rows(
            "planned_prompt_versions",
            study_id=study.study_id,
            step=step.name,
            name=f"{study.protocol}/{judge_set}/{what}",
        )
        version = used[0]["version"] if used else None
        prompts[what] = load_prompt(study.protocol, judge_set, what, version=version)
    return prompts


def study_context(store: Store, study: Study, step: Step) -> dict[str, str | None]:
    """What every item of a step knows beside the task it is about."""
    if step.works_on is WorksOn.EVERY_TASK:
        return {"language": language_name(rules_of(store, study).language)}
    return {}


def _check_there_are_tasks(store: Store, study: Study, step: Step) -> None:
    if step.works_on_draw and not store.rows("draw_now", study_id=study.study_id):
        raise ConflictError(
            f"no tasks of {study.name} are drawn yet",
            hint=f"draw the balanced sample first: selfbound draw {quote(study.name)}",
        )
    if not store.value("n_tasks", study_id=study.study_id):
        raise ConflictError(
            f"{study.name} has no tasks to {step.title.lower()}",
            hint=f"generate some first: selfbound generate {quote(study.name)}",
        )


def _planned_per_cell(source: Store | Transaction, study: Study, step: Step) -> dict[Cell, int]:
    rows = source.rows("planned_per_cell", study_id=study.study_id, step=step.name)
    found = {(row["type"], row["intent"]): row["n"] for row in rows}
    return {cell: found.get(cell, 0) for cell in study.shape.cells}


def _checked_prompts(store: Store, study: Study, step: Step, model: str) -> dict[str, Prompt]:
    """The step's prompts, stored, and checked to be as runs used them."""
    prompts = step_prompts(store, study, step, model)

    def keep(tx: Transaction) -> None:
        for prompt in prompts.values():
            known = tx.rows("prompt_known", name=prompt.name, version=prompt.version)
            if any(row["prompt_hash"] != prompt.hash for row in known):
                raise PromptError(
                    f"{prompt.name}.v{prompt.version}.md was changed after a run had used it",
                    hint=f"restore it, and save the change as .v{prompt.version + 1}.md",
                )
            if not known:
                row = {
                    "prompt_hash": prompt.hash,
                    "name": prompt.name,
                    "version": prompt.version,
                    "text": prompt.text,
                    "stored_at": datetime.now(UTC),
                }
                tx.append("prompt", [row])

    store.write(keep)
    return prompts


def _planned_row(
    study: Study,
    step: Step,
    model: str,
    prompts: Mapping[str, Prompt],
    *,
    context: Context,
    position: int,
    draw_number: int,
    task_id: str | None = None,
    draw_id: str | None = None,
) -> dict[str, Any]:
    prompt = prompts[step.prompt_for(context)]
    parameters = {
        **step.parameters,
        "max_tokens": prompt.number("max_tokens", 1024),
        "seed": derived_seed(study.seed, step.name, task_id or position, draw_number),
        "schema_hash": content_hash(step.schema(prompt))[:16],
    }
    row = {
        "study_id": study.study_id,
        "step": step.name,
        "draw_id": draw_id,
        "position": position,
        "task_id": task_id,
        "draw_number": draw_number,
        "model": model,
        "prompt_hash": prompt.hash,
        "parameters_json": canonical_json(parameters),
        "context_json": canonical_json(dict(context)),
        "planned_at": datetime.now(UTC),
    }
    return row | {"item_id": derive_item_id(row)}
