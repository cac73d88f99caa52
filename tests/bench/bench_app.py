"""The first page: from the start of the process to the page, against a bare Streamlit app."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.serving import launch, stop
from tests.support.forking import PROJECT

BARE = 'import streamlit as st\n\nst.title("Bare")\n'
ROUNDS = 3


def main() -> None:
    """Print seconds and ratios; three starts of each, the fastest counts."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS, headless=True
        )
        page = browser.new_page()
        ours = min(_start(page, PROJECT / "app.py", "Studies", Path(folder)) for _ in range(ROUNDS))
        theirs = min(_start(page, bare, "Bare", Path(folder)) for _ in range(ROUNDS))
        browser.close()
    for name, mine, other in zip(("server answers", "page drawn"), ours, theirs, strict=True):
        print(f"{name}: {mine:.2f} s, {mine / other:.2f}x a bare Streamlit app ({other:.2f} s)")


def _start(page: Page, script: Path, heading: str, folder: Path) -> tuple[float, float]:
    """Seconds from starting the process to an answer, and to the first page with its heading."""
    store = Path(tempfile.mkdtemp(dir=folder)) / "store.duckdb"
    began = time.perf_counter()
    url, process = launch(script, store, folder, anew=True)
    answered = time.perf_counter() - began
    try:
        page.goto(url)
        page.get_by_role("heading", name=heading, exact=True).wait_for()
        return answered, time.perf_counter() - began
    finally:
        stop(process)


if __name__ == "__main__":
    main()
