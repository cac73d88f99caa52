"""The curation screen as a test works it: what stands on it, and what a press of a button does."""

import time

from streamlit.testing.v1 import AppTest

from core.workflows.curation import decide
from core.workflows.desk import Desk
from core.workflows.people import Person, person_named
from pages.shared import keys

WORDS = ("title", "subheader", "markdown", "caption", "info", "success", "error", "warning")


def sound(page: AppTest) -> AppTest:
    """The page, when its run raised nothing."""
    assert not page.exception, page.exception[0].message
    return page


def press(page: AppTest, key: str) -> AppTest:
    """The page after a press of a button, once what is on screen has been there long enough."""
    if keys._SHOWN in page.session_state:
        item, _ = page.session_state[keys._SHOWN]
        page.session_state[keys._SHOWN] = (item, time.monotonic() - 1)
    return sound(page.button(key=key).click().run())


def words(page: AppTest) -> str:
    """All that stands on the page but for the labels of widgets."""
    shown = [str(one.value) for kind in WORDS for one in page.get(kind)]
    shown += [one.proto.body for one in page.get("html")]
    shown += [one.value.to_csv() for one in page.dataframe]
    return "\n".join(shown)


def labels(page: AppTest) -> list[str]:
    """What stands on the buttons."""
    return [button.label for button in page.button]


def person(desk: Desk, name: str) -> Person:
    """Somebody at the desk."""
    return person_named(desk.store, name)


def vote(desk: Desk, name: str, at: int, action: str) -> None:
    """Nothing; the person has decided the task at this place."""
    reason = "unsafe" if action == "remove" else None
    task_id = desk.board().task_ids[at]
    decide(desk.store, desk.study, task_id, action, person=person(desk, name), reason=reason)


def states(desk: Desk) -> list[str]:
    """The state of every task, in the queue's order."""
    return [desk.board().state(one) for one in desk.board().task_ids]
