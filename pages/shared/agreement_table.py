"""How far people agree, as a table of statistics and a sentence for each."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.metrics.agreement import Statistic, plain_reading
from pages.shared.text import plain


def show_statistics(statistics: Sequence[Statistic]) -> None:
    """Each statistic with its interval or why it has none, and how to read it."""
    rows = [
        {
            "statistic": one.name,
            "value": _number(one.value),
            "95 % interval": _interval(one),
            "why not": one.why_undefined.removeprefix("not defined: ") or one.why_no_interval,
        }
        for one in statistics
    ]
    frame = pd.DataFrame(rows)
    if not frame["why not"].any():
        frame = frame.drop(columns="why not")
    st.dataframe(frame, hide_index=True)
    said_of_prevalence = False
    for one in statistics:
        if one.value is None:
            continue
        # What one label does to several statistics is told once.
        told = replace(one, dominant_share=None) if said_of_prevalence else one
        said_of_prevalence |= one.dominant_share is not None
        st.markdown(plain(plain_reading(told)))


def _number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}".replace("-", "−")


def _interval(one: Statistic) -> str:
    if one.low is None or one.high is None:
        return ""
    return f"{_number(one.low)} to {_number(one.high)}"
