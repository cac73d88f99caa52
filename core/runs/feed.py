"""The plan of a run, read a few requests at a time so that memory does not grow with it.

Where a plan yields None, what comes after it depends on what was given out before: it is read on
only when all of that is done.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from itertools import islice

from core.records import Request


class Feed:
    """Gives out the requests of a plan in order, each once, to any number of tasks.

    Args:
        open_plan: opens the plan; called in a thread, like every step through it.
        threads: where the plan is read, since it reads a database.
        chunk: requests read at once, and so the most that lie ready.
    """

    def __init__(
        self, open_plan: Callable[[], Iterator[Request | None]], *, threads: Executor, chunk: int
    ) -> None:
        self._open_plan = open_plan
        self._plan: Iterator[Request | None] | None = None
        self._threads = threads
        self._chunk = chunk
        self._ready: deque[Request] = deque()
        self._is_over = False
        self._reading = asyncio.Lock()
        self._n_out = 0
        self._must_wait = self._is_halted = False
        self._none_out = asyncio.Event()
        self._none_out.set()
        self.n_read = 0
        """Requests the plan has yielded so far."""

    async def has_any(self) -> bool:
        """Whether a request is left to give out."""
        async with self._reading:
            while not self._ready and not self._is_over:
                if self._must_wait:
                    await self._none_out.wait()
                    self._must_wait = False
                if self._is_halted:
                    return False
                await asyncio.get_running_loop().run_in_executor(self._threads, self._fill)
            return bool(self._ready)

    async def take(self) -> Request | None:
        """The next request, or None when the plan is at its end; `done` is called once it is.

        Raises:
            Exception: whatever the plan raises; after that the plan is at its end.
        """
        while not self._ready:
            if not await self.has_any():
                return None
        self._n_out += 1
        self._none_out.clear()
        return self._ready.popleft()

    def done(self) -> None:
        """Take note that one of the requests given out has ended, however it did."""
        self._n_out -= 1
        if not self._n_out:
            self._none_out.set()

    def halt(self) -> None:
        """Read no further, for nothing more is sent."""
        self._is_halted = True

    async def close(self) -> None:
        """Let go of the plan, wherever it stands."""
        self._is_over = True
        self._ready.clear()
        close = getattr(self._plan, "close", None)
        if close is not None:
            async with self._reading:
                await asyncio.get_running_loop().run_in_executor(self._threads, close)

    def _fill(self) -> None:
        try:
            if self._plan is None:
                self._plan = self._open_plan()
            chunk = []
            for request in islice(self._plan, self._chunk):
                if request is None:
                    self._must_wait = True
                    break
                chunk.append(request)
        except Exception:
            self._is_over = True
            raise
        self.n_read += len(chunk)
        self._ready.extend(chunk)
        self._is_over = len(chunk) < self._chunk and not self._must_wait
