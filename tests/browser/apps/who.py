"""Signing in and out, as app.py does it; notes whether the form was ever drawn."""

import streamlit as st

from pages.shared.browser_memory import forget_name, remember_name, remembered_name
from pages.shared.widgets import show_text


def sign_in() -> None:
    remember_name(st.session_state.typed)


def main() -> None:
    name = remembered_name()
    if name is None:
        st.text_input("Your name", key="typed")
        st.button("Sign in", on_click=sign_in)
        st.stop()
    show_text(name, key="name")
    st.button("Sign out", on_click=forget_name)
    st.button("Again")


if __name__ == "__main__":
    main()
