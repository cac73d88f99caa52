"""Steps: planned once, resumed exactly, and every outcome adds up."""

import json
import threading
from collections.abc import Callable

import pytest

from core.errors import ConflictError, InputError, PromptError
from core.llm.client import CallFailed
from core.records import Outcome, Reply, Request
from core.store.verify import verify
from core.workflows.curation import cell_counts, decide
from core.workflows.drawing import draw_tasks, supply_shortfalls
from core.workflows.outcomes import interrupted_models, status_document, step_outcomes
from core.workflows.people import person_named
from core.workflows.plans import plan_cells
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study, study_named
from core.workflows.workbench import Workbench
from tests.support.tasks import queue

from .conftest import MODEL, obedient

GENERATE, CLASSIFY = "generate", "classify"


async def _a_moment(_request: Request) -> None:
    import asyncio

    await asyncio.sleep(0.05)


def _run(bench: Workbench, study: Study, step: str, **options: object) -> None:
    run = start_step(bench, study, step, **options)
    if run is not None:
        assert run.wait(20).state == "ended"


def _outcomes(bench: Workbench, study: Study, step: str) -> dict[str, int]:
    counts = step_outcomes(bench.store, study, study.shape.step(step))
    planned = counts.pop("planned")
    assert sum(counts.values()) == planned
    return {name: n for name, n in counts.items() if n}


def test_the_whole_path_ends_with_every_call_ok_and_a_sound_store(
    bench: Workbench, study: Study
) -> None:
    _run(bench, study, GENERATE)
    draw = draw_tasks(bench.store, study)
    _run(bench, study, CLASSIFY)
    assert draw.n_tasks == 20
    assert status_document(bench.store, study)["steps"][CLASSIFY]["outcomes"]["ok"] == 20
    assert len(bench.scripted.requests) == 40
    assert verify(bench.store) == []


def test_infeasible_items_take_the_reasons_of_their_type_in_turn(
    bench: Workbench, study: Study
) -> None:
    _run(bench, study, GENERATE)
    reasons = {
        row["reason"]
        for row in bench.store.rows("tasks_short", study_id=study.study_id)
        if row["type"] == "Temporal Perception" and row["intent"] == "infeasible"
    }
    assert reasons == {"Abstract Temporal Setting", "Outside Training Cutoff"}


def test_starting_again_owes_nothing_and_asks_nothing(bench: Workbench, study: Study) -> None:
    _run(bench, study, GENERATE)
    asked = len(bench.scripted.requests)
    assert start_step(bench, study, GENERATE) is None
    assert len(bench.scripted.requests) == asked == 20


