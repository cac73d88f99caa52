"""Before a run: how many calls, tokens, dollars and seconds it will take, as far as can be told."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean

from core.llm.client import runs_in_selfbound
from core.prompts import Prompt, fill
from core.protocols.base import Step, WorksOn
from core.records import Request
from core.settings import RULE_JUDGE
from core.workflows.answer_plans import n_unplanned_answers, unplanned_answers
from core.workflows.ask_plans import asks_due_again
from core.workflows.contract_draw import CONTRACTS
from core.workflows.contract_plans import n_contract_calls
from core.workflows.planned_rows import step_prompts
from core.workflows.plans import cells_to_plan, study_context, unplanned_tasks
from core.workflows.rewrite_plans import rewrite_samples, rewrites_to_plan
from core.workflows.studies import Study
from core.workflows.workbench import Workbench

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; the calls themselves report what was billed."""

SAMPLE = 20
SECONDS_PER_LOCAL_CALL = 1.3
"""Measured for the embedded model on two cores, until this store has calls of its own."""


@dataclass(frozen=True)
class StepEstimate:
    """What working off a step will take.

    Args:
        n_calls: calls owed. prompt_tokens: of all of them, estimated from their text.
        most_completion_tokens: the most they may answer in all.
        most_cost_usd: the most they can cost; None when no price is known.
        seconds: time it takes; None when no call of this kind has been made yet.
    """

    n_calls: int
    prompt_tokens: int
    most_completion_tokens: int
    most_cost_usd: float | None
    seconds: float | None


def estimate_step(
    bench: Workbench,
    study: Study,
    step: Step,
    model: str,
    *,
    concurrency: int,
    judge_version: int | None = None,
) -> StepEstimate:
    """What a step will take. The first question about a hosted model takes seconds.

    Args:
        judge_version: of a judge's prompt, as in `start_step`.

    Raises:
        PromptError, NotFoundError: a prompt of the study is wrong or gone.
    """
    n_calls = owed_calls(bench, study, step, model, judge_version=judge_version)
    if model == RULE_JUDGE:
        return StepEstimate(n_calls, 0, 0, 0.0, 0.0)
    if step.by_sandbox:
        seconds = _seconds(bench, step, model, n_calls, min(concurrency, os.cpu_count() or 1))
        return StepEstimate(n_calls, 0, 0, 0.0, seconds)
    requests = []
    if n_calls:
        prompts = step_prompts(bench.store, study, step, model, judge_version=judge_version)
        requests = _sample(bench, study, step, model, prompts)
    if not requests:
        return StepEstimate(n_calls, 0, 0, 0.0, 0.0 if n_calls == 0 else None)
    tokens = mean(
        sum(len(message.content) for message in request.messages) / CHARACTERS_PER_TOKEN
        for request in requests
    )
    if step.offers_contracts:
        # All that was said before stays in the conversation: on average half of the contracts.
        tokens *= (CONTRACTS + 1) / 2
    answered = mean(request.parameters["max_tokens"] for request in requests)
    costs = [bench.client().worst_cost_usd(request) for request in requests]
    known = [cost for cost in costs if cost is not None]
    return StepEstimate(
        n_calls=n_calls,
        prompt_tokens=round(n_calls * tokens),
        most_completion_tokens=round(n_calls * answered),
        most_cost_usd=n_calls * mean(known) if len(known) == len(costs) else None,
        seconds=_seconds(bench, step, model, n_calls, concurrency),
    )


def owed_calls(
    bench: Workbench, study: Study, step: Step, model: str, *, judge_version: int | None = None
) -> int:
    """The calls a step owes, those counted that are wanted and not planned yet.

    Args:
        judge_version: of a judge's prompt, as in `start_step`; what was planned counts in any.
    """
    keys = {"study_id": study.study_id, "step": step.name}
    owed = bench.store.value("owed_count", **keys, model=model)
    if step.makes_tasks:
        return owed + sum(cells_to_plan(bench.store, study, step).values())
    if step.offers_contracts:
        return n_contract_calls(bench.store, study, model)
    if step.by_sandbox:
        return owed + len(unplanned_answers(bench.store, study, step, model, prompt_hash=""))
    if step.works_on is WorksOn.ANSWERS:
        about = {"judge_version": judge_version}
        return owed + n_unplanned_answers(bench.store, study, step, model, **about)
    if step.rewrites_tasks:
        return owed + len(rewrites_to_plan(bench.store, study))
    if step.by_judge:
        prompts = step_prompts(bench.store, study, step, model, judge_version=judge_version)
        return owed + len(unplanned_tasks(bench.store, study, step, model, prompts))
    if step.most_asks > 1:
        owed += len(asks_due_again(bench.store, study, step, model))
    unplanned = "unplanned_owed_count" if step.works_on_draw else "unplanned_count"
    return owed + bench.store.value(unplanned, **keys, model=model)


def _seconds(
    bench: Workbench, step: Step, model: str, n_calls: int, concurrency: int
) -> float | None:
    found = bench.store.rows("call_speed", step=step.name, model=model)[0]
    local = runs_in_selfbound(model)
    if found["n"]:
        # A local model answers one call at a time, and the second one waits in line.
        at_once = 2 if local else concurrency
        return n_calls * found["latency_s"] / at_once
    return n_calls * SECONDS_PER_LOCAL_CALL if local else None


def _sample(
    bench: Workbench, study: Study, step: Step, model: str, prompts: Mapping[str, Prompt]
) -> list[Request]:
    if step.context_at is not None:
        asked = [(step.context_at(cell, 0), "") for cell in study.shape.cells]
    elif step.rewrites_tasks:
        asked = rewrite_samples(bench.store, study, SAMPLE)
    else:
        texts = "drawn_texts" if step.works_on_draw else "some_task_texts"
        rows = bench.store.rows(texts, study_id=study.study_id, n=SAMPLE)
        known = study_context(bench.store, study, step)
        if step.works_on is WorksOn.ANSWERS:
            # An answer is far shorter than the prompt around it.
            known |= {"answer": "", "references": ""}
        asked = [(row | known, row["text"]) for row in rows]
    requests = []
    for context, text in asked:
        prompt = prompts[step.prompt_for(context)]
        requests.append(
            Request(
                item_id="",
                model=model,
                messages=fill(prompt, step.variables(context, text)),
                parameters={"max_tokens": prompt.number("max_tokens", 1024)},
            )
        )
    return requests
