"""What the engine is given to run. It knows neither the store nor a protocol: only these calls."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from core.llm.client import Client
from core.records import Attempt, Reading, Reply, Request
from core.runs.limits import Limits


def _ignore(event: str, detail: str) -> None:
    """Nobody listens to the run's events."""


@dataclass(frozen=True)
class Job:
    """One run to be made.

    Args:
        run_id: its name; no two runs of an engine that are not over share one.
        requests: opens the plan, the calls that are owed; read a few at a time, in a thread. Where
            it yields None, it is read on only when all calls before are stored.
        n_owed: how many the plan is expected to hold.
        client: makes or finds the model's client; called once, in a thread, when the plan turns
            out not to be empty. The engine closes every client it was given when it closes.
        read: what a reply says, run on the engine's loop: quick, no files, no network.
        record: hands an attempt to be kept; it counts only once the future is done.
        limits: concurrency, timeout, tries and budget.
        on_event: told started, paused, resumed and ended, the last with completed, stopped,
            budget or failed; called in a thread, one at a time, in order.
        spent_usd: what earlier runs of the step spent; counts against the budget.
    """

    run_id: str
    requests: Callable[[], Iterator[Request | None]]
    n_owed: int
    client: Callable[[], Client]
    read: Callable[[Request, Reply], Reading]
    record: Callable[[Attempt], "Future[Any]"]
    limits: Limits = field(default_factory=Limits)
    on_event: Callable[[str, str], None] = _ignore
    spent_usd: float = 0.0
