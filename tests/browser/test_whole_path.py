"""The newcomer's path in a real browser: the demo from the first click to the confusion charts."""

import pytest

from core.errors import ModelError
from core.llm.weights import weights_path
from core.store import Store, verify
from core.workflows.demo import DEMO_PER_CELL
from tests.support.forking import PROJECT

from .conftest import item_on_screen, press
from .serving import launch, stop

pytestmark = [pytest.mark.browser, pytest.mark.model]

N_TASKS = 10 * DEMO_PER_CELL
RUN_MS = 600_000
SETTLED_MS = 500


@pytest.fixture(autouse=True)
def _weights() -> None:
    try:
        weights_path()
    except ModelError as error:
        pytest.skip(f"{error}; make install fetches it")


@pytest.fixture
def app(tmp_path):
    """An app on an empty store: its address, its process and the store's file."""
    path = tmp_path / "store.duckdb"
    url, process = launch(PROJECT / "app.py", path, tmp_path, anew=True)
    yield url, process, path
    stop(process)


def test_a_newcomer_goes_from_the_demo_button_to_the_charts(app, new_page) -> None:
    url, process, path = app
    page = new_page()
    page.goto(url)
    page.get_by_role("button", name="Run the demo study").click()
    # The model invents tasks; the page shows the closed sum grow, and a reload disturbs nothing.
    page.get_by_text(f"= {N_TASKS} planned").wait_for()
    page.reload()
    page.get_by_role("button", name=f"Curate {N_TASKS} tasks").click(timeout=RUN_MS)

    # By keyboard alone from the name on: it is typed, and Enter begins.
    page.get_by_label("Your name").press_sequentially("Ada")
    page.keyboard.press("Enter")
    page.locator("[data-item]").wait_for()
    page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    page.wait_for_timeout(SETTLED_MS)
    first = item_on_screen(page)
    for key in ("k", "1", "s", "k"):
        press(page, key)
    page.get_by_text(f"2 kept + 1 removed + 1 skipped + {N_TASKS - 4} pending").wait_for()
    press(page, "u")
    page.get_by_text(f"1 kept + 1 removed + 1 skipped + {N_TASKS - 3} pending").wait_for()
    while item_on_screen(page) is not None:
        press(page, "k")
    page.get_by_role("button", name="Take up the skipped one").click()
    page.locator("[data-item]").wait_for()
    press(page, "k")
    page.get_by_text(f"{N_TASKS - 1} kept + 1 removed + 0 skipped + 0 pending").wait_for()

    page.get_by_role("button", name="Draw the sample").click()
    page.get_by_label("Seed").wait_for()
    page.get_by_role("button", name="Draw the sample").click()
    page.get_by_text(f"{N_TASKS - 1} tasks drawn").wait_for()
    page.get_by_role("button", name="Start classifying tasks").click()
    page.get_by_role("button", name="See the results").click(timeout=RUN_MS)
    page.get_by_text("The boundary at a glance").wait_for()
    for heading in ("Scores by prompt set", "Confidence balance by type", "Confusion of reasons"):
        page.get_by_role("heading", name=heading).wait_for()
    # Scores, balance, confusion of types, confusion of reasons.
    page.get_by_test_id("stVegaLiteChart").nth(3).wait_for()
    page.get_by_text("they are no findings").wait_for()
    page.close()

    stop(process)
    with Store.open(path) as store:
        assert verify(store) == []
        [study] = store.rows("studies_all")
        history = store.rows("export_reviews", study_id=study["study_id"])
        assert [row["action"] for row in history][:5] == ["keep", "remove", "skip", "keep", "undo"]
        assert {row["person"] for row in history} == {"Ada"}
        assert history[0]["task_id"] == first
        calls = store.rows("export_calls", study_id=study["study_id"])
        # The reload repeated no call: every item was asked for exactly once.
        assert len({row["item_id"] for row in calls}) == len(calls) == 2 * N_TASKS - 1
        assert {row["model_answered"] for row in calls} == {"SmolLM2-135M-Instruct Q4_1"}
