"""The curation desk in a real browser: by keyboard alone, blind, and nothing ever lost."""

import pytest

from core.store import Store, verify
from core.workflows.curation import task_history
from tests.support.big_study import make_big_study

from .conftest import SEEN_MS, item_on_screen, press
from .running import Running, apps_in
from .visitor import be_known_as, frames_heard

pytestmark = pytest.mark.browser

SETTLED_MS = 800
OWN_REASON = "Insufficient Domain Expertise"
CHANGED = "before => document.querySelector('[data-item]')?.dataset.item !== before"


@pytest.fixture
def start(tmp_path):
    """A function that starts the app on a study of so many tasks."""
    with apps_in(tmp_path) as start:
        yield lambda n_tasks: start(lambda store: make_big_study(store, n_tasks=n_tasks))


def _sit_down(page, app: Running, name: str = "Ada", view: str = "") -> None:
    be_known_as(page, name)
    page.goto(f"{app.url}/curate?study=Big{view}")
    if not view:
        page.locator("[data-item]").wait_for()
        page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    page.wait_for_timeout(SETTLED_MS)


def _study_id(store: Store) -> str:
    return store.rows("studies_all")[0]["study_id"]


def test_fifty_by_keyboard_then_undo_over_reload_and_restart(start, new_page) -> None:
    app, page = start(60), new_page()
    _sit_down(page, app)
    done = []
    for n in range(50):
        done.append(item_on_screen(page))
        press(page, "2" if n % 5 == 0 else "k")
    page.get_by_text("40 kept + 10 removed + 0 skipped + 10 pending = 60").wait_for()
    for _ in range(10):
        press(page, "u")
    page.get_by_text("32 kept + 8 removed + 0 skipped + 20 pending = 60").wait_for()
    assert item_on_screen(page) == done[40]
    page.reload()
    page.locator("[data-item]").wait_for()
    page.wait_for_timeout(SETTLED_MS)
    assert item_on_screen(page) == done[40]
    for _ in range(2):
        press(page, "u")
    page.get_by_text("30 kept + 8 removed + 0 skipped + 22 pending = 60").wait_for()
    app.restart()
    _sit_down(page, app)
    assert item_on_screen(page) == done[38]
    press(page, "u")
    page.get_by_text("29 kept + 8 removed + 0 skipped + 23 pending = 60").wait_for()
    assert item_on_screen(page) == done[37]
    page.close()
    app.stop()
    with Store.open(app.store) as store:
        assert verify(store) == []
        reviews = store.rows("reviews_since", study_id=_study_id(store), seq=0)
        decided = [row["task_id"] for row in reviews if row["action"] != "undo"]
        undone = [row["task_id"] for row in reviews if row["action"] == "undo"]
        assert decided == done
        assert undone == done[:36:-1]
        assert all(row["seconds_active"] > 0 for row in reviews if row["action"] != "undo")
        [history] = [task_history(store, done[45])]
        assert [(row["person"], row["before"], row["after"]) for row in history] == [
            ("Ada", "pending", "removed"),
            ("Ada", "removed", "pending"),
        ]


def test_twenty_decisions_are_twenty_after_a_kill(start, new_page) -> None:
    app, page = start(25), new_page()
    _sit_down(page, app)
    for _ in range(20):
        press(page, "k")
    app.restart(by_force=True)
    _sit_down(page, app)
    page.get_by_text("20 kept + 0 removed + 0 skipped + 5 pending = 25").wait_for()


def test_a_chosen_reason_and_a_half_written_note_come_back(start, new_page) -> None:
    app, page = start(12), new_page()
    _sit_down(page, app)
    task = item_on_screen(page)
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("8")
    page.locator(".st-key-note input:focus").wait_for()
    # Digits and letters typed into the note decide nothing.
    page.keyboard.type("2 problems: 1) no date, k x s u")
    page.wait_for_timeout(SETTLED_MS)
    for come_back in (lambda: page.reload(), lambda: app.restart(by_force=True)):
        come_back()
        _sit_down(page, app)
        assert item_on_screen(page) == task
        note = page.locator(".st-key-note input")
        assert note.input_value() == "2 problems: 1) no date, k x s u"
        page.get_by_text("say in the note why it goes").wait_for()
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.wait_for_function(CHANGED, arg=task)
    page.get_by_text("0 kept + 1 removed + 0 skipped + 11 pending = 12").wait_for()


