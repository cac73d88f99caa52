"""Numbers in boxes: the value large, its interval and n below, its formula one hover away."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.metrics.judge_audit import JudgeAudit
from core.workflows.audit_tables import AGREEMENT, FORMULAS, SENSITIVITY, SPECIFICITY
from pages.shared.text import plain

NOT_DEFINED = "not defined"


@dataclass(frozen=True)
class Measure:
    """One number to show.

    Args:
        name: what it is called. formula: how it is made. why: why there is no value or interval.
        note: said beside n, such as that a value is clipped.
    """

    name: str
    formula: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    why: str = ""
    note: str = ""


def show_measures(measures: Sequence[Measure]) -> None:
    """Show the numbers side by side."""
    for column, one in zip(st.columns(len(measures)), measures, strict=True):
        with column.container(border=True, height="stretch", gap=None):
            value = NOT_DEFINED if one.value is None else f"{one.value:.3f}".replace("-", "−")
            name = one.name[:1].upper() + one.name[1:]
            st.metric(plain(name), value, help=plain(one.formula))
            st.caption(plain(below(one)))


def below(one: Measure) -> str:
    """What stands under a number: its interval and n, or why there is none.

    Example:
        >>> below(Measure("agreement", "", 0.9, 0.786, 0.957, 50))
        '0.786 to 0.957 · n = 50'
        >>> below(Measure("agreement", "", None, None, None, 0, "not defined: no vote"))
        'no vote'
    """
    why = one.why.removeprefix(f"{NOT_DEFINED}: ")
    if one.value is None:
        return why
    ends = "" if one.low is None else f"{one.low:.3f} to {one.high:.3f}".replace("-", "−")
    return " · ".join(filter(None, (ends, why, f"n = {one.n:,}", one.note)))


def with_ends(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The table with each of these numbers and its interval in one cell.

    Example:
        >>> table = pd.DataFrame({"x": [0.5], "x_low": [0.25], "x_high": [0.75]})
        >>> with_ends(table, ["x"])["x"].tolist()
        ['0.500 (0.250 to 0.750)']
    """
    for name in names:
        ends = [f"{name}_low", f"{name}_high"]
        cells = [_cell(*row) for row in table[[name, *ends]].itertuples(index=False)]
        table = table.assign(**{name: cells}).drop(columns=ends)
    return table


def _cell(value: float, low: float, high: float) -> str:
    if pd.isna(value):
        return NOT_DEFINED
    ends = "" if pd.isna(low) else f" ({low:.3f} to {high:.3f})"
    return f"{value:.3f}{ends}".replace("-", "−")


def show_sentences(sentences: Sequence[str]) -> None:
    """Show sentences one a line; a number and its sign stay on one line."""
    lines = (plain(one.replace(" %", "\N{NO-BREAK SPACE}%")) for one in sentences)
    st.markdown("  \n".join(lines))


def judge_measures(measured: JudgeAudit) -> list[Measure]:
    """Agreement, sensitivity, specificity, kappa and AC1."""
    shares = (
        (AGREEMENT, measured.agreement),
        (SENSITIVITY, measured.sensitivity),
        (SPECIFICITY, measured.specificity),
    )
    found = [
        Measure(name, FORMULAS[name], one.value, one.low, one.high, one.n, one.why)
        for name, one in shares
    ]
    for one in (measured.kappa, measured.ac1):
        why = one.why_undefined or one.why_no_interval
        numbers = (one.value, one.low, one.high, one.n_items)
        found.append(Measure(one.name, FORMULAS[one.name], *numbers, why))
    return found
