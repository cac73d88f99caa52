"""How far auditors agree, and the desk where what they disagree on is settled by key."""

from datetime import UTC, datetime

import streamlit as st

from core.errors import SelfboundError
from core.metrics.agreement import agreement
from core.workflows.audit_agreement import (
    AuditDispute,
    n_settled,
    next_dispute,
    settle,
    votes_frame,
)
from core.workflows.audit_votes import undo_vote
from core.workflows.audits import find_audit, verdicts_of
from pages.shared.agreement_table import show_statistics
from pages.shared.audit_desk import note_key, vote_bar
from pages.shared.audit_item import DECIDING, KEYS, show_material, vote_words
from pages.shared.audit_places import Seat
from pages.shared.keys import decidable, show_item, watch_keys
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.time_on_item import TimeOnItem
from pages.shared.widgets import problem

MESSAGE, SAID, SHOWN = "settle_message", "settle_said", "settle_shown"
TIME = TimeOnItem("audit_disputes")


def show_disputes(seat: Seat) -> None:
    """The disagreements to settle one by one, then how far auditors agree."""
    st.fragment(_disputes)(seat)
    _agreement(seat)


def _disputes(seat: Seat) -> None:
    store, study, audit, person = seat
    if message := st.session_state.pop(MESSAGE, None):
        problem(message)
    dispute, n_mine = next_dispute(store, study, audit, person)
    n_all = find_audit(store, study, audit.audit_id).n_disputed
    settled = n_settled(store, audit)
    if said := st.session_state.get(SAID):
        st.caption(plain(said))
    if dispute is None:
        _nothing_to_settle(seat, n_all, settled)
        return
    st.caption(
        f"{human_count(n_mine, 'disagreement')} to settle, {settled:,} settled. "
        "A final vote counts for the sample; all votes are kept."
    )
    left, right = st.columns([5, 3], gap="large")
    with right:
        for row in dispute.votes:
            st.caption(plain(vote_words(row)))
    with left:
        _show_dispute(seat, dispute)


def _show_dispute(seat: Seat, dispute: AuditDispute) -> None:
    item_id = dispute.item.item_id
    question = verdicts_of(seat[1], seat[2].step).question
    show_item(item_id)
    TIME.begin(item_id)
    st.session_state[SHOWN] = dispute
    with st.container(border=True, height="content"):
        show_material(dispute.item, seat[1])
    with st.container(key="desk_bar", gap="small"):
        st.markdown(f"**{plain(question)}** Your answer is final.")
        vote_bar(seat, item_id, on_vote=_settle, on_undo=_undo, question=question)
    watch_keys(KEYS, deciding=DECIDING, note="note", on_away=TIME.note_away)


def _nothing_to_settle(seat: Seat, n_all: int, settled: int) -> None:
    with st.container(border=True):
        if n_all:
            st.subheader("None is for you to settle", anchor=False)
            st.write(
                f"Auditors disagree on {human_count(n_all, 'verdict')}. Whoever drew the sample "
                "settles them, and you those that you have voted on."
            )
        else:
            st.subheader("There is no disagreement to settle", anchor=False)
            st.write(f"{human_count(settled, 'verdict')} settled so far.")
        if settled:
            st.button("Undo", key="undo", shortcut="U", on_click=_undo, args=(seat,))
    watch_keys({"u": "undo"})


def _settle(seat: Seat, item_id: str, action: str) -> None:
    """Store the final vote on the disagreement that was on screen."""
    if not decidable(item_id):
        return
    dispute: AuditDispute = st.session_state[SHOWN]
    note = st.session_state.get(note_key(seat, item_id), "")
    try:
        seconds = TIME.seconds_on(item_id)
        settle(*seat, dispute, action, note=note, seconds_active=seconds)
    except SelfboundError as error:
        st.session_state[MESSAGE] = error
    else:
        st.session_state[SAID] = f"Stored at {datetime.now(UTC):%H:%M:%S} UTC: finally {action}."


def _undo(seat: Seat) -> None:
    is_undone = undo_vote(*seat, is_final=True) is not None
    st.session_state[SAID] = (
        "Taken back: it is to be settled again."
        if is_undone
        else "There is no final vote of yours to take back."
    )
    TIME.forget()


def _agreement(seat: Seat) -> None:
    st.subheader("Agreement of auditors", anchor=False)
    votes = votes_frame(seat[0], seat[2])
    if votes.empty:
        st.caption("No verdict of this sample has been voted on by two people so far.")
        return
    found = agreement(votes)
    st.caption(
        f"{human_count(found.percent.n_items, 'verdict')} voted on by two people or more, "
        f"{human_count(found.percent.n_people, 'person', 'people')} in all. Unsure counts as an "
        "answer of its own. Intervals cover 95 %, with verdicts as the units drawn."
    )
    show_statistics((found.percent, found.kappa, found.alpha, found.ac1))
