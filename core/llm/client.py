"""What every model client offers, and how a call can fail.

The engine knows this interface and nothing of the library behind it. A client makes one try per
`ask` and never tries again by itself: the engine alone decides about that. Whatever goes wrong is
a `CallFailed`; its words are never taken for an answer.
"""

import typing
from typing import Literal

from core.errors import ModelError
from core.records import Reply, Request
from core.settings import EMBEDDED_MODEL, LOCAL_PREFIX

FailureKind = Literal["rate_limited", "timed_out", "provider_error"]


class Client(typing.Protocol):
    """One way to reach models; all its calls are made on one event loop."""

    async def ask(self, request: Request, *, timeout_s: float) -> Reply:
        """The model's reply to one request, after exactly one try.

        Args:
            request: the call to make.
            timeout_s: longest wait in seconds, counted from sending.

        Raises:
            CallFailed: no reply came; `kind` says how the call ended.
            ModelError: the model cannot be run on this machine (weights or a library missing).
        """
        ...

    def worst_cost_usd(self, request: Request) -> float | None:
        """The most that this call can cost, for reserving money before it is sent.

        Returns:
            US dollars; 0.0 for a model on the user's own machine; None when no price is known.
        """
        ...

    async def close(self) -> None:
        """Nothing; gives back what the client holds (connections, local servers)."""
        ...


class CallFailed(ModelError):
    """A call that brought no reply.

    Args:
        message: one sentence without secrets.
        kind: rate_limited, timed_out or provider_error.
        retryable: whether the same call may succeed later.
        retry_after_s: seconds the provider asked to wait; None when it did not say.
        hint: the next step; empty when there is none.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: FailureKind,
        retryable: bool,
        retry_after_s: float | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.retryable = retryable
        self.retry_after_s = retry_after_s


def no_answer_in_time(model: str, timeout_s: float) -> CallFailed:
    """The failure of a call whose time is up.

    Example:
        >>> str(no_answer_in_time("openai/gpt-4o", 30))
        'openai/gpt-4o did not answer within 30 s'
    """
    message = f"{model} did not answer within {timeout_s:g} s"
    return CallFailed(message, kind="timed_out", retryable=True)


def default_models() -> tuple[str, ...]:
    """Names to offer first: the embedded model, then examples of what LiteLLM reaches.

    Example:
        >>> default_models()[0]
        'embedded/smollm2-135m-instruct'
    """
    return (
        EMBEDDED_MODEL,
        "openai/gpt-4o",
        "anthropic/claude-sonnet-4-5",
        "gemini/gemini-2.5-flash",
        "ollama_chat/llama3.2",
        f"{LOCAL_PREFIX}/path/to/model.gguf",
    )


def runs_in_selfbound(model: str) -> bool:
    """Whether Selfbound itself starts the model, on this machine and without a price.

    Such a model answers one call at a time: more than two in flight bring nothing.

    Example:
        >>> runs_in_selfbound("local/models/tiny.gguf"), runs_in_selfbound("openai/gpt-4o")
        (True, False)
    """
    return model == EMBEDDED_MODEL or model.startswith(LOCAL_PREFIX)


def same_model(one: str, other: str) -> bool:
    """Whether two names mean one model, whoever offers it.

    Published files name a subject without its provider, and providers offer the same models.

    Example:
        >>> same_model("azure/gpt-4o", "GPT-4o"), same_model("openai/gpt-4o", "openai/gpt-4o-mini")
        (True, False)
    """
    return one.rsplit("/", 1)[-1].casefold() == other.rsplit("/", 1)[-1].casefold()
