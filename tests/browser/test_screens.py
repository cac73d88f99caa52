"""Every screen in a real browser: hostile text is shown exactly, links and empty states work."""

import json

import pytest

from core.llm.scripted import ScriptedClient
from core.records import Reply, Request
from core.runs.engine import Engine
from core.store import Store
from core.workflows.drawing import draw_tasks
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from core.workflows.workbench import Workbench
from tests.support.forking import PROJECT

pytestmark = pytest.mark.browser

HOSTILE = (
    "Costs $5 to $10, keep __init__ and *args* :smile: at 10:30 "
    "<img src=x onerror=alert(1)> :red[x] [a](http://x) $$x^2$$ # no heading"
)
NAME = "Study :red[x] $a$ <b>b</b>"


def _hostile(request: Request) -> Reply:
    if request.context["task_id"] is None:
        return Reply(text=json.dumps({"task": f"{HOSTILE} {request.context['position']}"}))
    if request.context["intent"] == "feasible":
        return Reply(text=json.dumps({"task_class": "feasible", "answer": HOSTILE, "reason": ""}))
    reason = request.context["reason"]
    return Reply(text=json.dumps({"task_class": "infeasible", "answer": "", "reason": reason}))


@pytest.fixture(scope="module")
def empty_url(start_shared_app) -> str:
    """An app on an empty store, for tests that change nothing."""
    return start_shared_app(PROJECT / "app.py")


@pytest.fixture
def hostile_url(start_app, tmp_path) -> str:
    """An app on a finished study whose name, tasks and answers are full of markup."""
    path = tmp_path / "hostile.duckdb"
    client = ScriptedClient(_hostile)
    with Workbench(Store.open(path), Engine(), lambda: client) as bench:
        study = create_study(
            bench.store,
            NAME,
            protocol="feasibility_boundary",
            subject="scripted/$m$_*x*",
            prompt_set="vanilla",
            per_type=1,
        )
        start_step(bench, study, "generate").wait(20)
        draw_tasks(bench.store, study)
        start_step(bench, study, "classify").wait(20)
    return start_app(store=path)


def test_hostile_text_is_shown_letter_for_letter_on_every_screen(
    hostile_url, new_page, tmp_path
) -> None:
    page = new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.goto(hostile_url)
    page.get_by_text(NAME, exact=True).wait_for()
    page.get_by_role("button", name="Open").click()
    page.get_by_text("10 tasks drawn = 10 with a usable reply").wait_for()
    page.get_by_text("scripted/$m$_*x*").first.wait_for()
    page.get_by_role("link", name="Classify").click()
    page.get_by_text(HOSTILE).first.wait_for()
    page.get_by_role("link", name="Generate").click()
    page.get_by_text(HOSTILE).first.wait_for()
    page.get_by_role("link", name="Curate").click()
    page.get_by_label("Your name").fill(":smile: <i>Eve</i> $1$")
    page.keyboard.press("Enter")
    page.locator("[data-item]").get_by_text(HOSTILE).wait_for()
    page.get_by_role("button", name=":smile: <i>Eve</i> $1$").wait_for()
    [log] = tmp_path.glob("app-*.log")
    assert "most recent call last" not in log.read_text()


def test_the_name_given_once_is_remembered_by_the_browser(hostile_url, new_page) -> None:
    page = new_page()
    page.goto(f"{hostile_url}/curate")
    page.get_by_label("Your name").fill("Ada")
    page.keyboard.press("Enter")
    page.wait_for_function("document.cookie.includes('selfbound_person=Ada')")
    page.reload()
    page.locator("[data-item]").wait_for()
    page.get_by_role("button", name="Ada").wait_for()


def test_a_link_to_a_screen_opens_it_on_a_server_that_has_just_started(
    hostile_url, new_page
) -> None:
    page = new_page()
    page.goto(f"{hostile_url}/results?study={NAME.replace(' ', '+')}")
    page.get_by_role("heading", name="The boundary at a glance").wait_for()
    page.get_by_role("link", name="Studies").wait_for()


def test_a_file_with_a_bad_row_changes_nothing_and_can_be_imported_without_it(
    hostile_url, new_page, tmp_path
) -> None:
    tasks = tmp_path / "tasks.csv"
    good = "Name a prime.,feasible,Functional Ceiling,\n"
    tasks.write_text(f"text,intent,type,reason\n{good},feasible,Functional Ceiling,\n")
    page = new_page()
    page.goto(hostile_url)

    def bring_in(*, leave_out: bool) -> None:
        page.get_by_role("button", name="Import").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("Tasks with text, intent, type and reason").click()
        dialog.get_by_text("Into the study").wait_for()
        dialog.locator("input[type=file]").set_input_files(tasks)
        dialog.get_by_text("tasks.csv").wait_for()
        if leave_out:
            dialog.get_by_text("Leave out rows that cannot be used").click()
        dialog.get_by_role("button", name="Import").click()

    bring_in(leave_out=False)
    page.get_by_text("Row 3 of tasks.csv has no task text; 1 other row is fine").wait_for()
    page.get_by_text("Nothing was stored.").wait_for()
    page.get_by_text("10 tasks · ").wait_for()
    close = page.get_by_role("button", name="Close")
    close.click()
    close.wait_for(state="detached")
    bring_in(leave_out=True)
    page.get_by_text("1 file read: 2 rows, 1 of them new.").wait_for()
    page.get_by_text("11 tasks · ").wait_for()
    page.get_by_text("Rows left out of tasks.csv: 1").wait_for()


@pytest.mark.parametrize(
    ("screen", "said"),
    [
        ("", "Nothing here yet"),
        ("generate", "There is no study yet"),
        ("curate", "There is no study yet"),
        ("classify", "There is no study yet"),
        ("audit", "There is no study yet"),
        ("results", "There are no results yet"),
    ],
)
def test_an_empty_store_says_what_to_do_on_every_screen(empty_url, new_page, screen, said) -> None:
    page = new_page()
    page.goto(f"{empty_url}/{screen}")
    page.get_by_role("heading", name=said).wait_for()


def test_a_second_process_is_told_who_holds_the_store(start_app, new_page, tmp_path) -> None:
    path = tmp_path / "held.duckdb"
    with Store.open(path):
        page = new_page()
        page.goto(start_app(store=path))
        page.get_by_text("is in use by process").wait_for()
        assert "Traceback" not in page.inner_text("body")
