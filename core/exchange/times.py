"""Moments and spans of time, as cells and JSON hold them."""

import math
from datetime import UTC, datetime

from core.exchange.named_cells import RowFault, is_blank
from core.exchange.wording import shown


def moment_of(cell: object) -> datetime | None:
    """The moment in UTC that a cell gives in ISO 8601; one without a zone counts as UTC.

    Raises:
        RowFault: it gives something else.
    """
    if is_blank(cell):
        return None
    try:
        return in_utc(datetime.fromisoformat(cell.strip()))
    except (AttributeError, ValueError, OverflowError):
        raise RowFault(
            f"has {shown(cell)} for the time of the decision",
            "ISO 8601, such as 2026-03-01T12:30:00Z",
        ) from None


def moment_text(moment: datetime | None) -> str | None:
    """A moment in ISO 8601 and UTC; one without a zone counts as UTC.

    Example:
        >>> moment_text(datetime(2026, 3, 1, 12, 30))
        '2026-03-01T12:30:00.000000Z'
    """
    if moment is None:
        return None
    return in_utc(moment).isoformat(timespec="microseconds").replace("+00:00", "Z")


def seconds_of(cell: object) -> float | None:
    """The seconds that a cell gives, None when it is empty.

    Raises:
        RowFault: it gives no number from 0 up.
    """
    if is_blank(cell):
        return None
    try:
        seconds = math.nan if isinstance(cell, bool) else float(cell)
    except (TypeError, ValueError, OverflowError):
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise RowFault(f"has {shown(cell)} for the seconds it took", "a number from 0 up")
    return seconds


def seconds_or_none(seconds: float | None) -> float | None:
    """Seconds as JSON can hold them: NaN is no number of seconds."""
    return None if seconds is None or math.isnan(seconds) else seconds


def in_utc(moment: datetime) -> datetime:
    """The moment in UTC; one without a zone counts as UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
