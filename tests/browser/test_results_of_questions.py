"""Results of questions in a real browser: a square leads to its questions, and so does its link."""

import pytest

from core.llm.scripted import ScriptedClient
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.people import person_named
from core.workflows.workbench import Workbench
from tests.support.answers import DATA, attempted, replies
from tests.support.judged import answer, asked_study, judge

from .running import apps_in
from .visitor import be_known_as

pytestmark = pytest.mark.browser

SUBJECT = "scripted/subject"
SAID = {
    SUBJECT: {
        "Two and two?": r"\boxed{4}",
        "The capital of Italy?": r"\boxed{Rome.}",
        "The colour of snow?": r"\boxed{white}",
        "The 9,999th prime?": r"\boxed{<b>7</b> $1$}",
        "Who wrote it?": DATA,
        "How old is he?": DATA,
        "Who will win?": DATA,
        "What is behind it?": r"\boxed{A wall}",
    }
}


@pytest.fixture
def results_url(tmp_path, start_app) -> str:
    """The address of Results on a study of eight questions, judged twice."""
    path = tmp_path / "store.duckdb"
    bench = Workbench(Store.open(path), Engine(), lambda: ScriptedClient(replies(SAID)))
    attempted(bench, "Asked", SUBJECT)
    bench.close()
    return f"{start_app(store=path)}/results?study=Asked"


def test_a_square_opens_its_questions_with_answers_and_verdicts(results_url, new_page) -> None:
    page = new_page()
    page.goto(results_url)
    page.get_by_role("heading", name="What became of the questions").scroll_into_view_if_needed()
    page.get_by_role("heading", name="What curation changed").wait_for()
    chart = page.locator(".st-key-chart_matrix [data-testid=stVegaLiteChart]")
    chart.scroll_into_view_if_needed()
    page.wait_for_timeout(1_000)
    # The upper left square: answerable questions that were answered right.
    box = chart.locator("canvas, svg").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.17, box["y"] + box["height"] * 0.66)
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The questions behind it").wait_for()
    dialog.get_by_text("3 questions; rows 1 to 3").wait_for()
    assert "outcomes=answered+right" in page.url
    other = new_page()
    other.goto(page.url)
    again = other.get_by_role("dialog")
    again.get_by_text("3 questions; rows 1 to 3").wait_for()
    table = again.locator("[data-testid=stDataFrame]").bounding_box()
    other.mouse.click(table["x"] + 15, table["y"] + 55)
    again.get_by_text("Reference answers").wait_for()
    again.get_by_text("scripted/strict, prompt v1, of the answer by scripted/subject: ").wait_for()


def test_who_takes_the_data_along_has_seen_what_judges_said(tmp_path, new_page) -> None:
    def fill(store: Store) -> None:
        study = asked_study(store, 6)
        answer(store, study)
        judge(store, study, verdict=lambda row: "yes")
        person_named(store, "Ben")

    with apps_in(tmp_path) as start:
        app, page = start(fill), new_page()
        be_known_as(page, "Ada")
        page.goto(f"{app.url}/results?study=Asked")
        with page.expect_download() as under_way:
            page.get_by_role("button", name="Data as Parquet").click()
        assert under_way.value.suggested_filename == "selfbound-results.parquet"
        page.close()
        app.stop()
        with Store.open(app.store) as store:
            study = store.rows("studies_all")[0]["study_id"]
            items = store.rows("verdicts_on_all_answers", study_id=study)
            assert len(items) == 6
            about = {"study_id": study, "item_ids": [row["item_id"] for row in items]}
            for name, n_unseen in (("Ada", 0), ("Ben", 6)):
                who = person_named(store, name).person_id
                assert len(store.rows("verdicts_not_shown_yet", **about, person_id=who)) == n_unseen
