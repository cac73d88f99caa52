"""Decisions by keyboard on a real screen: one press, one item, and it had been seen."""

import json
from pathlib import Path

import pytest

from .conftest import wait_until_drawn

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).parent / "apps" / "desk.py"
SEEN_MS = 300
SETTLED_MS, N_TRIES = 500, 20

_PRESS_K = """{
  const key = {key: 'k', code: 'KeyK', keyCode: 75, bubbles: true, composed: true};
  document.body.dispatchEvent(new KeyboardEvent('keydown', key));
  document.body.dispatchEvent(new KeyboardEvent('keyup', key));
}"""


@pytest.fixture(scope="module")
def url(start_shared_app):
    return start_shared_app(SCRIPT)


@pytest.fixture
def desk(tab, url):
    return _open(tab, url)


def _open(page, url, query=""):
    page.goto(f"{url}/{query}")
    page.wait_for_selector("[data-item=t0]")
    page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    page.wait_for_timeout(SETTLED_MS)
    return page


def _check_decided(page, wanted):
    """These decisions are made, and no other one follows."""
    page.get_by_text(json.dumps(wanted), exact=True).wait_for()
    page.wait_for_timeout(SETTLED_MS)
    assert json.loads(page.locator(".st-key-decided").inner_text()) == wanted


def _wait_for_task(page, task_id):
    page.wait_for_selector(f"[data-item={task_id}]")
    wait_until_drawn(page)
    page.wait_for_timeout(SEEN_MS)


def test_each_key_decides_the_task_on_screen_in_order(desk):
    for number, key in enumerate("kxkkx"):
        _wait_for_task(desk, f"t{number}")
        desk.keyboard.press(key)
    actions = ["keep", "remove", "keep", "keep", "remove"]
    _check_decided(desk, [[f"t{n}", action] for n, action in enumerate(actions)])


def test_ten_presses_in_a_burst_decide_only_the_task_that_was_seen(desk):
    desk.evaluate(f"for (let n = 0; n < 10; n++) {_PRESS_K}")
    _check_decided(desk, [["t0", "keep"]])


def test_presses_while_the_first_is_being_answered_decide_nothing_more(tab, url):
    desk = _open(tab, url, "?answer_s=0.8")
    pressing = f"if (document.querySelector('[data-item=t0]')) {_PRESS_K}"
    desk.evaluate(f"window.again = setInterval(() => {{ {pressing} }}, 40)")
    desk.wait_for_selector("[data-item=t1]")
    _check_decided(desk, [["t0", "keep"]])


def test_a_decision_that_was_refused_can_be_made_again(tab, url):
    desk = _open(tab, url, "?refuse=1")
    desk.keyboard.press("k")
    _check_decided(desk, [])
    desk.evaluate("window.clicks = 0; document.addEventListener('click', () => window.clicks++)")
    for _ in range(N_TRIES):
        desk.keyboard.press("k")
        if desk.evaluate("window.clicks"):
            break
        # The page has not answered the first one yet.
        desk.wait_for_timeout(SETTLED_MS)
    assert desk.evaluate("window.clicks") == 1


def test_a_key_held_down_decides_once(desk):
    for _ in range(25):
        desk.keyboard.down("k")
        desk.wait_for_timeout(40)
    desk.keyboard.up("k")
    _check_decided(desk, [["t0", "keep"]])


def test_a_second_key_pressed_before_the_first_is_up_counts(desk):
    desk.keyboard.down("k")
    _wait_for_task(desk, "t1")
    desk.keyboard.down("x")
    desk.keyboard.up("k")
    desk.keyboard.up("x")
    _check_decided(desk, [["t0", "keep"], ["t1", "remove"]])


def test_typing_decides_nothing_and_escape_gives_the_keys_back(desk):
    desk.get_by_label("Note").click()
    desk.keyboard.type("2 problems: 1) kxku")
    _check_decided(desk, [])
    desk.keyboard.press("Escape")
    desk.wait_for_timeout(SETTLED_MS)
    desk.keyboard.press("k")
    _check_decided(desk, [["t0", "keep"]])
    assert desk.get_by_label("Note").input_value() == "2 problems: 1) kxku"


def test_keys_work_with_a_choice_in_focus_with_caps_lock_and_on_a_cyrillic_keyboard(desk):
    desk.get_by_role("radiogroup").get_by_text("two", exact=True).click()
    _wait_for_task(desk, "t0")
    for number, typed in enumerate(["K", "л"]):
        _wait_for_task(desk, f"t{number}")
        desk.evaluate(
            "key => document.body.dispatchEvent(new KeyboardEvent('keydown',"
            "{key, code: 'KeyK', bubbles: true, composed: true}))",
            typed,
        )
    _check_decided(desk, [["t0", "keep"], ["t1", "keep"]])


def test_keys_with_modifiers_or_under_a_dialog_decide_nothing(desk):
    for press in ("Shift+K", "Control+x", "Alt+k"):
        desk.keyboard.press(press)
    desk.keyboard.press("?")
    desk.wait_for_selector("[role=dialog]")
    desk.keyboard.press("k")
    desk.keyboard.press("Escape")
    desk.wait_for_selector("[role=dialog]", state="detached")
    _check_decided(desk, [])


def test_a_double_click_decides_one_task(desk):
    desk.get_by_role("button", name="Keep").dblclick()
    _check_decided(desk, [["t0", "keep"]])


def test_undo_brings_the_task_back_and_it_can_be_decided_again(desk):
    desk.keyboard.press("k")
    _wait_for_task(desk, "t1")
    desk.keyboard.press("u")
    _wait_for_task(desk, "t0")
    desk.keyboard.press("x")
    _check_decided(desk, [["t0", "remove"]])


def test_keys_do_nothing_on_another_page(desk):
    desk.get_by_role("link", name="other").click()
    desk.get_by_role("heading", name="Other").wait_for()
    for key in "kxu":
        desk.keyboard.press(key)
    _check_decided(desk, [])
