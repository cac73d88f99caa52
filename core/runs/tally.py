"""What a run counts while it goes on."""

from collections import deque

from core.records import Attempt, Outcome
from core.runs.estimates import RunningMean

RECENT_CALLS = 100
"""Calls whose ends make up the recent pace."""


class Tally:
    """Counts of one run. Not locked: the run guards it."""

    def __init__(self) -> None:
        self.outcomes: dict[Outcome, int] = {}
        self.n_sent = 0
        self.n_retries = 0
        self.cost_usd = 0.0
        self.n_unpriced = 0
        self.newest_error = ""
        self.costs = RunningMean()
        self._recent: deque[float] = deque(maxlen=RECENT_CALLS)

    @property
    def n_ended(self) -> int:
        """Calls whose last attempt is stored."""
        return sum(self.outcomes.values())

    def sent(self, number: int) -> None:
        """Count a send, the first or a later one of its call."""
        self.n_sent += 1
        self.n_retries += number > 1

    def stored(self, attempt: Attempt, now: float) -> None:
        """Count an attempt that is stored."""
        if attempt.error:
            self.newest_error = attempt.error
        cost_usd = 0.0
        if attempt.reply is not None and attempt.reply.cost_usd is None:
            self.n_unpriced += 1
        elif attempt.reply is not None:
            cost_usd = attempt.reply.cost_usd
        self.cost_usd += cost_usd
        if attempt.final:
            self.outcomes[attempt.outcome] = self.outcomes.get(attempt.outcome, 0) + 1
            self.costs.add(cost_usd)
            self._recent.append(now)

    def forget_pace(self) -> None:
        """Start the recent pace afresh, because the run stood still on purpose."""
        self._recent.clear()

    def recent(self, now: float) -> tuple[int, float]:
        """Calls that ended after the first of the recent ones, and the seconds since that one."""
        if not self._recent:
            return 0, 0.0
        return len(self._recent) - 1, now - self._recent[0]
