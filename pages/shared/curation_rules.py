"""The rules of a study's desk: who sees what, how many decide, and what a judge may add."""

import streamlit as st

from core.curation.language_names import language_names
from core.errors import SelfboundError
from core.workflows.desk import Desk
from core.workflows.desk_rules import (
    LEAST_GOLD_EVERY,
    LEAST_SIMILARITY,
    MOST_GOLD_EVERY,
    MOST_PEOPLE,
    DeskRules,
    owner_of,
    set_rules,
)
from core.workflows.gold import gold_tasks
from core.workflows.people import Person
from core.workflows.workbench import Workbench
from pages.shared.curation_screening import show_screening
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import problem


def show_rules(bench: Workbench, desk: Desk, person: Person) -> None:
    """The rules in force, a form to change them, and the screening judge."""
    left, right = st.columns(2, gap="large")
    with left:
        _rules_form(desk, person)
    with right:
        show_screening(bench, desk)


def _rules_form(desk: Desk, person: Person) -> None:
    rules, owner = desk.rules, owner_of(desk.store, desk.study)
    is_mine = owner is None or owner == person
    st.subheader("Rules of this desk", anchor=False)
    if owner is None:
        st.caption("Nobody owns this study yet. Whoever saves these rules first does.")
    else:
        st.caption(plain(f"{owner.name} owns this study" + (", that is you." if is_mine else ".")))
    n_gold = len(gold_tasks(desk.store, desk.study))
    codes = language_names()
    with st.form("rules", border=True):
        overlap = st.number_input(
            "People who decide each task",
            1,
            MOST_PEOPLE,
            rules.overlap,
            help="With two or more, all have to agree; what they disagree on is settled by one.",
        )
        is_blind = st.checkbox(
            "Blind: nobody sees how a task was meant, or what others decided, before deciding",
            rules.is_blind,
        )
        language = st.selectbox(
            "Language of the tasks",
            list(codes),
            index=list(codes).index(rules.language),
            format_func=codes.get,
        )
        similarity = st.slider(
            "From how alike on tasks count as nearly the same",
            LEAST_SIMILARITY,
            1.0,
            rules.similarity,
            0.01,
        )
        gold_every = st.number_input(
            "Mix in a gold task every … decisions, 0 for never",
            0,
            MOST_GOLD_EVERY,
            rules.gold_every,
            help=f"{human_count(n_gold, 'task')} marked as gold; tasks are marked in the table. "
            f"At least every {LEAST_GOLD_EVERY} decisions.",
        )
        if not st.form_submit_button("Save the rules", type="primary", disabled=not is_mine):
            return
    wanted = DeskRules(overlap, is_blind, language, similarity, gold_every, rules.judge_bar)
    try:
        set_rules(desk.store, desk.study, wanted, person=person)
    except SelfboundError as error:
        problem(error)
        return
    if language != rules.language:
        desk.forget()
    st.rerun()
