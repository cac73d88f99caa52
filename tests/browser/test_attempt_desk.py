"""People attempt the draw in a real browser: by keyboard, blind, nothing lost, seen on Results."""

from datetime import UTC, datetime

import pytest

from core.store import Store, verify
from core.taxonomy import LINE_OF_DUTY, KnowledgeType, Reason, Taxonomy
from core.workflows.drawing import draw_every_task
from core.workflows.human_baseline import begin_attempts, open_task, record_answer
from core.workflows.human_steps import attempt_step
from core.workflows.people import person_named
from core.workflows.plans import plan_step
from core.workflows.studies import Study, create_study, study_named
from tests.support.big_study import make_big_study
from tests.support.few_tasks import add_tasks

from .conftest import SEEN_MS, item_on_screen, press
from .running import Running, apps_in
from .visitor import be_known_as, frames_heard

pytestmark = pytest.mark.browser

SETTLED_MS = 800
ELEVENTH = "Outside Training Cutoff"
MODEL_SAYS, BEN_SAYS = "the model answered so", "Ben answered so"
CHANGED = "before => document.querySelector('[data-item]')?.dataset.item !== before"


@pytest.fixture
def start(tmp_path):
    """A function that fills a store and starts the app on it."""
    with apps_in(tmp_path) as start:
        yield start


def _drawn(n_tasks: int):
    """Fills a store with a study whose tasks are drawn and answered by its subject and by Ben."""

    def fill(store: Store) -> None:
        study = make_big_study(store, n_tasks=n_tasks)
        draw_every_task(store, study)
        _answer_as_subject(store, study)
        ben = person_named(store, "Ben")
        begin_attempts(store, study, ben)
        while (task := open_task(store, study, ben)) is not None:
            record_answer(store, study, ben, task.task_id, answer=BEN_SAYS)

    return fill


def _answer_as_subject(store: Store, study: Study) -> None:
    step = attempt_step(study)
    plan_step(store, study, step, study.subject)
    items = store.rows("planned_now", study_id=study.study_id, step=step.name)
    rows = [
        {
            "study_id": study.study_id,
            "step": step.name,
            "item_id": item["item_id"],
            "task_id": item["task_id"],
            "model": study.subject,
            "seq": store.next_seq(),
            "label": "feasible",
            "answer": MODEL_SAYS,
            "note": "",
            "labelled_at": datetime.now(UTC),
        }
        for item in items
    ]
    store.append("label", rows)


def _sit_down(page, app: Running, study: str = "Big") -> None:
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/classify?study={study}&by=people")
    shown = page.locator("[data-item]")
    begin = page.get_by_role("button", name="Begin")
    shown.or_(begin).wait_for()
    if begin.count():
        begin.click()
    shown.wait_for()
    page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    page.wait_for_timeout(SETTLED_MS)


def _history(app: Running) -> list[dict]:
    """What people other than Ben did, oldest first, of a store that no app holds."""
    with Store.open(app.store) as store:
        assert verify(store) == []
        study = store.rows("studies_all")[0]
        rows = store.rows("export_attempts", study_id=study["study_id"])
    return [row for row in rows if row["person"] != "Ben"]


def test_by_keyboard_with_skip_and_undo_over_reload_and_restart(start, new_page) -> None:
    app, page = start(_drawn(20)), new_page()
    _sit_down(page, app)
    done = []
    for key in "f4as0f":
        done.append(item_on_screen(page))
        press(page, key)
    page.get_by_text("5 answered + 1 skipped + 14 open = 20").wait_for()
    following = item_on_screen(page)
    page.reload()
    page.locator("[data-item]").wait_for()
    page.wait_for_timeout(SETTLED_MS)
    assert item_on_screen(page) == following
    press(page, "u")
    press(page, "u")
    page.get_by_text("3 answered + 1 skipped + 16 open = 20").wait_for()
    assert item_on_screen(page) == done[4]
    app.restart()
    _sit_down(page, app)
    assert item_on_screen(page) == done[4]
    press(page, "u")
    page.get_by_text("3 answered + 0 skipped + 17 open = 20").wait_for()
    assert item_on_screen(page) == done[3]
    page.close()
    app.stop()
    rows = _history(app)
    assert [(row["action"], row["reason"]) for row in rows] == [
        ("answer", None),
        ("answer", "Missing Context"),
        ("answer", ELEVENTH),
        ("skip", None),
        ("answer", "Abstract Temporal Setting"),
        ("answer", None),
        ("undo", None),
        ("undo", None),
        ("undo", None),
    ]
    assert [row["task_id"] for row in rows] == [*done, done[5], done[4], done[3]]
    assert all(row["seconds_active"] > 0 for row in rows if row["action"] != "undo")


