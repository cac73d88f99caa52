"""Ids of stored rows that are derived from the row itself, so that `verify` can check them."""

from collections.abc import Mapping
from typing import Any

from core.identity import content_id

ITEM_KEY = (
    "study_id",
    "step",
    "task_id",
    "draw_number",
    "model",
    "prompt_hash",
    "parameters_json",
    "context_json",
)
"""The columns of `planned` that make an item what it is, in the order they are hashed."""


def derive_item_id(row: Mapping[str, Any]) -> str:
    """The id of a planned item: a hash of all that makes its call the call it is.

    Two rows get one id exactly when they ask the same thing, so an answer is never paid for twice.

    Args:
        row: a row of `planned`; the columns of ITEM_KEY are read.

    Example:
        >>> row = dict.fromkeys(ITEM_KEY, "x") | {"draw_number": 0}
        >>> derive_item_id(row) == derive_item_id(row | {"position": 7})
        True
        >>> derive_item_id(row) == derive_item_id(row | {"draw_number": 1})
        False
    """
    return content_id(*(row[column] for column in ITEM_KEY))
