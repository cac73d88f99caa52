"""A client that answers from a script: for tests, and for trying a protocol without a model.

It keeps every request it was asked, and refuses to answer beyond its script: a test that asks
once too often must fail, not pass on an empty reply.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from core.errors import SelfboundError
from core.llm.client import no_answer_in_time
from core.records import Reply, Request

Answer = Reply | Exception
Script = Iterable[Answer] | Callable[[Request], Answer]


class ScriptUsedUp(SelfboundError, AssertionError):
    """A scripted client was asked once more than its script has answers."""


class ScriptedClient:
    """A client whose replies are given beforehand, in order or by a function of the request.

    Args:
        replies: answers in order, or a function of the request; an exception is raised.
        latency: awaited with the request before its answer is given.
        worst_cost_usd: what every call is said to cost at most; None for an unknown price.

    Example:
        >>> client = ScriptedClient([Reply(text="yes")])
        >>> request = Request(item_id="a", model="scripted/model", messages=())
        >>> asyncio.run(client.ask(request, timeout_s=1)).text, len(client.requests)
        ('yes', 1)
    """

    def __init__(
        self,
        replies: Script,
        *,
        latency: Callable[[Request], Awaitable[None]] | None = None,
        worst_cost_usd: float | None = 0.0,
    ) -> None:
        self.requests: list[Request] = []
        self.closed = False
        self._answer = replies if callable(replies) else _in_order(replies)
        self._latency = latency
        self._worst_cost_usd = worst_cost_usd

    async def ask(self, request: Request, *, timeout_s: float) -> Reply:
        """The script's next answer.

        Raises:
            ScriptUsedUp: there is none left.
            CallFailed: the latency is longer than `timeout_s`.
        """
        self.requests.append(request)
        answer = self._answer(request)
        if self._latency:
            try:
                async with asyncio.timeout(timeout_s):
                    await self._latency(request)
            except TimeoutError:
                raise no_answer_in_time(request.model, timeout_s) from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def worst_cost_usd(self, request: Request) -> float | None:
        """The cost the client was made with, whatever the request."""
        return self._worst_cost_usd

    async def close(self) -> None:
        """Nothing; notes that the client was closed."""
        self.closed = True


def _in_order(replies: Iterable[Answer]) -> Callable[[Request], Answer]:
    waiting = deque(replies)
    n_given = len(waiting)

    def next_answer(request: Request) -> Answer:
        if not waiting:
            raise ScriptUsedUp(
                f"the script has {n_given} answers and was asked for one more, "
                f"by item {request.item_id}"
            )
        return waiting.popleft()

    return next_answer
