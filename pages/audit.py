"""Audit: people give the verdicts a judge gave, before they are told them."""

import streamlit as st

from core.workflows.audits import auditable_judges, audited_steps, audits_of
from pages.shared.audit_desk import show_desk
from pages.shared.audit_disputes import show_disputes
from pages.shared.audit_places import chosen_audit, chosen_view
from pages.shared.audit_results import show_results
from pages.shared.audit_samples import show_samples
from pages.shared.desk import person_at_desk
from pages.shared.judge_card import show_judges
from pages.shared.session import chosen_study, guarded_workbench
from pages.shared.study_bar import screen_title
from pages.shared.widgets import empty_state

bench = guarded_workbench()
screen_title("Audit", "Check a judge by hand: give your own verdict first, then see the judge's.")
left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
study = chosen_study(bench, place=right)
person = person_at_desk(bench)
judges = [one for one in auditable_judges(bench.store, study) if one.n_valid]
audits = audits_of(bench.store, study)

if not judges and not audits:
    steps = audited_steps(study)
    if not steps:
        empty_state("There is no judge", "No model judges anything in this study.", key="no_judge")
        st.stop()
    step = steps[0]
    place = "Curate, in the view Rules" if step.is_optional else "Classify"
    if empty_state(
        "There are no verdicts yet",
        f"A judge gives them in the step {step.title}, on the screen {place}.",
        "Go to the judge",
        key="to_judge",
    ):
        address = {"view": "Rules"} if step.is_optional else {"step": step.name}
        screen = "curate" if step.is_optional else "classify"
        st.switch_page(f"pages/{screen}.py", query_params={"study": study.name} | address)
    st.stop()

view = chosen_view(place=left, has_audits=bool(audits))
if view == "samples":
    show_samples(bench.store, study, person, judges, audits)
    st.stop()
if view == "judges":
    show_judges(bench.store, study)
    st.stop()
audit = chosen_audit(audits)
if audit is None:
    st.stop()
seat = (bench.store, study, audit, person)
{"desk": show_desk, "disagreements": show_disputes, "statistics": show_results}[view](seat)
