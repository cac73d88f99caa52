"""People do the tasks that models do: one text at a time, blind, by key; all can be undone."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from core.errors import SelfboundError
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
    undo_attempt,
)
from core.workflows.people import Person
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.attempt_chance import CHANCE_KEYS, chance_written, show_chance_keys
from pages.shared.attempt_reasons import show_attempt_keys, show_reasons, watched_keys
from pages.shared.attempt_start import Seat, gives_chance, invite, nothing_here
from pages.shared.desk import person_at_desk
from pages.shared.keys import decidable, show_item, watch_keys
from pages.shared.quantities import human_count, human_duration
from pages.shared.study_bar import to_next_screen
from pages.shared.text import plain
from pages.shared.time_on_item import TimeOnItem
from pages.shared.widgets import problem, show_text

MESSAGE, SAID = "attempt_message", "attempt_said"
TIME = TimeOnItem("attempts")


def show_attempt_desk(bench: Workbench, study: Study) -> None:
    """The task before the person, what can be said of it, and how far they have come."""
    seat = (bench.store, study, person_at_desk(bench))
    found = attempt_progress(*seat)
    if not found.n_drawn:
        nothing_here(study)
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
            _all_done(seat, found)
    with right:
        _show_progress(seat[2], found)


def _show_task(seat: Seat, task: OpenTask, found: AttemptProgress) -> None:
    show_item(task.task_id)
    TIME.begin(task.task_id)
    is_chance = gives_chance(seat[1])
    with st.container(border=True, height="content"):
        about = "How likely are you to solve this?" if is_chance else "Could you carry this out?"
        about = about if found.n_open else "You skipped this one before."
        st.caption(f"Task {found.n_answered + 1:,} of {found.n_drawn:,} · {about}")
        show_text(task.text, key="task", size="large", item_id=task.task_id)
    if is_chance:
        _chance_bar(seat, task.task_id)
    else:
        _label_bar(seat, task.task_id)


def _chance_bar(seat: Seat, task_id: str) -> None:
    # Stays in sight below a long task.
    with st.container(key="desk_bar", gap="small"), st.container(horizontal=True):
        with st.container(key="note", width=320):
            st.text_input(
                "Your chance in percent",
                key=_text_key(task_id),
                value=st.session_state.get(_kept_key(task_id), ""),
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
        CHANCE_KEYS, deciding=["state", "skip"], note="note", enter="state", on_away=TIME.note_away
    )


def _label_bar(seat: Seat, task_id: str) -> None:
    reasons = reasons_on_offer(seat[1])
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
                key=_text_key(task_id),
                value=st.session_state.get(_kept_key(task_id), ""),
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
        on_away=TIME.note_away,
    )


def _all_done(seat: Seat, found: AttemptProgress) -> None:
    with st.container(border=True):
        st.subheader("You have answered every task", anchor=False)
        st.write(f"Thank you: {human_count(found.n_answered, 'answer')}.")
        with st.container(horizontal=True):
            to_next_screen("See the results", "results")
            st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(seat,))
    watch_keys({"u": "undo"})


def _show_progress(person: Person, found: AttemptProgress) -> None:
    st.progress(
        found.n_answered / found.n_drawn,
        text=f"**{found.n_answered:,}** of {found.n_drawn:,} answered by you",
    )
    st.caption(sum_words(found))
    if found.seconds_each and found.n_answered < found.n_drawn:
        left = human_duration(found.seconds_each * (found.n_drawn - found.n_answered))
        st.caption(f"{found.seconds_each:.1f} s each, so about {left} left")
    st.caption(plain(f"On Results you are {person.as_model}."))
    if said := st.session_state.get(SAID):
        st.caption(plain(said))


def sum_words(found: AttemptProgress) -> str:
    """What the person did with the draw; the parts add up to it.

    Example:
        >>> sum_words(AttemptProgress(20, 20, 5, 1, None))
        '5 answered + 1 skipped + 14 open = 20'
    """
    parts = f"{found.n_answered:,} answered + {found.n_skipped:,} skipped + {found.n_open:,} open"
    return f"{parts} = {found.n_drawn:,}"


def _answer(seat: Seat, task_id: str, reason: str | None = None) -> None:
    """Store the answer to the task that was on screen."""
    if not decidable(task_id):
        return
    text = st.session_state.get(_text_key(task_id), "")
    seconds = TIME.seconds_on(task_id)
    try:
        record_answer(*seat, task_id, reason=reason, answer=text, seconds_active=seconds)
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(task_id, f"infeasible, {reason}" if reason else "feasible")


def _state(seat: Seat, task_id: str) -> None:
    """Store the chance that was written for the task on screen."""
    if not decidable(task_id):
        return
    try:
        chance = chance_written(st.session_state.get(_text_key(task_id), ""))
        record_chance(*seat, task_id, chance=chance, seconds_active=TIME.seconds_on(task_id))
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(task_id, f"a chance of {chance:.0%}".replace("%", " %"))


def _skip(seat: Seat, task_id: str) -> None:
    if not decidable(task_id):
        return
    try:
        skip_task(*seat, task_id, seconds_active=TIME.seconds_on(task_id))
    except SelfboundError as error:
        _refuse(error)
    else:
        _say_stored(task_id, "skipped; it comes again at the end")


def _refuse(error: SelfboundError) -> None:
    """Nothing; the person is told why nothing was stored, and nothing says that it was."""
    st.session_state[MESSAGE] = error
    st.session_state.pop(SAID, None)


def _say_stored(task_id: str, what: str) -> None:
    # Should the task come again, the words written to it are there again.
    st.session_state[_kept_key(task_id)] = st.session_state.get(_text_key(task_id), "")
    st.session_state[SAID] = f"Stored at {datetime.now(UTC):%H:%M:%S} UTC: {what}."


def _undo(seat: Seat) -> None:
    is_undone = undo_attempt(*seat) is not None
    st.session_state[SAID] = (
        "Taken back: the task is before you again."
        if is_undone
        else "There is nothing of yours to take back."
    )
    # The task is looked at anew, whatever was on screen before.
    TIME.forget()


def _text_key(task_id: str) -> str:
    """Each task's field has its own key, so that no text lands on another task."""
    return f"answer_{task_id}"


def _kept_key(task_id: str) -> str:
    return f"kept_answer_{task_id}"
