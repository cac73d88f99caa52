"""The profiles of the models shown: what other protocols say of them, beside this one."""

from collections.abc import Hashable, Sequence

import pandas as pd
import streamlit as st

from core.errors import SelfboundError
from core.metrics.comparison_words import metric_words
from core.store.store import Store
from core.workflows.people import is_person
from core.workflows.profiles import model_profiles
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.kept import kept
from pages.shared.tables import show_table
from pages.shared.text import plain
from pages.shared.widgets import problem

TITLE = "One profile per model"


def show_profiles(store: Store, models: Sequence[str], *, key: Hashable) -> None:
    """Show one profile per model: what each protocol says, and which say nothing yet.

    Args:
        key: all that the results depend on.
    """
    asked = [model for model in models if not is_person(model)]
    if not asked:
        return
    try:
        table = kept(
            "profiles", key, lambda: model_profiles(store, models=asked, with_unmeasured=True)
        )
    except SelfboundError as error:
        problem(error)
        return
    downloads = title_row(TITLE, anchor="profiles")
    of_one = f" Of {table['model'].iloc[0]}." if table["model"].nunique() == 1 else ""
    st.caption(
        "From all studies of these models, also those that are not chosen above. The numbers of "
        "different protocols rest on different tasks; read them beside each other, not as one."
        + plain(of_one)
    )
    with downloads:
        offer_exhibit("profiles", TITLE, table)
    show_table(_on_screen(table), gap="–", gap_note="", widths={"note": 330})
    for caution, rows in table[table["caution"] != ""].groupby("caution", sort=False):
        of = ", ".join(f"{metric_words(row.metric)} of {row.part}" for row in rows.itertuples())
        st.caption(plain(f"{of}: {caution}."))


def _on_screen(table: pd.DataFrame) -> pd.DataFrame:
    """The table as it fits a screen: intervals beside their values, and no model or prompt set
    where there is but one; what is to be said with caution stands below it."""
    shown = table.rename(columns={"low": "value_low", "high": "value_high", "why": "note"})
    alike = [name for name in ("model", "prompt_set") if len(set(shown[name]) - {""}) <= 1]
    return shown.drop(columns=[*alike, "caution"])
