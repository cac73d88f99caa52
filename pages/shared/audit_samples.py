"""The samples of a study: a form to draw one, and how far people have come with each."""

from collections.abc import Sequence

import streamlit as st

from core.store.store import Store
from core.workflows.audit_choice import CELL, DISAGREEMENT
from core.workflows.audit_desk import voters
from core.workflows.audits import Audit, AuditableJudge
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.audit_cell import show_chosen
from pages.shared.audit_form import show_form
from pages.shared.audit_places import MESSAGE, go_to
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import problem

SHOWN = 10
"""Samples in sight; older ones are one click away."""


def show_samples(
    store: Store,
    study: Study,
    person: Person,
    judges: Sequence[AuditableJudge],
    audits: Sequence[Audit],
) -> None:
    """The samples people work on, the newest first, and the form for another."""
    left, right = st.columns([4, 5], gap="large")
    with right:
        if message := st.session_state.pop(MESSAGE, None):
            problem(message)
        show_chosen(store, study, person, judges)
        if judges:
            show_form(store, study, person, judges)
    with left:
        st.subheader("Samples", anchor=False)
        if not audits:
            st.caption("None is drawn yet.")
        for audit in audits[:SHOWN]:
            _show_sample(store, study, person, audit)
        if older := audits[SHOWN:]:
            with st.expander(f"{human_count(len(older), 'older sample')}"):
                for audit in older:
                    _show_sample(store, study, person, audit)


def _show_sample(store: Store, study: Study, person: Person, audit: Audit) -> None:
    done = voters(store, audit)
    own = done.get(person.name, 0)
    with st.container(border=True, gap="small", key=f"sample_{audit.audit_id}"):
        st.markdown(f"**{plain(audit.name)}**")
        st.caption(plain(f"{study.shape.step(audit.step).title} · {audit.judge_title}"))
        st.progress(own / audit.n_items, text=f"**{own:,}** of {audit.n_items:,} voted on by you")
        st.caption(plain(team_words(audit, done)))
        with st.container(horizontal=True):
            vote = "Vote" if not own else "Go on" if own < audit.n_items else "Look again"
            for label, view in ((vote, "desk"), ("Statistics", "statistics")):
                st.button(
                    label,
                    key=f"{view}_{audit.audit_id}",
                    type="primary" if view == "desk" and own < audit.n_items else "secondary",
                    on_click=go_to,
                    args=(view, audit.audit_id),
                )
            if audit.n_disputed:
                st.button(
                    human_count(audit.n_disputed, "disagreement"),
                    key=f"disagreements_{audit.audit_id}",
                    on_click=go_to,
                    args=("disagreements", audit.audit_id),
                )


def team_words(audit: Audit, done: dict[str, int]) -> str:
    """Who voted on how many, who drew the sample, and for what it speaks.

    Args:
        done: how many verdicts each person voted on.
    """
    parts = [f"{name} {n:,}" for name, n in done.items()]
    parts.append(f"drawn by {audit.made_by or 'somebody'} on {audit.made_at:%Y-%m-%d}")
    population = audit.settings.get("population", audit.n_items)
    if audit.settings.get("representative"):
        parts.append(f"speaks for all {human_count(population, 'verdict')}")
    elif audit.method in (DISAGREEMENT, CELL):
        parts.append("speaks for itself only")
    else:
        drawn_from = audit.settings.get("drawn_from", audit.n_items)
        parts.append(f"speaks for {drawn_from:,} of {human_count(population, 'verdict')}")
    return " · ".join(parts)
