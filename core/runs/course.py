"""The course of one run on the engine's loop: from its plan to its end."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any

from core.llm.client import Client
from core.records import Attempt
from core.runs.budget import Budget
from core.runs.caller import Caller
from core.runs.deadline import Flights
from core.runs.failures import sentence_of
from core.runs.feed import Feed
from core.runs.gate import Gate
from core.runs.job import Job
from core.runs.limits import Throttle
from core.runs.progress import BUDGET, COMPLETED, FAILED, STOPPED
from core.runs.tally import Tally

SMALLEST_CHUNK = 16
"""Requests read from a plan at once, or the concurrency when that is more."""


@dataclass(frozen=True)
class Setting:
    """What a run shares with the others of its engine."""

    loop: asyncio.AbstractEventLoop
    threads: Executor
    chance: Random
    utc_now: Callable[[], datetime]
    keep_client: Callable[[Client], None]


@dataclass(frozen=True)
class End:
    """How a run ends; the message and hint say why when it failed."""

    detail: str
    message: str = ""
    hint: str = ""


class Course:
    """A job under way, used on the loop only; other threads may read it, holding `lock`."""

    def __init__(self, job: Job, setting: Setting) -> None:
        self.job = job
        self.setting = setting
        self.lock = threading.Lock()
        self.tally = Tally()
        self.budget = Budget(job.limits.budget_usd, job.spent_usd)
        self.throttle = Throttle(job.limits)
        self.gate = Gate(self.throttle, self.budget, on_broke=self._go_broke)
        self.caller: Caller | None = None
        self.is_paused = False
        self.end: End | None = None
        self.started_at, self.started = setting.utc_now(), setting.loop.time()
        self.cpu_started = time.process_time()
        self._flights = Flights()
        self._feed = Feed(
            job.requests, threads=setting.threads, chunk=max(SMALLEST_CHUNK, job.limits.concurrency)
        )
        self._ending = asyncio.Event()
        self._events: asyncio.Queue[tuple[str, str] | None] = asyncio.Queue()

    @property
    def planned(self) -> int:
        """Calls owed when the run began, or what the plan has held when that is more."""
        return max(self.job.n_owed, self._feed.n_read)

    async def main(self) -> None:
        """The whole course, until everything is stored and the last event is told."""
        telling = asyncio.create_task(self._tell_events())
        try:
            await self._in_thread(self.job.on_event, "started", "")
            try:
                await self._work()
            finally:
                await self._feed.close()
        except Exception as error:
            self._fail(error)
        self._finish(End(COMPLETED))
        self._settle_end()
        self._events.put_nowait(("ended", self.end.detail))
        self._events.put_nowait(None)
        await telling

    def pause(self) -> None:
        """Send nothing more until `resume`; calls in flight finish."""
        if self.end is None and not self.is_paused:
            self.is_paused = True
            self.gate.pause()
            self._events.put_nowait(("paused", ""))

    def resume(self) -> None:
        """Go on after a pause."""
        if self.end is None and self.is_paused:
            self.is_paused = False
            with self.lock:
                self.tally.forget_pace()
            self.gate.resume()
            self._events.put_nowait(("resumed", ""))

    def stop(self, grace_s: float) -> None:
        """Send nothing more, and give up what is in flight after the grace."""
        self._finish(End(STOPPED))
        self.setting.loop.call_later(grace_s, self._flights.cut)

    async def _work(self) -> None:
        if not await self._feed.has_any():
            return
        client = await self._in_thread(self.job.client)
        self.setting.keep_client(client)
        self.caller = Caller(
            self.job,
            client,
            gate=self.gate,
            budget=self.budget,
            throttle=self.throttle,
            flights=self._flights,
            ending=self._ending,
            threads=self.setting.threads,
            chance=self.setting.chance,
            utc_now=self.setting.utc_now,
            on_sent=self._count_sent,
            on_stored=self._count_stored,
            on_hopeless=self._fail,
        )
        await asyncio.gather(*(self._make_calls() for _ in range(self.job.limits.concurrency)))

    async def _make_calls(self) -> None:
        """Make one call after the other; a run is as many of these as its concurrency."""
        try:
            while not self._ending.is_set():
                request = await self._feed.take()
                if request is None:
                    return
                try:
                    await self.caller.settle(request)
                finally:
                    self._feed.done()
        except Exception as error:
            self._fail(error)

    async def _tell_events(self) -> None:
        while (event := await self._events.get()) is not None:
            try:
                await self._in_thread(self.job.on_event, *event)
            except Exception as error:
                self._fail(error)

    async def _in_thread(self, act: Callable[..., Any], *args: str) -> Any:
        return await self.setting.loop.run_in_executor(self.setting.threads, act, *args)

    def _go_broke(self) -> None:
        self._finish(End(BUDGET))

    def _fail(self, error: Exception) -> None:
        self._finish(End(FAILED, sentence_of(error), getattr(error, "hint", "")))

    def _finish(self, end: End) -> None:
        """Send nothing more. The first end stands, unless the run fails after it."""
        with self.lock:
            if self.end is None or (end.detail == FAILED and self.end.detail != FAILED):
                self.end = end
        self._ending.set()
        self._feed.halt()
        self.gate.shut()

    def _settle_end(self) -> None:
        """Say how the run has ended: stopped with nothing left to do is completed."""
        n_left = self.planned - self.tally.n_ended
        with self.lock:
            if self.end.detail == STOPPED and n_left == 0:
                self.end = End(COMPLETED)
            if self.end.detail == COMPLETED and n_left > 0:
                message = f"{n_left} of the {self.planned} calls owed were not in the plan"
                self.end = replace(self.end, message=message)

    def _count_sent(self, number: int) -> None:
        with self.lock:
            self.tally.sent(number)

    def _count_stored(self, attempt: Attempt) -> None:
        with self.lock:
            self.tally.stored(attempt, self.setting.loop.time())
