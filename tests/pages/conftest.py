"""The app on a store of its own, in the test's process, with somebody at the curation screen."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.store.store import Store
from core.taxonomy import FEASIBLE, INFEASIBLE
from core.workflows.desk import Desk, desk_of
from core.workflows.findings import refresh_findings
from pages.shared import session
from tests.support.curation_screen import sound
from tests.support.few_tasks import add_tasks, empty_study

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def store_path(
    tmp_path: Path, new_store_file: bytes, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The file of the app's store; the app lets go of it at the end."""
    path = tmp_path / "store.duckdb"
    path.write_bytes(new_store_file)
    monkeypatch.setenv("SELFBOUND_STORE", str(path))
    yield path
    st.cache_resource.clear()


@pytest.fixture
def study_desk(store_path: Path) -> Desk:
    """The app's own desk of four checked tasks; the first and the third are alike."""
    texts = ["Name three rivers.", "Sort 5, 3 and 4.", "name three rivers", "Add two and two."]
    with Store.open(store_path) as store:
        study = empty_study(store)
        add_tasks(store, study, texts, intents=[FEASIBLE, INFEASIBLE] * 2)
        refresh_findings(store, study)
    return desk_of(session._workbench(str(store_path)), study)


@pytest.fixture
def sit_down(store_path: Path) -> Callable[..., AppTest]:
    """Opens the curation screen for a person, at one of its views."""

    def open_view(name: str = "Ada", view: str = "desk") -> AppTest:
        page = AppTest.from_file(str(APP), default_timeout=30)
        page.session_state["person_name"] = name
        page.run().switch_page("pages/curate.py")
        page.session_state["view"] = view
        return sound(page.run())

    return open_view
