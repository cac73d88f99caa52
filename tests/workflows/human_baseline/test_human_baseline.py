"""The human baseline: people stand beside models, are counted alike, and are never a model."""

import pytest

from core.errors import InputError
from core.store.verify import verify
from core.workflows.drawing import draw_every_task, draw_tasks
from core.workflows.human_baseline import (
    attempt_progress,
    begin_attempts,
    open_task,
    record_answer,
    skip_task,
)
from core.workflows.human_steps import attempt_step
from core.workflows.human_undo import undo_attempt
from core.workflows.outcomes import status_document
from core.workflows.people import Person, person_named
from core.workflows.results import label_counts, tables_document
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.attempts import answer_all, answer_open, counts_of

MODEL = "scripted/model"
REASON = "Missing Context"


def test_a_person_who_answers_as_the_tasks_were_meant_has_the_metrics_of_a_perfect_model(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    store = bench.store
    meant = {row["task_id"]: row for row in store.rows("tasks_short", study_id=drawn.study_id)}
    while (task := open_task(store, drawn, ada)) is not None:
        record_answer(store, drawn, ada, task.task_id, reason=meant[task.task_id]["reason"])
    model, person = tables_document(store, [drawn])["studies"]
    assert (model["model"], person["model"]) == (MODEL, "person/Ada Lovelace")
    same = ("cells", "accuracy", "foresight", "insight", "confidence_balance", "by_type")
    assert {name: person[name] for name in same} == {name: model[name] for name in same}
    assert person["cells"] == {"ff": 10, "fr": 0, "rf": 0, "rr": 10, "rr_other": 0}
    assert verify(store) == []


def test_two_people_and_a_model_each_have_their_own_row(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    ben = person_named(bench.store, "Ben")
    begin_attempts(bench.store, drawn, ben)
    answer_all(bench.store, drawn, ada)
    for _ in range(3):
        answer_open(bench.store, drawn, ben, reason=REASON)
    counts = label_counts(bench.store, [drawn]).groupby("model")["n"].sum().to_dict()
    assert counts == {MODEL: 20, "person/Ada Lovelace": 20, "person/Ben": 3}


def test_what_is_open_skipped_or_taken_back_is_pending_and_the_sum_stays_closed(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    store = bench.store
    for _ in range(4):
        answer_open(store, drawn, ada)
    skip_task(store, drawn, ada, open_task(store, drawn, ada).task_id)
    undo_attempt(store, drawn, ada)
    undo_attempt(store, drawn, ada)
    found = counts_of(store, drawn, ada)
    assert (found["planned"], found["read"], found["open"]) == (20, 3, 17)
    # 20 of the model and 3 of Ada.
    document = status_document(bench.store, drawn)["steps"]["classify"]
    assert document["planned"] == 40
    assert {k: n for k, n in document["outcomes"].items() if n} == {"ok": 23, "pending": 17}
    assert label_counts(store, [drawn]).groupby("model")["n"].sum()[ada.as_model] == 3
    assert verify(store) == []


def test_no_step_sends_a_task_to_a_person(bench: Workbench, drawn: Study, ada: Person) -> None:
    for name in ("person/Ada", "person/Ada Lovelace", "Person/Ada"):
        with pytest.raises(InputError, match="stands for a person and is sent to no model"):
            start_step(bench, drawn, "classify", model=name)
        with pytest.raises(InputError, match="stands for a person"):
            create_study(bench.store, "New", protocol="feasibility_boundary", subject=name)
    assert counts_of(bench.store, drawn, ada)["open"] == 20


def test_people_do_the_step_that_works_on_the_draw_and_belongs_to_no_judge(study: Study) -> None:
    step = attempt_step(study)
    assert step.works_on_draw
    assert not step.by_judge


def test_an_answer_outlives_a_new_draw_and_the_rest_of_it_is_put_before_the_person(
    bench: Workbench, drawn: Study, ada: Person
) -> None:
    store = bench.store
    done = [answer_open(store, drawn, ada) for _ in range(6)]
    draw_tasks(store, drawn, per_cell=1)
    smaller = {row["task_id"] for row in store.rows("drawn_now_ids", study_id=drawn.study_id)}
    kept = len(smaller.intersection(done))
    found = attempt_progress(store, drawn, ada)
    assert (found.n_drawn, found.n_planned, found.n_answered) == (10, 10 if kept else 0, kept)
    draw_every_task(store, drawn)
    found = attempt_progress(store, drawn, ada)
    assert (found.n_drawn, found.n_planned, found.n_answered) == (20, 20, 6)
    assert not set(answer_all(store, drawn, ada)).intersection(done)
    prompts = {row["prompt_hash"] for row in store.rows("planned_keys") if row["model"] != MODEL}
    assert prompts == {""}
    assert verify(store) == []


# The store's own check


NO_SENSE = "answers of people that say nothing, or skips that say something"
FAULTS = [
    ("answers by no known person", {"person_id": "nobody"}),
    ("answers under another name than that of who gave them", {"model": MODEL}),
    (NO_SENSE, {"label": None}),
    (NO_SENSE, {"action": "skip"}),
    (NO_SENSE, {"action": None}),
    (NO_SENSE, {"call_id": "c1"}),
]


@pytest.mark.parametrize(("fault", "change"), FAULTS)
def test_an_answer_that_was_tampered_with_is_found(
    bench: Workbench, drawn: Study, ada: Person, fault: str, change: dict
) -> None:
    item = bench.store.rows("planned_now", study_id=drawn.study_id, step=attempt_step(drawn).name)[
        -1
    ]
    row = {name: item[name] for name in ("study_id", "step", "item_id", "task_id")}
    row |= {"model": ada.as_model, "person_id": ada.person_id, "seq": bench.store.next_seq()}
    row |= {"action": "answer", "label": "feasible", "note": "", "labelled_at": item["planned_at"]}
    bench.store.append("label", [row | change])
    assert any(found.startswith(f"{fault}: 1, for example ") for found in verify(bench.store))
