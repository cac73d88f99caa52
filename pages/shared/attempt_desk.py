"""People do the tasks that models do: one text at a time, blind, by key; all can be undone."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from core.errors import SelfboundError
from core.protocols.base import Step
from core.workflows.human_baseline import (
    LONGEST_ANSWER,
    AttemptProgress,
    OpenTask,
    attempt_progress,
    begin_attempts,
    open_task,
    reasons_on_offer,
    record_answer,
    record_chance,
    skip_task,
)
from core.workflows.human_programs import give_up, keep_program, kept_program, record_program
from core.workflows.human_undo import undo_attempt
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.attempt_chance import CHANCE_KEYS, chance_written, show_chance_keys
from pages.shared.attempt_end import show_end, show_progress
from pages.shared.attempt_program import program_bar
from pages.shared.attempt_reasons import show_attempt_keys, show_reasons, watched_keys
from pages.shared.attempt_start import Seat, invite, nothing_here
from pages.shared.desk import person_at_desk
from pages.shared.keys import decidable, show_item, watch_keys
from pages.shared.time_on_item import TimeOnItem
from pages.shared.widgets import problem, show_text

MESSAGE, SAID = "attempt_message", "attempt_said"
QUESTION = {
    "label": "Could you carry this out?",
    "chance": "How likely are you to solve this?",
    "program": "Write the program",
}


def show_attempt_desk(bench: Workbench, study: Study, step: Step) -> None:
    """The task before the person, what can be said of it, and how far they have come."""
    seat = Seat(bench.store, study, person_at_desk(bench), step)
    found = attempt_progress(*seat)
    if not found.n_drawn:
        nothing_here(seat)
        return
    if not found.n_planned:
        invite(seat, found.n_drawn)
        return
    if found.n_planned < found.n_drawn:
        # Tasks came since the person began.
        begin_attempts(*seat)
    st.fragment(_desk)(seat)


def _desk(seat: Seat) -> None:
    task, found = open_task(*seat), attempt_progress(*seat)
    left, right = st.columns([5, 2], gap="large")
    with left:
        if message := st.session_state.pop(MESSAGE, None):
            problem(message)
        if task is not None:
            _show_task(seat, task, found)
        else:
            show_end(seat, found, undo=partial(_undo, seat))
            watch_keys({"u": "undo"})
    with right:
        show_progress(seat, found, st.session_state.get(SAID, ""))


def _show_task(seat: Seat, task: OpenTask, found: AttemptProgress) -> None:
    show_item(task.task_id)
    _time(seat).begin(task.task_id)
    with st.container(border=True, height="content"):
        about = QUESTION[seat.gives] if found.n_open else "You skipped this one before."
        st.caption(f"Task {found.n_answered + 1:,} of {found.n_drawn:,} · {about}")
        is_code = seat.study.shape.brought.is_code
        show_text(task.text, key="task", size="large", item_id=task.task_id, is_code=is_code)
    bars = {"label": _label_bar, "chance": _chance_bar, "program": _program_bar}
    bars[seat.gives](seat, task.task_id)


def _chance_bar(seat: Seat, task_id: str) -> None:
    # Stays in sight below a long task.
    with st.container(key="desk_bar", gap="small"), st.container(horizontal=True):
        with st.container(key="note", width=320):
            st.text_input(
                "Your chance in percent",
                key=_field(seat, task_id),
                max_chars=5,
                placeholder="Your chance in percent, 0 to 100",
                label_visibility="collapsed",
            )
        does = {"args": (seat, task_id)}
        st.button("State it  ↵", key="state", type="primary", on_click=_state, **does)
        st.button("Skip", key="skip", shortcut="S", on_click=_skip, **does)
        st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(seat,))
        if st.button("Keys  ?", key="help", type="tertiary"):
            show_chance_keys()
    watch_keys(
        CHANCE_KEYS,
        deciding=["state", "skip"],
        note="note",
        enter="state",
        on_away=_time(seat).note_away,
    )


def _program_bar(seat: Seat, task_id: str) -> None:
    program_bar(
        text_key=_field(seat, task_id),
        keep=partial(_keep, seat, task_id),
        hand_in=partial(_hand_in, seat, task_id),
        give_up=partial(_give_up, seat, task_id),
        skip=partial(_skip, seat, task_id),
        undo=partial(_undo, seat),
        on_away=_time(seat).note_away,
    )


def _label_bar(seat: Seat, task_id: str) -> None:
    reasons = reasons_on_offer(seat.study)
    # Stays in sight below a long task.
    with st.container(key="desk_bar", gap="small"):
        with st.container(horizontal=True):
            does = {"args": (seat, task_id)}
            st.button(
                "Feasible", key="feasible", shortcut="F", type="primary", on_click=_answer, **does
            )
            st.button("Skip", key="skip", shortcut="S", on_click=_skip, **does)
            st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(seat,))
            if st.button("Keys  ?", key="help", type="tertiary"):
                show_attempt_keys(reasons)
        decline = partial(_answer, seat, task_id)
        show_reasons(reasons, item_id=task_id, decline=decline)
        with st.container(key="note"):
            st.text_input(
                "Your answer",
                key=_field(seat, task_id),
                max_chars=LONGEST_ANSWER,
                placeholder="Your answer in short, if you like: N, then Enter for feasible",
                label_visibility="collapsed",
            )
    keys = watched_keys(list(reasons))
    watch_keys(
        keys,
        deciding=[name for key, name in keys.items() if key not in "un?r"],
        note="note",
        enter="feasible",
        on_away=_time(seat).note_away,
    )


def _answer(seat: Seat, task_id: str, reason: str | None = None) -> None:
    """Store the answer to the task that was on screen."""
    if not decidable(task_id):
        return
    text = st.session_state.get(_text_key(seat, task_id), "")
    seconds = _seconds(seat, task_id)
    try:
        record_answer(*seat.who, task_id, reason=reason, answer=text, seconds_active=seconds)
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(seat, task_id, f"infeasible, {reason}" if reason else "feasible")


def _state(seat: Seat, task_id: str) -> None:
    """Store the chance that was written for the task on screen."""
    if not decidable(task_id):
        return
    try:
        chance = chance_written(st.session_state.get(_text_key(seat, task_id), ""))
        record_chance(*seat.who, task_id, chance=chance, seconds_active=_seconds(seat, task_id))
    except SelfboundError as error:
        _refuse(error)
        # What was refused is told above; the field is free for the next try.
        st.session_state[_text_key(seat, task_id)] = ""
    else:
        _say_stored(seat, task_id, f"a chance of {chance:.0%}".replace("%", " %"))


def _hand_in(seat: Seat, task_id: str) -> None:
    """Store the program that was written for the task on screen."""
    if not decidable(task_id):
        return
    text, seconds = (
        st.session_state.get(_text_key(seat, task_id), ""),
        _seconds(seat, task_id),
    )
    try:
        record_program(*seat.who, task_id, text=text, seconds_active=seconds)
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(seat, task_id, "your program")


def _give_up(seat: Seat, task_id: str) -> None:
    if not decidable(task_id):
        return
    try:
        give_up(*seat.who, task_id, seconds_active=_seconds(seat, task_id))
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(seat, task_id, "given up")


def _skip(seat: Seat, task_id: str) -> None:
    if not decidable(task_id):
        return
    try:
        skip_task(*seat.who, task_id, step=seat.step, seconds_active=_seconds(seat, task_id))
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(seat, task_id, "skipped; it comes again at the end")


def _refuse(error: SelfboundError) -> None:
    """Nothing; the person is told why nothing was stored, and nothing says that it was."""
    st.session_state[MESSAGE] = error
    st.session_state.pop(SAID, None)


def _say_stored(seat: Seat, task_id: str, what: str) -> None:
    _keep(seat, task_id)
    st.session_state[SAID] = f"Stored at {datetime.now(UTC):%H:%M:%S} UTC: {what}."


def _undo(seat: Seat) -> None:
    try:
        is_undone = undo_attempt(*seat) is not None
    except SelfboundError as error:
        _refuse(error)
        return
    st.session_state[SAID] = (
        "Taken back: the task is before you again."
        if is_undone
        else "There is nothing of yours to take back."
    )
    # The task is looked at anew, whatever was on screen before.
    _time(seat).forget()


def _time(seat: Seat) -> TimeOnItem:
    return TimeOnItem(f"attempts_{seat.gives}")


def _seconds(seat: Seat, task_id: str) -> float | None:
    return _time(seat).seconds_on(task_id)


def _text_key(seat: Seat, task_id: str) -> str:
    """Each task's field has its own key, so that no text lands on another task."""
    return f"{seat.gives}_{task_id}"


def _kept_key(seat: Seat, task_id: str) -> str:
    return f"kept_{seat.gives}_{task_id}"


def _field(seat: Seat, task_id: str) -> str:
    """The key of the task's field, which holds what was written there before."""
    key = _text_key(seat, task_id)
    if key not in st.session_state:
        st.session_state[key] = _begun(seat, task_id)
    return key


def _begun(seat: Seat, task_id: str) -> str:
    text = st.session_state.get(_kept_key(seat, task_id), "")
    if text or seat.gives != "program":
        return text
    return kept_program(*seat.who, task_id)


def _keep(seat: Seat, task_id: str) -> None:
    """Nothing; should the task come again, the words written to it are there again, and those of
    a program also after a reload."""
    text = st.session_state.get(_text_key(seat, task_id), "")
    st.session_state[_kept_key(seat, task_id)] = text
    if seat.gives == "program":
        keep_program(*seat.who, task_id, text)
