"""Results: the metrics of one or more studies as tables and charts, live while runs go on."""

import tempfile
from pathlib import Path

import pandas as pd
import streamlit as st

from core.charts.pictures import exhibit_picture
from core.errors import SelfboundError
from core.protocols.shown import Words
from core.workflows.judges import chosen_judges, of_one_judge
from core.workflows.people import Person
from core.workflows.reporting import report, sources
from core.workflows.results import (
    common_protocol,
    coverage,
    label_counts,
    removal_effect,
    studies_with_results,
)
from core.workflows.results_data import results_data
from core.workflows.steps import live_run
from core.workflows.studies import Study, find_study
from core.workflows.verdicts_shown import note_data_shown
from pages.shared.corrected_metrics import show_audited
from pages.shared.desk import person_if_any
from pages.shared.results_compare import show_comparison
from pages.shared.results_coverage import tell_coverage
from pages.shared.results_exhibits import show_exhibit
from pages.shared.results_funnel import show_funnel, show_removal
from pages.shared.results_judge import choose_judge
from pages.shared.results_printed import show_own_values, show_paper
from pages.shared.results_profile import show_profiles
from pages.shared.session import guarded_workbench, shown_studies
from pages.shared.study_bar import screen_title
from pages.shared.task_drill import tasks_dialog
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem

SHOWN = "It holds what judges said of each answer: votes of yours on these are not blind then."
REFRESH_S = 3.0
FEWEST = 5

bench = guarded_workbench()
store = bench.store
screen_title("Results", "What came out, with n and intervals beside every share.")
names = studies_with_results(store)
if not names:
    if empty_state(
        "There are no results yet",
        "Results appear as soon as a model's first reply is read.",
        "Go to Classify",
        key="to_classify",
    ):
        st.switch_page("pages/classify.py")
    st.stop()
studies = [find_study(store, name) for name in shown_studies(store, names)]
if not studies:
    st.info("Choose at least one study.")
    st.stop()


def any_run_of(studies: list[Study]) -> bool:
    """Whether a step of one of the studies is running."""
    steps = [(study, step.name) for study in studies for step in study.shape.steps]
    return any(live_run(bench, study, name) is not None for study, name in steps)


def results(studies: list[Study], was_live: bool) -> None:
    """Every exhibit of the studies' protocol, in reading order."""
    if was_live and not any_run_of(studies):
        # The last run has ended: the whole page runs once more, and then rests.
        st.rerun()
    try:
        protocol = common_protocol(studies)
    except SelfboundError as error:
        problem(error)
        return
    shown = protocol.results()
    words = shown.words
    covered = coverage(store, studies)
    tell_coverage(covered, words)
    judge = choose_judge(store, studies) if shown.by_judge else ""
    every = counts = label_counts(store, studies, judge=None)
    judges = chosen_judges(store, studies, judge) if shown.by_judge else {}
    if shown.by_judge:
        counts = of_one_judge(every, judges)
    if any(study.is_demo for study in studies):
        st.info("The demo's model is very small: its numbers show the way, they are no findings.")
    if counts["n"].sum() < FEWEST:
        few = f"Fewer than {FEWEST} {words.done} {words.task}s: too little to draw or to measure."
        st.info(plain(few))
        show_funnel(store, studies, words)
        return
    models = chosen_models(counts, words)
    if models:
        counts, every = (one[one["model"].isin(models)] for one in (counts, every))
    whole_files(studies, judge, has_data=shown.data is not None, shows_verdicts=shown.by_judge)
    made_from = sources(studies)
    ids = tuple(study.study_id for study in studies)
    key = (ids, store.data_version, models, judge)
    for at, exhibit in enumerate(shown.exhibits):
        if at == 1 and shown.by_judge:
            # Right below the headline, for it says how far that can be trusted.
            show_audited(store, studies, judges, models=models)
        show_exhibit(
            exhibit,
            every if exhibit.of_every_judge else counts,
            models=models,
            judges=judges,
            key=key,
            sources=made_from,
        )
    if shown.comparison is not None:
        show_comparison(
            store,
            studies,
            counts,
            how=shown.comparison,
            words=words,
            judge=judge,
            key=key,
            sources=made_from,
        )
    show_funnel(store, studies, words)
    if exhibit := shown.removal:
        has_removed = any(row["removed_since"] for row in covered)
        effect = removal_effect(store, studies, models=models, judge=judge) if has_removed else None
        show_removal(exhibit, effect, words)
    show_paper(protocol, counts)
    if shown.compare_values is not None:
        show_own_values(shown.compare_values, counts)
    if shown.profile is not None:
        show_profiles(store, sorted(counts["model"].unique()), key=key)


def chosen_models(counts: pd.DataFrame, words: Words) -> tuple[str, ...]:
    """The models and people that are chosen where others than the subjects answered; else none,
    which means all."""
    models = sorted(counts["model"].unique())
    if (counts["subject"] == counts["model"]).all():
        return ()
    chosen = st.multiselect(
        words.by,
        models,
        models,
        key="by",
        bind="query-params",
        help="What adds up several studies and models adds up these.",
    )
    return tuple(chosen) if len(chosen) < len(models) else ()


def whole_files(studies: list[Study], judge: str, *, has_data: bool, shows_verdicts: bool) -> None:
    """The report of all that is shown, and the data behind it, made when they are asked for."""
    # Asked here: a file is made in a thread of its own, which knows nobody.
    person = person_if_any(store)
    with st.container(horizontal=True):
        st.download_button(
            "Report as one HTML file",
            lambda: report(store, studies, draw=exhibit_picture, judge=judge),
            file_name="selfbound-report.html",
            mime="text/html",
            on_click="ignore",
            key="report",
        )
        if not has_data:
            return
        st.download_button(
            "Data as Parquet",
            lambda: parquet(studies, person),
            file_name="selfbound-results.parquet",
            mime="application/vnd.apache.parquet",
            on_click="ignore",
            key="data",
            help=SHOWN if shows_verdicts else None,
        )


def parquet(studies: list[Study], person: Person | None) -> bytes:
    """The data behind the results, one row an answer; it tells the person what judges said."""
    if person is not None:
        note_data_shown(store, studies, person)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.parquet"
        results_data(store, studies, path)
        return path.read_bytes()


is_live = any_run_of(studies)
st.fragment(results, run_every=REFRESH_S if is_live else None)(studies, is_live)
tasks_dialog(store, studies)
