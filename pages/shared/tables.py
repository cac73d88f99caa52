"""A frame as a table: readable column names, numbers with the right digits, gaps explained."""

import pandas as pd
import streamlit as st

DIGITS = "%.3f"


def show_table(table: pd.DataFrame) -> None:
    """Show a frame of results; what is not defined says so, with the reason below."""
    columns = {
        name: st.column_config.NumberColumn(_words(name), format=DIGITS)
        if pd.api.types.is_float_dtype(table[name])
        else st.column_config.Column(_words(name))
        for name in table.columns
    }
    st.dataframe(table, hide_index=True, column_config=columns, placeholder="not defined")
    numbers = table.select_dtypes("float")
    if numbers.isna().to_numpy().any():
        st.caption("A value is not defined where there is no task that it could be a share of.")


def _words(name: str) -> str:
    return str(name).replace("_", " ")
