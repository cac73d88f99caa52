"""A page that shows what is stored runs again once something was stored, and rests meanwhile."""

import streamlit as st

from core.store.store import Store

REFRESH_S = 4.0


def rerun_on_change(store: Store) -> None:
    """Have the page run again, a few seconds after anybody has stored anything.

    What is open or half typed stays as it is while nothing changes.
    """
    st.fragment(_watch, run_every=REFRESH_S)(store, store.data_version)


def _watch(store: Store, seen: int) -> None:
    if store.data_version != seen:
        st.rerun(scope="app")
