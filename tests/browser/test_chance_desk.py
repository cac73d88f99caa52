"""People state their chances in a real browser: by keyboard, blind, nothing lost, on Results."""

import pytest

from core.store import Store, verify
from core.workflows.human_baseline import begin_attempts, open_task, record_chance
from core.workflows.people import person_named
from tests.support.contracts import settled_study, state_chances

from .conftest import SEEN_MS, item_on_screen, press
from .running import Running, apps_in
from .visitor import be_known_as, frames_heard

pytestmark = pytest.mark.browser

SETTLED_MS, KEPT_MS = 800, 2_000
CHANGED = "before => document.querySelector('[data-item]')?.dataset.item !== before"


@pytest.fixture
def start(tmp_path):
    """A function that starts the app on a study of six tasks, stated by a model and by Ben."""

    def fill(store: Store) -> None:
        study = settled_study(store, tmp_path, solved=("sa", "sb", "sc"), failed=("fa", "fb", "fc"))
        state_chances(store, study, [0.91, 0.81, 0.31, 0.71, 0.21, 0.11])
        ben = person_named(store, "Ben")
        begin_attempts(store, study, ben)
        while (task := open_task(store, study, ben)) is not None:
            record_chance(store, study, ben, task.task_id, chance=0.61)

    with apps_in(tmp_path) as start:
        yield lambda: start(fill)


def _sit_down(page, app: Running) -> None:
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/classify?study=Offered&by=people")
    shown = page.locator("[data-item]")
    begin = page.get_by_role("button", name="Begin")
    shown.or_(begin).wait_for()
    if begin.count():
        begin.click()
    shown.wait_for()
    page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    page.wait_for_timeout(SETTLED_MS)


def _state(page, percent: str) -> str:
    """The task that was on screen, of which the chance was typed; another is there now."""
    task = item_on_screen(page)
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.type(percent)
    page.keyboard.press("Enter")
    page.wait_for_function(CHANGED, arg=task)
    page.wait_for_timeout(SETTLED_MS)
    return task


def _history(app: Running) -> list[dict]:
    """What Ada did, oldest first, of a store that no app holds."""
    with Store.open(app.store) as store:
        assert verify(store) == []
        study = store.rows("studies_all")[0]
        rows = store.rows("export_attempts", study_id=study["study_id"])
    return [row for row in rows if row["person"] == "Ada"]


def test_chances_are_typed_skipped_and_taken_back_over_a_restart(start, new_page) -> None:
    app, page = start(), new_page()
    _sit_down(page, app)
    first, second = _state(page, "70"), _state(page, "0")
    skipped = item_on_screen(page)
    press(page, "s")
    page.get_by_text("2 answered + 1 skipped + 3 open = 6").wait_for()
    press(page, "u")
    press(page, "u")
    page.get_by_text("1 answered + 0 skipped + 5 open = 6").wait_for()
    assert item_on_screen(page) == second
    # Taken back, what was written is there to be changed.
    assert page.locator(".st-key-note input").input_value() == "0"
    app.restart(by_force=True)
    _sit_down(page, app)
    assert item_on_screen(page) == second
    assert _state(page, "100") == second
    page.get_by_text("2 answered + 0 skipped + 4 open = 6").wait_for()
    page.close()
    app.stop()
    rows = _history(app)
    assert [(row["task_id"], row["action"], row["value"]) for row in rows] == [
        (first, "answer", 0.7),
        (second, "answer", 0.0),
        (skipped, "skip", None),
        (skipped, "undo", None),
        (second, "undo", None),
        (second, "answer", 1.0),
    ]
    assert {row["step"] for row in rows} == {"predict"}
    assert all(row["seconds_active"] > 0 for row in rows if row["action"] != "undo")


def test_what_is_no_chance_is_refused_and_the_task_stays(start, new_page) -> None:
    app, page = start(), new_page()
    _sit_down(page, app)
    task = item_on_screen(page)
    for written, told in (("150", "'150' is no chance"), ("7.5", "'7.5' is no chance")):
        page.wait_for_timeout(SEEN_MS)
        page.locator(".st-key-note input").fill(written)
        page.keyboard.press("Enter")
        page.get_by_text(told).wait_for()
        assert item_on_screen(page) == task
        page.wait_for_timeout(SETTLED_MS)
    page.get_by_text("0 answered + 0 skipped + 6 open = 6").wait_for()
    page.close()
    app.stop()
    assert _history(app) == []


def test_nothing_that_reaches_the_browser_tells_what_others_stated_or_solved(
    start, new_page
) -> None:
    app, page = start(), new_page()
    heard = frames_heard(page)
    _sit_down(page, app)
    for percent in ("5", "50"):
        _state(page, percent)
    page.close()
    assert heard
    told = ["0.91", "91 %", "0.61", "61 %", "passed", "scripted/", "Ben"]
    assert not [word for word in told if any(word.encode() in frame for frame in heard)]


def test_who_has_stated_all_writes_programs_and_stands_on_results_until_they_run(
    start, new_page
) -> None:
    app, page = start(), new_page()
    heard = frames_heard(page)
    _sit_down(page, app)
    for _ in range(5):
        _state(page, "40")
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.type("40")
    page.keyboard.press("Enter")
    page.get_by_text("You have answered every task").wait_for()
    page.get_by_role("button", name="Write programs").click()
    page.get_by_role("button", name="Begin").click()
    page.locator("[data-item]").wait_for()
    task = item_on_screen(page)
    page.wait_for_timeout(SEEN_MS)
    # Letters are for the program; handing it in takes along what was typed last.
    page.keyboard.press("n")
    page.keyboard.type("suns = 1\nreturn n + suns")
    page.get_by_role("button", name="Hand it in").click()
    page.get_by_text("1 answered + 0 skipped + 5 open = 6").wait_for()
    assert item_on_screen(page) != task
    assert page.locator("textarea").input_value() == ""
    page.wait_for_timeout(SETTLED_MS)
    press(page, "u")
    assert item_on_screen(page) == task
    assert page.locator("textarea").input_value() == "suns = 1\nreturn n + suns"
    assert not [frame for frame in heard if b"passed" in frame or b"Ben" in frame]
    page.goto(f"{app.url}/results?study=Offered")
    page.get_by_text("Stated chances with no programs to hold them against").first.wait_for()
    page.get_by_text("Offered, person/Ada: stated chances, with no programs").wait_for()


def test_a_half_written_program_comes_back_after_a_reload_and_a_kill(start, new_page) -> None:
    app, page = start(), new_page()
    _sit_down(page, app)
    _state(page, "40")
    page.get_by_role("radio", name="Write programs").click()
    page.get_by_role("button", name="Begin").click()
    field = page.locator("textarea")
    field.wait_for()
    task = item_on_screen(page)
    page.keyboard.press("n")
    page.keyboard.type("answer = n", delay=20)
    page.wait_for_timeout(KEPT_MS)
    # The field was not left, and keeping it disturbs nobody who types on.
    page.keyboard.type(" + 1", delay=20)
    assert field.input_value() == "answer = n + 1"
    page.wait_for_timeout(KEPT_MS)
    page.reload()
    field.wait_for()
    assert (item_on_screen(page), field.input_value()) == (task, "answer = n + 1")
    app.restart(by_force=True)
    page.goto(f"{app.url}/classify?study=Offered&by=people&gives=program")
    field.wait_for()
    assert field.input_value() == "answer = n + 1"
