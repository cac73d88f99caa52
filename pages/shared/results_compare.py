"""Studies and models against each other: differences, how sure they are, and which type is best."""

from collections.abc import Hashable, Sequence

import pandas as pd
import streamlit as st

from core.charts.matrix import matrix_chart
from core.errors import SelfboundError
from core.metrics.comparison_words import comparison_sentence
from core.metrics.ranking import ranking_sentence, type_ranking
from core.metrics.resampling import metric_intervals
from core.store.store import Store
from core.taxonomy import INFEASIBLE, Taxonomy
from core.workflows.comparison import Member, compare_all, member_names
from core.workflows.drilldown import TaskQuery
from core.workflows.studies import Study
from pages.shared.exhibit_downloads import offer_exhibit
from pages.shared.kept import kept
from pages.shared.tables import show_table
from pages.shared.task_drill import pick_chart
from pages.shared.text import plain
from pages.shared.widgets import problem

MOST_AT_ONCE = 6
SHOWN = ["name_a", "name_b", "type", "metric", "a", "b", "difference", "low", "high"]
SHOWN += ["p_adjusted", "test", "n_shared", "n_a", "n_b", "why"]
MATRIX_SIDE = {
    "accuracy": {},
    "foresight": {"intent": INFEASIBLE},
    "insight": {"label": INFEASIBLE},
}
"""The metrics of the matrix, each with the side of the tasks that it is a share of."""
MATRIX = tuple(MATRIX_SIDE)


def show_comparison(
    store: Store,
    studies: Sequence[Study],
    counts: pd.DataFrame,
    *,
    key: Hashable,
    sources: Sequence[str],
) -> None:
    """Every two of the chosen studies and models side by side; nothing where there is one."""
    by_name = {study.name: study for study in studies}
    pairs = counts[["study", "model"]].drop_duplicates().itertuples(index=False, name=None)
    members: list[Member] = [(by_name[study], model) for study, model in pairs]
    if len(members) < 2:
        return
    st.subheader("Compared with each other", anchor="compare")
    st.caption(
        "Where two classified the same tasks they are compared task by task, else as independent "
        "samples; the table says which. P-values allow for all comparisons made here (Holm)."
    )
    names = dict(zip(member_names(members), members, strict=True))
    # Which of many are meant is for the person to say.
    usual = list(names) if len(names) == 2 else []
    chosen = st.multiselect(
        "Compare", list(names), usual, max_selections=MOST_AT_ONCE, key="compared"
    )
    by_type = st.toggle("Type by type", key="compare_types")
    if len(chosen) < 2:
        st.info("Choose two or more.")
        return
    try:
        found = kept(
            "comparison",
            (key, tuple(chosen), by_type),
            lambda: compare_all(store, [names[name] for name in chosen], by_type=by_type),
        )
    except SelfboundError as error:
        problem(error)
        return
    for row in found[found["metric"] == "accuracy"].to_dict("records")[:3]:
        if row["type"] == "Overall":
            st.markdown(plain(comparison_sentence(row)))
    table = found[SHOWN]
    show_table(table)
    offer_exhibit("comparison", "Comparison", table, sources=sources)


def show_ranking(
    counts: pd.DataFrame, *, taxonomy: Taxonomy, key: Hashable, sources: Sequence[str]
) -> None:
    """Which type each model is strongest and weakest at, and how sure that is."""
    st.subheader("How sure the strongest and weakest type are", anchor="ranking")
    ranking = kept("ranking", key, lambda: type_ranking(counts, taxonomy=taxonomy))
    for (subject, model), part in ranking.groupby(["subject", "model"], sort=False):
        who = subject if subject == model else f"{subject}, classified by {model}"
        st.caption(plain(f"{who}: {ranking_sentence(part)}"))
    with st.expander("The numbers"):
        show_table(ranking)
    offer_exhibit("ranking", "Types by harmonic mean", ranking, sources=sources)


def show_matrix(
    counts: pd.DataFrame, *, taxonomy: Taxonomy, key: Hashable, sources: Sequence[str]
) -> None:
    """Who classified whose tasks, where a model or a person classified another's."""
    if (counts["subject"] == counts["model"]).all():
        return
    st.subheader("Who classified whose tasks", anchor="matrix")
    st.caption("Outlined squares are a model on the tasks it invented itself, the paper's case.")
    by = ("subject", "model")
    table = kept(
        "matrix",
        key,
        lambda: metric_intervals(counts, by=by, metrics=MATRIX, taxonomy=taxonomy),
    )
    metric = st.segmented_control(
        "Metric", MATRIX, default=MATRIX[0], required=True, key="matrix_metric"
    )
    chart = matrix_chart(table, metric=metric)
    pick_chart(
        chart,
        key=f"matrix_{metric}",
        query_of=lambda mark: TaskQuery(
            subject=mark["row"], model=mark["column"], **MATRIX_SIDE[metric]
        ),
    )
    with st.expander("The numbers"):
        show_table(table)
    offer_exhibit("matrix", "Who classified whose tasks", table, chart, sources=sources)
