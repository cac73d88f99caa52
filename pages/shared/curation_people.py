"""How far people agree on a study's tasks, and the desk where disagreements are settled."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.curation.reasons import REMOVAL_REASONS
from core.errors import SelfboundError
from core.metrics.agreement import PairAgreement, agreement, pairwise_agreement
from core.workflows.curation import LONGEST_NOTE
from core.workflows.desk import Desk
from core.workflows.desk_agreement import Dispute, disputes_for, settle, votes_frame
from core.workflows.desk_rules import owner_of
from core.workflows.gold import hit_rates
from core.workflows.people import Person
from core.workflows.workbench import Workbench
from pages.shared.agreement_table import show_statistics
from pages.shared.curation_task import reason_words
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem, show_text

_SAID = "dispute_said"


def show_people(bench: Workbench, desk: Desk, person: Person) -> None:
    """Disagreements to settle, then the statistics, then who finds the gold tasks."""
    st.fragment(_disputes)(desk, person)
    _agreement(desk)
    _gold(desk, person)


def _disputes(desk: Desk, person: Person) -> None:
    if said := st.session_state.pop(_SAID, None):
        problem(said)
    found, n_disputes = disputes_for(desk, person)
    n_all = desk.progress(person).totals["disputed"]
    if not n_all:
        return
    st.subheader("Disagreements", anchor=False)
    if not found:
        st.info(
            f"People disagree on {human_count(n_all, 'task')}. While the study is blind, the "
            "owner settles them, and you those that you have decided."
        )
        return
    st.caption(
        f"{human_count(n_disputes, 'task')} to settle. A final decision counts for the study; "
        "all votes are kept."
    )
    _settle_form(desk, person, found[0])


def _settle_form(desk: Desk, person: Person, dispute: Dispute) -> None:
    left, right = st.columns([5, 3], gap="large")
    with left:
        about = " · ".join(filter(None, (dispute.type, dispute.intent, dispute.reason)))
        with st.container(border=True, height="content"):
            st.caption(plain(about))
            show_text(dispute.text, key="disputed", size="large")
    with right:
        for vote in dispute.votes:
            said = "removes" if vote["action"] == "remove" else "keeps"
            why = f", {reason_words(vote['reason'])}" if vote["reason"] else ""
            note = f": {vote['note']}" if vote["note"] else ""
            st.markdown(f"**{plain(vote['person'])}** {said}{plain(why + note)}")
        note_key, reason_key = (f"settle_{what}_{dispute.task_id}" for what in ("note", "reason"))
        st.text_input("Note", key=note_key, max_chars=LONGEST_NOTE)
        voted = next((one["reason"] for one in dispute.votes if one["reason"]), "malformed")
        reasons = list(REMOVAL_REASONS)
        st.selectbox(
            "If removed, because it is",
            reasons,
            index=reasons.index(voted),
            format_func=reason_words,
            key=reason_key,
        )
        with st.container(horizontal=True):
            about = (desk, person, dispute, note_key)
            st.button(
                "Keep finally", type="primary", key="settle_keep", on_click=_settle, args=about
            )
            st.button(
                "Remove finally",
                key="settle_remove",
                on_click=_settle,
                args=(*about, reason_key),
            )


def _settle(
    desk: Desk, person: Person, dispute: Dispute, note_key: str, reason_key: str | None = None
) -> None:
    """Store the final decision; with a field for the reason it is a removal."""
    note = st.session_state.get(note_key, "")
    try:
        if reason_key is None:
            settle(desk, person, dispute, "keep", note=note)
        else:
            reason = st.session_state[reason_key]
            settle(desk, person, dispute, "remove", reason=reason, note=note)
    except SelfboundError as error:
        st.session_state[_SAID] = error


def _agreement(desk: Desk) -> None:
    st.subheader("Agreement", anchor=False)
    votes = votes_frame(desk)
    if votes.empty:
        if desk.rules.overlap == 1:
            text = "Each task is decided by one person. The view Rules sets how many decide it."
        else:
            text = "No task has been decided by two people so far."
        empty_state("Nothing to compare yet", text, key="no_agreement")
        return
    by_reason = st.toggle(
        "Removals for different reasons count as different", key="by_reason", bind="query-params"
    )
    if by_reason:
        votes = votes_frame(desk, with_reason=True)
    found = agreement(votes)
    st.caption(
        f"{human_count(found.percent.n_items, 'task')} decided by two people or more, "
        f"{human_count(found.percent.n_people, 'person', 'people')} in all. "
        "Intervals cover 95 %, with tasks as the units drawn."
    )
    show_statistics((found.percent, found.kappa, found.alpha, found.ac1))
    pairs = pairwise_agreement(votes)
    if len(pairs) > 1:
        with st.expander(f"Pair by pair ({len(pairs)})"):
            st.dataframe(_pairs_frame(pairs), hide_index=True, placeholder="not defined")


def _pairs_frame(pairs: Sequence[PairAgreement]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "first": one.first,
                "second": one.second,
                "tasks both decided": one.n_items,
                "agreement": one.percent.value,
                "Cohen's kappa": one.kappa.value,
                "Gwet's AC1": one.ac1.value,
            }
            for one in pairs
        ]
    ).round(3)


def _gold(desk: Desk, person: Person) -> None:
    owner = owner_of(desk.store, desk.study)
    rates = hit_rates(desk.store, desk.study)
    if owner is None or owner != person or not rates:
        return
    st.subheader("Gold tasks", anchor=False)
    st.caption("How often each person decided them as they should be; only you see this.")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "person": one.person,
                    "right": f"{one.n_right} of {one.n_decided}",
                    "share": f"{one.n_right / one.n_decided:.2f}",
                    "95 % interval": f"{one.low:.2f} to {one.high:.2f}",
                }
                for one in rates
            ]
        ),
        hide_index=True,
    )
