"""Estimates: the calls a step owes, and what they can cost at most."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.workflows.drawing import draw_tasks
from core.workflows.estimates import StepEstimate, estimate_step, owed_calls
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench

from .conftest import MODEL, obedient


def _estimate(bench: Workbench, study: Study, step: str, **options: object) -> StepEstimate:
    options = {"model": study.subject, "concurrency": 4} | options
    return estimate_step(bench, study, study.shape.step(step), **options)


def _owed(bench: Workbench, study: Study, step: str, model: str = MODEL) -> int:
    return owed_calls(bench, study, study.shape.step(step), model)


def test_the_owed_calls_are_those_the_step_then_makes(bench: Workbench, study: Study) -> None:
    assert (_owed(bench, study, "generate"), _owed(bench, study, "classify")) == (20, 0)
    start_step(bench, study, "generate").wait(20)
    assert _owed(bench, study, "generate") == 0
    draw_tasks(bench.store, study, per_cell=1)
    assert _owed(bench, study, "classify") == 10
    start_step(bench, study, "classify").wait(20)
    assert _owed(bench, study, "classify") == 0
    assert _owed(bench, study, "classify", "scripted/other") == 10
    draw_tasks(bench.store, study, per_cell=2)
    # Ten of the twenty tasks drawn now have their answer from the draw before.
    assert _owed(bench, study, "classify") == 10
    start_step(bench, study, "classify").wait(20)
    assert len(bench.scripted.requests) == 40


def test_a_step_that_owes_nothing_costs_nothing(bench: Workbench, study: Study) -> None:
    start_step(bench, study, "generate").wait(20)
    assert _estimate(bench, study, "generate") == StepEstimate(0, 0, 0, 0.0, 0.0)


def test_the_cost_is_the_worst_of_all_calls_or_unknown_when_one_has_no_price(
    open_bench: Callable[..., Workbench],
) -> None:
    bench = open_bench(worst_cost_usd=0.25)
    study = create_study(
        bench.store, "Dear", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    found = _estimate(bench, study, "generate")
    assert found.n_calls == 20
    assert found.most_cost_usd == pytest.approx(20 * 0.25)
    assert found.prompt_tokens > 20 * 50
    assert found.most_completion_tokens % 20 == 0
    assert found.seconds is None  # this model has not been asked anything yet
    bench = open_bench(worst_cost_usd=None)
    assert _estimate(bench, study, "generate").most_cost_usd is None


def test_the_time_follows_from_the_calls_the_store_has_seen_and_the_concurrency(
    open_bench: Callable[..., Workbench],
) -> None:
    bench = open_bench(lambda request: replace(obedient(request), raw='{"id": "1"}'))
    study = create_study(
        bench.store, "Small", protocol="feasibility_boundary", subject=MODEL, per_type=1
    )
    start_step(bench, study, "generate").wait(20)
    other = create_study(
        bench.store, "Next", protocol="feasibility_boundary", subject=MODEL, per_type=4
    )
    one = _estimate(bench, other, "generate", concurrency=1).seconds
    four = _estimate(bench, other, "generate", concurrency=4).seconds
    assert one == pytest.approx(4 * four)
