"""On both desks: time in which the page is out of sight is no time spent on the task."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from core.store import Store
from core.workflows.curation import task_history
from core.workflows.drawing import draw_every_task
from core.workflows.human_baseline import begin_attempts
from core.workflows.people import person_named
from tests.support.big_study import make_big_study

from .conftest import item_on_screen, press
from .running import Running, apps_in
from .visitor import be_known_as

pytestmark = pytest.mark.browser

SETTLED_MS, HIDDEN_MS = 800, 5_000
SLACK_S = 1.5
"""How much later than its beginning the end of a pause may be heard of, on a slow machine."""
HIDE = "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"
TURN = f"""hidden => {{
  {HIDE.replace("true", "hidden", 1)};
  document.dispatchEvent(new Event('visibilitychange'));
}}"""
CLICK = "button => document.querySelector(`.st-key-${button} button`).click()"
CHANGED = "before => document.querySelector('[data-item]')?.dataset.item !== before"


def _curated(store: Store, task_id: str) -> list[dict[str, Any]]:
    return task_history(store, task_id)


def _attempted(store: Store, task_id: str) -> list[dict[str, Any]]:
    study = store.rows("studies_all")[0]
    rows = store.rows("export_attempts", study_id=study["study_id"])
    return [row for row in rows if row["task_id"] == task_id]


class DeskKind(NamedTuple):
    """Where a desk is, the key and the button of one decision, and how its record is read."""

    address: str
    key: str
    button: str
    history: Callable[[Store, str], list[dict[str, Any]]]


KINDS = {
    "curation": DeskKind("curate?study=Big", "k", "keep", _curated),
    "attempts": DeskKind("classify?study=Big&by=people", "f", "feasible", _attempted),
}


def _fill(store: Store) -> None:
    study = make_big_study(store, n_tasks=10)
    draw_every_task(store, study)
    begin_attempts(store, study, person_named(store, "Ada"))


class Sitting:
    """A person at a desk, who sees a task and turns away from the page and back to it."""

    def __init__(self, kind: DeskKind, app: Running, page) -> None:
        self.kind, self._app, self.page = kind, app, page
        be_known_as(page, "Ada")
        self.began = time.monotonic()
        self.open()

    def open(self) -> None:
        self.page.goto(f"{self._app.url}/{self.kind.address}")
        self.page.locator("[data-item]").wait_for()
        self.page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
        self.page.wait_for_timeout(SETTLED_MS)

    def turn(self, *, away: bool) -> None:
        self.page.evaluate(TURN, away)

    def decide(self) -> str:
        """The task that was on screen, decided by key."""
        task = item_on_screen(self.page)
        press(self.page, self.kind.key)
        return task

    def check_time_on(self, task_id: str) -> None:
        """The task, decided just now and seen since `began` at most, was not seen in the pause."""
        longest = time.monotonic() - self.began - HIDDEN_MS / 1000 + SLACK_S
        self.page.close()
        self._app.stop()
        with Store.open(self._app.store) as store:
            [row] = self.kind.history(store, task_id)
        assert 0 < row["seconds_active"] < longest


@pytest.fixture(params=KINDS)
def desk(request, tmp_path, new_page):
    with apps_in(tmp_path) as start:
        yield Sitting(KINDS[request.param], start(_fill), new_page())


def test_time_in_another_tab_is_not_counted(desk) -> None:
    desk.turn(away=True)
    desk.page.wait_for_timeout(HIDDEN_MS)
    desk.turn(away=False)
    desk.check_time_on(desk.decide())


def test_nor_when_the_decision_comes_in_the_same_moment_as_the_return(desk) -> None:
    desk.turn(away=True)
    desk.page.wait_for_timeout(HIDDEN_MS)
    task = item_on_screen(desk.page)
    desk.page.evaluate(f"button => {{ ({TURN})(false); ({CLICK})(button); }}", desk.kind.button)
    desk.page.wait_for_function(CHANGED, arg=task)
    desk.check_time_on(task)


def test_nor_on_a_task_that_came_while_the_page_was_out_of_sight(desk) -> None:
    desk.turn(away=True)
    desk.began = time.monotonic()
    desk.decide()
    desk.page.wait_for_timeout(HIDDEN_MS)
    desk.turn(away=False)
    desk.check_time_on(desk.decide())


def test_nor_when_the_page_is_drawn_anew_while_it_is_out_of_sight(desk) -> None:
    desk.turn(away=True)
    desk.page.wait_for_timeout(HIDDEN_MS / 2)
    desk.page.locator(".st-key-note input").fill("began to write")
    desk.page.locator(".st-key-note input").blur()
    desk.page.wait_for_timeout(HIDDEN_MS / 2)
    desk.turn(away=False)
    desk.check_time_on(desk.decide())


def test_nor_when_the_page_was_opened_behind_another_tab(desk) -> None:
    desk.page.add_init_script(HIDE)
    desk.began = time.monotonic()
    desk.open()
    desk.page.wait_for_timeout(HIDDEN_MS)
    desk.turn(away=False)
    desk.check_time_on(desk.decide())
