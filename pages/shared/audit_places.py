"""Where one is on the audit screen: the view and the sample, both in the address."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.store.store import Store
from core.workflows.audit_samples import DrawnAudit
from core.workflows.audits import Audit
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.text import plain
from pages.shared.widgets import empty_state

VIEWS = {
    "samples": "Samples",
    "desk": "Desk",
    "disagreements": "Disagreements",
    "statistics": "Statistics",
    "judges": "Judges",
}
VIEW, AUDIT = "view", "audit"
MESSAGE, SAID = "sample_message", "sample_said"
_SHOWN = "audit_view"

Seat = tuple[Store, Study, Audit, Person]
"""Where it is stored, about which study and sample, and who votes."""


def chosen_view(*, place: DeltaGenerator, has_audits: bool) -> str:
    """The view to show: the one in the address, or a sample's desk where a sample is named.

    Args:
        has_audits: whether there is any sample to look at.
    """
    first = "desk" if st.query_params.get(AUDIT) and has_audits else "samples"
    asked = st.query_params.get(VIEW, "").casefold()
    st.session_state.setdefault(_SHOWN, asked if asked in VIEWS else first)
    view = place.segmented_control(
        "View",
        list(VIEWS),
        format_func=VIEWS.get,
        required=True,
        label_visibility="collapsed",
        key=_SHOWN,
    )
    # Not bound to the address: a button could then lead to no other screen.
    if view != st.query_params.get(VIEW):
        st.query_params[VIEW] = view
    return view


def chosen_audit(audits: Sequence[Audit]) -> Audit | None:
    """The sample to show, the one in the address or else the newest; None where there is none."""
    if not audits:
        if empty_state(
            "There is no sample yet",
            "Verdicts are drawn first; people then vote on them.",
            "Draw a sample",
            key="to_samples",
        ):
            go_to("samples")
            st.rerun()
        return None
    by_id = {audit.audit_id: audit for audit in audits}
    wanted = st.query_params.get(AUDIT)
    if wanted and wanted not in by_id:
        st.warning("The sample in the address is not one of this study; the newest is shown.")
    ids = list(by_id)
    audit_id = st.selectbox(
        "Sample",
        ids,
        index=ids.index(wanted) if wanted in by_id else 0,
        format_func=lambda one: f"{by_id[one].name} · {by_id[one].judge_title}",
        label_visibility="collapsed",
    )
    if audit_id != wanted:
        st.query_params[AUDIT] = audit_id
    return by_id[audit_id]


def go_to(view: str, audit_id: str | None = None) -> None:
    """Nothing; the page is at this view from its next run on, of this sample if one is named."""
    st.query_params[VIEW] = view
    # The control has the word until it is drawn anew.
    st.session_state.pop(_SHOWN, None)
    if audit_id is not None:
        st.query_params[AUDIT] = audit_id


def open_drawn(drawn: DrawnAudit) -> None:
    """Nothing; the desk of a sample that was just drawn is open from the page's next run on."""
    what = "is drawn" if drawn.is_new else "is the sample that was drawn this way before"
    st.session_state[SAID] = plain(f"{drawn.name} {what}.")
    go_to("desk", drawn.audit_id)
