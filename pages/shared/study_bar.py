"""The head of every screen, and the button that leads on to the next one."""

import streamlit as st

from pages.shared.text import plain


def screen_title(title: str, purpose: str) -> None:
    """The screen's title with one sentence on what is done here."""
    st.title(plain(title), anchor=False)
    st.caption(plain(purpose))


def to_next_screen(label: str, screen: str, *, is_main: bool = True) -> None:
    """A button that leads to another screen of the same study."""
    kind = "primary" if is_main else "secondary"
    if st.button(plain(label), type=kind, key=f"to_{screen}"):
        st.switch_page(f"pages/{screen}.py")
