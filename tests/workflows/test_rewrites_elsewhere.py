"""What the desk, the estimates and the results make of rewrites."""

import pytest

from core.workflows.curation import decide
from core.workflows.desk import desk_of
from core.workflows.desk_table import TaskFilter, table_page
from core.workflows.estimates import estimate_step
from core.workflows.people import person_named
from core.workflows.results import label_counts
from core.workflows.steps import start_step
from core.workflows.synthesis import synthesis_document, synthesis_steps, synthesize
from tests.support.rewriting import HALF, JUDGE, REWRITER, make_study, obedient, watch


def test_a_rewrite_that_people_remove_takes_its_problem_along(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench)
    synthesize(bench, study, watch=watch, shares=HALF)
    ada = person_named(bench.store, "Ada")
    rows = bench.store.rows("training_rows", study_id=study.study_id)
    rewrite = next(row for row in rows if row["part"] == "insufficient")
    original = next(row for row in rows if row["part"] == "original")
    for row in (rewrite, original):
        decide(bench.store, study, row["task_id"], "remove", person=ada, reason="malformed")
    synthesize(bench, study, watch=watch)
    left = bench.store.rows("training_rows", study_id=study.study_id)
    gone = {rewrite["original_id"], original["original_id"]}
    assert gone.isdisjoint(row["original_id"] for row in left)
    problems = synthesis_document(bench.store, study)["problems"]
    assert problems["insufficient"]["removed"] == 1
    assert sum(problems[part]["left_out"] for part in ("original", "insufficient")) == 1


def test_people_at_the_desk_see_the_verified_rewrites_and_nothing_else(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench)
    run = start_step(bench, study, "rewrite")
    assert run.wait(20)
    desk, ada = desk_of(bench, study), person_named(bench.store, "Ada")
    assert desk.open_next(ada) is None
    synthesize(bench, study, watch=watch)
    assert desk.progress(ada).n_tasks == 4
    rows = table_page(desk, ada, TaskFilter()).rows
    assert {row["type"] for row in rows} == {"insufficient", "difficult"}
    assert {row["task_id"] for row in rows} == set(desk.board().task_ids)
    task_id = desk.open_next(ada)
    desk.decide(ada, task_id, "remove", reason="malformed")
    assert desk.progress(ada).totals == {"removed": 1, "pending": 3}


def test_what_a_screen_estimates_is_what_will_be_asked(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench)
    for step, model in zip(synthesis_steps(study), (REWRITER, JUDGE), strict=True):
        estimate = estimate_step(bench, study, step, model, concurrency=1)
        assert start_step(bench, study, step.name).wait(20)
        asked = [one for one in bench.scripted.requests if one.model == model]
        assert estimate.n_calls == len(asked) == 4
        assert estimate.prompt_tokens > 4 * 100


def test_the_results_add_up_to_the_problems(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench)
    synthesize(bench, study, watch=watch, shares=HALF)
    results = study.shape.results()
    counts = label_counts(bench.store, [study])
    table = results.exhibits[0].table(counts)
    assert table["n"].sum() == 10
    assert table["share"].sum() == pytest.approx(1)
    assert results.exhibits[0].words(table) == [
        "Trained: 10 of 10 problems are training data, 5 original, 3 insufficient and 2 difficult."
    ]
    header, rows = results.flat_rows(results.tables(counts))
    assert sum(row[header.index("n")] for row in rows) == 10
