"""Classify: put the study's tasks before models and people, and their answers before judges."""

import streamlit as st

from core.errors import SelfboundError
from core.protocols.base import Step
from core.workflows.human_steps import people_steps
from core.workflows.people import is_person
from core.workflows.results import has_results
from core.workflows.steps import live_run, model_for
from core.workflows.studies import Study
from pages.shared.agents_told import tell_agents
from pages.shared.attempt_desk import show_attempt_desk
from pages.shared.attempt_start import PURPOSE, chosen_own_step
from pages.shared.audit_entry import to_audit
from pages.shared.contract_panel import show_contracts
from pages.shared.draw_panel import show_draw
from pages.shared.judge_choice import choose_judge
from pages.shared.run_panel import run_controls, run_details
from pages.shared.sandbox_choice import choose_sandbox_on_screen
from pages.shared.session import chosen_study, guarded_workbench
from pages.shared.study_bar import screen_title, to_next_screen
from pages.shared.widgets import empty_state, problem

VIEWS = {"model": "A model", "people": "People"}


def chosen_step(study: Study) -> Step:
    """The step to run: the one in the address where a study has several here."""
    # What a judge may do beside them has its place on another screen.
    steps = [
        step
        for step in study.shape.steps
        if not step.makes_tasks and not (step.is_optional and step.by_judge)
    ]
    names = [step.name for step in steps]
    if len(names) == 1:
        return steps[0]
    asked = st.query_params.get("step")
    st.session_state.setdefault("step", asked if asked in names else names[0])
    name = st.segmented_control(
        "Step",
        names,
        format_func=lambda name: study.shape.step(name).title,
        required=True,
        label_visibility="collapsed",
        key="step",
    )
    # Not bound to the address: a button could then lead to no other screen.
    if name != st.query_params.get("step", names[0]):
        st.query_params["step"] = name
    return study.shape.step(name)


def chosen_model(study: Study, step: Step) -> str | None:
    """The model that does the step; None while none is named that can."""
    if step.by_judge:
        return choose_judge(bench.store, study, step)
    if step.by_sandbox:
        return choose_sandbox_on_screen()
    model = st.text_input(
        "Model", study.subject, help="Another model than the subject takes the same tasks too."
    )
    if not model.strip():
        return None
    try:
        return model_for(study, step, model)
    except SelfboundError as error:
        problem(error)
        return None


def offer_next_step(study: Study, step: Step) -> bool:
    """Whether a button leads on to the next step, as where this one has replies and that has not
    begun."""
    names = [one.name for one in study.shape.steps]
    later = [one for one in study.shape.steps[names.index(step.name) + 1 :] if not one.is_optional]
    rows = bench.store.rows("step_outcomes", study_id=study.study_id)
    begun = {row["step"] for row in rows if not is_person(row["model"])}
    has_replies = any(row["step"] == step.name and row["ok"] for row in rows)
    if not later or not has_replies or later[0].name in begun:
        return False
    st.button(
        f"Go on to {later[0].title}",
        type="primary",
        key="next_step",
        on_click=st.session_state.update,
        kwargs={"step": later[0].name},
    )
    return True


bench = guarded_workbench()
head = st.empty()
with head.container():
    screen_title("Classify", "Tasks go before models and people, and answers before judges.")
left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
study = chosen_study(bench, place=right)
left = left.container(horizontal=True)
by = "model"
if people_steps(study):
    asked = st.query_params.get("by")
    st.session_state.setdefault("by", asked if asked in VIEWS else "model")
    by = left.segmented_control(
        "Who classifies",
        list(VIEWS),
        format_func=VIEWS.get,
        required=True,
        label_visibility="collapsed",
        key="by",
    )
    # Not bound to the address: a button could then lead to no other screen.
    if by != st.query_params.get("by", "model"):
        st.query_params["by"] = by
with left:
    step = chosen_own_step(study) if by == "people" else chosen_step(study)
with head.container():
    screen_title(step.title, PURPOSE[step.people_give] if by == "people" else step.purpose)
if by == "people":
    # Nothing else of this screen: it would tell how the tasks were meant.
    show_attempt_desk(bench, study, step)
    st.stop()

is_running = live_run(bench, study, step.name) is not None
if step.works_on_draw:
    if not show_draw(bench.store, study, is_running=is_running):
        st.stop()
elif not bench.store.value("n_tasks", study_id=study.study_id):
    if empty_state(
        "There is nothing to answer yet",
        f"People bring the {study.shape.brought.noun}s of this study first.",
        f"Import {study.shape.brought.noun}s",
        key="to_import",
    ):
        st.switch_page("pages/generate.py")
    tell_agents(study, is_open=True)
    st.stop()
if step.offers_contracts and not show_contracts(bench.store, study, is_running=is_running):
    st.stop()

st.subheader("The run", anchor=False)
if study.source == "imported":
    st.caption("The subject's own classifications came with the import.")
if model := chosen_model(study, step):
    run_controls(bench, study, step, model=model)
if model and not is_running:
    to_audit(bench.store, study, step, model)
if not is_running:
    with st.container(horizontal=True):
        goes_on = offer_next_step(study, step)
        if has_results(bench.store, study):
            to_next_screen("See the results", "results", is_main=not goes_on)
run_details(bench, study, step)
tell_agents(study)
