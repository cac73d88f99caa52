"""Downloads of a study's tasks with their decisions, as the person at the desk may see them."""

import re
import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from core.exchange.decided_tasks import LABEL_STUDIO
from core.workflows.desk import Desk
from core.workflows.desk_rules import rules_of
from core.workflows.exporting import LABEL_STUDIO_CONFIG, decision_config, export_decided_tasks
from core.workflows.people import Person

FORMATS = {
    "jsonl": ("JSON Lines", ".jsonl", "application/jsonl"),
    "csv": ("CSV for spreadsheets", ".csv", "text/csv"),
    "parquet": ("Parquet", ".parquet", "application/vnd.apache.parquet"),
    LABEL_STUDIO: ("Label Studio", "-label-studio.json", "application/json"),
}
"""What each format is called, and the end of its files' names and their media type."""

_UNSAFE = re.compile(r"[^\w.-]+")


def offer_downloads(desk: Desk, person: Person) -> None:
    """A choice of formats, and a button that makes the file and hands it over.

    The file is made when the button is clicked, in a thread of its own: the page stays alive.
    """
    with st.expander("Download the tasks with decisions"):
        if desk.rules.is_blind:
            st.caption(
                "The file holds what you may see: sides, reasons and other people's decisions are "
                "empty for tasks that you have not decided."
            )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = st.selectbox(
                "Format", FORMATS, format_func=lambda one: FORMATS[one][0], width=220
            )
            _, ending, media_type = FORMATS[chosen]
            st.download_button(
                "Download",
                partial(_content, desk, person, chosen),
                file_name=f"{safe_name(desk.study.name)}-tasks{ending}",
                mime=media_type,
                on_click="ignore",
                key="download_decided",
            )
            if chosen == LABEL_STUDIO:
                st.download_button(
                    "Labeling configuration",
                    decision_config(),
                    file_name=LABEL_STUDIO_CONFIG,
                    mime="application/xml",
                    on_click="ignore",
                    key="download_config",
                    help="Paste it into the settings of the project that takes the tasks.",
                )
        if desk.study.shape.makes_tasks:
            where = "into this study" if desk.rules.is_blind else "into this study or another"
            st.caption(f"On the Studies screen the file can be imported {where}.")


def safe_name(name: str) -> str:
    """A study's name as a file can be called everywhere.

    Example:
        >>> safe_name("../Reasons: 50/50?"), safe_name("???")
        ('Reasons_50_50', 'study')
    """
    return _UNSAFE.sub("_", name).strip("._-") or "study"


def _content(desk: Desk, person: Person, format: str) -> bytes:
    # The rules may have changed since the page was drawn.
    is_blind = rules_of(desk.store, desk.study).is_blind
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks"
        export_decided_tasks(
            desk.store, desk.study, path, format=format, person=person, is_blind=is_blind
        )
        return path.read_bytes()
