"""Attempts: one task after the other, blind, nothing lost, every answer can be taken back."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.store.store import Store
from core.store.verify import verify
from core.workflows.drawing import draw_every_task
from core.workflows.exporting import export_study
from core.workflows.human_baseline import (
    LONGEST_ANSWER,
    attempt_progress,
    begin_attempts,
    open_task,
    reasons_on_offer,
    record_answer,
    skip_task,
)
from core.workflows.human_steps import attempt_step
from core.workflows.human_undo import undo_attempt
from core.workflows.people import Person, person_named
from core.workflows.results import label_counts
from core.workflows.studies import Study, study_named
from core.workflows.workbench import Workbench
from tests.support.attempts import answer_all, answer_open, counts_of
from tests.support.big_study import make_big_study

PROJECT = Path(__file__).parents[3]
REASON = "Missing Context"


def test_beginning_twice_adds_nothing(bench: Workbench, drawn: Study, ada: Person) -> None:
    assert begin_attempts(bench.store, drawn, ada) == 0
    assert attempt_progress(bench.store, drawn, ada).n_planned == 20


def test_before_a_draw_there_is_nothing_to_begin_with(bench: Workbench, study: Study) -> None:
    with pytest.raises(ConflictError, match="no tasks of Small are drawn yet"):
        begin_attempts(bench.store, study, person_named(bench.store, "Ada"))


def test_who_has_not_begun_has_no_task_and_no_progress(bench: Workbench, drawn: Study) -> None:
    ben = person_named(bench.store, "Ben")
    assert open_task(bench.store, drawn, ben) is None
    found = attempt_progress(bench.store, drawn, ben)
    assert (found.n_drawn, found.n_planned, found.n_open) == (20, 0, 20)
    assert undo_attempt(bench.store, drawn, ben) is None


def test_the_task_is_its_text_alone(bench: Workbench, drawn: Study, ada: Person) -> None:
    task = open_task(bench.store, drawn, ada)
    assert set(vars(task)) == {"task_id", "text"}
    assert task.text.startswith("Task ")


def test_every_task_comes_once_and_two_people_get_them_in_different_orders(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    begin_attempts(bench.store, drawn, ben)
    first, second = answer_all(bench.store, drawn, ada), answer_all(bench.store, drawn, ben)
    assert len(set(first)) == len(first) == 20
    assert set(first) == set(second)
    assert first != second
    by_draw = [row["task_id"] for row in bench.store.rows("drawn_now_ids", study_id=drawn.study_id)]
    assert by_draw not in (first, second)


def test_what_was_skipped_comes_at_the_end_in_the_order_it_was_skipped(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    skipped = []
    for _ in range(3):
        skipped.append(open_task(bench.store, drawn, ada).task_id)
        skip_task(bench.store, drawn, ada, skipped[-1])
    assert attempt_progress(bench.store, drawn, ada).n_skipped == 3
    assert answer_all(bench.store, drawn, ada)[-3:] == skipped
    found = attempt_progress(bench.store, drawn, ada)
    assert (found.n_answered, found.n_skipped, found.n_open) == (20, 0, 0)


def test_tasks_that_are_skipped_again_and_again_take_turns(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    for _ in range(18):
        answer_open(bench.store, drawn, ada)
    given = []
    for _ in range(5):
        given.append(open_task(bench.store, drawn, ada).task_id)
        skip_task(bench.store, drawn, ada, given[-1])
    assert len(set(given[:2])) == 2
    assert given == [*given[:2], *given[:2], given[0]]


def test_undo_takes_back_the_newest_first_and_the_tasks_come_again_as_they_came(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    store = bench.store
    done = [answer_open(store, drawn, ada) for _ in range(3)]
    following = open_task(store, drawn, ada).task_id
    skip_task(store, drawn, ada, following)
    undone = [undo_attempt(store, drawn, ada) for _ in range(5)]
    assert undone == [following, done[2], done[1], done[0], None]
    assert answer_all(store, drawn, ada)[:4] == [*done, following]


def test_a_changed_mind_counts_and_the_history_keeps_both(
    bench: Workbench, drawn: Study, ada: Person, tmp_path: Path
) -> None:
    store = bench.store
    task_id = answer_open(store, drawn, ada, answer=" It is 4. ", seconds_active=2.5)
    undo_attempt(store, drawn, ada)
    record_answer(store, drawn, ada, task_id, reason=REASON)
    counts = label_counts(store, [drawn])
    [own] = counts[counts["model"] == ada.as_model].to_dict("records")
    assert (own["label"], own["label_reason"], own["n"]) == ("infeasible", REASON, 1)
    export_study(store, drawn, tmp_path / "out")
    lines = (tmp_path / "out" / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    assert [(one["action"], one["label"], one["reason"]) for one in told] == [
        ("answer", "feasible", None),
        ("undo", None, None),
        ("answer", "infeasible", REASON),
    ]
    assert [one["answer"] for one in told] == ["It is 4.", None, None]
    assert {(one["person"], one["task_id"]) for one in told} == {("Ada Lovelace", task_id)}
    assert told[0]["seconds_active"] == 2.5
    items = (tmp_path / "out" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    own = [one for one in map(json.loads, items) if one["model"] == ada.as_model]
    assert len(own) == 20
    assert [one["label"] for one in own if one["outcome"] == "ok"] == ["infeasible"]


def test_the_same_answer_sent_twice_is_stored_once_and_another_one_is_refused(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    store = bench.store
    task_id = answer_open(store, drawn, ada, reason=REASON, answer="Which table?")
    record_answer(store, drawn, ada, task_id, reason=REASON, answer="Which table?")
    assert len(store.rows("export_attempts", study_id=drawn.study_id)) == 1
    for other in ({}, {"reason": REASON}, {"reason": "Malicious Intent", "answer": "Which table?"}):
        with pytest.raises(ConflictError, match="you have answered this task already"):
            record_answer(store, drawn, ada, task_id, **other)
    with pytest.raises(ConflictError, match="you have answered this task already"):
        skip_task(store, drawn, ada, task_id)
    assert counts_of(store, drawn, ada)["read"] == 1


def test_answers_that_cannot_be_used_are_refused_and_change_nothing(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    store, task_id = bench.store, open_task(bench.store, drawn, ada).task_id
    with pytest.raises(InputError, match="the reason 'too hard' is not known"):
        record_answer(store, drawn, ada, task_id, reason="too hard")
    with pytest.raises(InputError, match="the answer has 2,001 characters"):
        record_answer(store, drawn, ada, task_id, answer="x" * (LONGEST_ANSWER + 1))
    with pytest.raises(NotFoundError, match="Small has no task 'elsewhere' for Ada Lovelace"):
        record_answer(store, drawn, ada, "elsewhere")
    with pytest.raises(NotFoundError, match="for Ben"):
        record_answer(store, drawn, person_named(store, "Ben"), task_id)
    assert store.rows("export_attempts", study_id=drawn.study_id) == []
    assert open_task(store, drawn, ada).task_id == task_id


def test_a_person_is_offered_the_reasons_that_the_models_are_offered(study: Study) -> None:
    offered = reasons_on_offer(study)
    told = attempt_step(study).variables({}, "")["reasons"]
    assert len(offered) == 11
    assert all(f"{name}: {description}" in told for name, description in offered.items())


def test_the_pace_is_the_median_of_the_answers_that_stand(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    assert attempt_progress(bench.store, drawn, ada).seconds_each is None
    for seconds in (2.0, 4.0, 9.0, 60.0):
        answer_open(bench.store, drawn, ada, seconds_active=seconds)
    undo_attempt(bench.store, drawn, ada)
    assert attempt_progress(bench.store, drawn, ada).seconds_each == 4.0


# Nothing lost


def test_after_a_restart_the_same_task_is_open_and_all_answers_are_there(
    open_bench: Callable[..., Workbench], bench: Workbench, drawn: Study, ada: Person
) -> None:
    for _ in range(5):
        answer_open(bench.store, drawn, ada)
    skip_task(bench.store, drawn, ada, open_task(bench.store, drawn, ada).task_id)
    undo_attempt(bench.store, drawn, ada)
    before = open_task(bench.store, drawn, ada), attempt_progress(bench.store, drawn, ada)
    store = open_bench().store
    again = person_named(store, "Ada Lovelace")
    assert (open_task(store, drawn, again), attempt_progress(store, drawn, again)) == before


WORKER = """
import sys
from core.store import Store
from core.workflows.human_baseline import open_task, record_answer
from core.workflows.people import person_named
from core.workflows.studies import study_named

