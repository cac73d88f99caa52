"""How a sample of verdicts is drawn: of which judge, in which way, and how many."""

from collections.abc import Sequence

import streamlit as st

from core.errors import SelfboundError
from core.store.store import Store
from core.workflows.audit_choice import DISAGREEMENT, RANDOM, STRATIFIED
from core.workflows.audit_samples import (
    LONGEST_NAME,
    MOST,
    PRESET_N,
    PRESET_SUBJECTS,
    draw_audit,
    hundred_of_three,
)
from core.workflows.audit_strata import EQUAL, PROPORTIONAL
from core.workflows.audit_supply import strata_on_offer, subjects_of
from core.workflows.audits import AuditableJudge
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.audit_places import MESSAGE, open_drawn
from pages.shared.kept import kept
from pages.shared.quantities import human_count

THREE = "three"
WAYS = {
    THREE: "100 answers of three models",
    RANDOM: "At random",
    STRATIFIED: "By strata",
    DISAGREEMENT: "Disagreements first",
}
READING = {
    THREE: "As many answers of each model, at random: a first check of a judge.",
    RANDOM: "Every verdict has the same chance; the sample speaks for all of them.",
    STRATIFIED: "Some of each group, so that rare verdicts are seen too; each vote is weighed by "
    "how many verdicts it stands for.",
    DISAGREEMENT: "First what judges, or a judge and an auditor, saw differently, then others at "
    "random. It finds errors and does not tell how frequent they are.",
}
ALLOCATIONS = {EQUAL: "as many of each", PROPORTIONAL: "each its share"}


def show_form(store: Store, study: Study, person: Person, judges: Sequence[AuditableJudge]) -> None:
    """Choose a judge and a way to draw; a press draws the sample and opens its desk."""
    with st.container(border=True):
        st.subheader("Draw a sample", anchor=False)
        judge = _chosen_judge(study, judges)
        st.caption(_supply_words(judge))
        n_subjects, on_offer = _known_of(store, study, judge)
        ways = [way for way in WAYS if way != THREE or n_subjects]
        way = st.segmented_control(
            "How", ways, default=ways[0], format_func=WAYS.get, required=True, key="sample_way"
        )
        st.caption(READING[way])
        if way == THREE and n_subjects < PRESET_SUBJECTS:
            st.caption(
                f"{human_count(n_subjects, 'model has', 'models have')} answers that were judged."
            )
        options = {}
        if way == STRATIFIED:
            options = _strata(on_offer)
        left, middle, right = st.columns([2, 2, 4])
        most = min(MOST, judge.n_valid)
        if way != THREE:
            options["n"] = int(
                left.number_input(
                    "Verdicts", 1, most, min(PRESET_N, most), key=f"sample_n_{judge.prompt_hash}"
                )
            )
            options["name"] = right.text_input(
                "Name", max_chars=LONGEST_NAME, placeholder="one that tells how it was drawn"
            )
        options["seed"] = int(
            (left if way == THREE else middle).number_input(
                "Seed", 0, 10**15, 0, help="The same seed draws the same verdicts again."
            )
        )
        st.button(
            "Draw the sample",
            type="primary",
            key="draw_sample",
            on_click=_draw,
            args=(store, study, person, judge, way, options),
        )


def _chosen_judge(study: Study, judges: Sequence[AuditableJudge]) -> AuditableJudge:
    """The judge that the address names, or another one that is chosen."""
    asked = (st.query_params.get("step"), st.query_params.get("judge"))
    fits = [at for at, one in enumerate(judges) if (one.step, one.judge) == asked]
    return st.selectbox(
        "Judge",
        judges,
        index=fits[-1] if fits else 0,
        format_func=lambda one: f"{study.shape.step(one.step).title} · {one.title}",
    )


def _known_of(store: Store, study: Study, judge: AuditableJudge) -> tuple[int, list[str]]:
    """How many models gave the answers that it judged, and what tells its verdicts apart."""
    return kept(
        "audit_supply",
        (study.study_id, judge.step, judge.judge, judge.prompt_hash, store.data_version),
        lambda: (
            len(set(subjects_of(store, study, judge)) - {""}),
            strata_on_offer(store, study, judge),
        ),
    )


def _supply_words(judge: AuditableJudge) -> str:
    said = f"{human_count(judge.n_valid, 'verdict')} to draw from: {judge.n_yes:,} yes and "
    said += f"{judge.n_no:,} no."
    if judge.n_invalid:
        said += f" {judge.n_invalid:,} more that say neither are not drawn."
    if judge.n_owed:
        said += f" {human_count(judge.n_owed, 'verdict is', 'verdicts are')} still to come."
    return said


def _strata(on_offer: Sequence[str]) -> dict[str, object]:
    left, right = st.columns(2)
    by = left.multiselect(
        "Strata by",
        on_offer,
        [name for name in on_offer if name == "verdict"] or on_offer[:1],
        key="sample_by",
    )
    allocation = right.segmented_control(
        "Of each",
        list(ALLOCATIONS),
        default=EQUAL,
        format_func=ALLOCATIONS.get,
        required=True,
        key="sample_allocation",
    )
    return {"by": tuple(by), "allocation": allocation}


def _draw(
    store: Store,
    study: Study,
    person: Person,
    judge: AuditableJudge,
    way: str,
    options: dict[str, object],
) -> None:
    try:
        if way == THREE:
            drawn = hundred_of_three(store, study, judge, person=person, **options)
        else:
            about = {"judge": judge.judge, "prompt_hash": judge.prompt_hash, "method": way}
            drawn = draw_audit(store, study, judge.step, person=person, **about, **options)
    except SelfboundError as error:
        st.session_state[MESSAGE] = error
        return
    open_drawn(drawn)
