"""One task at a time, kept, removed or skipped by key; every step can be undone."""

from datetime import UTC, datetime

import streamlit as st

from core.curation.reasons import REMOVAL_REASONS
from core.errors import ConflictError, NotFoundError, SelfboundError
from core.workflows.curation import LONGEST_NOTE
from core.workflows.desk import Desk
from core.workflows.desk_table import keep_one
from core.workflows.desk_view import (
    SHOWN_ALIKE,
    DeskTask,
    alike_tasks,
    cluster_of,
    desk_task,
    prefetch,
)
from core.workflows.people import Person
from core.workflows.workbench import Workbench
from pages.shared.curation_duplicates import cluster_words
from pages.shared.curation_progress import nothing_left, show_progress
from pages.shared.curation_task import show_flags, show_history, show_meaning, show_references
from pages.shared.curation_undo import undo_step
from pages.shared.keys import decidable, show_item, watch_keys
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.time_on_item import TimeOnItem
from pages.shared.widgets import problem, show_text

TASK = "task"
MESSAGE, SAID, TAKEN_UP = "desk_message", "desk_said", "skipped_taken_up"
CHOOSING, NEEDS_NOTE = "desk_choosing", "desk_needs_note"
TIME = TimeOnItem("curation")
HEARTBEAT_S = 30
NOTE_PAUSE = "400ms"
"""A note is kept at every pause in typing, so a lost connection takes at most a word."""
KEYS = {
    "k": "keep",
    "x": "remove",
    "s": "skip",
    "u": "undo",
    "p": "previous",
    "b": "back",
    "d": "keep_one",
    "n": "note",
    "?": "help",
} | {reason.key: f"remove_{code}" for code, reason in REMOVAL_REASONS.items()}
DECIDING = ("keep", "skip", "keep_one", *(f"remove_{code}" for code in REMOVAL_REASONS))


def show_desk(bench: Workbench, desk: Desk, person: Person) -> None:
    """The task before the person, what can be decided, and how far the work has come."""
    st.fragment(_desk)(desk, person)
    st.fragment(_heartbeat, run_every=HEARTBEAT_S)(desk, person)


def _desk(desk: Desk, person: Person) -> None:
    left, right = st.columns([5, 2], gap="large")
    task = _current(desk, person)
    with left:
        if message := st.session_state.pop(MESSAGE, None):
            problem(message)
        if task is not None:
            _show_task(desk, person, task)
        else:
            nothing_left(desk, person, take_up=_take_up)
            st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(desk, person))
    with right:
        show_progress(desk, person)
        if said := st.session_state.get(SAID):
            st.caption(plain(said))
    prefetch(desk, person)


def _current(desk: Desk, person: Person) -> DeskTask | None:
    """The task opened by hand, named in the address, or else the next of the queue."""
    by_hand = st.query_params.get(TASK)
    if by_hand:
        try:
            desk.open_by_hand(person, by_hand)
            return desk_task(desk, person, by_hand)
        except NotFoundError as error:
            st.query_params.pop(TASK, None)
            st.session_state[MESSAGE] = error
    taken_up = st.session_state.get(f"{TAKEN_UP}_{desk.study.study_id}", 0)
    task_id = desk.open_next(person, skipped_before=taken_up)
    return None if task_id is None else desk_task(desk, person, task_id)


