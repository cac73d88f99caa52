"""The progress of a run, read off its course."""

import time
from datetime import UTC, datetime, timedelta

from core.runs.course import Course
from core.runs.estimates import time_left_s, total_cost_usd
from core.runs.gate import Hold
from core.runs.progress import (
    ENDED,
    PAUSED,
    RUNNING,
    STARTING,
    STOPPING,
    Progress,
    close_sum,
    waiting_sentence,
)


def progress_of(course: Course, *, ended_at: datetime | None = None) -> Progress:
    """Where the run stands; the caller holds the course's lock.

    Args:
        ended_at: when the run ended (UTC); None while it goes on.
    """
    now, tally, end = course.setting.loop.time(), course.tally, course.end
    state = ENDED if ended_at else _state(course)
    outcomes, pending = close_sum(
        tally.outcomes, planned=course.planned, ended_by=end.detail if ended_at else ""
    )
    elapsed_s = now - course.started
    n_recent, window_s = (tally.n_ended, elapsed_s) if ended_at else tally.recent(now)
    cpu_s = time.process_time() - course.cpu_started
    due = course.caller.due if course.caller else ()
    n_at_gate = course.gate.n_waiting
    return Progress(
        run_id=course.job.run_id,
        planned=course.planned,
        outcomes=outcomes,
        pending=pending,
        # the loop moves on while this is read: a call may be counted and not have left yet
        in_flight=min(course.gate.in_flight, pending),
        waiting=min(n_at_gate + len(due), pending),
        waiting_for=_waiting_for(course, n_at_gate, due),
        state=state,
        detail=end.detail if end else "",
        message=end.message if end else "",
        hint=end.hint if end else "",
        started_at=course.started_at,
        ended_at=ended_at,
        elapsed_s=elapsed_s,
        calls_per_s=n_recent / window_s if window_s > 0 else 0.0,
        eta_s=time_left_s(pending, n_done=n_recent, window_s=window_s)
        if state == RUNNING
        else None,
        cost_usd=tally.cost_usd,
        n_unpriced=tally.n_unpriced,
        against_cap_usd=course.budget.spent_usd,
        expected_cost_usd=None
        if tally.n_unpriced
        else total_cost_usd(tally.costs, spent_usd=tally.cost_usd, n_left=pending),
        concurrency=course.throttle.allowed,
        peak_in_flight=course.gate.peak_in_flight,
        cpu_ms_per_call=1000 * cpu_s / tally.n_sent if tally.n_sent else 0.0,
        n_sent=tally.n_sent,
        n_retries=tally.n_retries,
        newest_error=tally.newest_error,
    )


def _state(course: Course) -> str:
    if course.end is not None:
        return STOPPING
    if course.is_paused:
        return PAUSED
    return STARTING if course.caller is None else RUNNING


def _waiting_for(course: Course, n_at_gate: int, due: tuple[float, ...]) -> str:
    now = course.setting.loop.time()
    hold, until = course.gate.hold, None
    if course.is_paused:
        hold = Hold.PAUSE
    elif course.throttle.held_until > now:
        hold, until = Hold.RATE_LIMIT, course.throttle.held_until
    elif due and not n_at_gate:
        hold, until = Hold.NOTHING, min(due)
    elif hold is Hold.PACE:
        until = course.throttle.opens_at
    if until is not None:
        until = course.setting.utc_now() + timedelta(seconds=max(0.0, until - now))
        until = until.astimezone(UTC)
    return waiting_sentence(
        n_at_gate=n_at_gate,
        hold=hold,
        until=until,
        n_backing_off=len(due),
        allowed=course.throttle.allowed,
    )
