"""Decisions by keyboard: one press decides the one item that was on screen, and no other.

Two gates stand between a press and a decision. In the browser, `watch_keys` lets a press through
only when its item has been on screen for `MIN_SEEN_MS`, once per item, never for a key held down,
typed into a field or pressed under a dialog. On the server, `decidable` refuses an item that is
not the current one or was sent too recently, should the first gate be missing.

Give each button the same letter as `shortcut=`: it draws the key on the button, and still works
should the script not run. Streamlit's own shortcuts alone would fire again while a key is held
and miss a second key pressed before the first is up.

    @st.fragment
    def desk():
        task = next_task()
        show_item(task.id)
        show_text(task.text, key="task", size="large", item_id=task.id)
        st.button("Keep", key="keep", shortcut="K", on_click=decide, args=(task.id, "keep"))
        watch_keys({"k": "keep"}, deciding=["keep"])

    def decide(task_id, action):
        if decidable(task_id):
            record_review(task_id, action)
"""

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import streamlit as st

MIN_SEEN_MS = 250
"""How long an item must have been on screen before it can be decided, in milliseconds."""

_SHOWN, _TURN, _WATCH = "item_on_screen", "key_turn", "watch_keys"
_watch = st.components.v2.component(
    "selfbound_watch_keys", js=Path(__file__).with_name("watch_keys.js").read_text(encoding="utf-8")
)


def watch_keys(
    keys: Mapping[str, str],
    *,
    deciding: Collection[str] = (),
    note: str = "",
    enter: str = "",
    focus: bool = False,
    keep_ms: int = 0,
    on_away: Callable[[str, float | None], None] | None = None,
) -> None:
    """Make keys press the page's buttons; call it once, after the buttons, in their fragment.

    Keys do nothing while the person types (Escape leaves the field), with Ctrl, Alt or Meta, or
    for buttons that are disabled or lie under an open dialog.

    Args:
        keys: the character, lower case (`k`, `1`, `?`), and the key of the button it presses.
        deciding: the keys of the buttons that decide the item on screen, the one shown with
            `show_text(item_id=…)`.
        note: the key of the container that holds the note's field.
        enter: the key of the button that Enter in the note presses.
        focus: whether the note gets the cursor now.
        keep_ms: after how long a pause in typing the note hands its text over, in milliseconds,
            where it is of several lines; 0 for when the person leaves it.
        on_away: is told the item on screen, and None when the page goes out of sight, as behind
            another tab, or the seconds it was so when it comes back.
    """
    turn = st.session_state.get(_TURN, 0) + 1
    st.session_state[_TURN] = turn
    data = {"keys": dict(keys), "deciding": list(deciding), "turn": turn, "min_ms": MIN_SEEN_MS}
    data |= {"note": note, "enter": enter, "focus": focus, "keep_ms": keep_ms}

    def away_changed() -> None:
        away = st.session_state[_WATCH].away
        if on_away is not None and away:
            seconds = away.get("seconds")
            on_away(str(away["item"]), None if seconds is None else float(seconds))

    with st.container(key="sb-unseen-keys"):
        _watch(data=data, key=_WATCH, on_away_change=away_changed)


def show_item(item_id: str) -> None:
    """Note that this item goes to the screen now, unless it is there already."""
    shown = st.session_state.get(_SHOWN)
    if not shown or shown[0] != item_id:
        st.session_state[_SHOWN] = (item_id, time.monotonic())


def decidable(item_id: str) -> bool:
    """True when this item is the one on screen and could have been seen; ask in the callback."""
    shown = st.session_state.get(_SHOWN)
    if not shown or shown[0] != item_id:
        return False
    return (time.monotonic() - shown[1]) * 1000 >= MIN_SEEN_MS
