"""The dialog of a new study: types and reasons from a file, and what is wrong with it in place."""

from pathlib import Path

import pytest

from tests.support.forking import PROJECT

pytestmark = pytest.mark.browser

SUPPORT = PROJECT / "data" / "taxonomies" / "support_assistant.json"


def test_a_study_gets_the_types_of_a_file_once_the_file_can_be_used(
    app_url: str, page, tmp_path: Path
) -> None:
    page.goto(app_url)
    page.get_by_role("button", name="New study").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Own types and reasons (JSON)").wait_for()
    make = dialog.get_by_role("button", name="Make the study")

    wrong = tmp_path / "my $x$ :red[x].json"
    wrong.write_text('{"name": "x",\n "version": 1 "types": []}', encoding="utf-8")
    dialog.locator("input[type=file]").set_input_files(wrong)
    dialog.get_by_text("Line 2 of my $x$ :red[x].json is not JSON").wait_for()
    assert make.is_disabled()

    # Another file takes the place of the first.
    dialog.locator("input[type=file]").set_input_files(SUPPORT)
    dialog.get_by_text("Support assistant, version 1: 3 types, 5 reasons.").wait_for()
    dialog.get_by_label("Name").fill("Helper")
    dialog.get_by_label("Name").press("Tab")
    make.click()
    page.get_by_role("heading", name="Generate", exact=True).wait_for()
    page.get_by_role("link", name="Studies").click()
    page.get_by_text("Feasibility boundary · Support assistant, version 1 · embedded/").wait_for()
