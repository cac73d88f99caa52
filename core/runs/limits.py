"""How fast a run may go: its limits, and the throttle that follows the provider's answers.

The throttle knows nothing of clocks: the caller says what time it is, in seconds that only rise.
"""

from dataclasses import dataclass

from core.errors import InputError


@dataclass(frozen=True)
class Limits:
    """The bounds one run keeps.

    Args:
        concurrency: calls in flight at most, those waiting to be stored included; at least 1.
        timeout_s: seconds after which a call counts as timed out, whatever the client does.
        max_tries: sends per planned call at most; a 429 that names a time to wait is not counted.
        budget_usd: the step's cap; None for none.
        requests_per_minute: sends per minute at most, evenly spaced; None for no bound.
        max_rate_wait_s: seconds one call may spend waiting for times named by 429s.

    Raises:
        InputError: a limit is out of range.
    """

    concurrency: int = 8
    timeout_s: float = 120.0
    max_tries: int = 3
    budget_usd: float | None = None
    requests_per_minute: float | None = None
    max_rate_wait_s: float = 600.0

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise InputError(f"concurrency is {self.concurrency}; it must be at least 1")
        if self.max_tries < 1:
            raise InputError(f"max_tries is {self.max_tries}; it must be at least 1")
        if not self.timeout_s > 0:
            raise InputError(f"timeout_s is {self.timeout_s}; it must be above 0")
        if self.budget_usd is not None and not self.budget_usd >= 0:
            raise InputError(
                f"the budget is {self.budget_usd} US dollars; it must be 0 or more",
                hint="leave it out for no cap",
            )
        if self.requests_per_minute is not None and not self.requests_per_minute > 0:
            raise InputError(
                f"requests_per_minute is {self.requests_per_minute}; it must be above 0",
                hint="leave it out for no bound",
            )
        if not self.max_rate_wait_s >= 0:
            raise InputError(f"max_rate_wait_s is {self.max_rate_wait_s}; it must be 0 or more")


class Throttle:
    """The concurrency allowed right now, and the time before which nothing is sent.

    A 429 halves the concurrency; answers bring it back by one per round of calls. A burst of
    429s to calls that were in flight together halves it once.

    Example:
        >>> throttle = Throttle(Limits(concurrency=8))
        >>> throttle.shrink(sent_at=1.0, now=2.0)
        >>> throttle.shrink(sent_at=1.5, now=2.1)
        >>> throttle.allowed
        4
    """

    def __init__(self, limits: Limits) -> None:
        self._most = limits.concurrency
        self._allowed = float(limits.concurrency)
        self._gap_s = 60 / limits.requests_per_minute if limits.requests_per_minute else 0.0
        self._shrunk_at = float("-inf")
        self._next_slot = float("-inf")
        self.held_until = float("-inf")
        """No call is sent before this time, because the provider asked for it."""

    @property
    def allowed(self) -> int:
        """Calls that may be in flight now: 1 to the run's concurrency."""
        return int(self._allowed)

    @property
    def opens_at(self) -> float:
        """The earliest time of the next send, by Retry-After and by requests per minute."""
        return max(self.held_until, self._next_slot)

    def hold(self, until: float) -> None:
        """Send nothing before this time; a hold never gets shorter."""
        self.held_until = max(self.held_until, until)

    def sent(self, now: float) -> None:
        """Take note that a call goes out now."""
        self._next_slot = now + self._gap_s

    def shrink(self, *, sent_at: float, now: float) -> None:
        """Take note of a 429 to a call that was sent at `sent_at`."""
        if sent_at >= self._shrunk_at:
            self._allowed = max(1.0, self._allowed / 2)
            self._shrunk_at = now

    def grow(self) -> None:
        """Take note of an answer."""
        self._allowed = min(float(self._most), self._allowed + 1 / self._allowed)
