"""A study of questions on screen: curated where people wish to, and led on where work goes on."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import SAMPLE_QUESTIONS
from core.store.store import Store
from core.workflows.curation import decide
from core.workflows.desk import Desk, desk_of
from core.workflows.findings import refresh_findings
from core.workflows.people import person_named
from core.workflows.question_import import import_questions
from core.workflows.studies import create_study
from pages.shared import session
from tests.support.curation_screen import sound, states, words

from .conftest import APP

QUESTIONS = {"protocol": "uncertainty_attribution", "subject": "scripted/subject"}


@pytest.fixture
def asked(store_path: Path) -> Desk:
    """The app's own desk of the sample questions."""
    with Store.open(store_path) as store:
        study = create_study(store, "Asked", **QUESTIONS)
        import_questions(store, [SAMPLE_QUESTIONS], study_name="Asked")
        refresh_findings(store, study)
    return desk_of(session._workbench(str(store_path)), study)


def click(page: AppTest, label: str) -> AppTest:
    [button] = [one for one in page.button if one.label == label]
    return sound(button.click().run())


def test_the_card_of_a_study_of_questions_leads_to_its_attempts(asked: Desk) -> None:
    page = sound(AppTest.from_file(str(APP), default_timeout=30).run())
    said = words(page)
    assert "Attempt not begun" in said and "Judge not begun" in said
    assert "Generate" not in said and "Curate" not in said
    assert [one.value for one in click(page, "Open").title] == ["Attempt"]
    ada = person_named(asked.store, "Ada")
    decide(asked.store, asked.study, asked.board().task_ids[0], "keep", person=ada)
    said = words(sound(AppTest.from_file(str(APP), default_timeout=30).run()))
    assert said.index("Curate 1/24") < said.index("Attempt not begun")


def test_the_table_offers_types_and_sides_of_the_questions(asked: Desk, sit_down) -> None:
    page = sit_down(view="table")
    assert page.selectbox(key="type").options == ["any", "sample"]
    assert page.selectbox(key="side").options == ["any", "answerable", "unanswerable"]
    assert "can be imported" not in words(page)


def test_reference_answers_are_seen_once_a_question_is_decided(asked: Desk, sit_down) -> None:
    page = sit_down()
    said = words(page)
    assert "What is the capital of Egypt?" in said
    assert "Tasks not removed, of all." in said and "12 / 12" in said
    assert "Cairo" not in said and "meant as" not in said
    ada = person_named(asked.store, "Ada")
    first = asked.board().task_ids[0]
    decide(asked.store, asked.study, first, "keep", person=ada)
    page.query_params["task"] = first
    said = words(sound(page.run()))
    assert "meant as answerable" in said and "Cairo" in said


def test_without_questions_the_way_leads_to_their_import(store_path: Path, sit_down) -> None:
    with Store.open(store_path) as store:
        create_study(store, "Asked", **QUESTIONS)
    page = sit_down()
    assert "People bring the questions of this study first." in words(page)
    page = click(page, "Go to Generate")
    assert "people bring its questions. There are none yet." in words(page)
    assert [one.label for one in page.button] == ["Import questions"]


def test_the_last_decision_leads_on_to_the_attempts(asked: Desk, sit_down) -> None:
    ada = person_named(asked.store, "Ada")
    for task_id in asked.board().task_ids:
        decide(asked.store, asked.study, task_id, "keep", person=ada)
    assert set(states(asked)) == {"kept"}
    # From the address of a view, too, which a button has to leave behind.
    page = sit_down(view="table")
    page.session_state["view"] = "desk"
    page = sound(page.run())
    assert "Every task is decided" in words(page)
    assert [one.value for one in click(page, "Go on to Attempt").title] == ["Attempt"]
