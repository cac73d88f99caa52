"""The profiles of the models shown: what other protocols say of them, beside this one."""

from collections.abc import Hashable, Sequence

import streamlit as st

from core.errors import SelfboundError
from core.store.store import Store
from core.workflows.people import is_person
from core.workflows.profiles import model_profiles
from pages.shared.exhibit_downloads import offer_exhibit, title_row
from pages.shared.kept import kept
from pages.shared.tables import show_table
from pages.shared.widgets import problem


def show_profiles(store: Store, models: Sequence[str], *, key: Hashable) -> None:
    """Show one profile per model, where more than one protocol says anything of them.

    Args:
        key: all that the results depend on.
    """
    asked = [model for model in models if not is_person(model)]
    try:
        table = kept("profiles", key, lambda: model_profiles(store, models=asked))
    except SelfboundError as error:
        problem(error)
        return
    if table["protocol"].nunique() < 2:
        return
    downloads = title_row("One profile per model", anchor="profiles")
    st.caption(
        "From all studies of these models, also those that are not chosen above. The numbers of "
        "different protocols rest on different tasks; read them beside each other, not as one."
    )
    with downloads:
        offer_exhibit("profiles", "One profile per model", table)
    show_table(table)
