"""From a chart's mark to the tasks behind it: a dialog that the address can open again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import pandas as pd
import streamlit as st

from core.identity import content_id
from core.store.store import Store
from core.workflows.drilldown import TaskQuery, TaskStory, task_story, tasks_behind
from core.workflows.studies import Study, find_study
from pages.shared.curation_task import history_line
from pages.shared.quantities import human_count, human_duration
from pages.shared.text import plain
from pages.shared.widgets import show_text

ROWS = 50
_KEYS = tuple(one.name for one in fields(TaskQuery))
_MANY = "models"
_PICKED, _FIRST = "picked_mark", "drill_first"


def pick_chart(
    chart: Any,
    *,
    key: str,
    query_of: Callable[[Mapping[str, Any]], TaskQuery] | None,
) -> None:
    """Show a chart; a click on a mark asks for the tasks behind it.

    Args:
        key: names the chart on its page.
        query_of: from the mark's names to the tasks meant; None for a chart without a way in.
    """
    # A chart that says in words why nothing is drawn has no marks to click.
    if query_of is None or not chart.to_dict().get("params"):
        # The chart brings its alt text along, as its description.
        st.altair_chart(chart, width="stretch", key=f"chart_{key}")
        return
    shown = st.altair_chart(chart, width="stretch", key=f"chart_{key}", on_select="rerun")
    marks = shown.selection.get("pick") or []
    picked = (key, tuple(sorted(marks[0].items()))) if marks else None
    if picked != st.session_state.get(f"{_PICKED}_{key}"):
        st.session_state[f"{_PICKED}_{key}"] = picked
        if picked is not None:
            open_tasks(query_of(marks[0]))


def open_tasks(query: TaskQuery) -> None:
    """Put the query into the address and run the page, which then opens the dialog."""
    for name, wanted in asdict(query).items():
        if wanted:
            st.query_params[name] = list(wanted) if isinstance(wanted, tuple) else wanted
        else:
            st.query_params.pop(name, None)
    st.session_state[_FIRST] = 0
    st.rerun(scope="app")


def tasks_dialog(store: Store, studies: Sequence[Study]) -> None:
    """Open the dialog when the address asks for tasks; call it once, at the end of the page."""
    asked = {name: st.query_params.get(name, "") for name in _KEYS}
    query = TaskQuery(**asked | {_MANY: tuple(st.query_params.get_all(_MANY))})
    if query.is_asked:
        _dialog(store, studies, query)


def query_words(query: TaskQuery) -> str:
    """A query as people say it.

    Example:
        >>> query_words(TaskQuery(intent="infeasible", type="T", label="feasible"))
        'made as infeasible · T · classified as feasible'
    """
    said = [f"made as {query.intent}" if query.intent else "", query.type, query.reason]
    said.append(f"classified as {query.label}" if query.label else "")
    said += [query.label_type, query.label_reason]
    said.append(f"by {' or '.join(query.models)}" if query.models else "")
    said.append(f"invented by {query.subject}" if query.subject else "")
    said.append(f"in {query.of_study}" if query.of_study else "")
    said.append(query.stage.replace("_", " ").replace(":", ": "))
    return " · ".join(part for part in said if part)


def _clear() -> None:
    for name in _KEYS:
        st.query_params.pop(name, None)


@st.dialog("The tasks behind it", width="large", on_dismiss=_clear)
def _dialog(store: Store, studies: Sequence[Study], query: TaskQuery) -> None:
    first = st.session_state.get(_FIRST, 0)
    rows, n_matching = tasks_behind(store, studies, query, first=first, n=ROWS)
    st.markdown(plain(query_words(query)))
    if not rows:
        st.info("There are no such tasks.")
        return
    last = first + len(rows)
    st.caption(f"{human_count(n_matching, 'task')}; rows {first + 1:,} to {last:,}")
    shown = st.dataframe(
        _frame(rows),
        hide_index=True,
        height=min(300, 35 * (len(rows) + 1) + 3),
        on_select="rerun",
        selection_mode="single-row",
        # A selection belongs to these very tasks.
        key=f"drilled_{content_id(*(row['task_id'] for row in rows))}",
        column_config={"task": st.column_config.TextColumn(width=380)},
    )
    if n_matching > ROWS:
        with st.container(horizontal=True):
            for label, to, is_off in (
                ("Before", max(0, first - ROWS), first == 0),
                ("Next", last, last >= n_matching),
            ):
                key = f"drill_{label}"
                st.button(label, disabled=is_off, key=key, on_click=_turn, args=(to,))
    if not shown.selection.rows:
        st.caption("Choose a row to read the task, every answer to it, and its history.")
        return
    row = rows[shown.selection.rows[0]]
    study = find_study(store, row["study"])
    if study is not None:
        _story(task_story(store, study, row["task_id"]))


def _turn(to: int) -> None:
    st.session_state[_FIRST] = to


def _frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    frame = pd.DataFrame(
        [
            {
                "task": row["text"],
                "study": row["study"],
                "by": row["model"],
                "made as": row["reason"] or row["intent"],
                "classified as": row["label_reason"] or row["label"],
                "curation": row["state"],
            }
            for row in rows
        ]
    )
    repeated = [name for name in ("study", "by", "classified as") if frame[name].nunique() < 2]
    return frame.drop(columns=repeated)


def _story(story: TaskStory) -> None:
    task = story.task
    about = (f"made as {task['intent']}", task["type"], task["reason"])
    st.caption(plain(" · ".join(filter(None, about))))
    show_text(task["text"], key="drilled_task")
    for number, answer in enumerate(story.answers):
        done = {"skip": "skipped", "undo": "taken back"}.get(answer["action"], "")
        said = [answer["model"], answer["label"] or done, answer["reason"]]
        if answer["seconds"] is not None:
            said.append(human_duration(answer["seconds"]))
        st.caption(plain(" · ".join(filter(None, said))))
        if answer["answer"]:
            show_text(answer["answer"], key=f"drilled_answer_{number}", size="small", height=160)
    for number, call in enumerate(story.unread):
        st.caption(plain(f"{call['model']} · {call['outcome'].replace('_', ' ')}"))
        show_text(call["reply"], key=f"drilled_unread_{number}", size="small", height=120)
    for row in story.history:
        st.caption(plain(history_line(row)))
