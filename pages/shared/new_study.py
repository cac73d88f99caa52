"""The dialog that asks for a new study's set-up, but for what means nothing in its protocol."""

from pathlib import Path

import streamlit as st

from core.errors import SelfboundError
from core.exchange.taxonomy_file import taxonomy_of_bytes
from core.llm.client import default_models, same_model
from core.prompts import prompt_sets
from core.protocols import PROTOCOLS
from core.protocols.base import Protocol
from core.settings import RULE_JUDGE
from core.store.store import Store
from core.taxonomy import LINE_OF_DUTY, Taxonomy
from core.workflows.studies import create_study
from core.workflows.study_settings import LONGEST_NAME, MOST_PER_TYPE, usual_prompt_set
from pages.shared.quantities import human_count
from pages.shared.session import choose_study
from pages.shared.text import plain
from pages.shared.widgets import problem


@st.dialog("New study", width="medium")
def new_study_dialog(store: Store) -> None:
    """Ask for a study's set-up, make it, and go where the work on it begins."""
    protocol = st.selectbox(
        "Protocol", list(PROTOCOLS), format_func=lambda name: PROTOCOLS[name].title
    )
    shape = PROTOCOLS[protocol]
    st.caption(plain(shape.question))
    if shape.note:
        st.info(plain(shape.note))
    name = st.text_input("Name", max_chars=LONGEST_NAME)
    subject = st.selectbox(
        "Subject: the model under test",
        default_models(),
        accept_new_options=True,
        help="Any model LiteLLM reaches, as provider/model. Keys come from the environment.",
    )
    taxonomy = LINE_OF_DUTY if shape.for_taxonomy is None else _ask_taxonomy()
    sets = prompt_sets(protocol)
    usual = usual_prompt_set(shape, subject or "", taxonomy or LINE_OF_DUTY)
    at = sets.index(usual) if usual in sets else 0
    prompt_set = st.selectbox("Prompt set", sets, index=at)
    judge = _ask_judge(shape, subject or "")
    places = iter(st.columns(3 if shape.makes_tasks else 2))
    per_type = None
    if shape.makes_tasks:
        per_type = next(places).number_input(
            "Tasks per type and side", 1, MOST_PER_TYPE, shape.per_type
        )
    seed = next(places).number_input("Seed", value=0, step=1)
    budget = next(places).number_input(
        "Cap per step, US dollars", min_value=0.0, value=None, placeholder="no cap"
    )
    if st.button("Make the study", type="primary", disabled=taxonomy is None):
        try:
            study = create_study(
                store,
                name,
                protocol=protocol,
                subject=subject or "",
                prompt_set=prompt_set,
                judge=judge,
                per_type=per_type,
                seed=seed,
                budget_usd=budget,
                taxonomy=taxonomy,
            )
        except SelfboundError as error:
            problem(error)
        else:
            choose_study(study.name)
            st.switch_page("pages/generate.py")


def _ask_judge(shape: Protocol, subject: str) -> str | None:
    """The model that judges, where one has anything to judge; None where none is named yet."""
    steps = [step for step in shape.steps if step.by_judge]
    if not steps:
        return None
    by_rule = [RULE_JUDGE] if any(step.rule for step in steps) else []
    choices = [one for one in (*by_rule, *default_models()) if not same_model(one, subject)]
    about = "Another model than the subject, which judges for it. It can be named later, too."
    if by_rule:
        about += f" {RULE_JUDGE} is no model but a written rule, without calls or cost."
    return st.selectbox(
        "Judge",
        choices,
        index=None,
        accept_new_options=True,
        placeholder="none yet; choose a model or type its name",
        help=plain(about),
    )


def _ask_taxonomy() -> Taxonomy | None:
    """The built-in types and reasons, or those of a file; None while the file cannot be used."""
    file = st.file_uploader(
        "Own types and reasons (JSON)",
        "json",
        help="Without a file the study has the types and reasons of Line of Duty. The folder "
        "data/taxonomies holds files to begin with.",
    )
    if file is None:
        return LINE_OF_DUTY
    try:
        taxonomy = taxonomy_of_bytes(file.getvalue(), Path(file.name).name)
    except SelfboundError as error:
        problem(error)
        return None
    n_types, n_reasons = len(taxonomy.types), len(taxonomy.reasons)
    counted = f"{human_count(n_types, 'type')}, {human_count(n_reasons, 'reason')}"
    st.caption(plain(f"{taxonomy.title}: {counted}."))
    return taxonomy
