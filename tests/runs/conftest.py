"""Fakes for the engine: a clock that jumps, a client that does what a test says, a recorder."""

import asyncio
import selectors
from collections import Counter
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest

from core.records import Message, Outcome, Reading, Reply, Request
from core.runs.engine import Engine
from core.runs.job import Job
from core.runs.limits import Limits

NOON = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next timer whenever nothing else is going on."""

    def __init__(self):
        self._now = 0.0
        self._n_in_threads = 0
        super().__init__(_JumpingSelector(self))

    def time(self):
        return self._now

    def run_in_executor(self, executor, act, *args):
        self._n_in_threads += 1
        future = super().run_in_executor(executor, act, *args)
        future.add_done_callback(self._back_from_thread)
        return future

    def _back_from_thread(self, _):
        self._n_in_threads -= 1


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self, loop):
        super().__init__()
        self._loop = loop

    def select(self, timeout=None):
        if timeout is None or self._loop._n_in_threads:
            return super().select(timeout and 0.01)
        events = super().select(0)
        if not events:
            self._loop._now += timeout
        return events


class FakeClient:
    """Answers by a function of the request and how often it was sent; keeps what was sent when."""

    def __init__(self, answer=None, worst_usd=0.0):
        self.answer = answer or (lambda request, n: reply())
        self.worst_usd = worst_usd
        self.sent = []
        self.times = []
        self.n_open = self.most_open = self.n_closed = 0
        self._n_by_item = Counter()

    async def ask(self, request, *, timeout_s):
        self.sent.append(request.item_id)
        self.times.append(asyncio.get_running_loop().time())
        self._n_by_item[request.item_id] += 1
        self.n_open += 1
        self.most_open = max(self.most_open, self.n_open)
        try:
            answer = self.answer(request, self._n_by_item[request.item_id])
            if asyncio.iscoroutine(answer):
                answer = await answer
        finally:
            self.n_open -= 1
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def worst_cost_usd(self, request):
        return self.worst_usd

    async def close(self):
        self.n_closed += 1


class Recorder:
    """Keeps attempts as a store would; `fault` may return an error to refuse one with."""

    def __init__(self, fault=lambda attempt: None):
        self.attempts = []
        self.events = []
        self._fault = fault

    def __call__(self, attempt):
        done = Future()
        error = self._fault(attempt)
        if error:
            done.set_exception(error)
        else:
            self.attempts.append(attempt)
            done.set_result(None)
        return done

    def on_event(self, event, detail):
        self.events.append((event, detail))

    def outcomes(self):
        return Counter(str(attempt.outcome) for attempt in self.attempts if attempt.final)


def reply(text="yes", cost_usd=0.0):
    return Reply(text=text, cost_usd=cost_usd)


def plan(n, start=0):
    for number in range(start, start + n):
        yield Request(f"item-{number}", "fake/model", (Message("user", "?"),))


def read(request, answered):
    return Reading(Outcome.OK, label=answered.text)


def make_job(client, recorder, n, *, limits=None, **changes):
    """A job of n calls with a client (or what makes one), and anything else changed by name."""
    job = Job(
        run_id="run",
        requests=lambda: plan(n),
        n_owed=n,
        client=(lambda: client) if isinstance(client, FakeClient) else client,
        read=read,
        record=recorder,
        on_event=recorder.on_event,
        limits=Limits(**(limits or {})),
    )
    return replace(job, **changes)


@pytest.fixture
def engine():
    """An engine whose clock jumps: seconds of waiting take no time."""
    engine = Engine(new_loop=JumpingLoop, utc_now=lambda: NOON, chance=Random(1))
    yield engine
    engine.close(grace_s=0)


@pytest.fixture
def real_engine():
    """An engine on the real clock, for commands that come from outside at a chosen moment."""
    engine = Engine()
    yield engine
    engine.close(grace_s=0)


@pytest.fixture
def lab():
    """The fakes of this folder."""

    class Lab:
        client = FakeClient
        recorder = Recorder
        job = staticmethod(make_job)
        reply = staticmethod(reply)
        plan = staticmethod(plan)
        read = staticmethod(read)
        loop = JumpingLoop
        noon = NOON

    return Lab