def test_twelve_answers_are_twelve_after_a_kill(start, new_page) -> None:
    app, page = start(_drawn(20)), new_page()
    _sit_down(page, app)
    for _ in range(12):
        press(page, "f")
    following = item_on_screen(page)
    app.restart(by_force=True)
    _sit_down(page, app)
    page.get_by_text("12 answered + 0 skipped + 8 open = 20").wait_for()
    assert item_on_screen(page) == following


def test_words_are_stored_with_the_answer_and_their_letters_answer_nothing(start, new_page) -> None:
    app, page = start(_drawn(10)), new_page()
    _sit_down(page, app)
    task = item_on_screen(page)
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("n")
    page.locator(".st-key-note input:focus").wait_for()
    page.keyboard.type("4 of 7, as f s u")
    assert item_on_screen(page) == task
    page.keyboard.press("Enter")
    page.wait_for_function(CHANGED, arg=task)
    page.get_by_text("1 answered + 0 skipped + 9 open = 10").wait_for()
    press(page, "u")
    # Taken back, the words are there to be changed.
    assert item_on_screen(page) == task
    assert page.locator(".st-key-note input").input_value() == "4 of 7, as f s u"
    page.close()
    app.stop()
    first, undone = _history(app)
    assert (first["label"], first["answer"]) == ("feasible", "4 of 7, as f s u")
    assert undone["action"] == "undo"


def test_nothing_that_reaches_the_browser_tells_how_a_task_was_meant_or_answered(
    start, new_page
) -> None:
    app, page = start(_drawn(10)), new_page()
    heard = frames_heard(page)
    _sit_down(page, app)
    for key in "f1sf":
        press(page, key)
    page.close()
    assert heard
    told = [*LINE_OF_DUTY.type_names, MODEL_SAYS, BEN_SAYS, "meant as"]
    assert not [word for word in told if any(word.encode() in frame for frame in heard)]


def test_who_has_answered_all_stands_beside_the_subject_on_results(start, new_page) -> None:
    app, page = start(_drawn(10)), new_page()
    _sit_down(page, app)
    for _ in range(9):
        press(page, "f")
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("f")
    page.get_by_text("You have answered every task").wait_for()
    page.get_by_role("button", name="See the results").click()
    page.get_by_text("All studies and models together").wait_for()
    page.get_by_text("Each of them").click()
    page.get_by_text("Big · person/Ada: 10 tasks drawn = 10 with a usable reply").wait_for()
    page.get_by_text("Big · scripted/model: 10 tasks drawn = 10 with a usable reply").wait_for()


def test_many_reasons_are_searched_in_a_list(start, new_page) -> None:
    reasons = tuple(Reason(f"Obstacle number {n}", f"It is the {n}th.") for n in range(1, 41))
    words = Taxonomy("Own", 1, (KnowledgeType("Limits", "Knowing them.", reasons),))

    def fill(store: Store) -> None:
        study = create_study(
            store,
            "Own",
            protocol="feasibility_boundary",
            subject="scripted/model",
            taxonomy=words,
        )
        add_tasks(store, study, [f"Task {n}" for n in range(4)], kinds=["Limits"] * 4)
        draw_every_task(store, study_named(store, "Own"))

    app, page = start(fill), new_page()
    _sit_down(page, app, "Own")
    task = item_on_screen(page)
    page.keyboard.press("i")
    page.keyboard.press("r")
    page.locator(".st-key-reason input:focus").wait_for()
    page.keyboard.type("number 37")
    page.keyboard.press("Enter")
    page.get_by_text("It is the 37th.").wait_for()
    assert item_on_screen(page) == task
    page.get_by_role("button", name="Infeasible").click()
    page.wait_for_function(CHANGED, arg=task)
    page.get_by_text("1 answered + 0 skipped + 3 open = 4").wait_for()
    # The next task begins without a choice.
    assert page.get_by_role("button", name="Infeasible").is_disabled()
    page.close()
    app.stop()
    [row] = _history(app)
    assert (row["label"], row["reason"]) == ("infeasible", "Obstacle number 37")


def test_below_a_long_task_everything_that_can_be_answered_stays_in_sight(start, new_page) -> None:
    def fill(store: Store) -> None:
        study = create_study(
            store, "Long", protocol="feasibility_boundary", subject="scripted/model"
        )
        add_tasks(store, study, ["word " * 700])
        draw_every_task(store, study)

    app, page = start(fill), new_page()
    _sit_down(page, app, "Long")
    for name in ("Feasible", ELEVENTH):
        box = page.get_by_role("button", name=name).bounding_box()
        assert 0 <= box["y"] <= 800 - box["height"], name
    box = page.locator(".st-key-note input").bounding_box()
    assert 0 <= box["y"] <= 800 - box["height"]
