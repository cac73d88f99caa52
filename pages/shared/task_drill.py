"""From a chart's mark to the tasks behind it: a dialog that the address can open again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import pandas as pd
import streamlit as st

from core.identity import content_id
from core.protocols.shown import Words
from core.store.store import Store
from core.workflows.drilldown import TaskQuery, task_story, tasks_behind
from core.workflows.studies import Study, find_study
from core.workflows.verdicts_shown import note_story_shown
from pages.shared.audit_cell import offer_audit, tell_shown
from pages.shared.desk import person_if_any
from pages.shared.quantities import human_count
from pages.shared.task_story import show_story
from pages.shared.text import plain

ROWS = 50
_KEYS = tuple(one.name for one in fields(TaskQuery))
_MANY = ("models", "outcomes")
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
    query = TaskQuery(**asked | {name: tuple(st.query_params.get_all(name)) for name in _MANY})
    if not query.is_asked:
        return
    words = studies[0].shape.results().words
    dialog = st.dialog(f"The {words.task}s behind it", width="large", on_dismiss=_clear)
    dialog(_show_tasks)(store, studies, query, words)


def query_words(query: TaskQuery, words: Words) -> str:
    """A query as people say it.

    Example:
        >>> words = Words(made="made as", labelled="classified as")
        >>> query_words(TaskQuery(intent="infeasible", type="T", label="feasible"), words)
        'made as infeasible · T · classified as feasible'
    """
    said = [f"{words.made} {query.intent}" if query.intent else "", query.type, query.reason]
    said.append(query.group)
    said.append(f"{words.labelled} {query.label}" if query.label else "")
    said += [query.label_type, query.label_reason]
    said.append(f"{words.labelled} {' or '.join(query.outcomes)}" if query.outcomes else "")
    said.append(f"verdict {query.verdict}" if query.verdict else "")
    if query.least and query.most:
        least, most = (
            f"{100 * float(end):.0f}\N{NO-BREAK SPACE}%" for end in (query.least, query.most)
        )
        said.append(f"chance stated from {least} to {most}")
    said.append(f"by {' or '.join(query.models)}" if query.models else "")
    said.append(f"{words.invented} {query.subject}" if query.subject else "")
    said.append(f"in {query.of_study}" if query.of_study else "")
    said.append(f"judged by {query.judge}" if query.judge else "")
    said.append(query.stage.replace("_", " ").replace(":", ": "))
    return " · ".join(part for part in said if part)


def _clear() -> None:
    for name in _KEYS:
        st.query_params.pop(name, None)


def _show_tasks(store: Store, studies: Sequence[Study], query: TaskQuery, words: Words) -> None:
    first = st.session_state.get(_FIRST, 0)
    rows, n_matching = tasks_behind(store, studies, query, first=first, n=ROWS)
    st.markdown(plain(query_words(query, words)))
    if not rows:
        st.info(plain(f"There are no such {words.task}s."))
        return
    last = first + len(rows)
    st.caption(f"{human_count(n_matching, words.task)}; rows {first + 1:,} to {last:,}")
    offer_audit(store, studies, query, rows)
    tell_shown(store, rows)
    shown = st.dataframe(
        _frame(rows, words, has_sides=any(study.shape.cells for study in studies)),
        hide_index=True,
        height=min(300, 35 * (len(rows) + 1) + 3),
        on_select="rerun",
        selection_mode="single-row",
        # A selection belongs to these very tasks.
        key=f"drilled_{content_id(*(row['item_id'] or row['task_id'] for row in rows))}",
        column_config={words.task: st.column_config.TextColumn(width=380)},
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
        st.caption(
            plain(f"Choose a row to read the {words.task}, every answer to it, and its history.")
        )
        return
    row = rows[shown.selection.rows[0]]
    study = find_study(store, row["study"])
    if study is not None:
        story = task_story(store, study, row["task_id"])
        if story.verdicts and (person := person_if_any(store)):
            note_story_shown(store, study, person, row["task_id"])
        show_story(story, words, is_code=study.shape.brought.is_code)


def _turn(to: int) -> None:
    st.session_state[_FIRST] = to


def _frame(rows: Sequence[Mapping[str, Any]], words: Words, *, has_sides: bool) -> pd.DataFrame:
    """The tasks, without columns that say the same of each.

    Args:
        has_sides: whether the tasks were made for different sides, whichever are shown.
    """
    frame = pd.DataFrame(
        [
            {
                words.task: row["text"],
                "study": row["study"],
                "by": row["model"],
                words.made: row["reason"] or row["intent"],
                words.labelled: row["label_reason"] or row["label"],
                **({"answer": row["answer"]} if "answer" in row else {}),
                **({"chance stated": row["chance"]} if "chance" in row else {}),
                "curation": row["state"],
            }
            for row in rows
        ]
    )
    may_go = ["study", "by", words.labelled] + ([] if has_sides else [words.made])
    repeated = [name for name in may_go if frame[name].nunique() < 2]
    return frame.drop(columns=repeated)
