"""People write programs of tasks whose chance they stated, which run as those of models do."""

from pathlib import Path

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.metrics.stated_chances import has_chances_alone
from core.store.store import Store
from core.store.verify import verify
from core.workflows.exporting import export_study
from core.workflows.human_baseline import (
    attempt_progress,
    begin_attempts,
    open_task,
    record_chance,
    skip_task,
)
from core.workflows.human_programs import (
    GIVEN_UP,
    LONGEST_PROGRAM,
    give_up,
    keep_program,
    kept_program,
    record_program,
)
from core.workflows.human_steps import people_steps
from core.workflows.human_undo import undo_attempt
from core.workflows.outcomes import status_document
from core.workflows.people import Person, person_named
from core.workflows.plans import plan_step
from core.workflows.results import label_counts, tables_document
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.code_tasks import SUBJECT, confidence_study

NAMES = ["a", "b", "c"]


@pytest.fixture
def store(bench: Workbench) -> Store:
    return bench.store


@pytest.fixture
def study(bench: Workbench, tmp_path: Path) -> Study:
    return confidence_study(bench, tmp_path, NAMES)


@pytest.fixture
def ada(store: Store, study: Study) -> Person:
    """Somebody who has begun to state chances."""
    person = person_named(store, "Ada")
    begin_attempts(store, study, person)
    return person


def programs(study: Study):
    return people_steps(study)[1]


def state(store: Store, study: Study, person: Person, *chances: float) -> list[str]:
    """The tasks whose chance the person stated, whose programs are before them now."""
    stated = []
    for chance in chances:
        stated.append(open_task(store, study, person).task_id)
        record_chance(store, study, person, stated[-1], chance=chance)
    begin_attempts(store, study, person, programs(study))
    return stated


def test_people_state_chances_first_and_write_programs_then(study: Study) -> None:
    assert [step.people_give for step in people_steps(study)] == ["chance", "program"]


def test_only_tasks_whose_chance_is_stated_are_put_before_who_writes(store, study, ada) -> None:
    step = programs(study)
    assert begin_attempts(store, study, ada, step) == 0
    assert open_task(store, study, ada, step) is None
    assert attempt_progress(store, study, ada, step).n_drawn == 0
    [first] = state(store, study, ada, 0.7)
    assert open_task(store, study, ada, step).task_id == first
    found = attempt_progress(store, study, ada, step)
    assert (found.n_drawn, found.n_planned, found.n_answered) == (1, 1, 0)
    other = open_task(store, study, ada).task_id
    with pytest.raises(NotFoundError, match=f"has no task '{other}' for Ada"):
        record_program(store, study, ada, other, text="return n + 1")


def test_a_person_s_programs_run_with_those_of_models_and_are_held_against_their_chance(
    bench, store, study, ada, tmp_path
) -> None:
    # Of three programs one is right, one wrong and one given up, with 80, 60 and 10 % stated:
    # 0.5 expected and 1/3 solved, so overconfident by 1/6; the solved one has the highest chance.
    stated = state(store, study, ada, 0.8, 0.6, 0.1)
    step, wrong = programs(study), stated[1]
    while (task := open_task(store, study, ada, step)) is not None:
        head = task.text.partition(":\n")[0]
        if task.task_id == stated[0]:
            text = f"```python\n{head}:\n    return n + 1\n```"
            record_program(store, study, ada, task.task_id, text=text)
        elif task.task_id == wrong:
            text = "return n + 2"
            record_program(store, study, ada, task.task_id, text=text, seconds_active=9.5)
        else:
            give_up(store, study, ada, task.task_id)
    counts = label_counts(store, [study])
    assert has_chances_alone(counts)
    assert start_step(bench, study, "score", model="sandbox/local").wait(120).detail == "completed"
    [own] = tables_document(store, [study])["studies"]
    found = {name: one["value"] for name, one in own["metrics"].items()}
    assert own["model"] == "person/Ada"
    assert found["predicted_success_rate"] == pytest.approx(0.5)
    assert found["true_success_rate"] == pytest.approx(1 / 3)
    assert found["overconfidence"] == pytest.approx(1 / 6)
    assert found["auroc"] == 1.0
    counts = label_counts(store, [study])
    assert not has_chances_alone(counts)
    [summary] = [one for one in study.shape.results().exhibits if one.key == "summary"]
    [said] = summary.words(summary.table(counts))
    assert "they expected to solve 50 % of 3 tasks and solved 33 %, so they are over" in said
    assert verify(store) == []
    export_study(store, study, tmp_path / "out")
    assert GIVEN_UP in (tmp_path / "out" / "attempts.jsonl").read_text()
    # What has run stays, and with it the chance that was stated before.
    for one in (step, people_steps(study)[0]):
        with pytest.raises(ConflictError):
            undo_attempt(store, study, ada, one)
    with pytest.raises(ConflictError, match="you have answered this task already"):
        record_program(store, study, ada, wrong, text="return n + 1")


