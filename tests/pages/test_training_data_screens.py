"""A study of training data on screen: rewritten and verified, then its rewrites are curated."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.llm.scripted import ScriptedClient
from core.records import Reply, Request
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.desk import Desk, desk_of
from core.workflows.findings import refresh_findings
from core.workflows.rewrite_plans import Shares
from core.workflows.synthesis import synthesize
from core.workflows.workbench import Workbench
from pages.shared import session
from tests.support.curation_screen import labels, press, sound, words
from tests.support.rewriting import JUDGE, REWRITER, make_study, watch

from .conftest import APP


def reply(request: Request) -> Reply:
    """Rewrites that say which problem they are of, and a judge that finds none solvable."""
    if request.model == JUDGE:
        return Reply(text="No", model=JUDGE)
    text = json.dumps({"problem": f"Gap in {request.context['position']}?"})
    return Reply(text=text, model=REWRITER)


@pytest.fixture
def trained(store_path: Path) -> Desk:
    """The app's own desk of ten problems: two verified rewrites, one problem dropped."""
    client = ScriptedClient(reply)
    bench = Workbench(Store.open(store_path), Engine(), lambda: client)
    study = make_study(bench)
    assert synthesize(bench, study, watch=watch, shares=Shares(0.2, 0.1))
    refresh_findings(bench.store, study)
    bench.close()
    return desk_of(session._workbench(str(store_path)), study)


def test_the_card_counts_the_rewrites_that_people_look_at(trained: Desk) -> None:
    said = words(sound(AppTest.from_file(str(APP), default_timeout=30).run()))
    assert "Rewrite 7/7" in said and "Verify 7/7" in said
    assert said.index("Verify 7/7") < said.index("Curate 0/2")


def test_the_desk_shows_rewrites_and_leads_on_to_the_results(trained: Desk, sit_down) -> None:
    page = sit_down()
    assert "Gap in" in words(page) and "Problem " not in words(page)
    for _ in range(2):
        page = press(page, "keep")
    assert "Every task is decided" in words(page)
    assert "See the results" in labels(page)
