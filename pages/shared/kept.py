"""What was worked out for the same data is kept, so that a second look costs nothing."""

from collections.abc import Callable, Hashable
from typing import Any

import streamlit as st

KEPT = 256
"""Results kept for all sessions together; the oldest go first."""


@st.cache_data(max_entries=KEPT, show_spinner=False)
def kept(name: str, key: Hashable, _make: Callable[[], Any]) -> Any:
    """What `_make` gives, made once for each name and key.

    Args:
        name: what it is. key: all that it depends on, the store's data version among it.
    """
    return _make()
