"""Whose verdicts the results go by, where a study has several judges."""

from collections.abc import Sequence

import streamlit as st

from core.store.store import Store
from core.workflows.judges import judges_of
from core.workflows.studies import Study
from pages.shared.text import plain

OWN = "Each study's own judge"


def choose_judge(store: Store, studies: Sequence[Study]) -> str:
    """The judge that is chosen for all the studies; empty for the one that each goes by."""
    judges = judges_of(store, studies)
    if max(map(len, judges.values()), default=0) < 2:
        return ""
    named = sorted({judge for own in judges.values() for judge in own})
    usual = {own[0] for own in judges.values() if own}
    # Where all go by the same one, it stands for itself.
    options = [*usual, *(one for one in named if one not in usual)]
    if len(usual) > 1:
        options = [OWN, *named]
    chosen = st.selectbox(
        "Judged by",
        options,
        key="judged_by",
        bind="query-params",
        help="Every number below goes by this judge's verdicts.",
    )
    if chosen == OWN:
        return ""
    without = [name for name, own in judges.items() if chosen not in own]
    if without:
        st.caption(plain(f"It has not judged {', '.join(without)}: answers there are unjudged."))
    return chosen
