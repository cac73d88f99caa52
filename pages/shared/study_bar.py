"""The head of every screen, and the button that leads on to the next one."""

import streamlit as st

from core.protocols.base import Protocol, Step
from pages.shared.text import plain


def screen_title(title: str, purpose: str) -> None:
    """The screen's title with one sentence on what is done here."""
    st.title(plain(title), anchor=False)
    st.caption(plain(purpose))


def step_after_curation(shape: Protocol) -> Step | None:
    """The first step that works on what people have left of the tasks.

    None where they look at rewrites, which they do once these are verified.
    """
    if shape.rewrites_tasks:
        return None
    return next(step for step in shape.steps if not (step.makes_tasks or step.is_optional))


def to_next_screen(label: str, screen: str, *, is_main: bool = True) -> None:
    """A button that leads to another screen of the same study."""
    kind = "primary" if is_main else "secondary"
    if st.button(plain(label), type=kind, key=f"to_{screen}"):
        st.switch_page(f"pages/{screen}.py")
