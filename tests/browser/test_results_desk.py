"""Results in a real browser: a click on a mark opens its tasks, and a copied link does so again."""

import pytest

from core.store import Store
from tests.support.big_study import classify_all, make_big_study

pytestmark = pytest.mark.browser


@pytest.fixture
def results_url(tmp_path, start_app) -> str:
    """The address of Results on a study of 200 classified tasks."""
    path = tmp_path / "store.duckdb"
    with Store.open(path) as store:
        study = make_big_study(store, n_tasks=200)
        classify_all(store, study)
    return f"{start_app(store=path)}/results?study=Big"


def test_a_click_on_a_square_opens_its_tasks_and_the_link_opens_them_again(
    results_url, new_page
) -> None:
    page = new_page()
    page.goto(results_url)
    heading = page.get_by_role("heading", name="Confusion of types")
    heading.scroll_into_view_if_needed()
    page.get_by_role("heading", name="Compared with each other").wait_for(state="detached")
    chart = page.locator(".st-key-chart_types [data-testid=stVegaLiteChart]")
    chart.scroll_into_view_if_needed()
    page.wait_for_timeout(1_000)
    # The upper left square: made as feasible, classified as feasible.
    box = chart.locator("canvas, svg").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.32, box["y"] + box["height"] * 0.42)
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The tasks behind it").wait_for()
    said = dialog.get_by_text("; rows 1 to ").inner_text()
    assert "intent=" in page.url and "label=" in page.url
    other = new_page()
    other.goto(page.url)
    again = other.get_by_role("dialog")
    again.get_by_text("The tasks behind it").wait_for()
    assert again.get_by_text("; rows 1 to ").inner_text() == said
    # Closed, the address is that of the whole screen again.
    other.keyboard.press("Escape")
    again.wait_for(state="detached")
    other.wait_for_timeout(1_000)
    assert "intent=" not in other.url
