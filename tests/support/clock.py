"""A clock that stands until a test moves it."""

from datetime import UTC, datetime

START = datetime(2026, 5, 1, tzinfo=UTC)


class Clock:
    """The time, from `START` on; a test sets `now` forward."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now
