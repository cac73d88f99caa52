"""One verdict at a time, given by key before the judge's is told; every vote can be undone."""

from datetime import UTC, datetime

import streamlit as st

from core.errors import SelfboundError
from core.workflows.audit_desk import (
    AuditItem,
    AuditProgress,
    audit_item,
    audit_progress,
    item_history,
    newest_voted,
    next_item,
    reveal,
)
from core.workflows.audit_votes import keep_note, kept_note, undo_vote, vote
from core.workflows.audits import UNSURE, find_audit, verdicts_of
from core.workflows.curation import LONGEST_NOTE
from pages.shared.audit_item import DECIDING, KEYS, show_keys, show_material, show_reveal
from pages.shared.audit_places import SAID as DRAWN
from pages.shared.audit_places import Seat, go_to
from pages.shared.keys import decidable, show_item, watch_keys
from pages.shared.quantities import human_count, pace_words
from pages.shared.text import plain
from pages.shared.time_on_item import TimeOnItem
from pages.shared.widgets import problem

MESSAGE, SAID = "audit_message", "audit_said"
TIME = TimeOnItem("audit")
NOTE_PAUSE = "400ms"
"""A note is kept at every pause in typing, so a reload takes at most a word."""


def show_desk(seat: Seat) -> None:
    """The verdict before the person, how far they have come, and what the judge said before."""
    st.fragment(_desk)(seat)


def _desk(seat: Seat) -> None:
    store, study, audit, person = seat
    item = next_item(store, study, audit, person)
    found = audit_progress(store, audit, person)
    left, right = st.columns([5, 3], gap="large")
    with left:
        if message := st.session_state.pop(MESSAGE, None):
            problem(message)
        if said := st.session_state.pop(DRAWN, None):
            st.success(said)
        if item is not None:
            _show_item(seat, item, found)
        else:
            _all_done(seat, found)
    with right:
        _show_progress(found)
        _show_last(seat)


def _show_item(seat: Seat, item: AuditItem, found: AuditProgress) -> None:
    show_item(item.item_id)
    TIME.begin(item.item_id)
    _, study, audit, _ = seat
    question = verdicts_of(study, audit.step).question
    with st.container(border=True, height="content"):
        st.caption(f"{found.n_voted + 1:,} of {found.n_items:,}")
        show_material(item, study)
    # Stays in sight below a long answer.
    with st.container(key="desk_bar", gap="small"):
        st.markdown(f"**{plain(question)}**")
        vote_bar(seat, item.item_id, on_vote=_vote, on_undo=_undo, question=question)
    watch_keys(KEYS, deciding=DECIDING, note="note", on_away=TIME.note_away)


def vote_bar(seat: Seat, item_id: str, *, on_vote, on_undo, question: str) -> None:
    """The buttons that decide, with their keys, and the note beside them.

    Args:
        on_vote: takes the seat, the item and yes, no or unsure. on_undo: takes the seat.
    """
    with st.container(horizontal=True):
        for label, action, key in (("Yes", "yes", "Y"), ("No", "no", "N"), ("Unsure", UNSURE, "X")):
            st.button(
                label,
                key=f"vote_{action}",
                shortcut=key,
                type="secondary" if action == UNSURE else "primary",
                on_click=on_vote,
                args=(seat, item_id, action),
            )
        st.button("Undo", key="undo", shortcut="U", on_click=on_undo, args=(seat,))
        if st.button("Keys  ?", key="help", type="tertiary"):
            show_keys(question)
    store, _, audit, person = seat
    key = note_key(seat, item_id)
    if key not in st.session_state and (begun := kept_note(store, audit, person, item_id)):
        st.session_state[key] = begun
    with st.container(key="note"):
        st.text_input(
            "Note",
            key=key,
            max_chars=LONGEST_NOTE,
            placeholder="Note, if it needs one: T",
            label_visibility="collapsed",
            live=NOTE_PAUSE,
            on_change=_keep_note,
            args=(seat, item_id),
        )


def _keep_note(seat: Seat, item_id: str) -> None:
    store, _, audit, person = seat
    keep_note(store, audit, person, item_id, st.session_state.get(note_key(seat, item_id), ""))


def note_key(seat: Seat, item_id: str) -> str:
    """Each verdict's note has its own key, so that no note lands on another."""
    return f"audit_note_{seat[2].audit_id}_{item_id}"


def _all_done(seat: Seat, found: AuditProgress) -> None:
    store, study, audit, _ = seat
    # Counted anew: the sample came from when the page was opened.
    audit = find_audit(store, study, audit.audit_id)
    with st.container(border=True):
        st.subheader("You have voted on all of this sample", anchor=False)
        st.write(f"Thank you: {human_count(found.n_voted, 'vote')}.")
        if audit.n_disputed:
            said = human_count(audit.n_disputed, "verdict")
            st.write(f"Auditors disagree on {said}; see the view Disagreements.")
        with st.container(horizontal=True):
            st.button(
                "See the statistics",
                type="primary",
                key="to_statistics",
                on_click=go_to,
                args=("statistics", audit.audit_id),
            )
            st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(seat,))
    watch_keys({"u": "undo"})


def _show_progress(found: AuditProgress) -> None:
    st.progress(
        found.n_voted / found.n_items,
        text=f"**{found.n_voted:,}** of {found.n_items:,} voted on by you",
    )
    st.caption(sum_words(found))
    if found.seconds_each and found.n_open:
        st.caption(pace_words(found.seconds_each, found.n_open))
    if said := st.session_state.get(SAID):
        st.caption(plain(said))


def sum_words(found: AuditProgress) -> str:
    """What the person said; the parts add up to the sample.

    Example:
        >>> sum_words(AuditProgress(20, 4, 2, 1, None))
        '4 yes + 2 no + 1 unsure + 13 open = 20'
    """
    parts = f"{found.n_yes:,} yes + {found.n_no:,} no + {found.n_unsure:,} unsure"
    return f"{parts} + {found.n_open:,} open = {found.n_items:,}"


def _show_last(seat: Seat) -> None:
    store, study, audit, person = seat
    item_id = newest_voted(store, audit, person)
    told = reveal(store, audit, person, item_id) if item_id else None
    if told is None:
        st.caption("What the judge said of a verdict stands here once you have voted on it.")
        return
    *_, judged = audit_item(store, study, audit, item_id).shows.values()
    show_reveal(told, judged, item_history(store, audit, person, item_id))


def _vote(seat: Seat, item_id: str, action: str) -> None:
    """Store a vote on the verdict that was on screen, with the note beside it."""
    if not decidable(item_id):
        return
    note = st.session_state.get(note_key(seat, item_id), "")
    try:
        vote(*seat, item_id, action, note=note, seconds_active=TIME.seconds_on(item_id))
    except SelfboundError as error:
        st.session_state[MESSAGE] = error
    else:
        st.session_state[SAID] = f"Stored at {datetime.now(UTC):%H:%M:%S} UTC: {action}."


def _undo(seat: Seat) -> None:
    is_undone = undo_vote(*seat) is not None
    st.session_state[SAID] = (
        "Taken back: it is before you again, and your next vote on it is not blind."
        if is_undone
        else "There is nothing of yours to take back."
    )
    # It is looked at anew, whatever was on screen before.
    TIME.forget()
