"""All that is known of one task: its text, what models answered, what judges and people said."""

import streamlit as st

from core.protocols.shown import Words
from core.workflows.drilldown import TaskStory
from pages.shared.curation_task import history_line
from pages.shared.quantities import human_duration
from pages.shared.text import plain
from pages.shared.widgets import show_text


def show_story(story: TaskStory, words: Words, *, is_code: bool) -> None:
    """Show the whole story of a task, the newest at the end.

    Args:
        is_code: whether the task and its answers are programs.
    """
    task = story.task
    about = (f"{words.made} {task['intent']}", task["type"], task["reason"])
    st.caption(plain(" · ".join(filter(None, about))))
    show_text(task["text"], key="drilled_task", is_code=is_code)
    if task["references"]:
        st.caption("Reference answers")
        show_text("\n".join(map(str, task["references"])), key="drilled_references", size="small")
    _show_answers(story, is_code=is_code)
    _show_verdicts(story)
    for row in story.history:
        st.caption(plain(history_line(row)))


def _show_answers(story: TaskStory, *, is_code: bool) -> None:
    for number, answer in enumerate(story.answers):
        done = {"skip": "skipped", "undo": "taken back"}.get(answer["action"], "")
        said = [answer["model"], answer["label"] or done]
        if answer["by_model"]:
            said.insert(1, f"program by {answer['by_model']}")
        if answer["reason"] != answer["label"]:
            said.append(answer["reason"])
        if answer["value"] is not None:
            chance = f"{100 * answer['value']:.0f}\N{NO-BREAK SPACE}%"
            said.append(f"{chance} stated as the chance of success")
        if answer["seconds"] is not None:
            said.append(human_duration(answer["seconds"]))
        st.caption(plain(" · ".join(filter(None, said))))
        if answer["answer"]:
            key = f"drilled_answer_{number}"
            show_text(answer["answer"], key=key, size="small", height=160, is_code=is_code)
    for number, call in enumerate(story.unread):
        st.caption(plain(f"{call['model']} · {call['outcome'].replace('_', ' ')}"))
        show_text(call["reply"], key=f"drilled_unread_{number}", size="small", height=120)


def _show_verdicts(story: TaskStory) -> None:
    for number, one in enumerate(story.verdicts):
        who = f"{one['judge']}, prompt v{one['version']}, of the answer by {one['model']}"
        if one["verdict"]:
            st.caption(plain(f"{who}: {one['verdict']}"))
            continue
        st.caption(plain(f"{who}: no valid verdict ({one['outcome'].replace('_', ' ')})"))
        show_text(one["reply"] or "", key=f"drilled_verdict_{number}", size="small", height=120)
