"""Running a step of a study: plan what is wanted, work off what is owed, say how it stands.

A plan is rows in the store; what is owed is the plan without what the model has answered. So a
run that was killed is resumed by starting the step again, and an answer that is stored is never
asked for twice.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import Any

from core.errors import ConflictError, InputError, PromptError
from core.identity import canonical_json, content_hash, content_id, new_id
from core.llm.client import runs_in_selfbound
from core.prompts import Prompt, fill, load_prompt
from core.protocols.base import Cell, Context, Step
from core.records import PENDING, Attempt, Outcome, Reading, Reply, Request
from core.runs.job import Job
from core.runs.limits import Limits
from core.runs.progress import BUDGET, STOPPED
from core.runs.run import Run
from core.sampling import derived_seed
from core.store.keys import derive_item_id
from core.workflows.studies import Study
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
) -> Run | None:
    """The run that now works off what a step owes, or None when nothing is owed.

    Args:
        model: by default the study's subject; a step that makes tasks takes no other.
        concurrency: the most calls in flight at once, at least 1.
        budget_usd: cap on what the step may cost in all; by default the study's.
        api_base: another address for the model's provider.

    Raises:
        ConflictError: the step is running already, or has no tasks to work on.
        InputError: a number or model that cannot be used.
        PromptError: a prompt file was changed after a run had used it.
    """
    step = study.shape.step(step_name)
    model = (model or study.subject).strip()
    if step.makes_tasks and model != study.subject:
        raise InputError(
            f"{step.name} was asked to use {model}, but the study's subject is {study.subject}",
            hint="make another study for another subject",
        )
    if not 1 <= concurrency <= 10_000:
        raise InputError(f"concurrency is {concurrency}", hint="choose a number from 1 to 10,000")
    if study.source == "imported" and step.makes_tasks:
        raise ConflictError(
            f"{study.name} was imported with its tasks", hint="clone it to invent new ones"
        )
    key = (study.study_id, step.name, model)
    with bench.lock:
        running = bench.runs.get(key)
        if running is not None and not running.is_over:
            raise ConflictError(
                f"{step.name} of {study.name} is running already",
                hint="watch it, or stop it first",
            )
        plan_step(bench, study, step, model)
        n_owed = bench.store.value(
            "owed_count", study_id=study.study_id, step=step.name, model=model
        )
        if not n_owed:
            return None
        run = bench.engine.start(
            _job(
                bench,
                study,
                step,
                model,
                n_owed=n_owed,
                # A local model answers one call at a time; more in flight would only wait in line.
                concurrency=min(concurrency, 2) if runs_in_selfbound(model) else concurrency,
                budget_usd=study.budget_usd if budget_usd is None else budget_usd,
                api_base=api_base,
            )
        )
        bench.runs[key] = run
    return run


def plan_step(bench: Workbench, study: Study, step: Step, model: str) -> int:
    """How many items were added to the plan, so that every cell or drawn task has its own.

    Raises:
        ConflictError: the step works on drawn tasks and none are drawn.
        PromptError: a prompt file was changed after a run had used it.
    """
    if step.makes_tasks:
        missing = dict.fromkeys(study.shape.cells, study.per_type)
        planned = _planned_per_cell(bench, study, step)
        return plan_cells(
            bench,
            study,
            step,
            {cell: max(0, wanted - planned[cell][0]) for cell, wanted in missing.items()},
        )
    if not bench.store.rows("draw_now", study_id=study.study_id):
        raise ConflictError(
            f"no tasks of {study.name} are drawn yet",
            hint=f"draw the balanced sample first: selfbound draw {study.name!r}",
        )
    prompts = _checked_prompts(bench, study, step)

    def add(tx: Any) -> int:
        rows = [
            _planned_row(
                study,
                step,
                model,
                prompts,
                context={key: task[key] for key in ("intent", "type", "reason")},
                position=task["position"],
                draw_number=0,
                task_id=task["task_id"],
                draw_id=task["draw_id"],
            )
            for task in tx.rows(
                "unplanned_drawn_tasks", study_id=study.study_id, step=step.name, model=model
            )
        ]
        tx.append("planned", rows)
        return len(rows)

    return bench.store.write(add)


def plan_cells(bench: Workbench, study: Study, step: Step, extra: Mapping[Cell, int]) -> int:
    """How many items were added to the plan of a step that makes tasks: `extra` in each cell.

    This also tops up a cell that curation has emptied; starting the step then works them off.
    """
    if not any(extra.values()):
        return 0
    prompts = _checked_prompts(bench, study, step)
    cells = study.shape.cells

    def add(tx: Any) -> int:
        planned = _planned_per_cell(tx, study, step)
        rows = []
        for index, cell in enumerate(cells):
            first = planned[cell][0]
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

    return bench.store.write(add)


def live_run(bench: Workbench, study: Study, step_name: str) -> Run | None:
    """The newest run of a step in this process that has not ended, whatever its model."""
    with bench.lock:
        runs = [run for key, run in bench.runs.items() if key[:2] == (study.study_id, step_name)]
    return next((run for run in reversed(runs) if not run.is_over), None)


def step_outcomes(bench: Workbench, study: Study, step: Step) -> dict[str, int]:
    """How the planned calls of a step stand: `planned`, each outcome, and `pending`.

    The parts add up to `planned`. Calls that were never sent count by how their run ended:
    cancelled when a person stopped it, budget-stopped when the money was used up, else pending.
    """
    runs = {
        row["model"]: row
        for row in bench.store.rows("last_runs", study_id=study.study_id)
        if row["step"] == step.name
    }
    total: Counter[str] = Counter({outcome.value: 0 for outcome in Outcome} | {PENDING: 0})
    planned = 0
    for row in bench.store.rows("step_outcomes", study_id=study.study_id):
        if row["step"] != step.name:
            continue
        planned += row["planned"]
        for outcome in Outcome:
            total[outcome.value] += row[outcome.value]
        total[_unsent_as(runs.get(row["model"]))] += row[PENDING]
    return {"planned": planned} | dict(total)


def status_document(bench: Workbench, study: Study) -> dict[str, Any]:
    """A study's steps and outcomes as `selfbound status --json` prints them."""
    return {
        "study": study.name,
        "steps": {
            step.name: step_document(step_outcomes(bench, study, step))
            for step in study.shape.steps
        },
    }


