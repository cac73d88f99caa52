"""Both denominators of every share, in a sentence: what was asked, and what could be read."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.protocols.shown import Words
from pages.shared.quantities import human_count
from pages.shared.text import plain

COVERED = ("planned", "read", "unread", "open", "removed_since")


def tell_coverage(rows: Sequence[Mapping[str, Any]], words: Words) -> None:
    """Both denominators of all studies and models together, and of each one on demand; nothing
    where nobody was asked anything, as where a study has agents alone."""
    if not rows:
        return
    if len(rows) == 1:
        st.caption(plain(f"{rows[0]['model']}: {coverage_words(rows[0], words)}"))
        return
    total = {key: sum(row[key] for row in rows) for key in COVERED}
    st.caption(plain(f"All studies and models together: {coverage_words(total, words)}"))
    with st.expander("Each of them"):
        for row in rows:
            st.caption(plain(f"{row['study']} · {row['model']}: {coverage_words(row, words)}"))


def coverage_words(row: Mapping[str, int], words: Words) -> str:
    """A closed sum of what was asked, in words.

    Example:
        >>> row = dict(planned=9, read=6, unread=2, open=0, removed_since=1)
        >>> coverage_words(row, Words(task="question", asked="asked"))
        '9 questions asked = 6 with a usable reply + 2 ended without a usable reply + 1 removed by \
people'
    """
    said = {
        "read": "with a usable reply",
        "unread": "ended without a usable reply",
        "open": "not ended yet",
        "removed_since": "removed by people",
    }
    parts = [f"{row[key]:,} {what}" for key, what in said.items() if row[key]]
    asked = f"{human_count(row['planned'], words.task)} {words.asked}"
    return f"{asked} = {' + '.join(parts) or 'none'}"