def test_failed_calls_are_owed_anew_and_answered_ones_are_not(
    open_bench: Callable[..., Workbench],
) -> None:
    def fails_on_odd(request: Request) -> object:
        if request.context["position"] % 2:
            return CallFailed("no such model", kind="provider_error", retryable=False)
        return obedient(request)

    bench = open_bench(fails_on_odd)
    study = create_study(
        bench.store, "Odd", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    _run(bench, study, GENERATE)
    assert _outcomes(bench, study, GENERATE) == {"ok": 10, "provider_error": 10}
    bench = open_bench()
    _run(bench, study_named(bench.store, "Odd"), GENERATE)
    assert _outcomes(bench, study, GENERATE) == {"ok": 20}
    assert len(bench.scripted.requests) == 10
    assert verify(bench.store) == []


def test_replies_that_cannot_be_read_are_paid_for_once_and_never_asked_again(
    open_bench: Callable[..., Workbench],
) -> None:
    texts = ["nonsense", "", '{"task": "cut', "x"]
    finishes = ["stop", "stop", "length", "content_filter"]

    def poor(request: Request) -> Reply:
        at = request.context["position"] % 5
        if at == 4:
            return obedient(request)
        return Reply(text=texts[at], finish_reason=finishes[at])

    bench = open_bench(poor)
    study = create_study(
        bench.store, "Poor", protocol="feasibility_boundary", subject=MODEL, per_type=1
    )
    _run(bench, study, GENERATE)
    wanted = {"ok": 2, "unparsable": 2, "empty": 2, "truncated": 2, "refused": 2}
    assert _outcomes(bench, study, GENERATE) == wanted
    assert start_step(bench, study, GENERATE) is None
    assert len(bench.store.rows("export_tasks", study_id=study.study_id)) == 2


def test_what_a_stopped_run_did_not_send_counts_as_cancelled_until_it_is_resumed(
    open_bench: Callable[..., Workbench],
) -> None:
    started = threading.Event()

    async def slow(_request: Request) -> None:
        import asyncio

        started.set()
        await asyncio.sleep(0.05)

    bench = open_bench(latency=slow)
    study = create_study(
        bench.store, "Slow", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    run = start_step(bench, study, GENERATE, concurrency=1)
    started.wait(10)
    run.stop()
    run.wait(20)
    counts = _outcomes(bench, study, GENERATE)
    assert counts["cancelled"] + counts["ok"] == 20
    assert counts["cancelled"] > 0
    _run(bench, study, GENERATE)
    assert _outcomes(bench, study, GENERATE) == {"ok": 20}


def test_a_budget_stops_the_step_before_it_is_passed(open_bench: Callable[..., Workbench]) -> None:
    bench = open_bench(worst_cost_usd=0.001)
    study = create_study(
        bench.store, "Dear", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    _run(bench, study, GENERATE, budget_usd=0.005)
    assert _outcomes(bench, study, GENERATE) == {"ok": 5, "budget_stopped": 15}
    # What earlier runs spent counts, so a second start with the same cap sends nothing.
    _run(bench, study, GENERATE, budget_usd=0.005)
    assert len(bench.scripted.requests) == 5


def test_topping_up_a_cell_adds_tasks_to_that_cell_only(bench: Workbench, study: Study) -> None:
    _run(bench, study, GENERATE)
    cell = ("Ethical Integrity", "feasible")
    assert plan_cells(bench.store, study, study.shape.step(GENERATE), {cell: 3}) == 3
    _run(bench, study, GENERATE)
    rows = bench.store.rows("curation_cells", study_id=study.study_id)
    assert {(r["type"], r["intent"]): r["n_tasks"] for r in rows}[cell] == 5
    assert sum(row["n_tasks"] for row in rows) == 23


def test_what_is_planned_after_a_stopped_run_is_pending_not_cancelled(
    open_bench: Callable[..., Workbench],
) -> None:
    bench = open_bench(latency=_a_moment)
    study = create_study(
        bench.store, "Later", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    run = start_step(bench, study, GENERATE, concurrency=1)
    run.stop()
    run.wait(20)
    cancelled = _outcomes(bench, study, GENERATE)["cancelled"]
    cell = ("Ethical Integrity", "feasible")
    plan_cells(bench.store, study, study.shape.step(GENERATE), {cell: 3})
    counts = _outcomes(bench, study, GENERATE)
    assert (counts["cancelled"], counts["pending"]) == (cancelled, 3)


def test_a_cell_is_topped_up_once_however_often_it_is_asked_for(
    bench: Workbench, study: Study
) -> None:
    step = study.shape.step(GENERATE)
    _run(bench, study, GENERATE)
    ada = person_named(bench.store, "Ada")
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "remove", person=ada, reason="malformed")
    cell = (task.type, task.intent)
    cells = cell_counts(bench.store, study)
    [short] = supply_shortfalls(bench.store, study, step, cells)
    assert (short.cell, short.wanted - short.found) == (cell, 1)
    plan_cells(bench.store, study, step, {cell: 1})
    assert supply_shortfalls(bench.store, study, step, cells) == ()


def test_a_second_draw_keeps_the_answers_of_tasks_that_both_hold(
    bench: Workbench, study: Study
) -> None:
    _run(bench, study, GENERATE)
    draw_tasks(bench.store, study, per_cell=1, seed=1)
    _run(bench, study, CLASSIFY)
    draw_tasks(bench.store, study, per_cell=2)
    _run(bench, study, CLASSIFY)
    assert _outcomes(bench, study, CLASSIFY) == {"ok": 20}
    # 20 tasks invented, then 10 and the other 10 classified: nothing was asked twice.
    assert len(bench.scripted.requests) == 40


def test_another_model_classifies_the_same_draw_beside_the_subject(
    bench: Workbench, study: Study
) -> None:
    _run(bench, study, GENERATE)
    draw_tasks(bench.store, study)
    _run(bench, study, CLASSIFY)
    _run(bench, study, CLASSIFY, model="scripted/other")
    assert _outcomes(bench, study, CLASSIFY) == {"ok": 40}
    assert verify(bench.store) == []


def test_two_runs_of_one_step_at_once_are_refused(open_bench: Callable[..., Workbench]) -> None:
    release = threading.Event()

    async def held(_request: Request) -> None:
        import asyncio

        while not release.is_set():
            await asyncio.sleep(0.01)

    bench = open_bench(latency=held)
    study = create_study(
        bench.store, "Held", protocol="feasibility_boundary", subject=MODEL, per_type=1
    )
    run = start_step(bench, study, GENERATE)
    with pytest.raises(ConflictError, match="generate of Held is running already"):
        start_step(bench, study, GENERATE)
    assert interrupted_models(bench, study, GENERATE) == []
    release.set()
    run.wait(20)


def test_what_cannot_be_started_says_why(bench: Workbench, study: Study) -> None:
    with pytest.raises(ConflictError, match="no tasks of Small are drawn yet"):
        start_step(bench, study, CLASSIFY)
    with pytest.raises(InputError, match="asked to use scripted/b, but the study's subject is"):
        start_step(bench, study, GENERATE, model="scripted/b")
    with pytest.raises(InputError, match="concurrency is 0"):
        start_step(bench, study, GENERATE, concurrency=0)


def test_a_prompt_that_a_run_used_is_frozen(
    bench: Workbench, study: Study, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    _run(bench, study, GENERATE)
    changed = {"prompt_hash": "0" * 64, "text": "changed"}
    row = bench.store.rows("export_prompts", study_id=study.study_id)[0]
    other = create_study(
        bench.store, "Next", protocol="feasibility_boundary", subject=MODEL, per_type=1
    )
    # The store remembers another text under the same name and version than the file holds.
    from datetime import UTC, datetime

    bench.store.append("prompt", [row | changed | {"stored_at": datetime.now(UTC)}])
    with pytest.raises(PromptError, match=r"\.v1\.md was changed after a run had used it"):
        start_step(bench, other, GENERATE)


def test_hostile_text_is_stored_and_the_other_rows_too(
    open_bench: Callable[..., Workbench],
) -> None:
    def hostile(request: Request) -> Reply:
        text = json.dumps({"task": "\ud835 x \u0000 <img src=x onerror=alert(1)>"})
        return Reply(text=text, raw=json.dumps({"text": text}))

    bench = open_bench(hostile)
    study = create_study(
        bench.store, "Hostile", protocol="feasibility_boundary", subject=MODEL, per_type=1
    )
    _run(bench, study, GENERATE)
    assert _outcomes(bench, study, GENERATE) == {"ok": 10}
    texts = {row["text"] for row in bench.store.rows("tasks_short", study_id=study.study_id)}
    assert len(texts) == 1
    assert "<img src=x onerror=alert(1)>" in texts.pop()


def test_every_outcome_is_one_of_the_nine() -> None:
    assert len(Outcome) == 9