def test_a_decision_looked_at_again_can_be_changed_to_a_reason_that_needs_a_note(
    start, new_page
) -> None:
    app, page = start(12), new_page()
    _sit_down(page, app)
    task = item_on_screen(page)
    press(page, "k")
    press(page, "p")
    assert item_on_screen(page) == task
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("8")
    page.get_by_text("say in the note why it goes").wait_for()
    page.locator(".st-key-note input:focus").wait_for()
    page.keyboard.type("said twice")
    page.keyboard.press("Enter")
    page.wait_for_function(CHANGED, arg=task)
    page.get_by_text("0 kept + 1 removed + 0 skipped + 11 pending = 12").wait_for()
    page.close()
    app.stop()
    with Store.open(app.store) as store:
        newest = task_history(store, task)[-1]
    assert (newest["action"], newest["reason"], newest["note"]) == ("remove", "other", "said twice")


def test_seven_done_three_skipped_and_one_click_brings_the_three_back(start, new_page) -> None:
    app, page = start(10), new_page()
    _sit_down(page, app)
    skipped = []
    for key in "kskks1kskk":
        if key == "s":
            skipped.append(item_on_screen(page))
        press(page, key)
    page.get_by_text("7 done, 3 skipped by you on the way.").wait_for()
    page.get_by_text("6 kept + 1 removed + 3 skipped + 0 pending = 10").wait_for()
    page.get_by_role("button", name="Take up the skipped ones").click()
    page.locator("[data-item]").wait_for()
    # The keys are watched anew, and a task counts as seen only from then on.
    page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    page.wait_for_timeout(SETTLED_MS)
    again = []
    while (item := item_on_screen(page)) is not None:
        again.append(item)
        press(page, "k")
    assert again == skipped
    page.get_by_text("Every task is decided").wait_for()


def test_two_people_sit_at_different_tasks(start, new_page) -> None:
    app, ada, ben = start(10), new_page(), new_page()
    _sit_down(ada, app)
    _sit_down(ben, app, "Ben")
    assert item_on_screen(ada) != item_on_screen(ben)
    theirs = item_on_screen(ben)
    press(ada, "k")
    assert item_on_screen(ada) != theirs
    assert item_on_screen(ben) == theirs


def test_nothing_that_reaches_the_browser_tells_how_a_task_was_meant(start, new_page) -> None:
    app, page = start(20), new_page()
    heard = frames_heard(page)
    for view in ("", "&view=Table", "&view=Look-alikes", "&view=Agreement"):
        _sit_down(page, app, view=view)
    assert heard
    assert not any(OWN_REASON.encode() in frame for frame in heard)
    # The second task is the infeasible one of its type; decided, it says how it was meant.
    _sit_down(page, app)
    press(page, "k")
    press(page, "k")
    assert not any(OWN_REASON.encode() in frame for frame in heard)
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("p")
    page.get_by_text(f"meant as infeasible: {OWN_REASON}").wait_for()


def test_a_bulk_action_changes_what_the_filter_finds_and_one_undo_restores_it(
    start, new_page
) -> None:
    app, page = start(120), new_page()
    _sit_down(page, app, view="&view=Table&type=Ethical+Integrity")
    page.get_by_text("24 tasks; rows 1 to 24").wait_for()
    page.get_by_label("Text holds").fill("winter")
    page.get_by_text("24 tasks; rows 1 to 24").wait_for(state="hidden")
    shown = page.get_by_text("; rows 1 to ").inner_text()
    n_found = int(shown.split(" ")[0])
    assert 0 < n_found < 24
    page.get_by_role("button", name="Go on").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(f"{n_found} tasks will be kept").wait_for()
    dialog.get_by_role("button", name=f"Keep {n_found} tasks").click()
    page.get_by_text(f"{n_found} tasks kept; one undo takes it back.").wait_for()
    _sit_down(page, app)
    rest = 120 - n_found
    page.get_by_text(f"{n_found} kept + 0 removed + 0 skipped + {rest} pending = 120").wait_for()
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("u")
    page.get_by_text("0 kept + 0 removed + 0 skipped + 120 pending = 120").wait_for()


def test_the_keys_of_the_desk_do_nothing_elsewhere(start, new_page) -> None:
    app, page = start(10), new_page()
    _sit_down(page, app)
    for view in ("Table", "Rules"):
        page.get_by_test_id("stButtonGroup").get_by_text(view, exact=True).click()
        page.wait_for_timeout(SETTLED_MS)
        page.keyboard.press("k")
        page.keyboard.press("1")
    page.get_by_role("link", name="Results").click()
    page.wait_for_timeout(SETTLED_MS)
    page.keyboard.press("k")
    _sit_down(page, app)
    page.get_by_text("0 kept + 0 removed + 0 skipped + 10 pending = 10").wait_for()
