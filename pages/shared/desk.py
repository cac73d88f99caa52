"""Who is at the desk: a name in the corner of every screen, remembered by the browser."""

import streamlit as st

from core.errors import SelfboundError
from core.store.store import Store
from core.workflows.people import Person, person_named
from core.workflows.workbench import Workbench
from pages.shared.browser_memory import (
    MAX_NAME,
    forget_name,
    name_here,
    remember_name,
    remembered_name,
)
from pages.shared.text import plain
from pages.shared.widgets import problem


def person_corner() -> None:
    """The name of the person at the desk, and the way to change it; nothing when nobody is."""
    name = remembered_name()
    if name is None:
        return
    with st.container(key="sb-person"), st.popover(plain(name), type="tertiary"):
        st.caption("Your decisions carry this name.")
        st.button("Somebody else is here", on_click=forget_name, key="forget_name")


def person_at_desk(bench: Workbench) -> Person:
    """The person at the desk; asks for a name, and ends the run, when nobody has signed in."""
    name = name_here()
    if name is None:
        _ask_name()
        st.stop()
    try:
        return person_named(bench.store, name)
    except SelfboundError as error:
        forget_name()
        problem(error)
        _ask_name()
        st.stop()


def person_if_any(store: Store) -> Person | None:
    """The person at the desk, where there is one: for screens that anybody may look at."""
    name = name_here()
    try:
        return person_named(store, name) if name else None
    except SelfboundError:
        return None


def _ask_name() -> None:
    with st.form("who", border=True, width=460):
        st.subheader("Who is at the desk?", anchor=False)
        st.write("Every decision is stored with the name of the person who made it.")
        name = st.text_input("Your name", max_chars=MAX_NAME)
        if st.form_submit_button("Begin", type="primary"):
            try:
                remember_name(name)
            except SelfboundError as error:
                problem(error)
            else:
                st.rerun()
