"""Names for things, derived from what they are.

An id is the SHA-256 of the canonical JSON of what makes a thing itself, so the same thing met
twice gets the same id: that is what makes a run resumable and an import idempotent.
"""

import hashlib
import json
import secrets
from typing import Any

ID_LENGTH = 24
"""Hex digits kept of a hash: 96 bits, no collision to fear below 10^12 rows."""


def canonical_json(value: Any) -> str:
    """JSON text that is equal exactly when the values are: sorted keys, no spaces, ASCII.

    Args:
        value: anything JSON holds; a NaN or infinity raises.

    Raises:
        ValueError: a number that JSON cannot hold.

    Example:
        >>> canonical_json({"b": 1, "a": "é"})
        '{"a":"\\\\u00e9","b":1}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def content_hash(value: Any) -> str:
    """The full SHA-256 of a value's canonical JSON, as 64 hex digits.

    Example:
        >>> content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})
        True
    """
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def content_id(*parts: Any) -> str:
    """A short id (24 hex digits) for the thing these parts make up; order counts.

    Example:
        >>> content_id("study", "task") == content_id("study", "task")
        True
        >>> content_id("study", "task") == content_id("task", "study")
        False
    """
    return content_hash(parts)[:ID_LENGTH]


def new_id() -> str:
    """A fresh random id (24 hex digits), for events: a run, a call, a decision."""
    return secrets.token_hex(ID_LENGTH // 2)
