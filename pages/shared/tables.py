"""A frame as a table: readable column names, numbers with the right digits, gaps explained."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

DIGITS = "%.3f"
NOT_DEFINED = "A value is not defined where there is no task that it could be a share of."


def show_table(
    table: pd.DataFrame,
    *,
    gap: str = "not defined",
    gap_note: str = NOT_DEFINED,
    widths: Mapping[str, int] | None = None,
) -> None:
    """Show a frame of results; a number that is not there is said in words.

    Args:
        gap: what stands in the place of a missing number.
        gap_note: why numbers can be missing, below a table where some are; empty for no note.
        widths: pixels by column, stretched together to the table; the rest fit their content.
    """
    widths = widths or {}
    columns = {
        name: st.column_config.NumberColumn(_words(name), format=DIGITS, width=widths.get(name))
        if pd.api.types.is_float_dtype(table[name])
        else st.column_config.Column(_words(name), width=widths.get(name))
        for name in table.columns
    }
    st.dataframe(table, hide_index=True, column_config=columns, placeholder=gap)
    numbers = table.select_dtypes("float")
    if gap_note and numbers.isna().to_numpy().any():
        st.caption(gap_note)


def _words(name: str) -> str:
    return str(name).replace("_", " ")
