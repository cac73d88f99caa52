"""A study of in-advance confidence on screen: from code tasks to contracts and results."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.llm.scripted import ScriptedClient
from core.runs.engine import Engine
from core.settings import SAMPLE_CODE_TASKS
from core.store.store import Store
from core.workflows.code_task_import import import_code_tasks
from core.workflows.contract_draw import draw_contracts
from core.workflows.human_baseline import begin_attempts, open_task, record_chance
from core.workflows.people import person_named
from core.workflows.steps import start_step
from core.workflows.studies import create_study, study_named
from core.workflows.workbench import Workbench
from pages.shared import session
from tests.support.code_tasks import SUBJECT, confidence_study, subject
from tests.support.contracts import settled_study, state_chances
from tests.support.curation_screen import press, sound, words
from tests.support.judged import answer, asked_study

from .conftest import APP

MADE = {"protocol": "in_advance_confidence", "subject": SUBJECT}
SOLVED, FAILED = ("sa", "sb", "sc"), ("fa", "fb", "fc")


def screen(name: str, *, person: str = "", **query: str) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=60)
    if person:
        page.session_state["person_name"] = person
    page.run()
    for key, value in query.items():
        page.query_params[key] = value
    return sound(page.switch_page(f"pages/{name}.py").run())


@pytest.fixture
def settled(store_path: Path, tmp_path: Path) -> Path:
    """A store with the study `Offered`: six tasks with chances, three of them solved."""
    with Store.open(store_path) as store:
        study = settled_study(store, tmp_path, solved=SOLVED, failed=FAILED)
        state_chances(store, study, [0.9, 0.8, 0.3, 0.7, 0.2, 0.1])
    return store_path


def test_without_tasks_the_way_leads_to_the_import_of_code_tasks(store_path: Path) -> None:
    with Store.open(store_path) as store:
        create_study(store, "Sure", **MADE)
    page = screen("generate")
    assert "people bring its code tasks. There are none yet." in words(page)
    [button] = page.button
    page = sound(button.click().run())
    [layouts] = page.radio
    assert layouts.options[:2] == ["Code tasks with their tests", "Our sample code tasks"]
    assert not [one for one in layouts.options if "uestions" in one]


def test_a_program_runs_on_this_machine_only_where_somebody_chose_it(store_path: Path) -> None:
    with Store.open(store_path) as store:
        create_study(store, "Sure", **MADE)
        import_code_tasks(store, [SAMPLE_CODE_TASKS], study_name="Sure")
    page = screen("classify")
    assert [one.value for one in page.title] == ["Predict"]
    assert "12 calls" in words(page)
    assert page.segmented_control(key="by").options == ["A model", "People"]
    steps = page.segmented_control(key="step")
    assert steps.options == ["Predict", "Attempt", "Score", "Contracts"]
    page = sound(steps.set_value("score").run())
    choice = page.radio(key="sandbox")
    assert choice.value is None
    assert not [one for one in page.button if one.label.startswith("Start")]
    page = sound(choice.set_value("local").run())
    assert "limits of time, memory, processes and files" in words(page)


def test_contracts_are_drawn_from_what_was_solved_and_failed(settled: Path) -> None:
    page = screen("classify", step="contract")
    page = sound(page.segmented_control(key="step").set_value("contract").run())
    assert "solved 3 tasks and failed 3 tasks" in words(page)
    assert "calls to make" not in words(page)
    [button] = [one for one in page.button if one.label == "Draw the contracts"]
    page = sound(button.click().run())
    said = words(page)
    assert "8 trials of 3 contracts" in said and "12 of the 24 contracts can be won" in said
    assert "24 calls" in said


def test_without_failed_tasks_contracts_wait_for_scores(store_path: Path, tmp_path: Path) -> None:
    with Store.open(store_path) as store:
        settled_study(store, tmp_path, solved=SOLVED, failed=())
    page = screen("classify")
    page = sound(page.segmented_control(key="step").set_value("contract").run())
    assert "There are 3 solved and 0 failed tasks." in words(page)


def test_results_say_what_was_expected_and_what_came(settled: Path) -> None:
    page = screen("results")
    said = words(page)
    assert (
        "expected to solve 50\N{NO-BREAK SPACE}% of 6 tasks and solved 50\N{NO-BREAK SPACE}%"
        in said
    )
    assert "Calibration" in said and "Risk by coverage" in said
    assert "states its chance in advance" in said
    assert not [one for one in page.subheader if "contracts" in one.value.casefold()]
    assert "contracts" not in said.partition("One profile per model")[0].casefold()


def test_drawn_contracts_are_told_before_any_is_answered(settled: Path) -> None:
    with Store.open(settled) as store:
        draw_contracts(store, study_named(store, "Offered"), n_contracts=3)
    said = words(screen("results"))
    assert "8 trials = 0 complete" in said and "8 open" in said


def test_a_profile_says_what_each_protocol_found_and_which_measured_nothing(settled: Path) -> None:
    page = screen("results")
    assert "One profile per model" in words(page)
    profile = page.dataframe[-1].value
    # Of the one model and the one prompt set there is nothing to tell apart.
    assert list(profile.columns) == ["protocol", "part", "metric", "value", "n", "note"]
    silent = profile[profile["metric"] == ""]
    assert list(silent["part"]) == ["contracts", "agents, step 1", "agents, submitted", "", ""]
    assert set(silent["note"]) == {"not measured"}
    assert list(silent["protocol"][-2:]) == ["Feasibility boundary", "Uncertainty attribution"]
    assert "AUROC of single tasks" in words(page)
    told = profile.set_index("metric")["value"]
    assert told["predicted success rate"] == "0.500 [0.143, 0.857]"
    store = session._workbench(str(settled)).store
    elsewhere = SUBJECT.replace("scripted/", "azure/")
    answer(store, asked_study(store, 6), elsewhere, label=lambda _: "MODEL_UNCERTAIN")
    page = screen("results", study="Offered")
    profile = page.dataframe[-1].value
    assert f"Of {elsewhere}, {SUBJECT}." in words(page)
    assert {"DU-F1 balanced", "overconfidence"} <= set(profile["metric"])
    silent = profile[profile["metric"] == ""]
    assert list(silent["protocol"])[-1] == "Feasibility boundary"
    assert "Uncertainty attribution" not in set(silent["protocol"])


def test_the_newest_replies_tell_the_chance_that_was_stated(
    store_path: Path, tmp_path: Path
) -> None:
    client = ScriptedClient(subject({"a": ["35%"]}, {}))
    with Workbench(Store.open(store_path), Engine(), lambda: client) as bench:
        study = confidence_study(bench, tmp_path, ["a"])
        assert start_step(bench, study, "predict").wait(30)
    said = words(screen("classify"))
    assert "35\N{NO-BREAK SPACE}% stated" in said
    # All tasks are decided by tests, which says nothing of any of them.
    assert "Calls ended, by type*" in said and "side" not in said and "tests" not in said


def test_a_reply_that_cannot_be_read_is_shown_and_the_next_step_is_one_press_away(
    store_path: Path, tmp_path: Path
) -> None:
    client = ScriptedClient(subject({"a": ["Quite likely.", "40%"]}, {}))
    with Workbench(Store.open(store_path), Engine(), lambda: client) as bench:
        study = confidence_study(bench, tmp_path, ["a"])
        assert start_step(bench, study, "predict").wait(30)
    page = screen("classify")
    assert "Quite likely." in words(page)
    page = sound(page.button(key="next_step").click().run())
    assert [one.value for one in page.title] == ["Attempt"]
    assert not [one for one in page.button if one.key == "next_step"]


def test_programs_are_shown_as_run_and_people_leave_the_card_as_it_was(settled: Path) -> None:
    store = session._workbench(str(settled)).store
    begin_attempts(store, study_named(store, "Offered"), person_named(store, "Ada"))
    said = words(sound(AppTest.from_file(str(APP), default_timeout=60).run()))
    assert "Predict 6/6" in said and "Attempt 6/6" in said and "Score 6/6" in said
    page = screen("classify", step="score")
    page = sound(page.segmented_control(key="step").set_value("score").run())
    page = sound(page.radio(key="sandbox").set_value("local").run())
    assert "Every program has run." in words(page)


def test_people_who_stated_chances_leave_the_view_of_a_model_as_it_was(
    store_path: Path, tmp_path: Path
) -> None:
    client = ScriptedClient(subject({"a": ["35%"]}, {}))
    with Workbench(Store.open(store_path), Engine(), lambda: client) as bench:
        study = confidence_study(bench, tmp_path, ["a"])
        assert start_step(bench, study, "predict").wait(30)
        ada = person_named(bench.store, "Ada")
        begin_attempts(bench.store, study, ada)
        task = open_task(bench.store, study, ada)
        record_chance(bench.store, study, ada, task.task_id, chance=0.2)
    said = words(screen("classify"))
    assert "35\N{NO-BREAK SPACE}% stated" in said and "20\N{NO-BREAK SPACE}%" not in said
    assert "Every planned call has been answered" in said


def test_results_say_plainly_which_study_asked_for_is_not_shown(settled: Path) -> None:
    with Store.open(settled) as store:
        create_study(store, "Begun", **MADE)
    said = words(screen("results", study="Nobody"))
    assert "There is no study named “Nobody”. Shown instead is “Offered”" in said
    assert "“Begun” has no results yet. Shown instead is" in words(screen("results", study="Begun"))
    page = AppTest.from_file(str(APP), default_timeout=60).run()
    page.query_params["study"] = ["Offered", "Begun"]
    said = words(sound(page.switch_page("pages/results.py").run()))
    assert "“Begun” has no results yet." in said and "Shown instead" not in said


def test_the_study_of_a_link_stays_the_one_on_the_next_screen(settled: Path) -> None:
    with Store.open(settled) as store:
        create_study(store, "Before", **MADE)
        create_study(store, "Newest", **MADE)
    page = screen("classify", study="Before")
    page = sound(page.button(key="to_import").click().run())
    assert [one.value for one in page.title] == ["Generate"]
    assert [one.value for one in page.selectbox] == ["Before"]
    # Results of one study lead to that study.
    page = screen("results", study="Offered")
    page.query_params.clear()
    page = sound(page.switch_page("pages/generate.py").run())
    assert [one.value for one in page.selectbox] == ["Offered"]


def at_the_desk(**state: str) -> AppTest:
    """The screen of the people, with Ada before it."""
    page = AppTest.from_file(str(APP), default_timeout=60)
    page.session_state["person_name"] = "Ada"
    page.run().switch_page("pages/classify.py")
    for name, value in ({"by": "people"} | state).items():
        page.session_state[name] = value
    return sound(page.run())


def test_the_desk_speaks_of_the_person_and_empties_what_it_refuses(settled: Path) -> None:
    page = at_the_desk()
    said = words(page)
    assert "You say how likely you would be to solve each task" in said
    assert "subject" not in said
    page = sound(page.button(key="begin_attempts").click().run())
    [field] = page.text_input
    field.set_value("300")
    page = press(page, "state")
    assert "'300' is no chance" in words(page) and "the field is empty again" in words(page)
    assert [one.value for one in page.text_input] == [""]
    page.text_input[0].set_value("30")
    assert "Stored at" in words(press(page, "state"))


def test_whoever_stated_all_goes_on_to_programs_and_to_where_they_run(settled: Path) -> None:
    store = session._workbench(str(settled)).store
    study, ada = study_named(store, "Offered"), person_named(store, "Ada")
    assert "You have stated no chance yet" in words(at_the_desk(gives="program"))
    begin_attempts(store, study, ada)
    while (task := open_task(store, study, ada)) is not None:
        record_chance(store, study, ada, task.task_id, chance=0.5)
    page = at_the_desk()
    assert "You have answered every task" in words(page)
    page = sound(page.button(key="go_on").click().run())
    assert "Write the programs of 6 tasks" in words(page)
    page = sound(page.button(key="begin_attempts").click().run())
    page = press(page, "hand_in")
    assert "No program is written." in words(page)
    page.text_area[0].set_value("I would add one")
    page = press(page, "hand_in")
    assert "What is written is no program in Python." in words(page)
    assert [one.value for one in page.text_area] == ["I would add one"]
    page.text_area[0].set_value("return n + 1")
    page = press(page, "hand_in")
    assert "1 answered + 0 skipped + 5 open = 6" in words(page)
    assert [one.value for one in page.text_area] == [""]
    page = press(press(page, "give_up"), "undo")
    for _ in range(5):
        page = press(page, "give_up")
    assert "Whoever runs the programs of models has yours run, too." in words(page)
    page = sound(page.button(key="go_on").click().run())
    assert [one.value for one in page.title] == ["Score"]
    sound(page.radio(key="sandbox").set_value("local").run())
    page = at_the_desk(gives="program")
    assert "passed" not in words(page)


def test_people_are_told_where_there_is_no_task_to_state_a_chance_of(store_path: Path) -> None:
    with Store.open(store_path) as store:
        create_study(store, "Sure", **MADE)
    page = screen("classify")
    page.session_state["person_name"] = "Ada"
    page = sound(page.segmented_control(key="by").set_value("people").run())
    assert "There are no tasks yet" in words(page)
    assert "drawn" not in words(page)


def test_a_half_written_program_is_there_again_after_a_reload(settled: Path) -> None:
    begun = "def sa(n):\n    return"
    with Store.open(settled) as store:
        study, ada = study_named(store, "Offered"), person_named(store, "Ada")
        begin_attempts(store, study, ada)
        record_chance(store, study, ada, open_task(store, study, ada).task_id, chance=0.6)
    asked = {"study": "Offered", "by": "people", "gives": "program"}
    page = press(screen("classify", person="Ada", **asked), "begin_attempts")
    page = sound(page.text_area[0].set_value(begun).run())
    again = screen("classify", person="Ada", **asked)
    assert again.text_area[0].value == begun
    press(again, "hand_in")
    assert not screen("classify", person="Ben", **asked).text_area
