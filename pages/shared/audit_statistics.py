"""What a sample says of its judge and of the numbers, live while people vote."""

from collections.abc import Sequence

import streamlit as st

from core.charts.confusion import confusion_chart
from core.metrics.agreement_words import plain_reading
from core.metrics.judge_audit import JudgeAudit
from core.store.store import Store
from core.workflows.audit_statistics import (
    FEW_VOTES,
    AuditStatistics,
    SubjectMetrics,
    audit_statistics,
)
from core.workflows.audit_tables import (
    AUDITED,
    CORRECTED,
    FORMULAS,
    RAW,
    ROGAN_GLADEN,
    crossed_table,
    judge_reading,
    judge_table,
    metric_reading,
    metric_table,
    rate_reading,
    rate_table,
    votes_sentence,
)
from core.workflows.audits import verdicts_of
from core.workflows.studies import Study
from pages.shared.corrected_metrics import show_corrected
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.kept import kept
from pages.shared.live import rerun_on_change
from pages.shared.measures import (
    Measure,
    judge_measures,
    show_measures,
    show_sentences,
)
from pages.shared.quantities import human_count
from pages.shared.tables import show_table
from pages.shared.text import plain

HALF_WIDTHS = (0.02, 0.03, 0.05, 0.08, 0.10)


def show_statistics(store: Store, study: Study, audit_id: str) -> None:
    """Show what a sample says, by the votes that stand at any moment."""
    rerun_on_change(store)
    key = (study.study_id, audit_id, store.data_version)
    found = kept("audit_statistics", key, lambda: audit_statistics(store, study, audit_id))
    sources = [f"study {study.name}", f"sample {found.audit.name} of {found.audit.judge_title}"]
    st.caption(plain(votes_sentence(found)))
    if found.has_few:
        st.info(
            f"Fewer than {FEW_VOTES} verdicts have a yes or no by people: too few to measure "
            "anything by. Vote on some more."
        )
        return
    if found.why_not:
        st.info(
            plain(
                f"This sample speaks for itself alone: {found.why_not}. What it says of the judge "
                "holds for these verdicts, and it corrects no number."
            )
        )
    _judge(found, sources)
    _rates(found, verdicts_of(study, found.audit.step).question, sources)
    _metrics(found.subjects, sources)
    _auditors(found)


def _judge(found: AuditStatistics, sources: Sequence[str]) -> None:
    with title_row("The judge beside people", anchor="judge"):
        offer_exhibit(
            "judge-audit", "The judge beside people", judge_table(found.measured), sources=sources
        )
    show_measures(judge_measures(found.measured))
    show_sentences(judge_reading(found.measured))
    _crossed(found.measured, sources)
    if found.why_not:
        return
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    half_width = left.selectbox(
        "How many more for",
        HALF_WIDTHS,
        index=HALF_WIDTHS.index(0.05),
        format_func=lambda half: f"± {100 * half:.0f} points",
        key="half_width",
        help="Half the width that the 95 % interval of the agreement is to have.",
    )
    right.markdown(plain(_more(found, half_width)))


def _crossed(measured: JudgeAudit, sources: Sequence[str]) -> None:
    table = crossed_table(measured)
    chart = confusion_chart(
        table,
        rows="judge",
        columns="people",
        row_title="The judge said",
        column_title="People say",
        width=360,
    )
    title = "The judge's verdicts against people's"
    with title_row(title, anchor="crossed"):
        offer_exhibit("judge-crossed", title, table, chart, sources=sources)
    st.caption("Verdicts that people decided, each counted once; outlined is where both agree.")
    st.altair_chart(chart, width="content", key="crossed")
    with st.expander("The numbers"):
        show_table(table)


def _more(found: AuditStatistics, half_width: float) -> str:
    more = found.more_needed(half_width)
    if not more:
        return f"The agreement is known to ± {100 * half_width:.0f} points or better already."
    return (
        f"{human_count(more, 'more decided verdict')}, if people go on to confirm "
        f"{100 * found.measured.agreement.value:.0f} % of them."
    )


def _rates(found: AuditStatistics, question: str, sources: Sequence[str]) -> None:
    rates = found.rates
    with title_row("How often the answer is yes", anchor="rates"):
        offer_exhibit("judge-rates", question, rate_table(rates), sources=sources)
    st.caption(plain(f"“{question}” On all {human_count(found.judge.n_valid, 'verdict')}."))
    named = (
        (RAW, rates.raw),
        (AUDITED, rates.audited),
        (CORRECTED, rates.corrected),
        (ROGAN_GLADEN, rates.rogan_gladen),
    )
    show_measures(
        [
            Measure(
                name,
                FORMULAS[name],
                one.value,
                one.low,
                one.high,
                one.n,
                one.why,
                "clipped" if one.clipped else "",
            )
            for name, one in named
        ]
    )
    show_sentences([rate_reading(rates)])
    if found.judge.n_invalid:
        st.caption(
            plain(
                f"{human_count(found.judge.n_invalid, 'reply', 'replies')} of the judge that say "
                "neither yes nor no are in none of these."
            )
        )
    if found.n_since:
        st.caption(
            plain(
                f"{human_count(found.n_since, 'verdict')} came after the sample was drawn; it is "
                "taken to speak for them, too."
            )
        )


def _metrics(subjects: Sequence[SubjectMetrics], sources: Sequence[str]) -> None:
    if not subjects:
        return
    table = metric_table(subjects)
    with title_row("What the judge's errors do to the metrics", anchor="metrics"):
        offer_exhibit(
            "corrected-metrics", "Metrics as judged and as corrected", table, sources=sources
        )
    show_corrected(table)
    show_sentences([metric_reading(one) for one in subjects])


def _auditors(found: AuditStatistics) -> None:
    st.subheader("The auditors among themselves", anchor="auditors")
    if not found.auditors.percent.n_items:
        st.caption("No verdict has been voted on by two people so far.")
        return
    among = found.auditors
    every = (among.percent, among.kappa, among.alpha, among.ac1)
    show_sentences([plain_reading(one) for one in every if one.value is not None])
