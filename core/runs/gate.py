"""Who may send next. Everything that can hold a call back is decided here, in one place."""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import StrEnum

from core.runs.budget import Budget
from core.runs.limits import Throttle


class Hold(StrEnum):
    """What keeps the next call from being sent."""

    NOTHING = ""
    PAUSE = "pause"
    RATE_LIMIT = "rate limit"
    PACE = "pace"
    CONCURRENCY = "concurrency"
    BUDGET = "budget"


class Gate:
    """Lets calls through first come, first served; used on the engine's loop only.

    Args:
        throttle: the concurrency allowed and the times to wait for.
        budget: what is reserved for each call let through.
        on_broke: called when the next call does not fit the budget and no call in flight could
            free any.
    """

    def __init__(self, throttle: Throttle, budget: Budget, on_broke: Callable[[], None]) -> None:
        self._throttle = throttle
        self._budget = budget
        self._on_broke = on_broke
        self._queue: deque[tuple[float, asyncio.Future[bool]]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._is_paused = False
        self._is_shut = False
        self.hold = Hold.NOTHING
        self.in_flight = 0
        self.peak_in_flight = 0

    @property
    def n_waiting(self) -> int:
        """Calls that stand before the gate."""
        return len(self._queue)

    async def enter(self, worst_usd: float) -> bool:
        """Wait until a call may be sent; False when nothing is sent any more.

        A call let through has its worst cost reserved, and must `leave` when it is over.
        """
        passed: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((worst_usd, passed))
        self._let_through()
        return await passed

    def leave(self) -> None:
        """A call that was let through is over, and stored."""
        self.in_flight -= 1
        self._let_through()

    def pause(self) -> None:
        """Let nothing through until `resume`."""
        self._is_paused = True
        self._let_through()

    def resume(self) -> None:
        """Let calls through again."""
        self._is_paused = False
        self._let_through()

    def shut(self) -> None:
        """Turn away everything that waits or comes later."""
        self._is_shut = True
        self._let_through()

    def _let_through(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._is_shut:
            self._turn_away()
            return
        loop = asyncio.get_running_loop()
        while self._queue:
            worst_usd, passed = self._queue[0]
            self.hold = self._what_holds(worst_usd, loop.time())
            if self.hold is not Hold.NOTHING:
                break
            self._queue.popleft()
            self.in_flight += 1
            self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
            self._throttle.sent(loop.time())
            passed.set_result(True)
        if self._queue and self.hold in (Hold.RATE_LIMIT, Hold.PACE):
            self._timer = loop.call_at(self._throttle.opens_at, self._let_through)
        if self._queue and self.hold is Hold.BUDGET and self.in_flight == 0:
            self._on_broke()

    def _what_holds(self, worst_usd: float, now: float) -> Hold:
        """The first thing in the way of a call; with nothing in the way, its money is reserved."""
        if self._is_paused:
            return Hold.PAUSE
        if self._throttle.held_until > now:
            return Hold.RATE_LIMIT
        if self._throttle.opens_at > now:
            return Hold.PACE
        if self.in_flight >= self._throttle.allowed:
            return Hold.CONCURRENCY
        if not self._budget.reserve(worst_usd):
            return Hold.BUDGET
        return Hold.NOTHING

    def _turn_away(self) -> None:
        self.hold = Hold.NOTHING
        while self._queue:
            _, passed = self._queue.popleft()
            passed.set_result(False)
