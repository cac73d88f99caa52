"""A study of questions from its making to its first questions, and imports that fit each study."""

import pytest

from core.store import Store
from core.workflows.studies import create_study

from .running import apps_in

pytestmark = pytest.mark.browser


def test_a_study_of_questions_is_made_and_takes_the_sample(app_url: str, page) -> None:
    page.goto(app_url)
    page.get_by_role("button", name="New study").click()
    dialog = page.get_by_role("dialog")
    # What the protocol has no use for is not asked.
    dialog.get_by_label("Tasks per type and side").wait_for()
    dialog.get_by_label("Protocol").click()
    page.get_by_role("option", name="Uncertainty attribution").click()
    dialog.get_by_label("Tasks per type and side").wait_for(state="detached")
    dialog.get_by_text("Own types and reasons (JSON)").wait_for(state="detached")
    dialog.get_by_role("combobox", name="Judge").click()
    page.get_by_role("option", name="rule/match").click()
    dialog.get_by_label("Name").fill("First questions")
    dialog.get_by_label("Name").press("Tab")
    dialog.get_by_role("button", name="Make the study").click()

    page.get_by_role("heading", name="Generate", exact=True).wait_for()
    page.get_by_text("people bring its questions. There are none yet.").wait_for()
    page.get_by_role("button", name="Import questions").click()
    dialog.get_by_text("Our sample questions").click()
    dialog.get_by_text("Leave out rows that cannot be used").wait_for(state="detached")
    dialog.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("1 file read: 24 rows, 24 of them new.").wait_for()
    page.get_by_text("There are 24 questions.").wait_for()
    page.get_by_role("button", name="Go on to Attempt").click()
    page.get_by_role("heading", name="Attempt", exact=True).wait_for()
    page.get_by_text("24 calls to make").wait_for()

    page.get_by_role("link", name="Studies").click()
    page.get_by_text("prompts small_model · judge rule/match").wait_for()
    page.get_by_text("Attempt not begun").wait_for()
    assert page.get_by_text("Curate not begun").count() == 0
    page.get_by_role("button", name="Open").click()
    page.get_by_role("heading", name="Attempt", exact=True).wait_for()


def test_each_choice_of_the_import_lists_the_studies_that_take_it(tmp_path, page) -> None:
    def fill(store: Store) -> None:
        create_study(store, "Invented", protocol="feasibility_boundary", subject="a/b")

    with apps_in(tmp_path) as begin:
        page.goto(begin(fill).url)
        page.get_by_role("button", name="Import", exact=True).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("Tasks with text, intent").click()
        dialog.get_by_role("combobox", name="Into the study").wait_for()
        dialog.get_by_text("Our sample questions").click()
        dialog.get_by_text("No study takes questions yet").wait_for()
        assert dialog.get_by_role("button", name="Import", exact=True).is_disabled()


def test_questions_of_a_file_come_in_and_bad_rows_change_nothing(tmp_path, page) -> None:
    def fill(store: Store) -> None:
        create_study(store, "Invented", protocol="feasibility_boundary", subject="a/b")
        create_study(store, "Asked", protocol="uncertainty_attribution", subject="a/b")

    file = tmp_path / "own $x$ :red[x].csv"
    file.write_text("question,reference_answers,should_abstain\nWhy?,So.,no\nWho?,,no\n")
    with apps_in(tmp_path) as begin:
        page.goto(begin(fill).url)
        dialog = page.get_by_role("dialog")
        for leaves_out in (False, True):
            page.get_by_role("button", name="Import", exact=True).click()
            dialog.get_by_text("Questions with reference_answers").click()
            dialog.get_by_role("combobox", name="Into the study").wait_for()
            dialog.locator("input[type=file]").set_input_files(file)
            if leaves_out:
                dialog.get_by_text("Leave out rows that cannot be used").click()
            dialog.get_by_role("button", name="Import", exact=True).click()
            if not leaves_out:
                page.get_by_text(
                    "Row 3 of own $x$ :red[x].csv is to be answered and has no reference answer"
                ).wait_for()
                page.get_by_text("Nothing was stored.").wait_for()
                page.get_by_text("0 tasks").first.wait_for()
        page.get_by_text("1 file read: 2 rows, 1 of them new.").wait_for()
        page.get_by_text("Rows left out of own $x$ :red[x].csv: 1").wait_for()
