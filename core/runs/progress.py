"""Where a run stands: the closed sum of its calls, its pace, its cost, and who waits for what."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.records import Outcome
from core.runs.estimates import Estimate
from core.runs.gate import Hold

STARTING, RUNNING, PAUSED, STOPPING, ENDED = "starting", "running", "paused", "stopping", "ended"

COMPLETED, STOPPED, BUDGET, FAILED = "completed", "stopped", "budget", "failed"
"""How a run ends: all done, by a person, by its budget, or because it could not go on."""


@dataclass(frozen=True)
class Progress:
    """A run at one moment. `sum(outcomes.values()) + pending == planned`, always.

    Args:
        planned: calls owed when the run began, or more if the plan held more.
        outcomes: calls that ended, by each of the nine outcomes; a call counts once its last
            attempt is stored.
        pending: calls that have not ended; those in flight and those waiting are part of it. When
            the run ends by a person the rest counts as cancelled, by its budget as
            budget-stopped; when it failed, the rest stays pending.
        in_flight: calls sent and not yet stored.
        waiting: calls ready to be sent that something holds back.
        waiting_for: what holds them back, in a sentence; empty when nothing does.
        state: starting, running, paused, stopping or ended.
        detail: completed, stopped, budget or failed once that is settled, else empty.
        message: why the run failed, in one sentence. hint: the next step.
        started_at: UTC. ended_at: UTC, None before. elapsed_s: seconds from start to now or end.
        calls_per_s: calls ended per second, lately; over the whole run once it has ended.
        eta_s: seconds to go at that pace; None when it cannot be told.
        cost_usd: what this run's replies cost; those without a known price are left out.
        n_unpriced: replies without a known price.
        against_cap_usd: what counts against the budget: earlier runs, this one, and the worst
            cost of calls that may have been billed without an answer.
        expected_cost_usd: what this run will have cost at its end; None when it cannot be told.
        concurrency: calls allowed in flight now. peak_in_flight: the most there ever were.
        cpu_ms_per_call: processor time of the whole process over this run, per call sent.
        n_sent: sends, retries included. n_retries: sends after a call's first.
        newest_error: the latest failure in one sentence; empty when there was none.
    """

    run_id: str
    planned: int
    outcomes: Mapping[Outcome, int]
    pending: int
    in_flight: int
    waiting: int
    waiting_for: str
    state: str
    detail: str
    message: str
    hint: str
    started_at: datetime
    ended_at: datetime | None
    elapsed_s: float
    calls_per_s: float
    eta_s: Estimate | None
    cost_usd: float
    n_unpriced: int
    against_cap_usd: float
    expected_cost_usd: Estimate | None
    concurrency: int
    peak_in_flight: int
    cpu_ms_per_call: float
    n_sent: int
    n_retries: int
    newest_error: str


def close_sum(
    outcomes: Mapping[Outcome, int], *, planned: int, ended_by: str
) -> tuple[dict[Outcome, int], int]:
    """The outcomes and the pending rest, adding up to what was planned.

    Args:
        outcomes: calls whose last attempt is stored.
        planned: all calls.
        ended_by: how the run ended; empty while it has not.

    Returns:
        All nine outcomes, and how many calls are pending.

    Example:
        >>> counts, pending = close_sum({Outcome.OK: 3}, planned=10, ended_by="stopped")
        >>> counts[Outcome.OK], counts[Outcome.CANCELLED], pending
        (3, 7, 0)
        >>> close_sum({Outcome.OK: 3}, planned=10, ended_by="")[1]
        7
    """
    counts = {outcome: outcomes.get(outcome, 0) for outcome in Outcome}
    rest = planned - sum(counts.values())
    takes_the_rest = {STOPPED: Outcome.CANCELLED, BUDGET: Outcome.BUDGET_STOPPED}.get(ended_by)
    if takes_the_rest is None:
        return counts, rest
    counts[takes_the_rest] += rest
    return counts, 0


def waiting_sentence(
    *, n_at_gate: int, hold: Hold, until: datetime | None, n_backing_off: int, allowed: int
) -> str:
    """Who waits for what, in words; empty when nobody does.

    Args:
        n_at_gate: calls ready to be sent.
        hold: what keeps them; a pause or a rate limit keeps failed calls too.
        until: when the first of all these may go out, where that is known (UTC).
        n_backing_off: failed calls that wait for their next try.
        allowed: calls allowed in flight at the moment.

    Example:
        >>> waiting_sentence(n_at_gate=3, hold=Hold.CONCURRENCY, until=None, n_backing_off=1,
        ...     allowed=2)
        '3 calls wait because the provider allows only 2 at a time; 1 call waits to be tried again'
    """
    when = f"{until:%H:%M:%S} UTC" if until else ""
    n_waiting = n_at_gate + n_backing_off
    if n_waiting == 0:
        return ""
    if hold is Hold.PAUSE:
        return f"{_calls(n_waiting)} for the run to be resumed"
    if hold is Hold.RATE_LIMIT:
        return f"{_calls(n_waiting)} for the rate limit until {when}"
    reasons = {
        Hold.PACE: f"for their turn in the requests per minute until {when}",
        Hold.CONCURRENCY: f"because the provider allows only {allowed} at a time",
        Hold.BUDGET: "for money reserved by calls in flight",
    }
    parts = []
    if n_at_gate:
        parts.append(f"{_calls(n_at_gate)} {reasons[hold]}")
    if n_backing_off:
        at = f", the first at {when}" if until and not n_at_gate else ""
        parts.append(f"{_calls(n_backing_off)} to be tried again{at}")
    return "; ".join(parts)


def _calls(n: int) -> str:
    return "1 call waits" if n == 1 else f"{n} calls wait"
