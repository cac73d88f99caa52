"""All tasks in a table: found by filters, sorted, opened one by one or decided many at a time."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.curation.flags import REMOVAL_REASON_OF_FLAG
from core.curation.reasons import REMOVAL_REASONS
from core.errors import SelfboundError
from core.identity import content_id
from core.workflows.curation import LONGEST_NOTE
from core.workflows.desk import Desk
from core.workflows.desk_rules import owner_of
from core.workflows.desk_table import (
    SHOWN_STATES,
    SORTS,
    TablePage,
    TaskFilter,
    apply_bulk,
    matching_ids,
    plan_bulk,
    table_page,
)
from core.workflows.gold import mark_gold, unmark_gold
from core.workflows.people import Person
from core.workflows.workbench import Workbench
from pages.shared.curation_downloads import offer_downloads
from pages.shared.curation_task import reason_words
from pages.shared.curation_undo import undo_step
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import problem

ROWS = 100
ROW_HEIGHT, TABLE_HEIGHT = 35, 420
WIDTHS = {"task": 312, "type": 173, "side": 100, "reason": 150, "state": 120} | {
    "removed as": 120,
    "flags": 120,
    "decided by": 95,
}
_SAID, _PAGE = "table_said", "table_page"
FLAG_WORDS = {code: code.replace("_", " ").capitalize() for code in REMOVAL_REASON_OF_FLAG}
ACTIONS = {
    "keep": "Keep",
    "remove": "Remove",
    "skip": "Skip",
    "gold_keep": "Mark as gold: to be kept",
    "gold_remove": "Mark as gold: to be removed",
    "gold_none": "Gold no longer",
}


def show_table_view(bench: Workbench, desk: Desk, person: Person) -> None:
    """The filters, the rows that match, and what can be done with them."""
    st.fragment(_table)(desk, person)


def _table(desk: Desk, person: Person) -> None:
    wanted, sort = _filters(desk)
    # Another question begins at its first row.
    asked = (wanted, sort)
    if st.session_state.get(_PAGE, (None, 0))[0] != asked:
        st.session_state[_PAGE] = (asked, 0)
    first = st.session_state[_PAGE][1]
    page = table_page(desk, person, wanted, sort=sort, first=first, n=ROWS)
    if page.n_matching and not page.rows:
        # The page has emptied, as what matched it was decided.
        first = (page.n_matching - 1) // ROWS * ROWS
        st.session_state[_PAGE] = (asked, first)
        page = table_page(desk, person, wanted, sort=sort, first=first, n=ROWS)
    if said := st.session_state.pop(_SAID, None):
        if isinstance(said, SelfboundError):
            problem(said)
        else:
            st.success(plain(said))
    if not page.n_matching:
        st.info("No task matches these filters.")
        return
    selected = _rows(desk, page, first)
    _actions(desk, person, wanted, page, selected)
    _pager(page, first, asked)
    offer_downloads(desk, person)


def _filters(desk: Desk) -> tuple[TaskFilter, str]:
    names = desk.names()
    people = {record: names.get(record, record) for record in desk.board().people}
    types, sides = _types_and_sides(desk)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Text holds", key="find", live="400ms", type="search", bind="query-params", width=210
        )
        kind = _choice("Type", types, key="type", width=190)
        side = _choice("Side", sides, key="side", width=115) if len(sides) > 1 else ""
        state = _choice("State", SHOWN_STATES, key="state", width=130)
        flags = {"any": "any flag"} | FLAG_WORDS
        flag = _choice("Flag", flags, key="flag", width=165, words=flags)
        by = _choice("Decided by", people, key="by", width=130, words=people)
        sort = st.selectbox("Order", SORTS, key="order", width=150, bind="query-params")
    if desk.rules.is_blind:
        st.caption(
            "Sides, reasons and other people's decisions appear once you have decided a task, "
            "and filters find them only there."
        )
    return TaskFilter(kind, side, state, flag, by, words.strip()), sort


def _types_and_sides(desk: Desk) -> tuple[list[str], list[str]]:
    # A protocol without cells of its own has those of its tasks.
    cells = desk.study.shape.cells or tuple(desk.board().counts)
    types, sides = zip(*cells, strict=True) if cells else ((), ())
    return list(dict.fromkeys(filter(None, types))), list(dict.fromkeys(filter(None, sides)))


def _choice(
    label: str,
    options: Sequence[str] | Mapping[str, str],
    *,
    key: str,
    width: int,
    words: Mapping[str, str] | None = None,
) -> str:
    found = st.selectbox(
        label,
        ["", *options],
        key=key,
        width=width,
        format_func=lambda one: (words or {}).get(one, one) if one else "any",
        bind="query-params",
    )
    return found or ""


def _rows(desk: Desk, page: TablePage, first: int) -> list[str]:
    """Show the rows; the ids of those that are selected. What no task of the study has, such as a
    side where tests decide about all, has no column."""
    frame = pd.DataFrame(
        [
            {
                "task": row["text"],
                "type": row["type"],
                "side": row["intent"],
                "reason": row["reason"],
                "state": row["state"],
                "removed as": reason_words(row["removal_reason"] or ""),
                "flags": ", ".join(FLAG_WORDS.get(c, c) for c in row["codes"].split(",") if c),
                "decided by": row["decider_names"],
            }
            for row in page.rows
        ]
    ).astype("string")
    types, sides = _types_and_sides(desk)
    says = {"type": bool(types), "side": len(sides) > 1, "reason": bool(desk.study.shape.cells)}
    blank = [name for name, does in says.items() if not does and frame[name].nunique() < 2]
    frame = frame.drop(columns=blank)
    last = first + len(page.rows)
    st.caption(f"{human_count(page.n_matching, 'task')}; rows {first + 1:,} to {last:,}")
    shown = st.dataframe(
        frame.fillna(""),
        hide_index=True,
        height=min(TABLE_HEIGHT, ROW_HEIGHT * (len(page.rows) + 1) + 3),
        # A selection belongs to these very tasks in this very order.
        key=f"rows_{content_id(*(row['task_id'] for row in page.rows))}",
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            name: st.column_config.TextColumn(width=width) for name, width in WIDTHS.items()
        },
        lazy=False,
    )
    return [page.rows[at]["task_id"] for at in shown.selection.rows if at < len(page.rows)]


def _actions(
    desk: Desk, person: Person, wanted: TaskFilter, page: TablePage, selected: Sequence[str]
) -> None:
    of_what = (
        f"the {human_count(len(selected), 'selected task')}"
        if selected
        else f"all {human_count(page.n_matching, 'task')} that match"
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        owner = owner_of(desk.store, desk.study)
        is_owner = owner is None or owner == person
        action = st.selectbox(
            "Do with " + of_what,
            [one for one in ACTIONS if is_owner or not one.startswith("gold")],
            format_func=ACTIONS.get,
            width=280,
            key="bulk_action",
        )
        reason = None
        if action in ("remove", "gold_remove"):
            reason = st.selectbox(
                "Because it is", REMOVAL_REASONS, format_func=reason_words, width=260
            )
        note = ""
        if reason == "other":
            note = st.text_input("Note", key="bulk_note", max_chars=LONGEST_NOTE, width=260)
        if st.button("Go on …", key="bulk_go"):
            # What the dialog names is what it changes, whatever comes to match meanwhile.
            task_ids = list(selected) or matching_ids(desk, person, wanted)
            _confirm(desk, person, task_ids, action, reason, note)
        if len(selected) == 1 and st.button(
            "Open on the desk", key="open_task", on_click=_open, args=(selected[0],)
        ):
            st.rerun()
        st.button("Undo", key="undo", on_click=_undo, args=(desk, person))


def _open(task_id: str) -> None:
    st.query_params["task"] = task_id
    st.session_state["view"] = "desk"


def _undo(desk: Desk, person: Person) -> None:
    st.session_state[_SAID] = undo_step(desk, person)


@st.dialog("Many at once")
def _confirm(
    desk: Desk,
    person: Person,
    task_ids: list[str],
    action: str,
    reason: str | None,
    note: str,
) -> None:
    if action.startswith("gold"):
        _confirm_gold(desk, person, task_ids, action, reason, note)
        return
    plan = plan_bulk(desk, person, task_ids, action, reason)
    verb = {"keep": "kept", "remove": f"removed as {reason_words(reason or '')}"}
    n_changed = len(plan.task_ids)
    one_undo = " One undo takes it all back." if n_changed else ""
    st.markdown(
        f"**{human_count(n_changed, 'task')}** will be "
        + plain(verb.get(action, "skipped"))
        + f".{one_undo}"
    )
    for n, why in (
        (plan.n_same, "you have decided so already"),
        (plan.n_held, "somebody else has before them now"),
        (plan.n_by_others, "others have decided"),
    ):
        if n:
            st.caption(f"{human_count(n, 'task')} that {why} will stay as they are.")
    label = f"{ACTIONS[action]} {human_count(n_changed, 'task')}"
    if st.button(label, type="primary", disabled=not n_changed, key="bulk_do"):
        try:
            n_done = apply_bulk(desk, person, plan, action, reason, note=note)
        except SelfboundError as error:
            problem(error)
            return
        done = verb.get(action, "skipped")
        st.session_state[_SAID] = f"{human_count(n_done, 'task')} {done}; one undo takes it back."
        st.rerun()


def _confirm_gold(
    desk: Desk, person: Person, task_ids: list[str], action: str, reason: str | None, note: str
) -> None:
    if action == "gold_none":
        st.write(f"{human_count(len(task_ids), 'task')} will be gold no longer.")
    else:
        kind = "kept" if action == "gold_keep" else "removed"
        st.write(
            f"{human_count(len(task_ids), 'task')} to be {kind} will be settled, whatever others "
            "decided, and mixed in for the others, who do not see that the answer is known."
        )
    if st.button("Do it", type="primary", key="gold_do"):
        try:
            if action == "gold_none":
                unmark_gold(desk.store, desk.study, task_ids, person=person)
            else:
                kind = action.removeprefix("gold_")
                more: dict[str, Any] = {"person": person, "reason": reason, "note": note}
                mark_gold(desk.store, desk.study, task_ids, kind, **more)
        except SelfboundError as error:
            problem(error)
            return
        done = "are gold no longer" if action == "gold_none" else "are gold now"
        st.session_state[_SAID] = f"{human_count(len(task_ids), 'task')} {done}."
        st.rerun()


def _pager(page: TablePage, first: int, asked: tuple[TaskFilter, str]) -> None:
    def turn(to: int) -> None:
        st.session_state[_PAGE] = (asked, to)

    if page.n_matching <= ROWS:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        last = (page.n_matching - 1) // ROWS * ROWS
        for label, to, is_off in (
            ("First", 0, first == 0),
            ("Before", max(0, first - ROWS), first == 0),
            ("Next", first + ROWS, first >= last),
            ("Last", last, first >= last),
        ):
            st.button(label, key=f"page_{label}", disabled=is_off, on_click=turn, args=(to,))
