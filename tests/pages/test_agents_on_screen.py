"""A study of agents alone, on the screens that people see."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.store.store import Store
from core.workflows.agent_import import add_agent_logs
from core.workflows.studies import create_study
from tests.support.agents import agent_log
from tests.support.curation_screen import sound, words

from .conftest import APP

RUNS = {f"t{n}": (n % 2, [0.5, 0.2 + 0.1 * n], 0.9) for n in range(6)}


@pytest.fixture
def page(store_path: Path) -> AppTest:
    with Store.open(store_path) as store:
        subject = "openai/agent"
        study = create_study(store, "A", protocol="in_advance_confidence", subject=subject)
        add_agent_logs(store, study, [agent_log(RUNS)])
    return sound(AppTest.from_file(str(APP), default_timeout=30).run())


def test_the_card_counts_runs_and_leads_to_the_results(page: AppTest) -> None:
    said = words(page)
    assert "0 tasks · 6 runs of agents" in said
    assert "not begun" not in said
    [button] = [one for one in page.button if one.label == "Open"]
    page = sound(button.click().run())
    assert [one.value for one in page.title] == ["Results"]
    shown = [one.value for one in page.subheader]
    assert shown[0] == "Agents at a glance"
    assert "AUROC by step, against step 1" in shown
    assert "Confidence at a glance" not in shown
    assert "tasks attempted" not in words(page)
