"""A person's own chance of solving a task, written in percent: the field and its keys."""

import streamlit as st

from core.errors import InputError

DIGITS = "0123456789"
CHANCE_KEYS = dict.fromkeys(DIGITS, "note") | {"s": "skip", "u": "undo", "?": "help"}
"""Each key of the desk and the button or field it is for; a digit begins to write the chance."""


def chance_written(text: str) -> float:
    """The chance in [0, 1] that a person wrote as a whole number of percent.

    Raises:
        InputError: it is no whole number from 0 to 100.

    Example:
        >>> chance_written("70"), chance_written(" 5 % ")
        (0.7, 0.05)
    """
    number = text.strip().removesuffix("%").strip()
    if not (number.isascii() and number.isdecimal() and int(number) <= 100):
        found = f"{text.strip()!r} is no chance" if text.strip() else "no chance is written"
        raise InputError(found, hint="write a whole number from 0 to 100; the field is empty again")
    return int(number) / 100


@st.dialog("Keys", width="medium")
def show_chance_keys() -> None:
    """What each key does."""
    lines = [
        "`0` to `9` write your chance in percent, a whole number from 0 to 100",
        "`Enter` stores it, `Esc` leaves the field",
        "`S` skip for now; the task comes again at the end",
        "`U` undo, as often as you like",
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))
    st.caption(
        "0 is surely not, 50 as likely as not, 100 surely. Letters do nothing while you type."
    )
