"""Calls per second through the engine, beside the barest loop that bounds calls in flight.

Both ask the same client, which answers without any delay, so all that shows is their own work.
"""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import Future

from core.records import Attempt, Message, Outcome, Reading, Reply, Request
from core.runs.engine import Engine
from core.runs.job import Job
from core.runs.limits import Limits

N_CALLS = 20_000
CONCURRENCY = 64
REPLY = Reply(text="yes", cost_usd=0.0)


class InstantClient:
    """Answers at once."""

    async def ask(self, request: Request, *, timeout_s: float) -> Reply:
        return REPLY

    def worst_cost_usd(self, request: Request) -> float | None:
        return 0.0

    async def close(self) -> None:
        pass


def requests() -> Iterator[Request]:
    """The plan, made while it is read."""
    for number in range(N_CALLS):
        yield Request(f"item-{number}", "fake/model", (Message("user", "?"),))


def record(attempt: Attempt) -> "Future[None]":
    """A store that takes no time."""
    done: Future[None] = Future()
    done.set_result(None)
    return done


def bare_calls_per_s() -> float:
    """The pace of gather with a semaphore: all requests in memory, nothing kept, no limits."""

    async def ask_all() -> None:
        client, slots = InstantClient(), asyncio.Semaphore(CONCURRENCY)

        async def ask(request: Request) -> Reply:
            async with slots:
                return await asyncio.wait_for(client.ask(request, timeout_s=60), 60)

        await asyncio.gather(*(ask(request) for request in requests()))

    began = time.perf_counter()
    asyncio.run(ask_all())
    return N_CALLS / (time.perf_counter() - began)


def engine_calls_per_s() -> tuple[float, float]:
    """The pace of the engine, and the processor time of one call in milliseconds."""
    engine = Engine()
    job = Job(
        run_id="bench",
        requests=requests,
        n_owed=N_CALLS,
        client=InstantClient,
        read=lambda request, reply: Reading(Outcome.OK, label=reply.text),
        record=record,
        limits=Limits(concurrency=CONCURRENCY),
    )
    progress = engine.start(job).wait()
    engine.close()
    return progress.calls_per_s, progress.cpu_ms_per_call


def main() -> None:
    """Print both paces, their ratio, and the processor time of a call."""
    bare = bare_calls_per_s()
    paced, cpu_ms = engine_calls_per_s()
    print(f"engine: {paced:,.0f} calls/s, {cpu_ms:.3f} ms of processor time a call")
    print(f"bare gather with a semaphore: {bare:,.0f} calls/s")
    print(f"ratio: {paced / bare:.2f}")


if __name__ == "__main__":
    main()
