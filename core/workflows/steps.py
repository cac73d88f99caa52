"""Running a step of a study: work off what it owes.

A run that was killed is resumed by starting the step again, and an answer that is stored is never
asked for twice.
"""

import os
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial

from core.errors import ConflictError, InputError
from core.identity import canonical_json, new_id
from core.llm.client import Client, runs_in_selfbound, same_model
from core.llm.rule_client import RuleClient
from core.protocols.base import Step
from core.records import Reading, Reply, Request
from core.runs.job import Job
from core.runs.limits import Limits
from core.runs.run import Run
from core.sandbox.choose import choose_sandbox
from core.settings import RULE_JUDGE, SANDBOX_PREFIX
from core.workflows.answer_plans import plan_again
from core.workflows.drawing import draw_every_task
from core.workflows.planned_rows import prompts_by_hash
from core.workflows.plans import plan_step
from core.workflows.recording import record_attempt, record_event
from core.workflows.requests import owed_requests
from core.workflows.sandbox_client import SandboxClient
from core.workflows.studies import Study
from core.workflows.study_settings import checked_model
from core.workflows.workbench import Workbench

DEFAULT_CONCURRENCY = 8


def start_step(
    bench: Workbench,
    study: Study,
    step_name: str,
    *,
    model: str | None = None,
    concurrency: int = DEFAULT_CONCURRENCY,
    budget_usd: float | None = None,
    api_base: str | None = None,
    every_task: bool = False,
    judge_version: int | None = None,
    again: bool = False,
) -> Run | None:
    """The run that now works off what a step owes, or None when nothing is owed.

    Args:
        model: by default the study's subject, and for a step of a judge the study's judge. A step
            that makes or rewrites tasks takes no other than the subject, and a judge is never the
            subject. For a step of a sandbox the sandbox, as `sandbox/docker`, which is the default,
            or `sandbox/local`, which has to be asked for.
        concurrency: the most calls in flight at once, at least 1.
        budget_usd: cap on what the step may cost in all; by default the study's.
        api_base: another address for the model's provider.
        every_task: whether a step that works on drawn tasks first draws all that nobody removed,
            in place of the balanced draw.
        judge_version: of a judge's prompt; by default the one the study used first.
        again: whether a judge is also asked again where it gave no valid verdict.

    Raises:
        ConflictError: the step is running already, or has no tasks to work on.
        InputError: a number or model that cannot be used.
        PromptError: a prompt file was changed after a run had used it.
    """
    step = study.shape.step(step_name)
    model = model_for(study, step, model)
    if every_task and not step.works_on_draw:
        raise InputError(
            f"{step.name} works on no draw, so it cannot take every task", hint="leave --all out"
        )
    if not step.by_judge and (again or judge_version is not None):
        raise InputError(
            f"{step.name} is done by no judge", hint="leave --again and --judge-version out"
        )
    if not 1 <= concurrency <= 10_000:
        raise InputError(f"concurrency is {concurrency}", hint="choose a number from 1 to 10,000")
    if study.source == "imported" and step.makes_tasks:
        raise ConflictError(
            f"{study.name} was imported with its tasks",
            hint="copy it on the Studies screen to invent new ones",
        )
    limits = Limits(
        concurrency=min(concurrency, _most_at_once(step, model)),
        budget_usd=study.budget_usd if budget_usd is None else budget_usd,
    )
    key = (study.study_id, step.name, model)
    with bench.lock:
        running = bench.runs.get(key)
        if running is not None and not running.is_over:
            raise ConflictError(
                f"{step.name} of {study.name} is running already",
                hint="watch it, or stop it first",
            )
        # Nothing is drawn or planned before all that was asked for is known to be usable.
        if every_task:
            draw_every_task(bench.store, study)
        plan_step(bench.store, study, step, model, judge_version=judge_version)
        if again:
            plan_again(bench.store, study, step, model)
        n_owed = bench.store.value(
            "owed_count", study_id=study.study_id, step=step.name, model=model
        )
        if not n_owed:
            return None
        run = bench.engine.start(
            _job(bench, study, step, model, n_owed=n_owed, limits=limits, api_base=api_base)
        )
        # The newest comes last, also when it takes the place of an older run.
        bench.runs.pop(key, None)
        bench.runs[key] = run
    return run


