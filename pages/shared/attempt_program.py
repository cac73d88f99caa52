"""A person's own program of a task: the field it is written in, its buttons and its keys."""

from collections.abc import Callable

import streamlit as st

from core.workflows.human_programs import LONGEST_PROGRAM
from pages.shared.keys import watch_keys

PROGRAM_KEYS = {"n": "program", "s": "skip", "u": "undo", "?": "help"}
"""Each key of the desk and the button or field it is for."""
KEEP_MS = 800
"""A program is kept at every pause in typing, so a reload takes at most a line."""


def program_bar(
    *,
    text_key: str,
    keep: Callable[[], None],
    hand_in: Callable[[], None],
    give_up: Callable[[], None],
    skip: Callable[[], None],
    undo: Callable[[], None],
    on_away: Callable[[str, float | None], None],
) -> None:
    """The field for the program on screen, and what can be done with it.

    Args:
        text_key: the field's own, so that no program lands on another task.
        keep: is called at a pause after the text was changed.
        hand_in, give_up, skip, undo: what the buttons do.
        on_away: as in `watch_keys`.
    """
    with st.container(key="program"):
        st.text_area(
            "Your program",
            key=text_key,
            on_change=keep,
            height=220,
            max_chars=LONGEST_PROGRAM,
            placeholder="The whole function in Python with what it imports, or only its body",
        )
    with st.container(key="desk_bar", gap="small"), st.container(horizontal=True):
        st.button("Hand it in", key="hand_in", type="primary", on_click=hand_in)
        st.button("Give up", key="give_up", on_click=give_up, help="Counts as not solved.")
        st.button("Skip", key="skip", shortcut="S", on_click=skip)
        st.button("Undo", key="undo", shortcut="U", on_click=undo)
        if st.button("Keys  ?", key="help", type="tertiary"):
            _show_keys()
    watch_keys(
        PROGRAM_KEYS,
        deciding=["hand_in", "give_up", "skip"],
        note="program",
        keep_ms=KEEP_MS,
        on_away=on_away,
    )


@st.dialog("Keys", width="medium")
def _show_keys() -> None:
    lines = [
        "`N` write the program, `Esc` leaves the field",
        "`S` skip for now; the task comes again at the end",
        "`U` undo, as often as you like, until your programs are run",
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))
    st.caption("Letters do nothing while you type. There is no key to hand in or to give up.")
