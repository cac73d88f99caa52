"""Tells how far agents have come; they may work for hours."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

Tell = Callable[[str], None]

_TELL: ContextVar[Callable[[int], None] | None] = ContextVar("tell", default=None)


@contextmanager
def telling(tell: Tell | None) -> Iterator[None]:
    """While inside, `tell` is given a sentence whenever an agent is done.

    Example:
        >>> with telling(print):
        ...     agent_is_done(7)
        1 agent is done, the newest after 7 tool calls
    """
    numbers = count(1)

    def say(n_calls: int) -> None:
        n = next(numbers)
        agents = "agent is" if n == 1 else "agents are"
        calls = "tool call" if n_calls == 1 else "tool calls"
        tell(f"{n:,} {agents} done, the newest after {n_calls:,} {calls}")

    before = _TELL.set(say if tell else None)
    try:
        yield
    finally:
        _TELL.reset(before)


def agent_is_done(n_calls: int) -> None:
    """Nothing; whoever listens is told."""
    if say := _TELL.get():
        say(n_calls)