store = Store.open(sys.argv[1])
study, person = study_named(store, "Big"), person_named(store, "Ada")
while (task := open_task(store, study, person)) is not None:
    record_answer(store, study, person, task.task_id)
    print(f'"{task.task_id}"', flush=True)
store.close()
"""


def test_every_answer_that_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store.open(path) as store:
        study = make_big_study(store, n_tasks=200)
        draw_every_task(store, study)
        begin_attempts(store, study, person_named(store, "Ada"))
    work = [sys.executable, "-c", WORKER, str(path)]
    first = subprocess.Popen(work, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    told = []
    for line in first.stdout:
        told.append(json.loads(line))
        if len(told) == 70:
            os.kill(first.pid, signal.SIGKILL)
            break
    # What was printed before the kill was acknowledged before it.
    told += [json.loads(line) for line in first.stdout.read().splitlines() if line.endswith('"')]
    first.wait()
    with Store.open(path) as store:
        study, ada = study_named(store, "Big"), person_named(store, "Ada")
        stored = [row["task_id"] for row in store.rows("export_attempts", study_id=study.study_id)]
        # One more may have been committed and not told.
        assert stored[: len(told)] == told
        assert len(stored) <= len(told) + 1
        # Nothing comes twice and nothing is left out: the rest goes on in the person's own order.
        assert stored + answer_all(store, study, ada) == _own_order(store, study, ada)
        assert attempt_progress(store, study, ada).n_answered == 200
        assert verify(store) == []


def _own_order(store: Store, study: Study, person: Person) -> list[str]:
    rows = store.rows("planned_now", study_id=study.study_id, step=attempt_step(study).name)
    return [row["task_id"] for row in rows if row["model"] == person.as_model]
