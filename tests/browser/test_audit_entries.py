"""From a judge, and from the answers behind a number, to an audit of its verdicts."""

import pytest

from core.store import Store
from tests.support.few_tasks import add_tasks, empty_study
from tests.support.judged import answer, asked_study, judge

from .conftest import item_on_screen, press
from .running import apps_in
from .visitor import be_known_as

pytestmark = pytest.mark.browser


@pytest.fixture
def start(tmp_path):
    """A function that fills a store and starts the app on it."""
    with apps_in(tmp_path) as start:
        yield start


def _screened(store: Store) -> None:
    study = empty_study(store)
    add_tasks(store, study, [f"Task {n}." for n in range(6)])
    judge(
        store,
        study,
        step="screen",
        verdict=lambda row: "malformed" if row["position"] == 0 else "sound",
    )


def _asked(store: Store) -> None:
    study = asked_study(store, 10)
    answer(store, study)
    judge(store, study, verdict=lambda row: "no" if row["position"] < 4 else "yes")


def test_a_screening_judge_leads_to_its_audit(start, new_page) -> None:
    app, page = start(_screened), new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/curate?study=Few&view=Rules")
    page.get_by_role("button", name="Audit this judge").click()
    page.get_by_text("6 verdicts to draw from: 1 yes and 5 no.").wait_for()
    page.get_by_role("button", name="Draw the sample").click()
    page.locator("[data-item]").wait_for()
    page.get_by_text("Is this task malformed?").wait_for()
    before = item_on_screen(page)
    press(page, "n")
    page.get_by_text("you said No.").wait_for()
    assert item_on_screen(page) != before


def test_a_judge_of_answers_leads_to_its_audit(start, new_page) -> None:
    app, page = start(_asked), new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/classify?study=Asked&step=judge")
    page.get_by_role("button", name="Audit this judge").click()
    page.get_by_text("10 verdicts to draw from: 6 yes and 4 no.").wait_for()


def test_the_answers_behind_a_number_lead_to_a_blind_vote_on_them(start, new_page) -> None:
    app, page = start(_asked), new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/results?study=Asked&outcomes=answered+wrong")
    page.get_by_role("dialog").get_by_text("4 questions").wait_for()
    page.get_by_role("button", name="Audit these verdicts").click()
    page.get_by_text("4 verdicts of scripted/judge, prompt v1").wait_for()
    page.get_by_role("button", name="Draw these").click()
    page.locator("[data-item]").wait_for()
    page.get_by_text("0 yes + 0 no + 0 unsure + 4 open = 4").wait_for()
    assert "wrong" not in page.content()
    press(page, "y")
    page.get_by_text("The judge said No; you said Yes.").wait_for()
