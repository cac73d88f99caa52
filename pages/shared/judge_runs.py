"""What a judge's step offers beyond a run: another version of its prompt, and to be asked again."""

import streamlit as st

from core.errors import SelfboundError
from core.protocols.base import Step
from core.settings import RULE_JUDGE
from core.workflows.planned_rows import judge_versions, used_versions
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.quantities import human_count
from pages.shared.widgets import problem


def chosen_version(bench: Workbench, study: Study, step: Step, model: str) -> int | None:
    """The version of the judge's prompt that the run is of; None where there is none to choose."""
    if not step.by_judge or model == RULE_JUDGE:
        return None
    versions = judge_versions(study, step, model)
    if len(versions) < 2:
        return None
    used = used_versions(bench.store, study, step, model)
    return st.segmented_control(
        "Version of the judge's prompt",
        versions,
        default=next((one for one in used if one in versions), versions[-1]),
        format_func=lambda version: f"v{version}",
        required=True,
        help="Each version is a judge of its own: its verdicts stand beside the others.",
        key=f"judge_version_{step.name}_{model}",
    )


def offer_again(bench: Workbench, study: Study, step: Step, model: str) -> None:
    """A button that asks a judge again where its verdict was not valid."""
    n_invalid = bench.store.value(
        "n_without_verdict", study_id=study.study_id, step=step.name, model=model
    )
    if not n_invalid:
        return
    left, right = st.columns([4, 1], vertical_alignment="center")
    without = human_count(n_invalid, "verdict is not valid", "verdicts are not valid")
    left.caption(f"{without}, and counted as no verdict.")
    if right.button("Ask again", key="ask_again"):
        try:
            start_step(bench, study, step.name, model=model, again=True)
        except SelfboundError as error:
            problem(error)
        else:
            st.rerun()
