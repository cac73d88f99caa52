"""A queue of tasks decided by key, as the curate screen does it, and a second page without keys."""

import json
import time

import streamlit as st

from pages.shared import widgets
from pages.shared.keys import decidable, show_item, watch_keys


def decide(task_id: str, action: str) -> None:
    time.sleep(float(st.query_params.get("answer_s", "0")))
    if not decidable(task_id) or st.query_params.get("refuse"):
        return
    st.session_state.decided.append([task_id, action])


def undo() -> None:
    st.session_state.decided.pop()


@st.dialog("Keys")
def show_keys() -> None:
    st.text("k keep, x remove, u undo")


@st.fragment
def desk() -> None:
    task_id = f"t{len(st.session_state.decided)}"
    show_item(task_id)
    widgets.show_text(f"Task {task_id}", key="task", size="large", item_id=task_id)
    st.button("Keep", key="keep", shortcut="K", on_click=decide, args=(task_id, "keep"))
    st.button("Remove", key="remove", shortcut="X", on_click=decide, args=(task_id, "remove"))
    st.button("Undo", key="undo", shortcut="U", on_click=undo)
    if st.button("Keys ?", key="help"):
        show_keys()
    st.text_area("Note", key="note")
    st.radio("Choice", ["one", "two"], key="choice")
    show_decided()
    keys = {"k": "keep", "x": "remove", "u": "undo", "?": "help"}
    watch_keys(keys, deciding=["keep", "remove"])


def show_decided() -> None:
    with st.container(key="decided"):
        st.text(json.dumps(st.session_state.decided))


def other() -> None:
    st.title("Other")
    show_decided()


def main() -> None:
    st.session_state.setdefault("decided", [])
    widgets.use_look()
    st.navigation(
        [st.Page(desk, default=True), st.Page(other, url_path="other")], position="top"
    ).run()


if __name__ == "__main__":
    main()
