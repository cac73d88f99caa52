"""Results of questions in a real browser: a square leads to its questions, and so does its link."""

import pytest

from core.llm.scripted import ScriptedClient
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.workbench import Workbench
from tests.support.answers import DATA, attempted, replies

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
