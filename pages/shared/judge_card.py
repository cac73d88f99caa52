"""The report cards of a step's judges: how far each is right, where it errs, and side by side.

A judge is a model with a version of its prompt; all its samples together are one audit.
"""

import json
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.metric_names import p_text
from core.store.store import Store
from core.workflows.audit_statistics import FEW_VOTES
from core.workflows.audit_tables import (
    judge_reading,
    judge_table,
)
from core.workflows.audited_pairs import AuditedVerdict
from core.workflows.audits import auditable_judges, audited_steps
from core.workflows.judge_card import JudgeCard, judge_card
from core.workflows.judge_comparison import JudgePair, compared_judges
from core.workflows.judge_tables import (
    basis_sentence,
    kind_table,
    known_table,
    pair_sentences,
    pair_table,
)
from core.workflows.people import person_named
from core.workflows.studies import Study
from core.workflows.verdicts_shown import note_shown
from pages.shared.audit_places import go_to
from pages.shared.browser_memory import name_here
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.judge_standing import show_standing
from pages.shared.kept import kept
from pages.shared.live import rerun_on_change
from pages.shared.measures import judge_measures, show_measures, show_sentences, with_ends
from pages.shared.quantities import human_count
from pages.shared.tables import show_table
from pages.shared.text import plain
from pages.shared.widgets import empty_state, show_text


def show_judges(store: Store, study: Study) -> None:
    """Show the report cards of the step that is chosen, where more than one has judges."""
    judged = {one.step for one in auditable_judges(store, study) if one.n_valid}
    steps = {step.name: step for step in audited_steps(study) if step.name in judged}
    if not steps:
        empty_state("No judge to report on", "No judge has given a verdict yet.", key="no_card")
        return
    name = next(iter(steps))
    if len(steps) > 1:
        name = st.segmented_control(
            "Verdicts of",
            list(steps),
            default=name,
            format_func=lambda one: plain(steps[one].title),
            required=True,
            key="card_step",
        )
    show_judge_card(store, study, name)


def show_judge_card(store: Store, study: Study, step: str) -> None:
    """Show the report card of one judge of a step, and all of them beside one another.

    Args:
        step: one in which a judge has given a verdict.
    """
    judges = [one for one in auditable_judges(store, study) if one.step == step and one.n_valid]
    rerun_on_change(store)
    name = name_here()
    person = person_named(store, name) if name else None
    judge = judges[0]
    if len(judges) > 1:
        by_title = {one.title: one for one in judges}
        judge = by_title[st.selectbox("Judge", list(by_title), key="card_judge")]
    card = judge_card(store, study, judge, viewer=person)
    st.caption(plain(basis_sentence(card)))
    if card.n_decided < FEW_VOTES:
        st.info(
            f"Fewer than {FEW_VOTES} audited verdicts speak for this judge: too few to measure it "
            "by. Audit a random or a stratified sample of its verdicts."
        )
    else:
        _measures(card, study)
    show_standing(store, study, card, person)
    if card.n_decided >= FEW_VOTES:
        _kinds(card, study)
    _examples(card, study)
    if person:
        # Whoever joins a finished sample after this has seen what the judge said.
        shown = {one.item_id for one in (*card.wrong_yes, *card.wrong_no)}
        note_shown(store, study, person, shown)
    if len(judges) > 1:
        key = (study.study_id, step, store.data_version)
        _side_by_side(kept("judges", key, lambda: compared_judges(store, study, step)), study)


def _measures(card: JudgeCard, study: Study) -> None:
    with title_row("How far the judge is right", anchor="right"):
        offer_exhibit(
            "judge-card",
            f"{card.judge.title} beside people",
            judge_table(card.measured),
            sources=[f"study {study.name}"],
        )
    show_measures(judge_measures(card.measured))
    show_sentences(judge_reading(card.measured))


def _kinds(card: JudgeCard, study: Study) -> None:
    table = kind_table(card)
    if table.empty:
        return
    with title_row("Where it errs", anchor="kinds"):
        offer_exhibit("judge-kinds", "Where it errs", table, sources=[f"study {study.name}"])
    st.caption(
        "Audited verdicts by kind. A wrong yes is one that people say no to, a wrong no the other "
        "way round; agreement is weighted as the samples were drawn, with Wilson's 95 % interval."
    )
    show_table(table.drop(columns=[] if table["why"].any() else "why"), gap_note="")


def _examples(card: JudgeCard, study: Study) -> None:
    if not (card.wrong_yes or card.wrong_no or card.n_hidden):
        return
    st.subheader("What it got wrong", anchor="wrong")
    if card.n_hidden:
        st.caption(
            f"{human_count(card.n_hidden, 'example')} not shown, for you may still have to vote "
            "on them: finish the samples first."
        )
    for name, found in (("Wrong yes", card.wrong_yes), ("Wrong no", card.wrong_no)):
        if found:
            with st.expander(f"{name} ({len(found)})"):
                for number, one in enumerate(found):
                    _example(one, study, f"{name[-2:].strip()}{number}")


def _example(one: AuditedVerdict, study: Study, key: str) -> None:
    with st.container(border=True, gap="small"):
        show_text(one.task, key=f"wrong_task_{key}", size="small")
        if one.references_json:
            st.caption("Answers that count as right")
            references = "\n".join(json.loads(one.references_json))
            show_text(references, key=f"wrong_references_{key}", size="small")
        if one.answer is not None:
            st.caption("The answer")
            show_text(one.answer, key=f"wrong_answer_{key}", size="small")
        words = [f"The judge said {one.verdict}, people say {one.truth}", one.type, one.subject]
        if one.match:
            words.append(f"match without a judge: {one.match}")
        st.caption(plain(" · ".join(filter(None, words))))
        with st.container(horizontal=True):
            st.button(
                "The sample it is in",
                type="tertiary",
                on_click=go_to,
                args=("statistics", one.audit_id),
                key=f"wrong_sample_{key}",
            )
            st.page_link(
                "pages/curate.py",
                label="The task on Curate",
                query_params={"study": study.name, "view": "desk", "task": one.task_id},
            )


def _side_by_side(pairs: Sequence[JudgePair], study: Study) -> None:
    table = pair_table(pairs)
    with title_row("Judges side by side", anchor="pairs"):
        offer_exhibit(
            "judge-pairs", "Judges on the same answers", table, sources=[f"study {study.name}"]
        )
    st.caption(
        "On what both gave a valid verdict on. p is that of McNemar's test (mid-p) that both say "
        "yes equally often."
    )
    shown = with_ends(table, ("agreement", "kappa", "AC1"))
    show_table(_with_p_in_words(shown), gap_note="")
    known = known_table(pairs)
    if known["audited"].max() >= FEW_VOTES:
        with title_row("On the same audited answers", anchor="known"):
            offer_exhibit(
                "judges-known",
                "Judges on the same audited answers",
                known,
                sources=[f"study {study.name}"],
            )
        st.caption(
            "Unweighted, on the answers that people decided in any sample: they tell two judges "
            "apart, and not how often each errs. p is that of McNemar's test (mid-p) that both are "
            "right equally often."
        )
        shown = with_ends(known, ("sensitivity", "specificity"))
        show_table(_with_p_in_words(shown), gap_note="")
    for pair in pairs:
        show_sentences(pair_sentences(pair))


def _with_p_in_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table, with no p-value shown as 0."""
    words = table["McNemar_p"].map(p_text, na_action="ignore")
    return table.assign(McNemar_p=words.where(table["McNemar_p"].notna(), "not defined"))
