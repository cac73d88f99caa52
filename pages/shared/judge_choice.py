"""Which model judges: those used before, the study's own, and any other that is not the subject."""

import streamlit as st

from core.llm.client import default_models, same_model
from core.protocols.base import Step
from core.settings import RULE_JUDGE
from core.store.store import Store
from core.workflows.screening import judges_of
from core.workflows.studies import Study
from pages.shared.text import plain


def choose_judge(store: Store, study: Study, step: Step) -> str | None:
    """The judge chosen for a step; None while there is none that can be used."""
    used = judges_of(store, study, step)
    by_rule = [RULE_JUDGE] if step.rule else []
    wanted = dict.fromkeys([*used, *filter(None, [study.judge]), *by_rule, *default_models()])
    choices = [model for model in wanted if not same_model(model, study.subject)]
    about = "Never the study's subject: a model does not judge its own work."
    if by_rule:
        about += f" {RULE_JUDGE} is no model but the written rule, without calls or cost."
    model = st.selectbox(
        "Judge",
        choices,
        index=0 if used or study.judge else None,
        accept_new_options=True,
        placeholder="choose a model or type its name",
        help=plain(about),
    )
    if model and same_model(model, study.subject):
        st.warning("The subject does not judge its own work; choose another model.")
        return None
    return model
