"""Cells that are not text, as the text a person would have typed."""

import math
from datetime import date, time
from typing import Any

from core.exchange.row_file import Value

_EXACT = 10**15
"""Whole doubles below this print all their digits; above it, the last ones would be made up."""


def cell_text(value: Any) -> Value:
    """The text of a typed cell: whole numbers without `.0`, dates in ISO 8601, NaN empty.

    Lists and dicts stay as they are.

    Example:
        >>> cell_text(2024.0), cell_text(0.1), cell_text(True), cell_text(float("nan"))
        ('2024', '0.1', 'true', None)
    """
    if value is None or isinstance(value, str | list | dict):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)
