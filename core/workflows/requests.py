"""The calls that a step owes, as requests: what is planned and not answered."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.prompts import Prompt, fill
from core.protocols.base import Step
from core.records import Request
from core.store.store import Store
from core.workflows.answer_plans import about_the_answer
from core.workflows.contract_conversation import History, contract_history, conversation
from core.workflows.plans import plan_step
from core.workflows.score_plans import run_request
from core.workflows.studies import Study


def owed_requests(
    store: Store,
    study: Study,
    step: Step,
    model: str,
    prompts: Mapping[str, Prompt],
    api_base: str | None,
) -> Iterator[Request | None]:
    """Each call that a step owes, once; None where what follows depends on what was answered.

    Args:
        prompts: every prompt that a planned call can have, by its hash.
    """
    given: set[str] = set()
    while True:
        history = contract_history(store, study, model) if step.offers_contracts else {}
        for item in store.stream(
            "owed_items", study_id=study.study_id, step=step.name, model=model
        ):
            # What failed in this run is owed to the next one.
            if item["item_id"] not in given:
                yield _request(step, item, model, prompts, api_base, history)
            if step.goes_on:
                given.add(item["item_id"])
        if not step.goes_on:
            return
        yield None
        if not plan_step(store, study, step, model):
            return


def _request(
    step: Step,
    item: Mapping[str, Any],
    model: str,
    prompts: Mapping[str, Prompt],
    api_base: str | None,
    history: History,
) -> Request:
    if step.by_sandbox:
        return run_request(item, model)
    context = json.loads(item["context_json"])
    parameters = json.loads(item["parameters_json"])
    del parameters["schema_hash"]
    prompt = prompts[item["prompt_hash"]]
    text = item["task_text"] or ""
    if step.offers_contracts:
        by_use = {one.name.rsplit("/", 1)[-1]: one for one in prompts.values()}
        messages = conversation(by_use, context, text, history)
    else:
        messages = fill(prompt, step.variables(context | about_the_answer(item), text))
    return Request(
        item_id=item["item_id"],
        model=model,
        messages=messages,
        parameters=parameters,
        schema=step.schema(prompt),
        api_base=api_base,
        context=context | {"task_id": item["task_id"], "position": item["position"]},
    )
