"""The curation desk at 100,000 tasks: a key to the next task on screen, the table, exports.

The key is measured in Chromium against a bare Streamlit page whose button changes one text, in the
same run: the median ought to stay below twice the bare rerun.
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.exchange.decided_tasks import FORMATS
from core.store.store import Store
from core.workflows.desk import Desk
from core.workflows.desk_table import TaskFilter, table_page
from core.workflows.exporting import export_decided_tasks
from core.workflows.findings import refresh_findings
from core.workflows.people import person_named
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.serving import launch, stop
from tests.support.big_study import make_big_study
from tests.support.forking import PROJECT

N_TASKS = 100_000
PRESSES = 150
PAUSE_MS = 400
LONG = 100_000
BARE = """
import streamlit as st

st.session_state.setdefault("n", 0)

@st.fragment
def one():
    if st.button("next", key="keep"):
        st.session_state.n += 1
    st.html(f'<div data-item="{st.session_state.n}">{st.session_state.n}</div>')

one()
"""
CHANGED = "before => document.querySelector('[data-item]')?.dataset.item !== before"


def main() -> None:
    """Print milliseconds and ratios."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.duckdb"
        with Store.open(path) as store:
            study = make_big_study(store, n_tasks=N_TASKS, n_decided=N_TASKS // 2)
            _timed("checks and look-alikes of all tasks", lambda: refresh_findings(store, study))
            desk = Desk(store, study)
            person = person_named(store, "Ada")
            _timed("first task after a start", lambda: desk.open_next(person))
            _timed("a page of the table", lambda: table_page(desk, person, TaskFilter()))
            wanted = TaskFilter(words="winter", state="pending")
            _timed("a page of the table, filtered", lambda: table_page(desk, person, wanted))
        _exports(Path(folder))
        _in_chromium(Path(folder), path)


def _exports(folder: Path) -> None:
    with Store.open(folder / "decided.duckdb") as store:
        study = make_big_study(store, n_tasks=N_TASKS, n_decided=N_TASKS)
        for format in FORMATS:
            target = folder / f"out.{format}"
            _timed(
                f"{N_TASKS:,} decisions as {format}",
                lambda to=target, kind=format: export_decided_tasks(store, study, to, format=kind),
            )


def _timed(what: str, work: Callable[[], object]) -> None:
    began = time.perf_counter()
    work()
    print(f"{what}: {time.perf_counter() - began:.2f} s", flush=True)


def _in_chromium(folder: Path, path: Path) -> None:
    bare = folder / "bare.py"
    bare.write_text(BARE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS, headless=True
        )
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        cookie = {"name": "selfbound_person", "value": "Ada", "domain": "127.0.0.1", "path": "/"}
        context.add_cookies([cookie])
        page = context.new_page()
        ours = _presses(page, PROJECT / "app.py", path, folder, address="/curate?study=Big")
        theirs = _presses(page, bare, folder / "none.duckdb", folder, address="")
        long = _long_task(page, folder)
        browser.close()
    print(f"a task of {LONG:,} characters, from the press to its text: {long:.0f} ms")
    for name, mine, other in (
        ("median", statistics.median(ours), statistics.median(theirs)),
        ("95th percentile", _percentile(ours), _percentile(theirs)),
    ):
        print(
            f"key to the next of {N_TASKS:,} tasks, {name}: {mine:.0f} ms, "
            f"{mine / other:.2f}x a bare rerun ({other:.0f} ms)"
        )


def _long_task(page: Page, folder: Path) -> float:
    path = folder / "long.duckdb"
    with Store.open(path) as store:
        study = make_big_study(store, n_tasks=1)
        [short] = store.rows("tasks_short", study_id=study.study_id)
        text = "A long line of a long task. " * (LONG // 28 + 1)
        row = store.rows("task_by_id", task_id=short["task_id"])[0]
        row |= {"task_id": "long", "position": 1, "text": text[:LONG], "source_ref": "1"}
        store.append("task", [row | {"note": "", "created_at": study.created_at}])
    url, process = launch(PROJECT / "app.py", path, folder, anew=True)
    try:
        page.goto(url + "/curate?study=Big")
        page.wait_for_selector("[data-item]")
        page.wait_for_timeout(3_000)
        return _press(page, "k")
    finally:
        stop(process)


def _presses(page: Page, script: Path, store: Path, folder: Path, *, address: str) -> list[float]:
    """Milliseconds from each press to another item on screen."""
    url, process = launch(script, store, folder, anew=True)
    try:
        page.goto(url + address)
        page.wait_for_selector("[data-item]")
        page.wait_for_timeout(3_000)
        return [one for n in range(PRESSES) if (one := _press(page, "k" if address else None))]
    finally:
        stop(process)


def _press(page: Page, key: str | None) -> float | None:
    page.wait_for_timeout(PAUSE_MS)
    before = page.evaluate("document.querySelector('[data-item]').dataset.item")
    began = time.perf_counter()
    if key is None:
        page.evaluate("document.querySelector('.st-key-keep button').click()")
    else:
        page.keyboard.press(key)
    page.wait_for_function(CHANGED, arg=before)
    return (time.perf_counter() - began) * 1000


def _percentile(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    main()