def step_document(counts: Mapping[str, int]) -> dict[str, Any]:
    """One step's counts as the command line prints them; pending only while there are any."""
    outcomes = {outcome.value: counts[outcome.value] for outcome in Outcome}
    if counts[PENDING]:
        outcomes[PENDING] = counts[PENDING]
    return {"planned": counts["planned"], "outcomes": outcomes}


def interrupted_models(bench: Workbench, study: Study, step_name: str) -> list[str]:
    """The models whose last run of a step neither ended nor runs in this process."""
    with bench.lock:
        live = {run.run_id for run in bench.runs.values()}
    return [
        row["model"]
        for row in bench.store.rows("last_runs", study_id=study.study_id)
        if row["step"] == step_name and row["event"] != "ended" and row["run_id"] not in live
    ]


def _unsent_as(run: Mapping[str, Any] | None) -> str:
    if run is None or run["event"] != "ended":
        return PENDING
    unsent = {STOPPED: Outcome.CANCELLED.value, BUDGET: Outcome.BUDGET_STOPPED.value}
    return unsent.get(run["detail"], PENDING)


def _planned_per_cell(source: Any, study: Study, step: Step) -> dict[Cell, tuple[int, int]]:
    rows = getattr(source, "store", source).rows(
        "planned_per_cell", study_id=study.study_id, step=step.name
    )
    found = {(row["type"], row["intent"]): (row["n"], row["last_position"]) for row in rows}
    return {cell: found.get(cell, (0, -1)) for cell in study.shape.cells}


def _checked_prompts(bench: Workbench, study: Study, step: Step) -> dict[str, Prompt]:
    """The step's prompts in the study's versions, stored, and checked to be as runs used them."""
    prompts = {what: _study_prompt(study, what) for what in step.prompts}

    def keep(tx: Any) -> None:
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

    bench.store.write(keep)
    return prompts


def _study_prompt(study: Study, what: str) -> Prompt:
    version = study.prompt_versions.get(what)
    return load_prompt(study.protocol, study.prompt_set, what, version=version)


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


def _job(
    bench: Workbench,
    study: Study,
    step: Step,
    model: str,
    *,
    n_owed: int,
    concurrency: int,
    budget_usd: float | None,
    api_base: str | None,
) -> Job:
    store, run_id = bench.store, new_id()
    limits = Limits(concurrency=concurrency, budget_usd=budget_usd)
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
    prompts = {
        prompt.hash: prompt for prompt in (_study_prompt(study, what) for what in step.prompts)
    }
    return Job(
        run_id=run_id,
        requests=partial(_owed_requests, bench, study, step, model, prompts, api_base),
        n_owed=n_owed,
        client=bench.client,
        read=partial(_read, step),
        record=partial(_record, bench, study, step, run_id),
        limits=limits,
        on_event=partial(_record_event, bench, run_id),
        spent_usd=store.value("step_spent", study_id=study.study_id, step=step.name),
    )


