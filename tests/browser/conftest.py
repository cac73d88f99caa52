"""The running app in a real browser.

`start_app` starts an app on a free port and a store of its own; `page` is a fresh browser profile
that fails the test when the app asks any other host for something or reports an error.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.forking import PROJECT

from .serving import launch, stop

CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def _chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or "/usr/bin/chromium"
    if Path(found).exists():
        return found
    if os.environ.get("SELFBOUND_REQUIRE_BROWSER") == "1":
        pytest.fail("no chromium on this machine, and SELFBOUND_REQUIRE_BROWSER=1 wants one")
    return pytest.skip("no chromium on this machine")


@pytest.fixture(scope="module")
def browser():
    """One Chromium for a module's tests; each test gets a profile of its own from it.

    While it is open Playwright holds an event loop in this thread, in which no other test could
    start one, so it does not outlive its module.
    """
    executable = _chromium()
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable, args=CHROMIUM_FLAGS, headless=True
        )
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser) -> Iterator[Callable]:
    """A function that opens a page in a fresh profile; what it heard is checked at the end."""
    contexts, faults = [], []

    def open_page(*, color_scheme: str = "light", width: int = 1280, height: int = 800):
        context = browser.new_context(
            color_scheme=color_scheme, viewport={"width": width, "height": height}
        )
        contexts.append(context)
        return _guarded(context.new_page(), faults)

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def page(new_page):
    """A page in a fresh profile, 1280 by 800, light."""
    return new_page()


@pytest.fixture(scope="module")
def _profile(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


@pytest.fixture
def tab(_profile):
    """A page in a profile all tests share: opens faster than `page`, and may remember things."""
    faults = []
    opened = _guarded(_profile.new_page(), faults)
    yield opened
    opened.close()
    assert faults == []


def _guarded(page, faults: list[str]):
    page.set_default_timeout(20_000)
    page.on("request", lambda request: faults.extend(_foreign(request.url)))
    page.on("console", lambda message: faults.extend(_console_fault(message)))
    page.on("pageerror", lambda error: faults.append(f"uncaught: {error}"))
    return page


def _foreign(url: str) -> list[str]:
    parts = urlsplit(url)
    own = parts.scheme in {"data", "blob", "about"} or parts.hostname in {"127.0.0.1", "localhost"}
    return [] if own else [f"asked another host: {url}"]


def _console_fault(message) -> list[str]:
    # Opened at /page, Streamlit looks for its server below /page first, and finds it above.
    searching = urlsplit(message.location.get("url", "")).path.endswith(
        ("/_stcore/health", "/_stcore/host-config")
    )
    # A page whose server a test has ended, or is starting again, says that it waits.
    waiting = message.text.startswith("Cannot send rerun backMessage when disconnected")
    heard = message.type == "error" and not searching and not waiting
    return [f"console: {message.text}"] if heard else []


@pytest.fixture
def start_app(tmp_path) -> Iterator[Callable[..., str]]:
    """A function that starts an app and returns its address.

    Args of the function: script (the project's app.py when left out), store (a fresh one when
    left out). Started apps end with the test.
    """
    running: list[BaseProcess] = []

    def start(*, script: Path = PROJECT / "app.py", store: Path | None = None) -> str:
        url, process = launch(script, store or tmp_path / "store.duckdb", tmp_path)
        running.append(process)
        return url

    yield start
    for process in running:
        stop(process)


@pytest.fixture(scope="module")
def start_shared_app(tmp_path_factory) -> Iterator[Callable[[Path], str]]:
    """Like `start_app`, for scripts whose tests change nothing: one app for a whole module."""
    running: list[BaseProcess] = []

    def start(script: Path) -> str:
        folder = tmp_path_factory.mktemp("shared")
        url, process = launch(script, folder / "store.duckdb", folder)
        running.append(process)
        return url

    yield start
    for process in running:
        stop(process)


@pytest.fixture
def app_url(start_app) -> str:
    """The address of the project's app on an empty store."""
    return start_app()


SEEN_MS = 330
"""How long a test leaves an item on screen before it decides it."""
# Two frames on, what is on screen now has been painted, however slow the machine.
_PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_CHANGED = "before => document.querySelector('[data-item]')?.dataset.item !== before"


def item_on_screen(page) -> str | None:
    """The id of the item that is up for a decision; None when there is none."""
    shown = page.locator("[data-item]")
    return shown.first.get_attribute("data-item") if shown.count() else None


def wait_until_drawn(page) -> None:
    """Nothing, once the app has nothing more to draw: from then on every button is the item's."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def press(page, key: str) -> None:
    """Press a key once, when the item has been on screen for long enough; wait for another one."""
    wait_until_drawn(page)
    before = item_on_screen(page)
    page.evaluate(_PAINTED)
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press(key)
    page.wait_for_function(_CHANGED, arg=before)
