"""Waiting for a call no longer than its time, whatever the client does with it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from core.errors import ModelError

T = TypeVar("T")


class Cut(Exception):
    """The call was given up because its run is stopped."""


class Flights:
    """The calls that are being waited for, so that all of them can be given up at once.

    A call that is given up is cancelled and left to itself: a client that ignores the
    cancellation holds nobody up, and an answer that comes later is dropped.
    """

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[str]] = set()
        self._left_alone: set[asyncio.Task[Any]] = set()
        self._are_cut = False

    async def wait_for(self, call: Coroutine[Any, Any, T], timeout_s: float) -> T:
        """What the call returns.

        Raises:
            TimeoutError: it took longer than `timeout_s` seconds.
            Cut: `cut` was called first.
            Exception: whatever the call raises.
        """
        loop = asyncio.get_running_loop()
        task = loop.create_task(call)
        waiter: asyncio.Future[str] = loop.create_future()
        task.add_done_callback(lambda _: _tell(waiter, "answered"))
        timer = loop.call_later(timeout_s, _tell, waiter, "late")
        self._waiters.add(waiter)
        if self._are_cut:
            _tell(waiter, "cut")
        try:
            news = await waiter
        finally:
            timer.cancel()
            self._waiters.discard(waiter)
            if not task.done():
                self._leave_alone(task)
        if task.cancelled():
            raise ModelError("the client gave the call up without an answer")
        if task.done():  # an answer that is here is used, even when time ran out that moment
            return task.result()
        raise TimeoutError if news == "late" else Cut

    def cut(self) -> None:
        """Give up every call, those that come later too."""
        self._are_cut = True
        for waiter in self._waiters:
            _tell(waiter, "cut")

    def _leave_alone(self, task: asyncio.Task[Any]) -> None:
        self._left_alone.add(task)
        task.add_done_callback(self._forget)
        task.cancel()

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._left_alone.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, or asyncio would print that nobody did


def _tell(waiter: "asyncio.Future[str]", news: str) -> None:
    if not waiter.done():
        waiter.set_result(news)
