"""Whether a judge is accepted for the study, and the bar it has to pass."""

from dataclasses import replace

import streamlit as st

from core.errors import SelfboundError
from core.store.store import Store
from core.workflows.audits import AuditableJudge
from core.workflows.desk_rules import (
    LEAST_JUDGE_BAR,
    MOST_JUDGE_BAR,
    owner_of,
    rules_of,
    set_rules,
)
from core.workflows.judge_acceptance import accept_judge, withdraw_judge
from core.workflows.judge_card import JudgeCard
from core.workflows.judge_tables import standing_sentence
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.text import plain
from pages.shared.widgets import problem

_SAID = "judge_standing_said"


def show_standing(store: Store, study: Study, card: JudgeCard, person: Person | None) -> None:
    """Show what was decided of the judge, with the ways to accept it, withdraw it, and set the bar.

    Args:
        person: who is at the desk; without anybody nothing can be decided.
    """
    st.subheader("Accepted for this study?", anchor="accepted")
    if said := st.session_state.pop(_SAID, None):
        problem(said)
    st.markdown(plain(standing_sentence(card)))
    is_accepted = card.acceptance is not None and card.acceptance.is_accepted
    owner = owner_of(store, study)
    may_set = person is not None and owner in (None, person)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Accept this judge",
            type="primary",
            disabled=person is None or is_accepted,
            on_click=_accept,
            args=(store, study, card.judge, person),
            key="accept_judge",
        )
        if is_accepted:
            st.button(
                "Withdraw",
                on_click=_withdraw,
                args=(store, study, card.judge, person),
                disabled=person is None,
                key="withdraw_judge",
            )
        st.number_input(
            "The bar",
            LEAST_JUDGE_BAR,
            MOST_JUDGE_BAR,
            card.bar,
            0.01,
            width=160,
            disabled=not may_set,
            key=f"judge_bar_{study.study_id}_{card.bar}",
            on_change=_set_bar,
            args=(store, study, person, f"judge_bar_{study.study_id}_{card.bar}"),
            help=plain(
                "What the lower ends of the 95 % intervals of sensitivity and specificity have to "
                "reach. Whoever owns the study sets it, as the rules of its desk."
            ),
        )


def _accept(store: Store, study: Study, judge: AuditableJudge, person: Person) -> None:
    try:
        accept_judge(store, study, judge, person=person)
    except SelfboundError as error:
        st.session_state[_SAID] = error


def _withdraw(store: Store, study: Study, judge: AuditableJudge, person: Person) -> None:
    try:
        withdraw_judge(store, study, judge, person=person)
    except SelfboundError as error:
        st.session_state[_SAID] = error


def _set_bar(store: Store, study: Study, person: Person, key: str) -> None:
    rules = replace(rules_of(store, study), judge_bar=st.session_state[key])
    try:
        set_rules(store, study, rules, person=person)
    except SelfboundError as error:
        st.session_state[_SAID] = error
