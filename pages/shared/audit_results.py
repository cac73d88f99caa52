"""What an audit says about the judge, for those who may see it."""

import streamlit as st

from core.workflows.audit_desk import audit_progress, voters
from pages.shared.audit_places import Seat
from pages.shared.audit_statistics import show_statistics


def show_results(seat: Seat) -> None:
    """The statistics of the sample; who has begun to vote on it and is not done is warned."""
    store, study, audit, person = seat
    found = audit_progress(store, audit, person)
    others = [name for name in voters(store, audit) if name != person.name]
    if found.n_open and found.n_voted and others:
        st.warning(
            "Others have voted on verdicts that are still before you. What stands here can name "
            "them; finish your own votes first."
        )
        if not st.toggle("Show the statistics all the same", key="show_unfinished"):
            return
    show_statistics(store, study, audit.audit_id)
