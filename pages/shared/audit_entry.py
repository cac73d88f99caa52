"""Ways to the audit screen from where a judge's verdicts are shown."""

import streamlit as st

from core.protocols.base import Step
from core.store.store import Store
from core.workflows.audits import auditable_judges
from core.workflows.studies import Study


def to_audit(store: Store, study: Study, step: Step, judge: str) -> None:
    """A button that leads to where the judge's verdicts are sampled; nothing before it has any."""
    if step.verdicts is None:
        return
    judges = auditable_judges(store, study)
    if not any(one.judge == judge and one.step == step.name and one.n_valid for one in judges):
        return
    if st.button("Audit this judge", key="to_audit"):
        address = {"study": study.name, "view": "samples", "step": step.name, "judge": judge}
        st.switch_page("pages/audit.py", query_params=address)
