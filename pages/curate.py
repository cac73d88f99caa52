"""Curate: one task at a time, kept, removed or skipped by key, every step undoable."""

import time
from datetime import UTC, datetime

import streamlit as st

from core.curation.reasons import REMOVAL_REASONS
from core.errors import ConflictError, SelfboundError
from core.workflows.curation import LONGEST_NOTE, TaskView, cell_counts, decide, task_history, undo
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.desk import person_at_desk
from pages.shared.keys import decidable, show_item, watch_keys
from pages.shared.progress_table import cell_table
from pages.shared.quantities import human_count
from pages.shared.session import chosen_study, guarded_workbench
from pages.shared.study_bar import screen_title, to_next_screen
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem, show_text

MESSAGE, TAKEN_UP, SEEN_AT = "desk_message", "skipped_taken_up", "seen_at"
KEYS = {"k": "keep", "s": "skip", "u": "undo", "n": "note", "?": "help"} | {
    reason.key: f"remove_{code}" for code, reason in REMOVAL_REASONS.items()
}
DECIDING = ("keep", "skip", *(f"remove_{code}" for code in REMOVAL_REASONS))

bench = guarded_workbench()
store = bench.store
screen_title("Curate", "Remove what is malformed and keep the rest; no text is ever changed.")
study = chosen_study(bench)
person = person_at_desk(bench)


def record(task: TaskView, action: str, reason: str | None = None) -> None:
    """Store a decision on the task that was on screen, with the note beside it."""
    if not decidable(task.task_id):
        return
    note = st.session_state.get(note_key(task), "")
    seconds = round(time.monotonic() - st.session_state.get(SEEN_AT, time.monotonic()), 2)
    try:
        decide(
            store,
            study,
            task.task_id,
            action,
            person=person,
            reason=reason,
            note=note,
            seconds_active=seconds,
            seen_state=task.state,
        )
    except SelfboundError as error:
        st.session_state[MESSAGE] = error


def note_key(task: TaskView) -> str:
    """The key of a task's note: each has its own, so that no note lands on another task."""
    return f"note_{task.task_id}"


def take_back() -> None:
    """Undo the person's newest decision in this study."""
    try:
        task = undo(store, study, person=person)
    except SelfboundError as error:
        st.session_state[MESSAGE] = error
        return
    if task is None:
        st.session_state[MESSAGE] = ConflictError("there is no decision of yours to take back")


@st.dialog("Keys", width="small")
def show_keys() -> None:
    """Every key and what it does."""
    lines = ["`K` keep", "`S` skip for now", "`N` write a note, `Esc` leaves it", "`U` undo"]
    lines += [f"`{one.key}` remove: {plain(one.label)}" for one in REMOVAL_REASONS.values()]
    st.markdown("\n".join(f"- {line}" for line in lines))
    st.caption("Keys do nothing while you type, and never decide a task you have not seen.")


@st.fragment
def desk(study: Study, person: Person) -> None:
    """The task to decide, its buttons, and how far the work has come."""
    taken_up = st.session_state.get(f"{TAKEN_UP}_{study.study_id}")
    waiting = queue(store, study, n=1, skipped_before=taken_up)
    cells = cell_counts(store, study)
    left, right = st.columns([5, 3], gap="large")
    with left:
        if message := st.session_state.pop(MESSAGE, None):
            problem(message)
        if waiting:
            show_task(waiting[0])
        else:
            all_decided(cells)
    with right:
        progress(cells, person)
    watch_keys(KEYS, deciding=DECIDING)


def show_task(task: TaskView) -> None:
    """One task, exactly as it was generated, and what can be decided about it."""
    show_item(task.task_id)
    if st.session_state.get("seen_task") != task.task_id:
        st.session_state["seen_task"] = task.task_id
        st.session_state[SEEN_AT] = time.monotonic()
    with st.container(border=True, height="content"):
        about = " · ".join(filter(None, (task.intent, task.type, task.reason)))
        st.caption(plain(f"Invented as {about}"))
        show_text(task.text, key="task", size="large", item_id=task.task_id)
    with st.container(horizontal=True):
        st.button(
            "Keep", key="keep", shortcut="K", type="primary", on_click=record, args=(task, "keep")
        )
        st.button("Skip", key="skip", shortcut="S", on_click=record, args=(task, "skip"))
        st.button("Undo", key="undo", shortcut="U", on_click=take_back)
        if st.button("Keys  ?", key="help"):
            show_keys()
    st.markdown("Remove as")
    with st.container(horizontal=True):
        for code, reason in REMOVAL_REASONS.items():
            st.button(
                plain(reason.label),
                key=f"remove_{code}",
                shortcut=reason.key,
                on_click=record,
                args=(task, "remove", code),
            )
    with st.container(key="note"):
        st.text_input(
            "Note (N)",
            key=note_key(task),
            max_chars=LONGEST_NOTE,
            placeholder="only if it needs one",
        )
    history = task_history(store, task.task_id)
    if history:
        with st.expander(f"History of this task ({len(history)})"):
            for row in history:
                said = f"{row['decided_at']:%d %b %H:%M} · {row['person']} · {row['action']}"
                extra = " · ".join(filter(None, (row["reason"], row["note"])))
                st.caption(plain(said + (f" · {extra}" if extra else "")))


def all_decided(cells: dict) -> None:
    """What is left when the queue is empty."""
    n_tasks = sum(counts["n_tasks"] for counts in cells.values())
    skipped = sum(counts["skipped"] for counts in cells.values())
    if not n_tasks:
        if empty_state(
            "There are no tasks yet",
            "Tasks are generated first, or imported on the Studies screen.",
            "Go to Generate",
            key="to_generate",
        ):
            st.switch_page("pages/generate.py")
        return
    with st.container(border=True):
        st.subheader("Every task is decided", anchor=False)
        if skipped:
            st.write(f"{human_count(skipped, 'task')} skipped on the way.")
            if st.button("Take up the skipped ones", key="take_skipped"):
                st.session_state[f"{TAKEN_UP}_{study.study_id}"] = datetime.now(UTC)
                st.rerun(scope="fragment")
        with st.container(horizontal=True):
            to_next_screen("Draw the sample", "classify")
            st.button("Undo", key="undo", shortcut="U", on_click=take_back)


def progress(cells: dict, person: Person) -> None:
    """How far the work has come: in all, mine, and per cell against what the draw wants."""
    total = {
        state: sum(counts[state] for counts in cells.values())
        for state in ("n_tasks", "kept", "removed", "skipped", "pending")
    }
    if not total["n_tasks"]:
        return
    decided = total["kept"] + total["removed"]
    st.progress(decided / total["n_tasks"], text=f"{decided:,} of {total['n_tasks']:,} decided")
    mine = store.value("person_decisions", study_id=study.study_id, person_id=person.person_id)
    parts = [f"{total[state]:,} {state}" for state in ("kept", "removed", "skipped", "pending")]
    st.caption(f"{' + '.join(parts)} · {mine:,} by you")
    cell_table(
        {cell: counts["n_tasks"] - counts["removed"] for cell, counts in cells.items()},
        dict.fromkeys(cells, study.per_cell),
        note="Tasks not removed, of those the draw wants.",
    )


desk(study, person)
