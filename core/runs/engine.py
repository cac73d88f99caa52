"""The one engine of a process: a thread of its own with one permanent event loop.

Runs live here, not on the pages that look at them: a reload, a closed tab or ten viewers change
nothing. Any number of runs go on at once or one after the other on the same loop.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from random import Random
from time import monotonic

from core.errors import ConflictError
from core.llm.client import Client
from core.runs.course import Course, Setting
from core.runs.job import Job
from core.runs.run import Run

KEPT_RUNS = 50
"""Runs that are over and still listed; older ones are known to whoever stored them."""

CLOSE_GRACE_S = 5.0
_MARGIN_S = 5.0
"""Seconds on top of the grace for storing what came, and again for closing the clients."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Engine:
    """Makes runs. All methods may be called from any thread.

    Args:
        new_loop: makes the event loop; its clock is the engine's only one for waiting.
        utc_now: tells the time that is stored and shown.
        chance: where the jitter of retries comes from.
    """

    def __init__(
        self,
        *,
        new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
        utc_now: Callable[[], datetime] = _utc_now,
        chance: Random | None = None,
    ) -> None:
        self._loop = new_loop()
        self._threads = ThreadPoolExecutor(8, thread_name_prefix="selfbound-engine")
        self._clients: dict[int, Client] = {}
        self._setting = Setting(
            loop=self._loop,
            threads=self._threads,
            chance=chance or Random(),
            utc_now=utc_now,
            keep_client=self._keep_client,
        )
        self._lock = threading.Lock()
        self._runs: list[Run] = []
        self._courses: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self._thread = threading.Thread(target=self._live, name="selfbound-engine", daemon=True)
        self._thread.start()

    def start(self, job: Job) -> Run:
        """Begin a run, at once; it goes on whatever becomes of the caller.

        Raises:
            ConflictError: a run of this name is going on, or the engine is closed.
        """
        with self._lock:
            if self._is_closed:
                raise ConflictError("the engine is closed, so no run can start")
            if any(run.run_id == job.run_id and not run.is_over for run in self._runs):
                raise ConflictError(
                    f"run {job.run_id} is going on already", hint="wait for it, or stop it first"
                )
            run = Run(Course(job, self._setting))
            over = [run for run in self._runs if run.is_over]
            for old in over[: max(0, len(over) - KEPT_RUNS + 1)]:
                self._runs.remove(old)
            self._runs.append(run)
        self._loop.call_soon_threadsafe(self._begin, run)
        return run

    def runs(self) -> list[Run]:
        """The runs going on and the last that are over, oldest first."""
        with self._lock:
            return list(self._runs)

    def close(self, *, grace_s: float = CLOSE_GRACE_S) -> None:
        """Stop every run, close the clients and end the thread; a second call does nothing.

        Args:
            grace_s: seconds that calls in flight get to finish.
        """
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        for run in self.runs():
            run.stop(grace_s=grace_s)
        deadline = monotonic() + grace_s + _MARGIN_S
        for run in self.runs():
            run.wait(max(0.0, deadline - monotonic()))
        closing = asyncio.run_coroutine_threadsafe(self._close_clients(), self._loop)
        closing.result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def _begin(self, run: Run) -> None:
        course = self._loop.create_task(run.live())
        self._courses.add(course)  # the loop itself holds tasks only weakly
        course.add_done_callback(self._courses.discard)

    def _keep_client(self, client: Client) -> None:
        self._clients[id(client)] = client

    async def _close_clients(self) -> None:
        closing = [asyncio.create_task(client.close()) for client in self._clients.values()]
        if closing:
            await asyncio.wait(closing, timeout=_MARGIN_S)