def model_for(study: Study, step: Step, model: str | None = None) -> str:
    """The model that does a step: the one asked for, else the study's subject or judge.

    Raises:
        InputError: the name is no model id, the step does not take this model, a judge is wanted
            and nobody named one, or a sandbox is wanted that is not to be had.
    """
    if step.by_sandbox:
        asked = (model or "").strip().removeprefix(SANDBOX_PREFIX)
        return SANDBOX_PREFIX + choose_sandbox(asked or None)
    if step.by_judge and not (model or study.judge):
        raise InputError(
            f"{step.name} needs a judge, and {study.name} names none; name a model with --model",
            hint=f"any but the study's subject, {study.subject}",
        )
    model = checked_model(
        (model or (study.judge if step.by_judge else study.subject) or "").strip(), "the model"
    )
    if model == RULE_JUDGE and step.rule is None:
        raise InputError(
            f"{step.name} has no rule that could stand in for a model", hint="name a model"
        )
    if (step.makes_tasks or step.rewrites_tasks) and model != study.subject:
        raise InputError(
            f"{step.name} was asked to use {model}, but the study's subject is {study.subject}",
            hint="make another study for another subject",
        )
    if step.by_judge and same_model(model, study.subject):
        raise InputError(
            f"{step.name} was asked to use {model}, which is the study's subject",
            hint="a model does not judge its own work; name another one",
        )
    return model


def ended_run(bench: Workbench, study: Study, step_name: str, model: str) -> Run | None:
    """The newest run of a step and model in this process, when it has ended."""
    with bench.lock:
        run = bench.runs.get((study.study_id, step_name, model))
    return run if run is not None and run.is_over else None


def live_run(bench: Workbench, study: Study, step_name: str) -> Run | None:
    """The newest run of a step in this process that has not ended, whatever its model."""
    with bench.lock:
        runs = [run for key, run in bench.runs.items() if key[:2] == (study.study_id, step_name)]
    return next((run for run in reversed(runs) if not run.is_over), None)


def model_of(bench: Workbench, run: Run) -> str:
    """The model that does a run of this process."""
    with bench.lock:
        return next(model for (_, _, model), known in bench.runs.items() if known is run)


def _job(
    bench: Workbench,
    study: Study,
    step: Step,
    model: str,
    *,
    n_owed: int,
    limits: Limits,
    api_base: str | None,
) -> Job:
    store, run_id = bench.store, new_id()
    row = {
        "run_id": run_id,
        "study_id": study.study_id,
        "step": step.name,
        "model": model,
        "n_owed": n_owed,
        "settings_json": canonical_json(asdict(limits) | {"api_base": api_base}),
        "started_at": datetime.now(UTC),
    }
    store.append("run", [row])
    prompts = {} if step.by_sandbox else prompts_by_hash(store, study, step, model)
    return Job(
        run_id=run_id,
        requests=partial(owed_requests, store, study, step, model, prompts, api_base),
        n_owed=n_owed,
        client=_client_of(bench, step, model),
        read=partial(_read, step),
        record=partial(record_attempt, bench.store, study, step, run_id),
        limits=limits,
        on_event=partial(record_event, bench.store, run_id),
        spent_usd=store.value("step_spent", study_id=study.study_id, step=step.name),
    )


def _most_at_once(step: Step, model: str) -> int:
    """The most calls that bring anything at once, whatever is asked for."""
    if step.by_sandbox:
        # Programs that wait for each other's processor time would run out of their own.
        return os.cpu_count() or 1
    # A local model answers one call at a time; more in flight would only wait in line.
    return 2 if runs_in_selfbound(model) else 10_000


def _client_of(bench: Workbench, step: Step, model: str) -> Callable[[], Client]:
    """What makes the client that answers a step's calls."""
    if step.by_sandbox:
        return partial(SandboxClient, model.removeprefix(SANDBOX_PREFIX))
    return bench.client if model != RULE_JUDGE else partial(RuleClient, step.rule)


def _read(step: Step, _request: Request, reply: Reply) -> Reading:
    return step.read(reply.text, finish_reason=reply.finish_reason, refusal=reply.refusal)
