"""Curate: clean the generated tasks, one at a time by key, or many at once in a table."""

import streamlit as st

from core.workflows.desk import desk_of
from pages.shared.curation_desk import show_desk
from pages.shared.curation_duplicates import show_duplicates
from pages.shared.curation_findings import findings_line
from pages.shared.curation_people import show_people
from pages.shared.curation_rules import show_rules
from pages.shared.curation_table import show_table_view
from pages.shared.desk import person_at_desk
from pages.shared.session import chosen_study, guarded_workbench
from pages.shared.study_bar import screen_title
from pages.shared.widgets import empty_state

VIEWS = {
    "desk": "One by one",
    "table": "Table",
    "duplicates": "Look-alikes",
    "people": "Agreement",
    "rules": "Rules",
}

bench = guarded_workbench()
screen_title("Curate", "Remove what is malformed and keep the rest; no text is ever changed.")
left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
study = chosen_study(bench, place=right)
person = person_at_desk(bench)
desk = desk_of(bench, study)

if not len(desk.board()):
    if empty_state(
        "There are no tasks yet",
        "Tasks are generated first, or imported on the Studies screen."
        if study.shape.makes_tasks
        else f"People bring the {study.shape.brought.noun}s of this study first.",
        "Go to Generate",
        key="to_generate",
    ):
        st.switch_page("pages/generate.py")
    st.stop()

asked = {label: name for name, label in VIEWS.items()}.get(st.query_params.get("view"))
st.session_state.setdefault("view", asked or "desk")
view = left.segmented_control(
    "View",
    list(VIEWS),
    format_func=VIEWS.get,
    required=True,
    label_visibility="collapsed",
    key="view",
)
# Not bound to the address: a button could then lead to no other screen.
if VIEWS[view] != st.query_params.get("view", VIEWS["desk"]):
    st.query_params["view"] = VIEWS[view]
findings_line(bench, study, is_deciding=view == "desk")
{
    "desk": show_desk,
    "table": show_table_view,
    "duplicates": show_duplicates,
    "people": show_people,
    "rules": show_rules,
}[view](bench, desk, person)