def test_before_it_runs_a_program_can_be_taken_back_and_then_its_chance(store, study, ada) -> None:
    step = programs(study)
    [task_id] = state(store, study, ada, 0.4)
    record_program(store, study, ada, task_id, text="return 1")
    record_program(store, study, ada, task_id, text="return 1")
    with pytest.raises(ConflictError, match="you have written a program for that task since"):
        undo_attempt(store, study, ada)
    assert undo_attempt(store, study, ada, step) == task_id
    assert plan_step(store, study, study.shape.step("score"), "sandbox/local") == 0
    assert open_task(store, study, ada, step).task_id == task_id
    assert undo_attempt(store, study, ada) == task_id
    assert open_task(store, study, ada, step) is None
    rows = store.rows("export_attempts", study_id=study.study_id)
    assert [row["action"] for row in rows] == ["answer", "answer", "undo", "undo"]
    assert verify(store) == []


def test_a_program_that_was_skipped_comes_again(store, study, ada) -> None:
    step = programs(study)
    state(store, study, ada, 0.4, 0.5)
    first = open_task(store, study, ada, step).task_id
    skip_task(store, study, ada, first, step=step)
    second = open_task(store, study, ada, step).task_id
    assert second != first
    give_up(store, study, ada, second)
    assert open_task(store, study, ada, step).task_id == first
    # The desk for chances is another: nothing is skipped there.
    assert attempt_progress(store, study, ada).n_skipped == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("  \n", "no program is written"),
        ("I would add one.", "what is written is no program in Python"),
        ("def a(n):\nreturn n + 1", "what is written is no program in Python"),
        ("x = 1\n" * LONGEST_PROGRAM, "the program has 120,000 characters"),
    ],
)
def test_what_is_no_program_is_refused(store, study, ada, text: str, told: str) -> None:
    [task_id] = state(store, study, ada, 0.4)
    with pytest.raises(InputError, match=told):
        record_program(store, study, ada, task_id, text=text)
    assert attempt_progress(store, study, ada, programs(study)).n_answered == 0


def test_what_people_leave_open_is_pending_and_the_subject_owes_no_less(store, study, ada) -> None:
    state(store, study, ada, 0.4, 0.5)
    give_up(store, study, ada, open_task(store, study, ada, programs(study)).task_id)
    plan_step(store, study, study.shape.step("attempt"), SUBJECT)
    steps = status_document(store, study)["steps"]
    told = {
        name: {how: n for how, n in one["outcomes"].items() if n} for name, one in steps.items()
    }
    # Ada was given three tasks to state a chance of and two to write; the subject owes three.
    assert told == {
        "predict": {"ok": 2, "pending": 1},
        "attempt": {"ok": 1, "pending": 4},
        "score": {},
    }
    assert all(sum(one["outcomes"].values()) == one["planned"] for one in steps.values())


def test_a_program_that_was_begun_is_there_after_a_restart_and_for_nobody_else(
    bench, store, study, ada, tmp_path
) -> None:
    [task_id] = state(store, study, ada, 0.4)
    for text in ("return", "return n +"):
        keep_program(store, study, ada, task_id, text)
    ben = person_named(store, "Ben")
    assert kept_program(store, study, ben, task_id) == ""
    assert verify(store) == []
    export_study(store, study, tmp_path / "out")
    assert not [one for one in (tmp_path / "out").iterdir() if "return n +" in one.read_text()]
    store.copy_into(tmp_path / "again.duckdb")
    with Store.open(tmp_path / "again.duckdb") as again:
        assert kept_program(again, study, ada, task_id) == "return n +"
        assert attempt_progress(again, study, ada, programs(study)).n_answered == 0
        assert open_task(again, study, ada, programs(study)).task_id == task_id


@pytest.mark.parametrize("gives", ["return n + 1", None])
def test_what_was_begun_goes_when_it_is_handed_in_or_given_up(store, study, ada, gives) -> None:
    [task_id] = state(store, study, ada, 0.4)
    keep_program(store, study, ada, task_id, "return n +")
    skip_task(store, study, ada, task_id, step=programs(study))
    assert kept_program(store, study, ada, task_id) == "return n +"
    if gives:
        record_program(store, study, ada, task_id, text=gives)
    else:
        give_up(store, study, ada, task_id)
    # A text that comes late, as from another tab, begins nothing anew.
    keep_program(store, study, ada, task_id, "return n + 2")
    undo_attempt(store, study, ada, programs(study))
    # What was taken back can be written on.
    assert kept_program(store, study, ada, task_id).strip() == (gives or "")
    keep_program(store, study, ada, task_id, "")
    assert kept_program(store, study, ada, task_id) == ""


def test_a_program_of_a_task_that_is_not_before_a_person_is_not_kept(store, study, ada) -> None:
    state(store, study, ada, 0.4)
    other = open_task(store, study, ada).task_id
    keep_program(store, study, ada, other, "return 1")
    assert kept_program(store, study, ada, other) == ""
