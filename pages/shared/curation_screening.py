"""The screening judge on the curation screen: which model, its run, and what it said in numbers."""

import streamlit as st

from core.llm.client import default_models
from core.workflows.desk import Desk
from core.workflows.screening import judge_models, screening_counts, screening_step
from core.workflows.workbench import Workbench
from pages.shared.curation_task import reason_words
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
    used = judge_models(desk.store, study)
    wanted = dict.fromkeys([*used, *filter(None, [study.judge]), *default_models()])
    choices = [model for model in wanted if model != study.subject]
    model = st.selectbox(
        "Judge",
        choices,
        index=0 if used or study.judge else None,
        accept_new_options=True,
        placeholder="choose a model or type its name",
        help="Never the study's subject: a model does not judge its own tasks.",
    )
    if model == study.subject:
        st.warning("The subject does not judge its own tasks; choose another model.")
        return
    if not model:
        return
    run_controls(bench, study, step, model=model)
    counts = screening_counts(desk.store, study).get(model)
    if counts is None or not counts.sound + sum(counts.malformed.values()):
        return
    parts = [f"{counts.sound:,} sound"]
    parts += [f"{n:,} {reason_words(code).lower()}" for code, n in counts.malformed.items()]
    if counts.unread:
        parts.append(f"{counts.unread:,} unreadable")
    st.caption(plain(f"{human_count(counts.planned, 'task')}: " + ", ".join(parts)))