def _show_task(desk: Desk, person: Person, task: DeskTask) -> None:
    show_item(task.task_id)
    lease = desk.lease(person, task.task_id)
    if TIME.begin(task.task_id, spent=lease.seconds_active if lease else 0.0):
        st.session_state[CHOOSING] = bool(lease and lease.reason)
        st.session_state[NEEDS_NOTE] = bool(lease and lease.reason == "other")
    note_key = _note_key(task.task_id)
    if lease and lease.note:
        st.session_state.setdefault(note_key, lease.note)
    waits_for_note = st.session_state.get(NEEDS_NOTE, False)
    with st.container(border=True, height="content"):
        show_meaning(task, n_tasks=len(desk.board()))
        spans = [span for flag in task.flags for span in flag.spans]
        about = {"item_id": task.task_id, "is_code": desk.study.shape.brought.is_code}
        show_text(task.text, key="task", size="large", marks=spans, **about)
        show_flags(task.flags)
        show_references(task)
    # Stays in sight below a long task.
    with st.container(key="desk_bar", gap="small"):
        _reasons(desk, person, task, waits_for_note=waits_for_note)
        _buttons(desk, person, task)
        with st.container(key="note"):
            st.text_input(
                "Note",
                key=note_key,
                max_chars=LONGEST_NOTE,
                placeholder="Note, if it needs one: N",
                label_visibility="collapsed",
                live=NOTE_PAUSE,
                on_change=_keep_draft,
                args=(desk, person, task.task_id, "other" if waits_for_note else None),
            )
    _alike(desk, person, task)
    show_history(task)
    watch_keys(
        KEYS,
        deciding=DECIDING,
        note="note",
        enter="remove_other" if waits_for_note else "",
        focus=waits_for_note and not st.session_state.get(note_key),
        on_away=TIME.note_away,
    )


def _buttons(desk: Desk, person: Person, task: DeskTask) -> None:
    decide = {"on_click": _decide, "kwargs": {"desk": desk, "person": person, "task": task}}
    with st.container(horizontal=True):
        st.button("Keep", key="keep", shortcut="K", type="primary", args=("keep",), **decide)
        st.button("Remove", key="remove", shortcut="X", on_click=_choose)
        st.button("Skip", key="skip", shortcut="S", args=("skip",), **decide)
        st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(desk, person))
        st.button("Previous", key="previous", shortcut="P", on_click=_previous, args=(desk, person))
        if st.query_params.get(TASK):
            st.button("Back to the queue", key="back", shortcut="B", on_click=_back)
        if st.button("Keys  ?", key="help", type="tertiary"):
            _show_keys()


def _reasons(desk: Desk, person: Person, task: DeskTask, *, waits_for_note: bool) -> None:
    """A button for each reason; their keys work whether they are shown or not."""
    is_shown = st.session_state.get(CHOOSING, False)
    if waits_for_note:
        st.markdown("Remove: say in the note why it goes, then press Enter")
    elif is_shown:
        st.markdown("Remove, because it is")
    with st.container(horizontal=True, key="reasons" if is_shown else "sb-unseen-reasons"):
        for code, reason in REMOVAL_REASONS.items():
            st.button(
                plain(reason.label),
                key=f"remove_{code}",
                shortcut=reason.key,
                on_click=_decide,
                args=("remove", code),
                kwargs={"desk": desk, "person": person, "task": task},
            )


def _alike(desk: Desk, person: Person, task: DeskTask) -> None:
    """The tasks that say nearly the same, and the one decision on all of them."""
    cluster = cluster_of(desk, task.task_id)
    if not cluster:
        return
    others = [one for one in cluster if one != task.task_id]
    with st.container(border=True, gap="xsmall"):
        left, right = st.columns([3, 2], vertical_alignment="center")
        left.markdown(f"**{human_count(len(others), 'other task')} nearly the same**")
        right.button(
            f"Keep this, remove {'it' if len(others) == 1 else f'the other {len(others)}'}",
            key="keep_one",
            shortcut="D",
            on_click=_keep_one,
            args=(desk, person, task.task_id, cluster),
        )
        for number, one in enumerate(alike_tasks(desk, person, others[:SHOWN_ALIKE])):
            show_text(one.text, key=f"alike_{number}", size="small", height=110)
            if one.own:
                st.caption(f"You have {one.own} it.")
        if len(others) > SHOWN_ALIKE:
            st.caption(f"{len(others) - SHOWN_ALIKE} more are on the view Look-alikes.")


