"""Rows of the plan: the call that an item is, with its prompt checked and its seed derived."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from core.errors import PromptError
from core.identity import canonical_json, content_hash
from core.prompts import Prompt, load_prompt, prompt_versions
from core.protocols.base import JUDGE_PROMPTS, Context, Step
from core.sampling import derived_seed
from core.store.keys import derive_item_id
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.studies import Study
from core.workflows.study_settings import default_prompt_set


def step_prompts(
    store: Store, study: Study, step: Step, model: str, *, judge_version: int | None = None
) -> dict[str, Prompt]:
    """Every prompt that a step may use with a model, by its name.

    Those of the study's set come in the version that the study fixed when it was made. Those for
    judges belong to no study: they come in the version asked for, else in the one that the study's
    first calls of the step were planned with, so that its verdicts compare, else in the newest.

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
        version = judge_version or next(iter(used_versions(store, study, step, model)), None)
        prompts[what] = load_prompt(study.protocol, judge_prompt_set(model), what, version=version)
    return prompts


def used_versions(store: Store, study: Study, step: Step, model: str) -> list[int]:
    """The versions of a judge's prompt that calls of a step were planned with, in that order."""
    rows = store.rows(
        "planned_prompt_versions",
        study_id=study.study_id,
        step=step.name,
        name=f"{study.protocol}/{judge_prompt_set(model)}/{step.judge_prompts[0]}",
    )
    return [row["version"] for row in rows]


def judge_prompt_set(model: str) -> str:
    """The set of prompts that a judge is given, by its model."""
    return f"{JUDGE_PROMPTS}/{default_prompt_set(model)}"


def judge_versions(study: Study, step: Step, model: str) -> list[int]:
    """The versions there are of the prompt that a judge would be given, in rising order."""
    return prompt_versions(study.protocol, judge_prompt_set(model), step.judge_prompts[0])


def prompts_by_hash(store: Store, study: Study, step: Step, model: str) -> dict[str, Prompt]:
    """Every prompt that a planned call of a step and model can have, by its hash.

    Raises:
        NotFoundError, PromptError: a prompt file is gone or wrong.
    """
    found = list(step_prompts(store, study, step, model).values())
    for what in step.judge_prompts:
        prompt_set = judge_prompt_set(model)
        found += [
            load_prompt(study.protocol, prompt_set, what, version=version)
            for version in prompt_versions(study.protocol, prompt_set, what)
        ]
    return {prompt.hash: prompt for prompt in found}


def checked_prompts(
    store: Store, study: Study, step: Step, model: str, *, judge_version: int | None = None
) -> dict[str, Prompt]:
    """The step's prompts, stored, and checked to be as runs used them.

    Raises:
        NotFoundError, PromptError: a prompt file is gone, wrong, or changed after a run used it.
    """
    prompts = step_prompts(store, study, step, model, judge_version=judge_version)

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


def planned_row(
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
    """One row of `planned`, with the id that follows from it."""
    prompt = prompts[step.prompt_for(context)]
    about = _seeded_by(step, task_id, position)
    parameters = {
        **step.parameters,
        "max_tokens": prompt.number("max_tokens", 1024),
        "seed": derived_seed(study.seed, step.name, about, draw_number),
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


def _seeded_by(step: Step, task_id: str | None, position: int) -> str | int:
    """What an item's seed follows from: its task, where it has one, but for contracts, which offer
    one task in many trials, their place."""
    return position if step.offers_contracts or task_id is None else task_id


def next_try(study: Study, step: Step, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a planned item as it asks once more: with its new `draw_number` and a new seed."""
    parameters = json.loads(row["parameters_json"])
    parameters["seed"] = derived_seed(study.seed, step.name, row["task_id"], row["draw_number"])
    again = dict(row) | {"parameters_json": canonical_json(parameters)}
    return again | {"item_id": derive_item_id(again)}
