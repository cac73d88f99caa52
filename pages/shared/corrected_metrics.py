"""ACC, DU-F1 and MU-F1 as judged and as corrected, side by side, with their formulas."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.store.store import Store
from core.workflows.audit_statistics import (
    FEW_VOTES,
    AuditStatistics,
    audit_statistics,
    why_not_corrected,
)
from core.workflows.audit_tables import (
    CORRECTED,
    FORMULAS,
    RAW,
    ROGAN_GLADEN,
    metric_reading,
    metric_table,
)
from core.workflows.audits import Audit, audits_of
from core.workflows.studies import Study
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.kept import kept
from pages.shared.measures import show_sentences, with_ends
from pages.shared.quantities import human_count
from pages.shared.text import plain

_COLUMNS = {"judged": RAW, "corrected": CORRECTED, "rogan_gladen": ROGAN_GLADEN}
_METRICS = ("ACC", "DU-F1", "MU-F1")


def show_corrected(table: pd.DataFrame) -> None:
    """Show what `metric_table` gives, with the formulas at the heads of the columns."""
    st.caption(
        "Corrected, the number of right answers is the corrected rate times the judged answers. "
        "The interval then carries the chance in the questions and in the audit. The form of an "
        "F1 stands beside it: released as the published code counts, balanced with plain recall."
    )
    st.dataframe(_shown(table), hide_index=True, column_config=_formulas())


def show_audited(
    store: Store, studies: Sequence[Study], judges: Mapping[str, str], *, models: Sequence[str]
) -> None:
    """What the judges' errors do to the headline of some studies, by what people audited.

    Args:
        judges: by the study's name, whose verdicts count; empty where there are none.
        models: whose answers are meant; empty for everybody's.
    """
    judged = [study for study in studies if judges.get(study.name)]
    if not judged:
        return
    downloads = title_row("As judged, and as corrected by people's audits", anchor="audited")
    frames, readings = [], []
    for study in judged:
        found = _newest(store, study, judges[study.name])
        if found is None:
            _not_audited(study, judges[study.name])
            continue
        subjects = [one for one in found.subjects if not models or one.subject in models]
        frames.append(metric_table(subjects).assign(study=study.name))
        readings += [metric_reading(one) for one in subjects]
        left, right = st.columns([5, 1], vertical_alignment="center")
        decided = human_count(found.n_decided, "verdict")
        left.caption(
            plain(
                f"{study.name}: {decided} of {found.audit.judge_title} that people decided, in "
                f"the sample {found.audit.name}."
            )
        )
        _audit_link(right, study, "The audit", {"view": "statistics"}, found.audit)
    if not frames:
        return
    table = pd.concat(frames, ignore_index=True)
    # A study in which all is defined has no words on why it is not.
    words = [name for name in ("clipped", "why") if name in table]
    table = table.fillna(dict.fromkeys(words, ""))
    table = table[["study", *table.columns.drop("study")]]
    with downloads:
        sources = [f"study {study.name}" for study in judged]
        offer_exhibit(
            "audited-metrics", "Metrics as judged and as corrected", table, sources=sources
        )
    show_corrected(table if len(judged) > 1 else table.drop(columns="study"))
    show_sentences(readings)


def _newest(store: Store, study: Study, judge: str) -> AuditStatistics | None:
    """What the newest sample says that speaks for all verdicts of a judge; None without any."""
    for audit in audits_of(store, study):
        answers = study.shape.step(audit.step).answers_of == study.shape.measured
        if not answers or audit.judge_title != judge or why_not_corrected(audit):
            continue
        if audit.n_decided >= FEW_VOTES:
            key = (study.study_id, audit.audit_id, store.data_version)
            return kept(
                "audit_statistics",
                key,
                lambda audit=audit: audit_statistics(store, study, audit.audit_id),
            )
    return None


def _not_audited(study: Study, judge: str) -> None:
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.caption(
        plain(
            f"{study.name}: people have not audited {judge} yet, or too little, so nobody knows "
            "how far its errors move these numbers."
        )
    )
    _audit_link(right, study, "Audit it", {"view": "samples"}, None)


def _audit_link(place, study: Study, label: str, address: dict, audit: Audit | None) -> None:
    named = {"audit": audit.audit_id} if audit else {}
    place.page_link(
        "pages/audit.py", label=label, query_params={"study": study.name} | address | named
    )


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """Each value with its interval in one cell, and with a mark where it is clipped."""
    shown = with_ends(table, list(_COLUMNS)).rename(columns=_COLUMNS)
    if "clipped" in shown:
        shown[ROGAN_GLADEN] += shown.pop("clipped").map(lambda word: f", {word}" if word else "")
    return shown


def _formulas() -> dict[str, object]:
    """The formulas at the heads of the columns."""
    metrics = "  \n".join(f"{name}: {FORMULAS[name]}" for name in _METRICS)
    heads = {"metric": metrics, CORRECTED: FORMULAS[CORRECTED]}
    heads[ROGAN_GLADEN] = FORMULAS[ROGAN_GLADEN]
    heads[RAW] = "With the judge's verdicts as they are."
    heads["audited"] = "Answers of this subject whose verdict people decided on."
    return {name: st.column_config.Column(name, help=help) for name, help in heads.items()}