def _decide(
    action: str, reason: str | None = None, *, desk: Desk, person: Person, task: DeskTask
) -> None:
    """Store a decision on the task that was on screen, with the note beside it."""
    if not decidable(task.task_id):
        return
    note = st.session_state.get(_note_key(task.task_id), "")
    if reason == "other" and not note.strip():
        # The choice is kept, for a task decided before in the session alone; the note is asked for.
        desk.keep_draft(person, task.task_id, reason=reason, note=note)
        st.session_state[CHOOSING] = st.session_state[NEEDS_NOTE] = True
        return
    try:
        desk.decide(
            person,
            task.task_id,
            action,
            reason=reason,
            note=note,
            seconds_active=TIME.seconds_on(task.task_id),
            seen_seq=task.seen_seq,
        )
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(action, reason)
    st.query_params.pop(TASK, None)


def _refuse(error: SelfboundError) -> None:
    """Nothing; the person is told why nothing was stored, and nothing says that it was."""
    st.session_state[MESSAGE] = error
    st.session_state.pop(SAID, None)


def _say_stored(action: str, reason: str | None) -> None:
    words = {"keep": "kept", "skip": "skipped"}.get(action)
    words = words or f"removed, {REMOVAL_REASONS[reason or 'other'].label}"
    st.session_state[SAID] = f"Stored at {datetime.now(UTC):%H:%M:%S} UTC: {words}."


def _keep_one(desk: Desk, person: Person, task_id: str, cluster: tuple[str, ...]) -> None:
    if not decidable(task_id):
        return
    try:
        n_decided = keep_one(desk, person, cluster, task_id)
    except SelfboundError as error:
        _refuse(error)
    else:
        st.session_state[SAID] = cluster_words(n_decided)
    st.query_params.pop(TASK, None)


def _undo(desk: Desk, person: Person) -> None:
    said = undo_step(desk, person)
    if isinstance(said, SelfboundError):
        _refuse(said)
        return
    st.session_state[SAID] = said
    st.query_params.pop(TASK, None)
    # The task is looked at anew, whoever had it on screen before.
    TIME.forget()


def _previous(desk: Desk, person: Person) -> None:
    earlier = desk.newest_decided(person, before=st.query_params.get(TASK))
    if earlier is None:
        st.session_state[MESSAGE] = ConflictError("there is no earlier decision of yours")
    else:
        st.query_params[TASK] = earlier


def _back() -> None:
    st.query_params.pop(TASK, None)


def _choose() -> None:
    st.session_state[CHOOSING] = not st.session_state.get(CHOOSING, False)


def _take_up(desk: Desk) -> None:
    st.session_state[f"{TAKEN_UP}_{desk.study.study_id}"] = desk.store.next_seq()


def _keep_draft(desk: Desk, person: Person, task_id: str, reason: str | None) -> None:
    note = st.session_state.get(_note_key(task_id), "")
    desk.keep_draft(person, task_id, reason=reason, note=note)


def _heartbeat(desk: Desk, person: Person) -> None:
    if task_id := TIME.item_id:
        desk.heartbeat(person, task_id, TIME.seconds_on(task_id) or 0.0)


def _note_key(task_id: str) -> str:
    """Each task's note has its own key, so that no note lands on another task."""
    return f"note_{task_id}"


@st.dialog("Keys", width="small")
def _show_keys() -> None:
    lines = [
        "`K` keep",
        "`X` remove: shows the reasons",
        *(f"`{one.key}` remove: {plain(one.label)}" for one in REMOVAL_REASONS.values()),
        "`S` skip for now",
        "`U` undo, as often as you like",
        "`P` look at your previous decision; `B` back to the queue",
        "`D` keep this one of several look-alikes, remove the others",
        "`N` write a note; `Esc` leaves it",
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))
    st.caption("Keys do nothing while you type, and never decide a task you have not seen.")
