"""The name of the person at the desk, remembered by their browser.

It is kept in a cookie, because that is with the server before the first page is drawn: a reload
or a new tab greets the person at once, and no sign-in form flashes up. A browser that keeps no
cookies remembers the name until the tab is reloaded. The name says who decided; it is no proof.
"""

from pathlib import Path
from urllib.parse import quote, unquote

import streamlit as st

from core.errors import InputError

MAX_NAME = 80
"""Characters a name can have."""

_COOKIE = "selfbound_person"
_HERE, _WRITE = "person_name", "person_name_to_browser"
_keep_name = st.components.v2.component(
    "selfbound_keep_name", js=Path(__file__).with_name("keep_name.js").read_text(encoding="utf-8")
)


def remembered_name() -> str | None:
    """The name this browser knows, or None when nobody has signed in.

    Call it in every run, in app.py: it also hands a new name over to the browser.
    """
    state = st.session_state
    if _HERE not in state:
        state[_HERE] = _name_in(st.context.cookies.get(_COOKIE, ""))
    if _WRITE in state:
        with st.container(key="sb-unseen-name"):
            _keep_name(data={"cookie": _COOKIE, "value": state[_WRITE]}, key="keep_name")
    return state[_HERE]


def name_here() -> str | None:
    """The name of the person at the desk in this run, once `remembered_name` has been called."""
    return st.session_state.get(_HERE)


def remember_name(name: str) -> None:
    """Sign the person in and let the browser remember them.

    Args:
        name: 1 to `MAX_NAME` characters after trimming.

    Raises:
        InputError: the name is blank or too long.
    """
    name = name.strip()
    if not name:
        raise InputError(
            "no name is given", hint="give the one that should stand beside your decisions"
        )
    if len(name) > MAX_NAME:
        raise InputError(
            f"the name has {len(name)} characters", hint=f"use at most {MAX_NAME} characters"
        )
    st.session_state[_HERE] = name
    st.session_state[_WRITE] = quote(name, safe="")


def forget_name() -> None:
    """Sign the person out, here and in the browser."""
    st.session_state[_HERE] = None
    st.session_state[_WRITE] = ""


def _name_in(cookie: str) -> str | None:
    name = unquote(cookie, errors="replace").strip()
    return name if 0 < len(name) <= MAX_NAME else None
