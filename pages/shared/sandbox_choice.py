"""Where programs run that models and people wrote: in a container, or on this machine."""

import streamlit as st

from core.errors import SelfboundError
from core.sandbox.choose import DOCKER, LOCAL, choose_sandbox, docker_problem
from core.sandbox.local import protections
from core.settings import SANDBOX_PREFIX
from pages.shared.text import plain
from pages.shared.widgets import problem

_NAMES = {DOCKER: "In a container, with Docker", LOCAL: "On this machine, locked down"}


def choose_sandbox_on_screen() -> str | None:
    """The sandbox chosen, as it stands in a model's place; None while none is.

    Nothing is chosen until somebody does: on this machine a program runs only when asked for.
    """
    kind = st.radio(
        "Where programs run",
        list(_NAMES),
        index=None,
        format_func=_NAMES.get,
        captions=[
            "Apart from this machine.",
            "A model or somebody at the desk wrote what will run here. It gets no keys, and as "
            "little else as this machine can keep from it.",
        ],
        key="sandbox",
    )
    if kind is None:
        if why := _why_no_docker():
            st.caption(plain(f"Docker cannot be used now: {why}."))
        return None
    try:
        choose_sandbox(kind)
    except SelfboundError as error:
        problem(error)
        return None
    if kind == LOCAL:
        st.caption(plain(f"In force here: {str(protections()).removeprefix('local: ')}."))
    return SANDBOX_PREFIX + kind


@st.cache_data(ttl=60, show_spinner=False)
def _why_no_docker() -> str:
    return docker_problem()
