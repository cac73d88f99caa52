"""The handle to one run, for any thread: look, pause, resume, stop, wait."""

import asyncio
import threading
from collections.abc import Callable

from core.runs.course import Course
from core.runs.progress import Progress
from core.runs.report import progress_of

STOP_GRACE_S = 30.0
"""Seconds that calls in flight get to finish after a stop, unless the caller says otherwise."""


class Run:
    """A run that was started; every method but `live` may be called from any thread.

    Attributes:
        run_id: the run's name. budget_usd: the cap of its step; None for none.
    """

    def __init__(self, course: Course) -> None:
        self.run_id = course.job.run_id
        self.budget_usd = course.job.limits.budget_usd
        self._course = course
        self._loop = course.setting.loop
        self._over = threading.Event()
        self._last: Progress | None = None

    @property
    def is_over(self) -> bool:
        """Whether the run has ended, with everything stored that will be."""
        return self._over.is_set()

    def progress(self) -> Progress:
        """Where the run stands now; see Progress."""
        with self._course.lock:
            return self._last or progress_of(self._course)

    def wait(self, timeout_s: float | None = None) -> Progress:
        """Where the run stands when it has ended, or after this many seconds."""
        self._over.wait(timeout_s)
        return self.progress()

    def pause(self) -> None:
        """Send nothing more until `resume`; calls in flight finish. Holds once it returns."""
        self._command(self._course.pause)

    def resume(self) -> None:
        """Go on after a pause."""
        self._command(self._course.resume)

    def stop(self, *, grace_s: float = STOP_GRACE_S) -> None:
        """Send nothing more, and end once the calls in flight are stored.

        Args:
            grace_s: seconds they get to finish; then they are given up and stored as cancelled.
                A second stop with less grace shortens it.
        """
        self._command(self._course.stop, grace_s)

    async def live(self) -> None:
        """The run's whole course; the engine awaits it, once, on its loop."""
        try:
            await self._course.main()
            with self._course.lock:
                self._last = progress_of(self._course, ended_at=self._course.setting.utc_now())
        finally:
            self._over.set()  # whatever happened, nobody waits for ever

    def _command(self, act: Callable[..., None], *args: float) -> None:
        """Do something on the loop, and return when it is done; nothing once the run is over."""
        if self.is_over:
            return
        if _running_loop() is self._loop:
            act(*args)
            return

        async def _act() -> None:
            act(*args)

        asyncio.run_coroutine_threadsafe(_act(), self._loop).result()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
