"""Studies and models against each other: differences, and how sure they are."""

from collections.abc import Hashable, Sequence

import pandas as pd
import streamlit as st

from core.errors import SelfboundError
from core.metrics.comparison_words import comparison_sentence
from core.metrics.side_by_side import OVERALL
from core.protocols.shown import Comparison, Words
from core.store.store import Store
from core.workflows.comparison import Member, compare_all, member_names
from core.workflows.studies import Study
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.kept import kept
from pages.shared.tables import show_table
from pages.shared.text import plain
from pages.shared.widgets import problem

MOST_AT_ONCE = 6
SHOWN = ["name_a", "name_b", "type", "metric", "a", "b", "difference", "low", "high"]
SHOWN += ["p_adjusted", "test", "n_shared", "n_a", "n_b", "why"]


def show_comparison(
    store: Store,
    studies: Sequence[Study],
    counts: pd.DataFrame,
    *,
    how: Comparison,
    words: Words,
    judge: str,
    key: Hashable,
    sources: Sequence[str],
) -> None:
    """Every two of the chosen studies and models side by side; nothing where there is one.

    Args:
        how: as the studies' protocol compares. judge: whose verdicts count; empty for the judge
            that each study goes by.
    """
    by_name = {study.name: study for study in studies}
    pairs = counts[["study", "model"]].drop_duplicates().itertuples(index=False, name=None)
    members: list[Member] = [(by_name[study], model) for study, model in pairs]
    if len(members) < 2:
        return
    downloads = title_row("Compared with each other", anchor="compare")
    task, done = how.words.task, how.words.done
    st.caption(
        f"Where two {done} the same {task}s they are compared {task} by {task}, else as "
        "independent samples; the table says which, and how many both have. P-values allow for "
        "all comparisons made here (Holm)."
    )
    names = dict(zip(member_names(members), members, strict=True))
    # Which of many are meant is for the person to say.
    usual = list(names) if len(names) == 2 else []
    chosen = st.multiselect(
        "Compare",
        list(names),
        usual,
        max_selections=MOST_AT_ONCE,
        key="compare",
        bind="query-params",
    )
    by_type = st.toggle(
        f"{words.part.capitalize()} by {words.part}", key="compare_types", bind="query-params"
    )
    if len(chosen) < 2:
        st.info("Choose two or more.")
        return
    try:
        found = kept(
            "comparison",
            (key, tuple(chosen), by_type),
            lambda: compare_all(
                store, [names[name] for name in chosen], by_type=by_type, judge=judge
            ),
        )
    except SelfboundError as error:
        problem(error)
        return
    overall = found[(found["metric"] == how.headline) & (found["type"] == OVERALL)]
    for row in overall.to_dict("records"):
        st.markdown(plain(comparison_sentence(row, how.words)))
    table = found[SHOWN].rename(columns={"type": words.part})
    show_table(table if by_type else table.drop(columns=words.part))
    with downloads:
        offer_exhibit("comparison", "Comparison", table, sources=sources)