def _owed_requests(
    bench: Workbench,
    study: Study,
    step: Step,
    model: str,
    prompts: Mapping[str, Prompt],
    api_base: str | None,
) -> Iterator[Request]:
    for item in bench.store.stream(
        "owed_items", study_id=study.study_id, step=step.name, model=model
    ):
        context = json.loads(item["context_json"])
        parameters = json.loads(item["parameters_json"])
        del parameters["schema_hash"]
        prompt = prompts[item["prompt_hash"]]
        yield Request(
            item_id=item["item_id"],
            model=model,
            messages=fill(prompt, **step.variables(context, item["task_text"] or "")),
            parameters=parameters,
            schema=step.schema(prompt),
            api_base=api_base,
            context=context | {"task_id": item["task_id"], "position": item["position"]},
        )


def _read(step: Step, _request: Request, reply: Reply) -> Reading:
    return step.read(reply.text, finish_reason=reply.finish_reason, refusal=reply.refusal)


def _record(
    bench: Workbench, study: Study, step: Step, run_id: str, attempt: Attempt
) -> Future[Any]:
    """The attempt on its way into the store; done when it is committed."""
    store = bench.store
    rows = [("call", [_call_row(store, study, step, run_id, attempt)])]
    reading = attempt.reading
    if attempt.final and reading is not None and attempt.outcome is Outcome.OK:
        if step.makes_tasks:
            rows.append(("task", [_task_row(study, attempt, reading)]))
        else:
            rows.append(("label", [_label_row(store, study, step, attempt, reading)]))
    return store.submit(rows)


def _call_row(
    store: Any, study: Study, step: Step, run_id: str, attempt: Attempt
) -> dict[str, Any]:
    request, reply = attempt.request, attempt.reply or Reply(text=None, finish_reason=None)
    asked = dict(request.parameters) | {
        "schema": request.schema is not None,
        "api_base": request.api_base,
    }
    return {
        "call_id": attempt.call_id,
        "run_id": run_id,
        "study_id": study.study_id,
        "step": step.name,
        "item_id": request.item_id,
        "seq": store.next_seq(),
        "attempt": attempt.number,
        "final": attempt.final,
        "outcome": attempt.outcome.value,
        "sent_at": attempt.sent_at,
        "latency_s": attempt.latency_s,
        "model_asked": request.model,
        "model_answered": reply.model,
        "asked_json": canonical_json(asked),
        "honoured_json": canonical_json(dict(reply.honoured)),
        "prompt_tokens": reply.prompt_tokens,
        "cached_tokens": reply.cached_tokens,
        "completion_tokens": reply.completion_tokens,
        "cost_usd": reply.cost_usd,
        "finish_reason": reply.finish_reason,
        "text": reply.text,
        "raw_json": reply.raw,
        "error": attempt.error or (attempt.reading.note if attempt.reading else ""),
    }


def _task_row(study: Study, attempt: Attempt, reading: Reading) -> dict[str, Any]:
    context = attempt.request.context
    return {
        "task_id": content_id("task", study.study_id, attempt.request.item_id),
        "study_id": study.study_id,
        "position": context["position"],
        "text": reading.answer,
        "intent": context["intent"],
        "type": context["type"],
        "reason": context["reason"],
        "source": "generated",
        "source_ref": attempt.request.item_id,
        "note": reading.note,
        "created_at": datetime.now(UTC),
    }


def _label_row(
    store: Any, study: Study, step: Step, attempt: Attempt, reading: Reading
) -> dict[str, Any]:
    return {
        "study_id": study.study_id,
        "step": step.name,
        "item_id": attempt.request.item_id,
        "call_id": attempt.call_id,
        "task_id": attempt.request.context["task_id"],
        "model": attempt.request.model,
        "seq": store.next_seq(),
        "label": reading.label,
        "reason": reading.reason,
        "type": None,
        "answer": reading.answer,
        "value": reading.value,
        "note": reading.note,
        "labelled_at": datetime.now(UTC),
    }


def _record_event(bench: Workbench, run_id: str, event: str, detail: str) -> None:
    row = {
        "run_id": run_id,
        "seq": bench.store.next_seq(),
        "event": event,
        "detail": detail,
        "happened_at": datetime.now(UTC),
    }
    bench.store.append("run_event", [row])
