"""Results: the metrics of one or more studies as tables and charts, live while runs go on."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.drawing import exhibit_chart
from core.errors import SelfboundError
from core.protocols.base import Exhibit
from core.workflows.funnel import curation_funnels
from core.workflows.results import (
    common_protocol,
    coverage,
    label_counts,
    printed_comparison,
    removal_effect,
)
from core.workflows.steps import live_run
from core.workflows.studies import Study, find_study
from pages.shared.quantities import human_count
from pages.shared.session import guarded_workbench, shown_studies
from pages.shared.study_bar import screen_title
from pages.shared.tables import show_table
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem

COVERED = ("planned", "read", "unread", "open", "removed_since")
WIDTHS = {"row": 90, "column": 205, "ours": 140, "printed": 140, "difference": 85, "verdict": 540}
"""Pixels for the columns of the comparison, so that a verdict can be read whole."""
REFRESH_S = 3.0
FEWEST = 5

bench = guarded_workbench()
store = bench.store
screen_title("Results", "How well the boundary held, with n and intervals beside every share.")
names = [row["name"] for row in store.rows("studies_with_labels")]
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
    for exhibit in protocol.results().exhibits:
        st.subheader(plain(exhibit.title), anchor=exhibit.key)
        st.caption(plain(exhibit.reading))
        table = exhibit.table(counts)
        if exhibit.chart:
            chart = exhibit_chart(exhibit.chart, table)
            # The chart brings its alt text along, as its description.
            st.altair_chart(chart, width="stretch")
            with st.expander("The numbers"):
                show_table(table)
        else:
            show_table(table)
    funnel(studies)
    if exhibit := protocol.results().removal:
        has_removed = any(row["removed_since"] for row in covered)
        curation(exhibit, removal_effect(store, studies, counts) if has_removed else None)
    paper(protocol, counts)


def tell_coverage(rows: Sequence[Mapping[str, Any]]) -> None:
    """Both denominators of every metric: the tasks planned, and those that could be read."""
    if len(rows) == 1:
        st.caption(plain(f"{rows[0]['model']}: {coverage_words(rows[0])}"))
        return
    total = {key: sum(row[key] for row in rows) for key in COVERED}
    st.caption(plain(f"All studies and models together: {coverage_words(total)}"))
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
    st.subheader("From generated to drawn", anchor="funnel")
    st.caption(
        "Decided tasks are kept, removed or disputed; with those skipped and those not decided "
        "they are all tasks. A task can have several flags, so flags may add up to more than the "
        "tasks flagged."
    )
    names = [study.name for study in studies]
    name = st.selectbox("The funnel of", names, key="funnel_of") if len(names) > 1 else names[0]
    table = curation_funnels(store, studies)
    chart = exhibit_chart("funnel", table[table["study"] == name])
    st.altair_chart(chart, width="stretch")
    with st.expander("The numbers"):
        show_table(table.drop(columns=["stage", "within"]))


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


def paper(protocol: object, counts: pd.DataFrame) -> None:
    """The published tables beside ours, when the studies are the published ones."""
    compared = printed_comparison(protocol, counts)
    if compared is None or compared.empty:
        return
    st.subheader("Published and recomputed", anchor="paper")
    known = compared.dropna(subset="agrees")
    n_missing = len(compared) - len(known)
    st.caption(
        f"{int(known['agrees'].sum()):,} of {len(known):,} printed values agree with ours within "
        "0.01 or by name; what does not is said in words."
        + (f" {n_missing:,} more need studies that are not shown here." if n_missing else "")
    )
    only = st.toggle("Only what differs", key="only_differences")
    shown = known[~known["agrees"].astype(bool)] if only else known
    for name, part in shown.groupby("table", sort=False):
        st.markdown(f"**{plain(name)}**")
        show_table(part.drop(columns=["table", "agrees"]), gap="–", gap_note="", widths=WIDTHS)


is_live = any_run_of(studies)
st.fragment(results, run_every=REFRESH_S if is_live else None)(studies, is_live)
