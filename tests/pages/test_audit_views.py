"""What stands on the audit screen: samples, desk, disagreements, and what is said when empty."""

from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.store.store import Store
from core.workflows.audit_desk import next_item
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import vote
from core.workflows.audits import auditable_judges, audits_of, find_audit
from core.workflows.people import person_named
from core.workflows.studies import study_named
from pages.shared import audit_cell, session
from pages.shared.audit_cell import ChosenAnswers
from tests.support.curation_screen import labels, press, sound, words
from tests.support.few_tasks import add_tasks, empty_study
from tests.support.judged import REPLY, answer, asked_study, judge

from .conftest import APP


@pytest.fixture
def asked(store_path) -> Store:
    """The app's own store: eight answers, judged No where the position is below two."""
    with Store.open(store_path) as store:
        study = asked_study(store, 8)
        answer(store, study, said=lambda position: f"It is {position}.")
        judge(
            store,
            study,
            verdict=lambda row: None if row["position"] == 7 else _verdict(row["position"]),
        )
    return session._workbench(str(store_path)).store


def _verdict(position: int) -> str:
    return "no" if position < 2 else "yes"


@pytest.fixture
def draw(asked: Store) -> Callable[..., str]:
    """A function that draws a random sample of so many verdicts and gives its id."""

    def draw_one(n: int = 7, **options: object) -> str:
        study = study_named(asked, "Asked")
        [found] = {row["prompt_hash"]: row for row in _judges(asked)}.values()
        ada = person_named(asked, "Ada")
        about = {"judge": found["judge"], "prompt_hash": found["prompt_hash"], "person": ada}
        options = {"method": "random"} | options
        return draw_audit(asked, study, "judge", n=n, **about, **options).audit_id

    return draw_one


def _judges(store: Store) -> list[dict]:
    study = study_named(store, "Asked")
    return store.rows("judges_of_study", study_id=study.study_id, steps=["judge"])


def _open(name: str = "Ada", view: str = "samples", **address: str) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=30)
    page.session_state["person_name"] = name
    page.run().switch_page("pages/audit.py")
    page.query_params["view"] = view
    for key, value in address.items():
        page.query_params[key] = value
    return sound(page.run())


def _vote(store: Store, audit_id: str, name: str, said: str) -> None:
    study, person = study_named(store, "Asked"), person_named(store, name)
    audit = find_audit(store, study, audit_id)
    for letter in said:
        item = next_item(store, study, audit, person)
        action = {"y": "yes", "n": "no", "x": "unsure"}[letter]
        vote(store, study, audit, person, item.item_id, action)


def test_without_verdicts_the_screen_says_what_to_do(store_path) -> None:
    with Store.open(store_path) as store:
        add_tasks(store, empty_study(store), ["One task."])
    page = _open()
    assert "There are no verdicts yet" in words(page)
    assert "A judge gives them in the step Screen, on the screen Curate" in words(page)
    assert "to_judge" in [button.key for button in page.button]
    st.cache_resource.clear()


def test_the_form_tells_what_there_is_to_draw_from(asked: Store) -> None:
    page = _open()
    assert "7 verdicts to draw from: 5 yes and 2 no." in words(page)
    assert "1 more that say neither are not drawn." in words(page)
    assert "None is drawn yet." in words(page)


def test_a_drawn_sample_opens_its_desk(asked: Store) -> None:
    page = press(_open(), "draw_sample")
    assert "7 answers of 1 model, seed 0 is drawn." in words(page)
    assert "0 yes + 0 no + 0 unsure + 7 open = 7" in words(page)
    [audit] = audits_of(asked, study_named(asked, "Asked"))
    assert page.query_params["audit"] == audit.audit_id
    assert page.query_params["view"] == "desk"


def test_a_name_that_is_taken_is_told_and_nothing_is_drawn(asked: Store, draw) -> None:
    draw(5, name="Mine")
    page = _open()
    page = sound(page.segmented_control(key="sample_way").set_value("random").run())
    page.text_input[0].set_value("Mine").run()
    page = press(page, "draw_sample")
    assert "There is a sample named 'Mine' already" in words(page)
    assert len(audits_of(asked, study_named(asked, "Asked"))) == 1


