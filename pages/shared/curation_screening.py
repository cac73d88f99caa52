"""The screening judge on the curation screen: which model, its run, and what it said in numbers."""

import streamlit as st

from core.workflows.desk import Desk
from core.workflows.screening import screening_counts, screening_step
from core.workflows.workbench import Workbench
from pages.shared.audit_entry import to_audit
from pages.shared.curation_task import reason_words
from pages.shared.judge_choice import choose_judge
from pages.shared.quantities import human_count
from pages.shared.run_panel import run_controls
from pages.shared.text import plain


def show_screening(bench: Workbench, desk: Desk) -> None:
    """Choose a judge and have it go through every task; nothing where a protocol has none."""
    study = desk.study
    step = screening_step(study)
    if step is None:
        return
    st.subheader("Screening judge", anchor=False)
    st.caption(
        "A model reads every task and says which are malformed. It decides nothing; "
        + (
            "you see what it said of a task once you have decided."
            if desk.rules.is_blind
            else "what it said stands beside the task."
        )
    )
    model = choose_judge(desk.store, study, step)
    if model is None:
        return
    run_controls(bench, study, step, model=model)
    of_model = {
        version: counts
        for (judge, version), counts in screening_counts(desk.store, study).items()
        if judge == model and counts.n_read
    }
    for version, counts in of_model.items():
        parts = [f"{counts.sound:,} sound"]
        parts += [f"{n:,} {reason_words(code).lower()}" for code, n in counts.malformed.items()]
        if counts.unread:
            parts.append(f"{counts.unread:,} unreadable")
        about = f"Prompt v{version}, {human_count(counts.planned, 'task')}: "
        st.caption(plain(about + ", ".join(parts)))
    if of_model:
        to_audit(desk.store, study, step, model)
