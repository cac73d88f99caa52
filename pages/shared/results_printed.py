"""Printed values beside ours: the paper's own, and those of any file a person brings."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.errors import SelfboundError
from core.exchange.printed_file import parse_printed
from core.protocols.base import Protocol
from core.workflows.results import printed_comparison
from pages.shared.tables import show_table
from pages.shared.text import plain
from pages.shared.widgets import problem

LETTER, PADDING, WIDEST = 7, 20, 440
"""Pixels: about the width of a letter, what surrounds a text, and how wide a column gets."""
SCREEN, NARROW = 1200, 160
"""Pixels: on a screen as wide as that, long names give way, so that a verdict can be read whole."""


def show_paper(protocol: Protocol, counts: pd.DataFrame) -> None:
    """The published tables beside ours, when the studies are the published ones."""
    compared = printed_comparison(protocol, counts)
    if compared is None or compared.empty:
        return
    st.subheader("Published and recomputed", anchor="paper")
    known = compared.dropna(subset="agrees")
    n_missing = len(compared) - len(known)
    st.caption(
        f"{int(known['agrees'].sum()):,} of {len(known):,} printed values agree with ours within "
        "0.01 or by name; what does not is said in words."
        + (f" {n_missing:,} more need studies that are not shown here." if n_missing else "")
    )
    only = st.toggle("Only what differs", key="only_differences", bind="query-params")
    shown = known[~known["agrees"].astype(bool)] if only else known
    for name, part in shown.groupby("table", sort=False):
        st.markdown(f"**{plain(name)}**")
        part = part.drop(columns=["table", "agrees"])
        part["column"] = part["column"].str.replace("_", " ")
        show_table(part, gap="–", gap_note="", widths=_widths(part))


def _widths(part: pd.DataFrame) -> dict[str, int]:
    """Pixels for each column, as much as its content takes where there is room."""
    longest = {name: max(len(str(one)) for one in part[name]) for name in part.columns}
    # Differences have three decimals on screen.
    longest["difference"] = len("difference")
    widths = {
        name: min(WIDEST, LETTER * max(letters, len(name)) + PADDING)
        for name, letters in longest.items()
    }
    if sum(widths.values()) > SCREEN:
        widths |= {name: min(widths[name], NARROW) for name in ("ours", "printed")}
    return widths


def show_own_values(compare: Callable[..., pd.DataFrame], counts: pd.DataFrame) -> None:
    """Values that a person has from elsewhere, compared to the digit they were printed with."""
    with st.expander("Compare with printed values of your own"):
        st.caption(
            'A JSON file: {"source": "…", "values": [{"study": "…", "type": "…", "metric": '
            '"accuracy", "printed": 0.71}]}. A value is about all tasks that its study, subject, '
            "model, prompt_set and type name."
        )
        file = st.file_uploader("Printed values", ["json"], key="printed_values")
        if file is None:
            return
        try:
            printed = parse_printed(file.getvalue().decode("utf-8", "replace"), file.name)
            compared = compare(counts, printed.values)
        except SelfboundError as error:
            problem(error)
            return
        known = compared.dropna(subset="agrees")
        agree = int(known["agrees"].sum())
        st.markdown(plain(f"{printed.source}: {agree} of {len(known)} values agree."))
        show_table(compared.drop(columns="agrees"), gap="–", gap_note="")
