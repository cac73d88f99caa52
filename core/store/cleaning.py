"""Values on their way into the store and out of it.

Text goes in as UTF-8, which has no place for a lone surrogate: each becomes U+FFFD. Nothing else
in a text is touched, NUL included. Times are UTC: aware on our side, without a zone in the file.
"""

from datetime import UTC, datetime
from typing import Any


def clean_text(text: str) -> str:
    r"""The text with every lone surrogate replaced by U+FFFD; any other text unchanged.

    Example:
        >>> clean_text("\ud835 x"), clean_text("\x00 is kept")
        ('� x', '\x00 is kept')
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        # UTF-16 joins the two halves of a pair that arrived apart, and marks the lone ones.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return str(text)


def to_stored(value: Any) -> Any:
    """A value as DuckDB takes it: clean text, times in UTC without a zone, the rest unchanged.

    A time without a zone is taken to be UTC already.

    Example:
        >>> to_stored(datetime(2026, 1, 1, 12, tzinfo=UTC))
        datetime.datetime(2026, 1, 1, 12, 0)
    """
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    if isinstance(value, (list, tuple)):
        return [to_stored(part) for part in value]
    return value


def from_stored(value: Any) -> Any:
    """A value as the program uses it: times carry the zone UTC, the rest unchanged.

    Example:
        >>> from_stored(datetime(2026, 1, 1, 12)).isoformat()
        '2026-01-01T12:00:00+00:00'
    """
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value
