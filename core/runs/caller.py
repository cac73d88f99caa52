"""One planned call, from its first send to its stored end."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from random import Random
from typing import Any

from core.errors import InputError, ModelError
from core.identity import new_id
from core.llm.client import CallFailed, Client
from core.records import Attempt, Outcome, Reading, Reply, Request
from core.runs.budget import Budget
from core.runs.deadline import Cut, Flights
from core.runs.failures import SameFailure, Tries, as_call_failed, outcome_of, sentence_of
from core.runs.gate import Gate
from core.runs.job import Job
from core.runs.limits import Throttle


@dataclass(frozen=True)
class _Try:
    """How one send ended."""

    outcome: Outcome
    reply: Reply | None = None
    reading: Reading | None = None
    failure: CallFailed | None = None
    error: str = ""

    @property
    def cost_usd(self) -> float | None:
        """What it cost; None when nobody knows, because it may have been billed unanswered."""
        if self.reply is not None:
            return self.reply.cost_usd
        return None if self.outcome in (Outcome.TIMED_OUT, Outcome.CANCELLED) else 0.0


class Caller:
    """Makes planned calls with one client, under the run's gate, budget and limits.

    Args:
        on_sent: told the number of the try, when it goes out.
        on_stored: told of an attempt once it is stored.
        on_hopeless: told why the run cannot go on: an attempt could not be stored, every call
            fails alike, or the provider asks for too long a wait.
        ending: set when nothing more is sent.
        threads: where prices are asked for.
    """

    def __init__(
        self,
        job: Job,
        client: Client,
        *,
        gate: Gate,
        budget: Budget,
        throttle: Throttle,
        flights: Flights,
        ending: asyncio.Event,
        threads: Executor,
        chance: Random,
        utc_now: Callable[[], datetime],
        on_sent: Callable[[int], None],
        on_stored: Callable[[Attempt], None],
        on_hopeless: Callable[[Exception], None],
    ) -> None:
        self._job = job
        self._client = client
        self._gate = gate
        self._budget = budget
        self._throttle = throttle
        self._flights = flights
        self._ending = ending
        self._threads = threads
        self._chance = chance
        self._utc_now = utc_now
        self._on_sent = on_sent
        self._on_stored = on_stored
        self._on_hopeless = on_hopeless
        self._same_failure = SameFailure()
        self._due: list[float] = []

    @property
    def due(self) -> tuple[float, ...]:
        """When each failed call that waits for its next try gets it, in loop time."""
        return tuple(self._due)

    async def settle(self, request: Request) -> None:
        """See one call through: until its last attempt is stored, or the run is ending.

        Raises:
            InputError: there is a budget, and the call has no known price.
        """
        worst_usd = await self._worst_cost_usd(request)
        tries = Tries(self._job.limits, self._chance)
        for number in count(1):
            if not await self._gate.enter(worst_usd):
                return
            try:
                ended, wait_s = await self._send_and_store(request, number, tries, worst_usd)
                if ended.failure is not None:
                    self._give_up_if_hopeless(ended.failure)
            except Exception as error:
                self._on_hopeless(error)  # before this call leaves, so that none takes its place
                return
            finally:
                self._gate.leave()
            if wait_s is None or not await self._wait(wait_s):
                return

    async def _worst_cost_usd(self, request: Request) -> float:
        if not self._budget.is_capped:
            return 0.0
        # in a thread: the first question may load a library for seconds
        worst_usd = await asyncio.get_running_loop().run_in_executor(
            self._threads, self._client.worst_cost_usd, request
        )
        if worst_usd is None:
            raise InputError(
                f"{request.model} has no known price, so the budget of "
                f"${self._job.limits.budget_usd:.2f} cannot be kept",
                hint="run without a budget, or with a model whose price is known",
            )
        return worst_usd

    async def _send_and_store(
        self, request: Request, number: int, tries: Tries, worst_usd: float
    ) -> tuple[_Try, float | None]:
        """How the send ended, and the seconds until the next; None when it was the last."""
        loop = asyncio.get_running_loop()
        sent_at, started = self._utc_now(), loop.time()
        self._on_sent(number)
        ended = await self._send(request)
        latency_s = loop.time() - started
        self._budget.settle(worst_usd, ended.cost_usd)
        self._adapt(ended, sent_at=started, now=loop.time())
        wait_s = tries.wait_after(ended.failure) if ended.failure else None
        if self._ending.is_set():
            wait_s = None
        attempt = Attempt(
            call_id=new_id(),
            request=request,
            number=number,
            outcome=ended.outcome,
            final=wait_s is None,
            reply=ended.reply,
            reading=ended.reading,
            error=ended.error,
            sent_at=sent_at,
            latency_s=latency_s,
        )
        await _acknowledged(self._job.record(attempt))
        self._on_stored(attempt)
        return ended, wait_s

    async def _send(self, request: Request) -> _Try:
        """Ask once and read the reply; whatever goes wrong is an outcome."""
        timeout_s = self._job.limits.timeout_s
        reply = None
        try:
            call = self._client.ask(request, timeout_s=timeout_s)
            reply = await self._flights.wait_for(call, timeout_s)
            reading = self._job.read(request, reply)
            return _Try(reading.outcome, reply, reading)
        except Cut:
            return _Try(Outcome.CANCELLED, error="stopped before an answer came")
        except Exception as error:
            if reply is not None:
                # Paid for and kept: an answered outcome, so that no run pays for it again.
                sentence = f"{sentence_of(error)}, while the reply was read"
                reading = Reading(Outcome.UNPARSABLE, note=sentence)
                return _Try(Outcome.UNPARSABLE, reply, reading, error=sentence)
            failure = as_call_failed(error, timeout_s=timeout_s)
            return _Try(outcome_of(failure), failure=failure, error=str(failure))

    def _adapt(self, ended: _Try, *, sent_at: float, now: float) -> None:
        """Let the run's pace follow how a send ended."""
        if ended.reply is not None:
            self._throttle.grow()
            self._same_failure.answered()
        if ended.failure is None:
            return
        if ended.failure.kind == "rate_limited":
            self._throttle.shrink(sent_at=sent_at, now=now)
        if ended.failure.retry_after_s is not None:
            self._throttle.hold(now + ended.failure.retry_after_s)

    def _give_up_if_hopeless(self, failure: CallFailed) -> None:
        longest_s = self._job.limits.max_rate_wait_s
        if failure.retry_after_s is not None and failure.retry_after_s > longest_s:
            raise ModelError(
                f"the provider asks to wait {failure.retry_after_s:.0f} s, longer than the "
                f"{longest_s:.0f} s a run waits: {failure}",
                hint="run again after that time",
            )
        self._same_failure.failed(failure)

    async def _wait(self, wait_s: float) -> bool:
        """Whether the run still sends after this many seconds."""
        due = asyncio.get_running_loop().time() + wait_s
        self._due.append(due)
        try:
            await asyncio.wait_for(self._ending.wait(), wait_s)
        except TimeoutError:
            return True
        finally:
            self._due.remove(due)
        return False


async def _acknowledged(stored: "Future[Any]") -> None:
    """Wait until an attempt is kept; raises what kept it from being kept."""
    if not stored.done():
        # shielded: giving up here must not cancel what the writer is about to do
        await asyncio.shield(asyncio.wrap_future(stored))
    stored.result()
