"""What stands around a task: how it was meant, what the checks found, what was done with it."""

from collections.abc import Sequence

import streamlit as st

from core.curation.flags import Flag
from core.curation.reasons import REMOVAL_REASONS
from core.workflows.desk_view import DeskTask
from pages.shared.quantities import human_duration
from pages.shared.text import exact_html, plain
from pages.shared.widgets import show_text


def show_meaning(task: DeskTask, *, n_tasks: int) -> None:
    """One line: the task's place and type, and how it was meant once that may be shown."""
    about = [f"Task {task.number:,} of {n_tasks:,}", task.type or "no type"]
    if task.is_revealed and task.intent:
        about.append(f"meant as {task.intent}" + (f": {task.reason}" if task.reason else ""))
    if task.own:
        about.append(f"you have {task.own} it")
    if task.is_revealed and task.state and task.state != task.own:
        about.append(f"it is {task.state}")
    st.caption(plain(" · ".join(about)))


def show_flags(flags: Sequence[Flag]) -> None:
    """What the checks found, one line each; the words meant are highlighted in the text."""
    if flags:
        items = "".join(f"<li>{exact_html(flag.why)}</li>" for flag in flags)
        st.html(f'<ul class="sb-flags">{items}</ul>')


def show_references(task: DeskTask) -> None:
    """The answers that count as right, once they may be shown; nothing where there are none."""
    if task.references:
        st.caption("Reference answer" if len(task.references) == 1 else "Reference answers")
        show_text("\n".join(task.references), key="references", size="small")


def show_history(task: DeskTask) -> None:
    """Who did what with the task and when, and what the judges said of it."""
    for verdict in task.verdicts:
        what = reason_words(verdict.reason) if verdict.reason else verdict.label
        said = f"The judge {verdict.judge} says: {what}"
        st.caption(plain(said + (f". {verdict.why}" if verdict.why else "")))
    if not task.history:
        return
    with st.expander(f"History of this task ({len(task.history)})"):
        for row in task.history:
            st.caption(plain(history_line(row)))


def history_line(row: dict) -> str:
    """One thing that was done with a task, in words."""
    action = "decides finally: " + row["action"] if row["is_final"] else row["action"]
    parts = [f"{row['decided_at']:%d %b %H:%M:%S}", str(row["person"]), action]
    if row["reason"]:
        parts.append(reason_words(row["reason"]))
    if "before" in row and row["before"] != row["after"]:
        parts.append(f"{row['before']} → {row['after']}")
    if row["seconds_active"] is not None:
        parts.append(human_duration(row["seconds_active"]))
    if row["note"]:
        parts.append(row["note"])
    return " · ".join(parts)


def reason_words(code: str) -> str:
    """The label of a removal reason.

    Example:
        >>> reason_words("duplicate")
        'Duplicate'
    """
    return REMOVAL_REASONS[code].label if code in REMOVAL_REASONS else code
