"""The shapes that travel between the layers: a call, its reply, what was read from it.

A *request* is one call that is owed, complete in itself. A *reply* is what a model returned. A
*reading* is what a parser made of the reply's text. An *attempt* is one try at a request as it is
stored. All are frozen; text in them is exactly what was met.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """How a planned call ended: exactly one of nine ways, which add up to what was planned."""

    OK = "ok"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    UNPARSABLE = "unparsable"
    PROVIDER_ERROR = "provider_error"
    TIMED_OUT = "timed_out"
    BUDGET_STOPPED = "budget_stopped"
    CANCELLED = "cancelled"


PENDING = "pending"
"""Planned, and not ended yet: not an outcome, the rest of the sum while a step is open."""

ANSWERED: frozenset[Outcome] = frozenset(
    {Outcome.OK, Outcome.REFUSED, Outcome.TRUNCATED, Outcome.EMPTY, Outcome.UNPARSABLE}
)
"""The model replied, so the call was paid for and is never made again; the rest is owed anew."""


@dataclass(frozen=True)
class Message:
    """One turn of a conversation; role is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True)
class Request:
    """One call that is owed, with all that is needed to make it.

    Args:
        item_id: the key of the planned item: a hash of study, step, task, draw, model, prompt
            hash and parameters. Two requests with one key are the same call.
        model: as the user names it (`openai/gpt-4o`, `embedded/smollm2-135m-instruct`).
        messages: the conversation, oldest first.
        parameters: temperature, max_tokens, seed and the like, as asked.
        schema: a JSON schema the reply should follow, where the model supports one.
        api_base: another address for the model's provider.
        context: what the reader needs to know of the item (task id, type, intent, reason ...).
    """

    item_id: str
    model: str
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    api_base: str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What a model returned to one request.

    Args:
        text: the reply's text; None when the provider sent no content.
        finish_reason: stop, length, content_filter ... as the provider put it.
        refusal: the provider's refusal field, when set.
        model: the model that says it answered.
        prompt_tokens, cached_tokens, completion_tokens: as billed; cached ones are part of the
            prompt tokens. None when the provider did not say.
        cost_usd: price of the call; None when no price is known.
        honoured: the parameters that were really sent, schema included.
        raw: the provider's reply as JSON text in ASCII, nothing left out.
    """

    text: str | None
    finish_reason: str | None = "stop"
    refusal: str | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    honoured: Mapping[str, Any] = field(default_factory=dict)
    raw: str = "{}"


@dataclass(frozen=True)
class Reading:
    """What a parser made of one reply.

    Args:
        outcome: ok, refused, truncated, empty or unparsable.
        label: feasible or infeasible (other words in other protocols); None unless ok.
        reason: the one reason that goes with an infeasible label.
        answer: the answer, or for a generated task its text.
        value: a probability in [0, 1].
        note: what was odd, in plain words; shown to people, never parsed again.
    """

    outcome: Outcome
    label: str | None = None
    reason: str | None = None
    answer: str | None = None
    value: float | None = None
    note: str = ""


@dataclass(frozen=True)
class CheckedProgram:
    """What a model wrote for a code task, and the checks that decide whether it is right.

    Args:
        solution: source that the model wrote, made whole with the task's imports.
        checks: source of the task's checks: `check(candidate)`, or unittest's test cases.
        entry_point: the name of the function that is checked.
        support: source of the task, never of the model, that the checks may use beside it.
        apart: whether the checks run in a process of their own and hand over plain data only;
            false where they have to share the solution's process, which is weaker.
        needs: modules that the task imports; where one is missing nothing is run.
    """

    solution: str
    checks: str
    entry_point: str
    support: str = ""
    apart: bool = True
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """One try at a request, as it goes to the store: append-only, one row each.

    Args:
        call_id: fresh id of this attempt.
        request: what was asked.
        number: 1 for the first try of this run.
        outcome: how the try ended. A failed try that is tried again is a row of its own with
            `final` false; the sum of outcomes counts the last row of an item.
        final: whether no further try follows in this run.
        reply: None when none came.
        reading: None when there was no reply to read.
        error: what went wrong, in one sentence without secrets; empty when nothing did.
        sent_at: UTC. latency_s: seconds from sending to reply or failure.
    """

    call_id: str
    request: Request
    number: int
    outcome: Outcome
    final: bool
    reply: Reply | None
    reading: Reading | None
    error: str
    sent_at: datetime
    latency_s: float
