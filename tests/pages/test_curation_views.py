"""What a person sees one by one and in the table of the curation screen, and what clicks do."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from core.taxonomy import FEASIBLE
from core.workflows.desk import Desk
from core.workflows.people import Person
from tests.support.curation_screen import labels, person, press, sound, states, vote, words
from tests.support.few_tasks import REASON

TEXTS = ["Name three rivers.", "Sort 5, 3 and 4.", "name three rivers", "Add two and two."]


pytestmark = pytest.mark.usefixtures("study_desk")


@pytest.fixture
def ben(study_desk: Desk) -> Person:
    """Somebody who is not Ada."""
    return person(study_desk, "Ben")


# --- one by one


def test_the_desk_shows_a_task_and_nothing_of_how_it_was_meant(sit_down: Callable) -> None:
    page = sit_down()
    assert TEXTS[0] in words(page)
    assert "Task 1 of 4" in words(page)
    assert "0 kept + 0 removed + 0 skipped + 4 pending = 4" in words(page)
    page = press(page, "keep")
    assert "1 kept + 0 removed + 0 skipped + 3 pending = 4" in words(page)
    assert TEXTS[1] in words(page)
    assert REASON not in words(page)
    page = press(press(page, "keep"), "previous")
    assert f"meant as infeasible\\: {REASON}" in words(page)
    assert "you have kept it" in words(page)


def test_a_removal_for_another_reason_waits_for_its_note(
    study_desk: Desk, sit_down: Callable
) -> None:
    page = press(press(sit_down(), "remove"), "remove_other")
    assert "say in the note why it goes" in words(page)
    assert states(study_desk)[0] == "pending"
    page.text_input[0].set_value("2 problems").run()
    press(page, "remove_other")
    assert states(study_desk)[0] == "removed"


def test_a_decision_that_is_refused_leaves_nothing_saying_that_one_was_stored(
    study_desk: Desk, sit_down: Callable
) -> None:
    page = press(sit_down(), "keep")
    assert "Stored at" in words(page)
    vote(study_desk, "Ben", 1, "remove")
    page = press(page, "keep")
    assert states(study_desk)[1] == "removed"
    assert "Stored at" not in words(page)


def test_an_empty_queue_says_so_and_offers_an_undo(study_desk: Desk, sit_down: Callable) -> None:
    page = sit_down()
    for _ in TEXTS:
        page = press(page, "keep")
    assert "Every task is decided" in words(page)
    assert "to_classify" in [button.key for button in page.button]
    page = press(page, "undo")
    assert TEXTS[3] in words(page)
    assert "1 decision taken back." in words(page)


def test_when_others_have_all_that_is_left_the_desk_says_how_many(
    study_desk: Desk, sit_down: Callable, ben: Person
) -> None:
    for at in range(3):
        vote(study_desk, "Ada", at, "keep")
    held = study_desk.open_next(ben)
    page = sit_down()
    assert "The last tasks are before others" in words(page)
    assert "1 task will come to you if nobody decides them." in words(page)
    study_desk.decide(ben, held, "keep", seen_seq=0)
    assert "Every task is decided" in words(press(page, "look_again"))


def test_skipped_tasks_are_counted_and_one_click_brings_them_back(sit_down: Callable) -> None:
    page = sit_down()
    for key in ("keep", "skip", "keep", "keep"):
        page = press(page, key)
    assert "3 done, 1 skipped by you on the way." in words(page)
    page = press(page, "take_skipped")
    assert TEXTS[1] in words(page)
    assert "Every task is decided" in words(press(page, "keep"))


def test_one_key_keeps_a_task_and_removes_its_look_alike(
    study_desk: Desk, sit_down: Callable
) -> None:
    page = sit_down()
    assert "1 other task nearly the same" in words(page)
    page = press(page, "keep_one")
    assert states(study_desk) == ["kept", "pending", "removed", "pending"]
    assert "2 tasks decided; one undo takes it back." in words(page)
    press(page, "undo")
    assert states(study_desk) == ["pending"] * 4


def test_keeping_one_of_a_cluster_again_does_not_say_that_something_was_stored(
    sit_down: Callable,
) -> None:
    page = press(press(sit_down(), "keep_one"), "previous")
    page = press(page, "keep_one")
    assert "one undo takes it back" not in words(page)


# --- table


def test_the_table_lists_the_tasks_and_hides_what_is_not_decided(
    study_desk: Desk, sit_down: Callable, ben: Person
) -> None:
    vote(study_desk, "Ben", 1, "remove")
    vote(study_desk, "Ada", 0, "keep")
    page = sit_down(view="table")
    assert "4 tasks; rows 1 to 4" in words(page)
    rows = page.dataframe[0].value
    assert list(rows["task"]) == TEXTS
    assert list(rows["state"]) == ["kept", "decided by others", "pending", "pending"]
    assert list(rows["side"]) == [FEASIBLE, "", "", ""]
    assert list(rows["decided by"]) == ["Ada", "", "", ""]


def test_a_filter_narrows_the_table_and_the_dialog_says_how_many_change(
    study_desk: Desk, sit_down: Callable, ben: Person
) -> None:
    assert study_desk.open_next(ben) == study_desk.board().task_ids[0]
    page = sit_down(view="table")
    page = sound(page.text_input(key="find").set_value("RIVERS").run())
    assert "2 tasks; rows 1 to 2" in words(page)
    assert "Do with all 2 tasks that match" in [one.label for one in page.selectbox]
    page.selectbox(key="bulk_action").set_value("remove").run()
    page = press(page, "bulk_go")
    assert "**1 task** will be removed as Malformed. One undo takes it all back." in words(page)
    assert "1 task that somebody else has before them now" in words(page)
    assert "Remove 1 task" in labels(page)
    assert states(study_desk) == ["pending"] * 4


def test_filters_that_find_nothing_say_so(sit_down: Callable) -> None:
    page = sit_down(view="table")
    page = sound(page.text_input(key="find").set_value("no such words").run())
    assert "No task matches these filters." in words(page)


def test_an_undo_in_the_table_takes_back_the_newest_decision(
    study_desk: Desk, sit_down: Callable
) -> None:
    vote(study_desk, "Ada", 0, "keep")
    page = press(sit_down(view="table"), "undo")
    assert "1 decision taken back." in words(page)
    assert states(study_desk) == ["pending"] * 4
    assert "There is no decision of yours to take back" in words(press(page, "undo"))


def _select(page: AppTest, at: int) -> AppTest:
    chosen = {"selection": {"rows": [at], "columns": [], "cells": []}}
    page.session_state[page.dataframe[0].key] = chosen
    return sound(page.run())


def test_what_is_selected_is_what_is_acted_on(sit_down: Callable) -> None:
    page = _select(sit_down(view="table"), 3)
    assert "Do with the 1 selected task" in [one.label for one in page.selectbox]
    assert "Keep 1 task" in labels(press(page, "bulk_go"))


def test_a_selection_does_not_pass_to_other_tasks_when_the_order_changes(
    sit_down: Callable,
) -> None:
    page = _select(sit_down(view="table"), 1)
    before = page.dataframe[0].value["task"][1]
    page = sound(page.selectbox(key="order").set_value("longest").run())
    assert page.dataframe[0].value["task"][1] != before
    assert "Do with all 4 tasks that match" in [one.label for one in page.selectbox]


def test_a_selected_task_opens_on_the_desk(sit_down: Callable) -> None:
    page = press(_select(sit_down(view="table"), 3), "open_task")
    assert "Task 4 of 4" in words(page)


def test_a_page_that_has_emptied_shows_what_is_left(
    study_desk: Desk, sit_down: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.shared.curation_table.ROWS", 2)
    page = sit_down(view="table")
    page = sound(page.selectbox(key="state").set_value("pending").run())
    page = press(page, "page_Next")
    for at in range(3):
        vote(study_desk, "Ada", at, "keep")
    page = sound(page.run())
    assert "No task matches" not in words(page)
    assert list(page.dataframe[0].value["task"]) == [TEXTS[3]]
