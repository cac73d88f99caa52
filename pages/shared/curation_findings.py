"""One line that says how far the checks of a study's tasks have come; they run beside the page."""

from concurrent.futures import Future

import streamlit as st

from core.errors import SelfboundError
from core.workflows.findings import findings_under_way
from core.workflows.steps import live_run
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.widgets import problem

REFRESH_S = 2.0


def findings_line(bench: Workbench, study: Study, *, is_deciding: bool) -> None:
    """Have new tasks checked beside the page, and say so while it goes on.

    Args:
        is_deciding: whether keys decide tasks here. The page is then not run anew at the end: a
            key pressed in that moment would be lost.
    """
    if any(live_run(bench, study, step.name) for step in study.shape.steps if step.makes_tasks):
        return
    work = findings_under_way(bench, study)
    if work is not None:
        st.fragment(_line, run_every=None if work.done() else REFRESH_S)(work, is_deciding)


def _line(work: "Future[None]", is_deciding: bool) -> None:
    if not work.done():
        st.caption("Checking the tasks and looking for repeats; you can work meanwhile.")
        return
    try:
        work.result()
    except SelfboundError as error:
        problem(error)
        return
    if not is_deciding:
        st.rerun()
