"""Results: the metrics of one or more studies as tables and charts, live while runs go on."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.drawing import exhibit_chart
from core.charts.pictures import exhibit_picture
from core.errors import SelfboundError
from core.protocols.base import Exhibit
from core.workflows.drilldown import TaskQuery
from core.workflows.funnel import curation_funnels
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
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.quantities import human_count
from pages.shared.results_compare import show_comparison
from pages.shared.results_exhibits import show_exhibit
from pages.shared.results_printed import show_own_values, show_paper
from pages.shared.session import guarded_workbench, shown_studies
from pages.shared.study_bar import screen_title
from pages.shared.tables import show_table
from pages.shared.task_drill import pick_chart, tasks_dialog
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem

COVERED = ("planned", "read", "unread", "open", "removed_since")
REFRESH_S = 3.0
FEWEST = 5

bench = guarded_workbench()
store = bench.store
screen_title("Results", "How well the boundary held, with n and intervals beside every share.")
names = studies_with_results(store)
if not names:
    if empty_state(
        "There are no results yet",
        "Results appear as soon as the first task is classified.",
        "Go to Classify",
        key="to_classify",
    ):
        st.switch_page("pages/classify.py")
    st.stop()
studies = [find_study(store, name) for name in shown_studies(names)]
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
    counts = label_counts(store, studies)
    covered = coverage(store, studies)
    tell_coverage(covered)
    if any(study.is_demo for study in studies):
        st.info("The demo's model is very small: its numbers show the way, they are no findings.")
    if counts["n"].sum() < FEWEST:
        st.info(f"Fewer than {FEWEST} classified tasks: too little to draw or to measure.")
        funnel(studies)
        return
    models = chosen_models(counts)
    if models:
        counts = counts[counts["model"].isin(models)]
    whole_files(studies)
    made_from = sources(studies)
    ids = tuple(study.study_id for study in studies)
    key = (ids, store.data_version, models)
    for exhibit in protocol.results().exhibits:
        show_exhibit(exhibit, counts, models=models, key=key, sources=made_from)
    show_comparison(store, studies, counts, key=key, sources=made_from)
    funnel(studies)
    if exhibit := protocol.results().removal:
        has_removed = any(row["removed_since"] for row in covered)
        curation(exhibit, removal_effect(store, studies, models=models) if has_removed else None)
    show_paper(protocol, counts)
    show_own_values(counts)


def chosen_models(counts: pd.DataFrame) -> tuple[str, ...]:
    """The models and people that are chosen where others than the subjects classified; else none,
    which means all."""
    models = sorted(counts["model"].unique())
    if (counts["subject"] == counts["model"]).all():
        return ()
    chosen = st.multiselect(
        "Classified by",
        models,
        models,
        key="by",
        bind="query-params",
        help="What adds up several studies and models adds up these.",
    )
    return tuple(chosen) if len(chosen) < len(models) else ()


def whole_files(studies: list[Study]) -> None:
    """The report of all that is shown, and the data behind it, made when they are asked for."""
    with st.container(horizontal=True):
        st.download_button(
            "Report as one HTML file",
            lambda: report(store, studies, draw=exhibit_picture),
            file_name="selfbound-report.html",
            mime="text/html",
            on_click="ignore",
            key="report",
        )
        st.download_button(
            "Data as Parquet",
            lambda: parquet(studies),
            file_name="selfbound-results.parquet",
            mime="application/vnd.apache.parquet",
            on_click="ignore",
            key="data",
        )


def parquet(studies: list[Study]) -> bytes:
    """One row for each drawn task and model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.parquet"
        results_data(store, studies, path)
        return path.read_bytes()


def tell_coverage(rows: Sequence[Mapping[str, Any]]) -> None:
    """Both denominators of every metric: the tasks planned, and those that could be read."""
    if len(rows) == 1:
        st.caption(plain(f"{rows[0]['model']}: {coverage_words(rows[0])}"))
        return
    total = {key: sum(row[key] for row in rows) for key in COVERED}
    counted = "" if len({row["study"] for row in rows}) == len(rows) else ", a task once for each"
    st.caption(plain(f"All studies and models together{counted}: {coverage_words(total)}"))
    with st.expander("Each of them"):
        for row in rows:
            st.caption(plain(f"{row['study']} · {row['model']}: {coverage_words(row)}"))


def coverage_words(row: Mapping[str, int]) -> str:
    """A closed sum of drawn tasks in words."""
    words = {
        "read": "with a usable reply",
        "unread": "ended without a usable reply",
        "open": "not ended yet",
        "removed_since": "removed by people",
    }
    parts = [f"{row[key]:,} {said}" for key, said in words.items() if row[key]]
    return f"{human_count(row['planned'], 'task')} drawn = {' + '.join(parts) or 'none'}"


def funnel(studies: list[Study]) -> None:
    """How many tasks reached each stage: the chart of one study, the numbers of all."""
    downloads = title_row("From generated to drawn", anchor="funnel")
    st.caption(
        "Decided tasks are kept, removed or disputed; with those skipped and those not decided "
        "they are all tasks. A task can have several flags, so flags may add up to more than the "
        "tasks flagged."
    )
    names = [study.name for study in studies]
    name = (
        st.selectbox("The funnel of", names, key="funnel", bind="query-params")
        if len(names) > 1
        else names[0]
    )
    table = curation_funnels(store, studies)
    chart = exhibit_chart("funnel", table[table["study"] == name])
    pick_chart(
        chart,
        key=f"funnel_{name}",
        query_of=lambda mark: TaskQuery(of_study=name, stage=mark["stage"]),
    )
    numbers = table.drop(columns=["stage", "within"])
    with st.expander("The numbers"):
        show_table(numbers)
    with downloads:
        offer_exhibit("funnel", "From generated to drawn", numbers, chart, sources=sources(studies))


def curation(exhibit: Exhibit, effect: pd.DataFrame | None) -> None:
    """The metrics without and with the removed tasks, or why there is nothing to compare."""
    st.subheader(plain(exhibit.title), anchor=exhibit.key)
    if effect is None:
        st.caption(
            "No removed task has been classified, so there is nothing to compare. To compare, "
            "draw again on Classify with the removed tasks included, and classify them."
        )
        return
    st.caption(plain(exhibit.reading))
    show_table(effect)


is_live = any_run_of(studies)
st.fragment(results, run_every=REFRESH_S if is_live else None)(studies, is_live)
tasks_dialog(store, studies)
