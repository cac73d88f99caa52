"""A study of agents alone, on the screens that people see."""

from concurrent.futures import Future
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from core.store.store import Store
from core.workflows.agent_import import add_agent_logs
from core.workflows.imported import Imported
from core.workflows.studies import create_study
from pages.shared import session
from pages.shared.import_layouts import Layout
from tests.support.agents import agent_log
from tests.support.curation_screen import labels, sound, words

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


def test_of_several_scores_the_one_that_decides_is_chosen_and_what_was_odd_stays_to_be_read(
    page: AppTest, store_path: Path
) -> None:
    chosen = []

    def bring(store, paths, *, study_name, skip_bad_rows, choice=""):
        chosen.append((choice, [path.name for path in paths]))
        odd = ("2 runs have no outcome and count in no curve", "1 of 9 estimates cannot be read")
        return [Imported(path.name, study_name, 8, 8, odd) for path in paths]

    refused: Future = Future()
    error = InputError("a.eval has 2 scores", hint="--scorer exact", choices=["exact", "near"])
    refused.set_exception(error)
    layout = Layout("Logs", "", bring, choice="The score that decides", unit="run")
    about = {"layout": layout, "into": "A", "skip_bad_rows": False}
    files = [("a.eval", b"a"), ("b.eval", b"b")]
    page.session_state["import_files"] = (session._workbench(str(store_path)), files, about)
    page.session_state["import_under_way"] = refused
    page = sound(page.run())
    assert "nothing was stored" in words(page) and "--scorer" not in words(page)
    assert page.selectbox(key="import_choice").label == "The score that decides"
    page.selectbox(key="import_choice").set_value("near")
    page = sound(page.button(key="import_again").click().run())
    page.session_state["import_under_way"].result(30)
    said = words(sound(page.run()))
    assert chosen == [("near", ["a.eval", "b.eval"])]
    assert "2 files read: 16 runs, 16 of them new." in said
    page = sound(page.switch_page("pages/generate.py").run())
    said = words(page)
    assert said.count("- 2 runs have no outcome and count in no curve.") == 2
    assert said.count("- 1 of 9 estimates cannot be read.") == 2
    page = sound(page.button(key="close_import").click().run())
    assert "cannot be read" not in words(page) and "Close" not in labels(page)


def test_the_step_screen_tells_the_commands_that_run_agents_and_go_on(page: AppTest) -> None:
    page = sound(page.switch_page("pages/classify.py").run())
    told = [one.value for one in page.code]
    begin = "selfbound agents A --sandbox docker"
    assert told == [begin, f"{begin} --resume LOG"]
    assert "Agents, from the command line" in [one.label for one in page.expander]


def test_a_study_that_holds_no_agents_is_told_no_command(study_desk, sit_down) -> None:
    page = sound(sit_down().switch_page("pages/classify.py").run())
    assert not page.code
