"""The first page: it comes up by itself, and the program calls nobody."""

from pathlib import Path

import pytest

from tests.support.forking import PROJECT

from .serving import launch, stop

pytestmark = pytest.mark.browser

WATCHER = """
import os, socket

_connect = socket.socket.connect
_look_up = socket.getaddrinfo


def _note(what):
    with open(os.environ["SELFBOUND_TEST_LOG"], "a") as log:
        print(what, file=log)


def connect(self, address):
    if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
        _note(f"connect {address}")
    return _connect(self, address)


def getaddrinfo(host, *args, **options):
    if host not in (None, "127.0.0.1", "::1", "localhost", "0.0.0.0", "", b"127.0.0.1"):
        _note(f"look up {host}")
    return _look_up(host, *args, **options)


socket.socket.connect = connect
socket.getaddrinfo = getaddrinfo
"""


@pytest.fixture
def watched_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An app whose every look-up and connection beyond this machine is written to a log."""
    (tmp_path / "sitecustomize.py").write_text(WATCHER)
    log = tmp_path / "calls.log"
    monkeypatch.setenv("SELFBOUND_TEST_LOG", str(log))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    url, process = launch(PROJECT / "app.py", tmp_path / "store.duckdb", tmp_path, anew=True)
    yield url, log
    stop(process)


def test_opening_the_screens_makes_no_outgoing_connection(watched_app, new_page) -> None:
    url, log = watched_app
    page = new_page()
    page.goto(url)
    page.get_by_role("button", name="Run the demo study").wait_for()
    for screen in ("Generate", "Curate", "Classify", "Audit", "Results"):
        page.get_by_role("link", name=screen).click()
        page.get_by_role("heading", name=screen, exact=True).wait_for()
    page.get_by_role("link", name="Studies").click()
    page.get_by_role("button", name="New study").click()
    page.get_by_label("Name").wait_for()
    assert not log.exists(), log.read_text()
