"""One line that says how far the checks of a study's tasks have come; they run beside the page."""

from concurrent.futures import Future

import streamlit as st

from core.errors import SelfboundError
from core.workflows.findings import are_findings_whole, refresh_findings
from core.workflows.steps import live_run
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.widgets import problem

_WORK = "findings_under_way"
REFRESH_S = 1.0


def findings_line(bench: Workbench, study: Study) -> None:
    """Have new tasks checked beside the page, and say so while it goes on."""
    kept = st.session_state.get(_WORK)
    work = kept[1] if kept and kept[0] == study.study_id else None
    if work is None and not _is_growing(bench, study) and not are_findings_whole(bench.store, study):
        work = bench.aside(refresh_findings, bench.store, study)
        st.session_state[_WORK] = (study.study_id, work)
    if work is not None:
        st.fragment(_line, run_every=None if work.done() else REFRESH_S)(work)


def _line(work: "Future[None]") -> None:
    if not work.done():
        st.caption("Checking the tasks and looking for repeats; you can work meanwhile.")
        return
    st.session_state.pop(_WORK, None)
    try:
        work.result()
    except SelfboundError as error:
        problem(error)
        return
    st.rerun()


def _is_growing(bench: Workbench, study: Study) -> bool:
    return any(live_run(bench, study, step.name) for step in study.shape.steps)