def test_the_list_tells_who_has_come_how_far_and_for_what_a_sample_speaks(
    asked: Store, draw
) -> None:
    whole, some = draw(7), draw(3, method="disagreement")
    _vote(asked, whole, "Ada", "yny")
    _vote(asked, whole, "Ben", "yyyyyyy")
    said = words(_open())
    assert "Ben 7 · Ada 3" in said
    assert "speaks for all 7 verdicts" in said
    assert "speaks for itself only" in said
    assert "1 disagreement" in labels(_open())
    assert {f"desk_{whole}", f"desk_{some}"} <= {one.key for one in _open().button}


def test_the_desk_tells_the_verdict_after_the_vote_and_not_before(asked: Store, draw) -> None:
    page = _open(view="desk", audit=draw())
    assert "Does the answer agree with a reference answer?" in words(page)
    assert "It is " in words(page)
    assert REPLY not in words(page)
    page = press(page, "vote_yes")
    assert "1 yes + 0 no + 0 unsure + 6 open = 7" in words(page)
    assert "; you said Yes." in words(page)
    assert REPLY in words(page)
    page = press(page, "undo")
    assert "0 yes + 0 no + 0 unsure + 7 open = 7" in words(page)
    assert REPLY not in words(page)


def test_a_finished_sample_says_so_and_can_be_undone(asked: Store, draw) -> None:
    audit_id = draw(2)
    _vote(asked, audit_id, "Ada", "yn")
    page = _open(view="desk", audit=audit_id)
    assert "You have voted on all of this sample" in words(page)
    assert {"to_statistics", "undo"} <= {one.key for one in page.button}
    assert "1 yes + 0 no + 0 unsure + 1 open = 2" in words(press(page, "undo"))


def test_a_disagreement_shows_all_votes_and_is_settled(asked: Store, draw) -> None:
    audit_id = draw(7)
    _vote(asked, audit_id, "Ada", "yyyyyyy")
    _vote(asked, audit_id, "Ben", "nyyyyyy")
    page = _open(view="disagreements", audit=audit_id)
    assert "1 disagreement to settle, 0 settled." in words(page)
    assert "Ada: yes" in words(page).replace("\\", "")
    assert "Ben: no" in words(page).replace("\\", "")
    assert "Percent agreement" in words(page)
    page = press(page, "vote_no")
    assert "There is no disagreement to settle" in words(page)
    assert "1 disagreement to settle" in words(press(page, "undo"))


def test_who_has_not_voted_settles_nothing_of_a_sample_of_others(asked: Store, draw) -> None:
    audit_id = draw(7)
    _vote(asked, audit_id, "Cleo", "yyyyyyy")
    _vote(asked, audit_id, "Ben", "nnnnnnn")
    page = _open(name="Dan", view="disagreements", audit=audit_id)
    assert "None is for you to settle" in words(page)
    assert "Cleo: yes" not in words(page).replace("\\", "")


def test_an_unfinished_auditor_is_warned_before_the_statistics(asked: Store, draw) -> None:
    audit_id = draw(7)
    _vote(asked, audit_id, "Ben", "yyyyyyy")
    _vote(asked, audit_id, "Ada", "y")
    page = _open(view="statistics", audit=audit_id)
    assert "Others have voted on verdicts that are still before you." in words(page)
    assert page.toggle(key="show_unfinished").value is False


def test_answers_brought_from_a_number_are_drawn_as_a_sample_of_their_own(asked: Store) -> None:
    study = study_named(asked, "Asked")
    rows = asked.rows("verdicts_to_audit", study_id=study.study_id, step="judge")
    units = tuple(row["answer_item"] for row in rows if row["label"] == "no")
    [found] = auditable_judges(asked, study)
    page = _open()
    assert "Audit what a number counts" not in words(page)
    page.session_state[audit_cell._CHOSEN] = ChosenAnswers("Asked", found.title, units)
    page = sound(page.run())
    assert "2 verdicts of scripted/judge, prompt v1, brought from Results" in words(page)
    page = press(page, "draw_these")
    assert "0 yes + 0 no + 0 unsure + 2 open = 2" in words(page)
    [audit] = audits_of(asked, study)
    assert (audit.method, audit.n_items) == ("cell", 2)
    # Nothing on the desk tells from which cell it was drawn.
    assert " no " not in words(page).replace("0 no ", "")
    assert audit_cell._CHOSEN not in page.session_state
