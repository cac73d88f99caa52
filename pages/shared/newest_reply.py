"""One of the newest replies of a step: how it ended, what was read from it, what it is about."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.records import Outcome
from core.settings import SANDBOX_PREFIX
from pages.shared.quantities import human_duration
from pages.shared.text import plain
from pages.shared.widgets import show_text

LONG = 400
"""Characters from which a text gets a low box to scroll in."""


def show_reply(row: Mapping[str, Any], *, about: Sequence[str], is_code: bool) -> None:
    """Show a row of the store's `newest_replies`.

    Args:
        about: what of the task is told, of `intent`, `type` and `task_reason`.
        is_code: whether tasks and answers are programs.
    """
    with st.container(border=True, gap="xsmall"):
        st.caption(plain(" · ".join(reply_words(row, about))))
        text = row["task_text"] or row["text"] or row["error"]
        is_task = bool(row["task_text"])
        _text(text, key=f"reply_{row['call_id']}", is_code=is_code and is_task)
        if is_task and row["outcome"] != Outcome.OK and (said := row["text"] or row["error"]):
            st.caption("Reply" if row["text"] else "Failure")
            _text(said, key=f"said_{row['call_id']}", is_code=False)
        if answer := row["judged_answer"] or row["answer"]:
            st.caption(_answer_title(row, is_code=is_code))
            _text(answer, key=f"answer_{row['call_id']}", is_code=is_code)


def reply_words(row: Mapping[str, Any], about: Sequence[str]) -> list[str]:
    """How a call ended, which task it is about, what was read from its reply, and who replied.

    Example:
        >>> row = dict(outcome="ok", latency_s=0.4, type="T", label="passed", reason="passed")
        >>> row |= dict(value=None, model_asked="sandbox/local", model_answered="local: as nobody")
        >>> reply_words(row | {"honoured_json": "{}"}, ("type",))
        ['ok', '0.4 s', 'T → passed', 'in the sandbox local']
    """
    told = [row["outcome"].replace("_", " "), human_duration(row["latency_s"])]
    told += [str(row[name]) for name in about if row[name]]
    if row["label"]:
        told[-1] += f" → {row['label']}" + (
            f", {row['reason']}" if row["reason"] not in (None, "", row["label"]) else ""
        )
    if row["value"] is not None:
        told.append(f"{100 * row['value']:.0f}\N{NO-BREAK SPACE}% stated")
    if row["model_asked"].startswith(SANDBOX_PREFIX):
        # What the sandbox was made of is told where it is chosen, and kept with every run.
        told.append(f"in the sandbox {row['model_asked'].removeprefix(SANDBOX_PREFIX)}")
    elif row["model_answered"]:
        told.append(f"answered by {row['model_answered']}")
    if dropped := json.loads(row["honoured_json"]).get("dropped"):
        told.append(f"not sent, as the model does not take it: {', '.join(dropped)}")
    return told


def _answer_title(row: Mapping[str, Any], *, is_code: bool) -> str:
    if is_code:
        return "Program"
    return "The answer it is about" if row["judged_answer"] else "Answer"


def _text(text: str, *, key: str, is_code: bool) -> None:
    height = 90 if len(text) > LONG else None
    show_text(text, key=key, size="small", height=height, is_code=is_code)
