"""A verdict on the audit screen: what it is about, and afterwards what the judge said."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.workflows.audit_desk import AuditItem, Reveal
from core.workflows.audits import UNSURE
from core.workflows.studies import Study
from pages.shared.curation_task import reason_words
from pages.shared.text import plain
from pages.shared.widgets import show_text

TITLES = {"references": "Answers that count as right", "answer": "The answer"}
KEYS = {
    "y": "vote_yes",
    "n": "vote_no",
    "x": "vote_unsure",
    "u": "undo",
    "t": "note",
    "?": "help",
}
DECIDING = ("vote_yes", "vote_no", "vote_unsure")
WORDS = {"yes": "Yes", "no": "No"}


def show_material(item: AuditItem, study: Study) -> None:
    """What the judge saw; what was judged comes last and large."""
    titles = TITLES | {"task": plain(f"The {study.shape.results().words.task}")}
    *before, judged = item.shows
    for name in before:
        st.caption(titles[name])
        show_text(item.shows[name], key=f"audit_{name}")
    if before:
        st.caption(f"**{titles[judged]}**")
    show_text(item.shows[judged], key="audit_judged", size="large", item_id=item.item_id)


def show_reveal(told: Reveal, judged: str, history: Sequence[Mapping[str, Any]]) -> None:
    """What the judge said of the verdict that was just voted on.

    Args:
        judged: the text it was about. history: what people did with it.
    """
    with st.container(border=True, gap="small", key="reveal"):
        st.markdown(f"**{plain(reveal_words(told))}**")
        show_text(judged, key="reveal_judged", size="small", height=120)
        if told.reason:
            st.caption(plain(f"The judge's reason: {reason_words(told.reason)}"))
        if told.words and told.words.strip(" .").casefold() != told.verdict:
            st.caption("In its own words")
            show_text(told.words, key="reveal_words", size="small", height=160)
        if told.note:
            st.caption(plain(f"Your note: {told.note}"))
        if len(history) > 1:
            with st.expander("All votes on it"):
                for row in history:
                    st.caption(plain(vote_words(row)))


def reveal_words(told: Reveal) -> str:
    """Both verdicts in a sentence.

    Example:
        >>> reveal_words(Reveal("i", "no", "yes", None, "", ""))
        'The judge said No; you said Yes.'
        >>> reveal_words(Reveal("i", "yes", "unsure", None, "", ""))
        'The judge said Yes; you were unsure.'
    """
    own = "were unsure" if told.vote == UNSURE else f"said {WORDS[told.vote]}"
    return f"The judge said {WORDS[told.verdict]}; you {own}."


def vote_words(row: Mapping[str, Any]) -> str:
    """One thing a person did with a verdict, in words."""
    done = {"undo": "took it back", "unsure": "unsure"}.get(row["action"], row["action"])
    parts = [f"{row['person']}: {done}"]
    if row["is_final"]:
        parts.append("finally")
    if row["action"] != "undo" and not row["is_blind"]:
        parts.append("not blind")
    parts.append(f"{row['voted_at']:%Y-%m-%d %H:%M} UTC")
    if row["note"]:
        parts.append(row["note"])
    return " · ".join(parts)


@st.dialog("Keys", width="small")
def show_keys(question: str) -> None:
    """What each key does."""
    st.markdown(plain(question))
    lines = [
        "`Y` yes",
        "`N` no",
        "`X` unsure",
        "`U` undo, as often as you like",
        "`T` write a note; `Esc` leaves it",
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))
    st.caption("Keys do nothing while you type, and never decide what you have not seen.")
