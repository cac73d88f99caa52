"""From an attempt at a call to rows in the store: the call, and what was read from its reply."""

from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

from core.identity import canonical_json, content_id
from core.protocols.base import Step
from core.records import Attempt, Outcome, Reading, Reply
from core.store.store import Store
from core.workflows.studies import Study


def record_attempt(
    store: Store, study: Study, step: Step, run_id: str, attempt: Attempt
) -> Future[Any]:
    """The attempt on its way into the store; done when it is committed."""
    rows = [("call", [_call_row(store, study, step, run_id, attempt)])]
    reading = attempt.reading
    if attempt.final and reading is not None and attempt.outcome is Outcome.OK:
        if step.makes_tasks or step.rewrites_tasks:
            rows.append(("task", [_task_row(study, attempt, reading)]))
        else:
            rows.append(("label", [_label_row(store, study, step, attempt, reading)]))
    return store.submit(rows)


def _call_row(
    store: Store, study: Study, step: Step, run_id: str, attempt: Attempt
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
        "error": attempt.error or _why_unread(attempt),
    }


def _why_unread(attempt: Attempt) -> str:
    """Why a reply could not be read; the note of one that was is kept with what was read."""
    if attempt.reading is None or attempt.outcome is Outcome.OK:
        return ""
    return attempt.reading.note


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
        # A rewrite is about the task it was made from; a task from nothing is about none.
        "made_from": context["task_id"],
        "group_name": context.get("group"),
    }


def _label_row(
    store: Store, study: Study, step: Step, attempt: Attempt, reading: Reading
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


def record_event(store: Store, run_id: str, event: str, detail: str) -> None:
    """Nothing; stores an event of a run, and returns once it is committed."""
    row = {
        "run_id": run_id,
        "seq": store.next_seq(),
        "event": event,
        "detail": detail,
        "happened_at": datetime.now(UTC),
    }
    store.append("run_event", [row])
