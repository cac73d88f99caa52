"""A frame as a table: readable names, numbers with the right digits, gaps explained."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.metric_names import in_words, p_text
from core.metrics.comparison_words import metric_words

DIGITS = "%.3f"
ROOM = 1_200
"""Pixels across a screen of the smallest size that is looked after."""
PER_LETTER, LONG_LETTERS, WIDEST = 7.4, 24, 560
"""Pixels of a letter, from how many letters on a text is long, and the widest column in pixels."""
CLOSER = 0.88
"""How much closer columns can stand before a text is cut, since most letters are narrower."""
NOT_DEFINED = "A value is not defined where there is no task that it could be a share of."
P_VALUES = ("p", "p_adjusted")


def show_table(
    table: pd.DataFrame,
    *,
    gap: str = "not defined",
    gap_note: str = NOT_DEFINED,
    widths: Mapping[str, int] | None = None,
) -> None:
    """Show a frame of results; a number that is not there is said in words.

    Columns of words and counts that hold nothing at all are left out. No text is cut: a table that
    is too wide for its place can be moved sideways.

    Args:
        gap: what stands in the place of a missing number.
        gap_note: why numbers can be missing, below a table where some are; empty for no note.
        widths: pixels by column, stretched together to the table; the rest fit their content.
    """
    shown = readable(table)
    if not widths:
        widths = widths_needed(shown, gap)
        if widths and "study" in shown and shown["study"].nunique() == 1:
            # Its name is on screen, and what is said in words needs the room.
            shown = shown.drop(columns="study")
    columns = {}
    for name, title in zip(shown.columns, _titles(shown), strict=True):
        about = {"width": widths.get(name)}
        if pd.api.types.is_float_dtype(shown[name]):
            columns[name] = st.column_config.NumberColumn(title, format=DIGITS, **about)
        elif pd.api.types.is_numeric_dtype(table[name]):
            columns[name] = st.column_config.Column(title, alignment="right", **about)
        else:
            columns[name] = st.column_config.Column(title, **about)
    st.dataframe(shown, hide_index=True, column_config=columns, placeholder=gap)
    if beyond := _beyond(shown, widths):
        st.caption(f"The table goes on to the right, with {' and '.join(beyond)}.")
    numbers = table.select_dtypes("float")
    if gap_note and numbers.isna().to_numpy().any():
        st.caption(gap_note)


def _beyond(shown: pd.DataFrame, widths: Mapping[str, int]) -> list[str]:
    """The columns of which something lies beyond the right edge."""
    ends = shown.columns.map(lambda name: widths.get(name, 0)).to_series().cumsum()
    found = zip(_titles(shown), ends, strict=True)
    return [title for title, end in found if end > ROOM]


def widths_needed(shown: pd.DataFrame, gap: str) -> dict[str, int]:
    """Pixels for each column of a table with long texts, which would press the others together;
    empty where it has none.

    Example:
        >>> widths_needed(pd.DataFrame({"why": ["few"]}), "not defined")
        {}
        >>> widths_needed(pd.DataFrame({"n": [1], "why": ["so" * 20]}), "not defined")
        {'n': 70, 'why': 316}
        >>> sum(widths_needed(pd.DataFrame({n: [n * 40] for n in "abcd"}), "").values())
        1200
    """
    letters = {}
    for name, column in shown.items():
        is_number = pd.api.types.is_float_dtype(column)
        longest = 6 if is_number else max((len(str(one)) for one in column.dropna()), default=0)
        if column.isna().any():
            longest = max(longest, len(gap))
        letters[name] = max(longest, len(str(name)))
    has_long = any(letters[name] > LONG_LETTERS for name in shown.select_dtypes(["object", "str"]))
    if not has_long:
        return {}
    widths = {name: min(WIDEST, max(70, 20 + PER_LETTER * n)) for name, n in letters.items()}
    fit = ROOM / sum(widths.values())
    return {
        name: round(width * (fit if CLOSER <= fit < 1 else 1)) for name, width in widths.items()
    }


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """The frame with metrics in words, p-values that are never 0, and no column without content.

    Where NAME has its interval in NAME_low and NAME_high, the three are one column of text.
    A count that does not exist is a blank, for it is no value that could not be defined.
    """
    shown = _with_intervals(table)
    if "metric" in shown:
        shown["metric"] = shown["metric"].map(metric_words)
    for name in shown.columns:
        if name in P_VALUES:
            shown[name] = shown[name].map(p_text, na_action="ignore")
        elif pd.api.types.is_integer_dtype(shown[name]) and shown[name].isna().any():
            shown[name] = shown[name].map("{:,}".format, na_action="ignore").astype(object)
            shown[name] = shown[name].where(shown[name].notna(), "")
    is_blank = [
        not pd.api.types.is_float_dtype(shown[name])
        and bool((shown[name].isna() | (shown[name] == "")).all())
        for name in shown.columns
    ]
    return shown if shown.empty else shown.loc[:, [not blank for blank in is_blank]]


def _with_intervals(table: pd.DataFrame) -> pd.DataFrame:
    shown = table.copy()
    for name in table.columns:
        low, high = f"{name}_low", f"{name}_high"
        if low in table and high in table:
            triples = zip(table[name], table[low], table[high], strict=True)
            shown[name] = pd.Series([_with_ends(*one) for one in triples], table.index, object)
            shown = shown.drop(columns=[low, high])
    return shown


def _with_ends(value: float, low: float, high: float) -> str | None:
    if pd.isna(value):
        return None
    return f"{value:.3f}" + ("" if pd.isna(low) else f" [{low:.3f}, {high:.3f}]")


def _titles(table: pd.DataFrame) -> list[str]:
    """Names in words; `X: share` right after `X` needs no more than `share`."""
    names = [str(name) for name in table.columns]
    before = [""] + [f"{name}: " for name in names[:-1]]
    return [in_words(name.removeprefix(left)) for name, left in zip(names, before, strict=True)]
