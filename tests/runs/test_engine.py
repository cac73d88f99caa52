"""The engine as a whole: what is sent, what is stored, and that everything adds up."""

import asyncio
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from core.errors import ConflictError, InputError
from core.records import Outcome
from core.runs.engine import Engine


def finished(run):
    """The progress of a run that must come to its end."""
    progress = run.wait(30)
    assert progress.state == "ended", progress
    assert sum(progress.outcomes.values()) + progress.pending == progress.planned
    return progress


def test_a_run_asks_every_planned_call_once_and_stores_it(engine, lab):
    client, recorder = lab.client(), lab.recorder()
    progress = finished(engine.start(lab.job(client, recorder, 100)))
    assert sorted(client.sent) == sorted(f"item-{n}" for n in range(100))
    assert progress.outcomes[Outcome.OK] == progress.planned == 100
    assert (progress.pending, progress.in_flight, progress.waiting) == (0, 0, 0)
    assert progress.detail == "completed"
    assert recorder.events == [("started", ""), ("ended", "completed")]
    assert {attempt.reading.label for attempt in recorder.attempts} == {"yes"}


def test_the_reader_decides_between_the_answered_outcomes(engine, lab):
    words = ["ok", "refused", "truncated", "empty", "unparsable"]
    client = lab.client(lambda request, n: lab.reply(words[int(request.item_id[5:]) % 5]))
    recorder = lab.recorder()

    def read(request, reply):
        return lab.read(request, reply).__class__(Outcome(reply.text))

    progress = finished(engine.start(lab.job(client, recorder, 50, read=read)))
    assert {str(o): n for o, n in progress.outcomes.items() if n} == dict.fromkeys(words, 10)


def test_never_more_calls_are_in_flight_than_allowed(engine, lab):
    client = lab.client(lambda request, n: asyncio.sleep(1, lab.reply()))
    progress = finished(
        engine.start(lab.job(client, lab.recorder(), 60, limits={"concurrency": 7}))
    )
    assert client.most_open == progress.peak_in_flight == 7


def test_a_call_that_is_not_stored_yet_counts_as_in_flight(real_engine, lab):
    client, pending, three = lab.client(), [], threading.Event()

    def record(attempt):
        pending.append(Future())
        if len(pending) == 3:
            three.set()
        return pending[-1]

    job = lab.job(client, lab.recorder(), 5, limits={"concurrency": 3}, record=record)
    run = real_engine.start(job)
    assert three.wait(30)
    progress = run.progress()
    assert (progress.in_flight, progress.pending, sum(progress.outcomes.values())) == (3, 5, 0)
    assert len(client.sent) == 3
    while not run.is_over:
        for future in [future for future in pending if not future.done()]:
            future.set_result(None)
        run.wait(0.005)
    assert finished(run).outcomes[Outcome.OK] == 5


def test_two_runs_at_once_and_one_after_another_share_the_loop(engine, lab):
    first, second = lab.client(), lab.client()
    recorder = lab.recorder()
    runs = [
        engine.start(lab.job(first, recorder, 30, run_id="a")),
        engine.start(lab.job(second, recorder, 30, run_id="b")),
    ]
    for run in runs:
        assert finished(run).outcomes[Outcome.OK] == 30
    assert finished(engine.start(lab.job(first, recorder, 30, run_id="c"))).detail == "completed"
    assert [run.run_id for run in engine.runs()] == ["a", "b", "c"]


def test_runs_may_be_started_and_looked_at_from_any_thread(engine, lab):
    recorder = lab.recorder()

    def start(number):
        run = engine.start(lab.job(lab.client(), recorder, 20, run_id=str(number)))
        run.progress()
        return finished(run).outcomes[Outcome.OK]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(start, range(16))) == [20] * 16


def test_a_run_that_is_going_on_cannot_be_started_again(real_engine, lab):
    client = lab.client(lambda request, n: asyncio.sleep(1000))
    run = real_engine.start(lab.job(client, lab.recorder(), 1))
    with pytest.raises(ConflictError, match="run run is going on already"):
        real_engine.start(lab.job(client, lab.recorder(), 1))
    run.stop(grace_s=0)
    finished(run)


def test_the_client_is_made_in_a_thread_of_the_engine_and_only_when_needed(engine, lab):
    made_in = []

    def factory():
        made_in.append(threading.current_thread().name)
        return lab.client()

    assert finished(engine.start(lab.job(factory, lab.recorder(), 0))).detail == "completed"
    assert made_in == []
    assert finished(engine.start(lab.job(factory, lab.recorder(), 3))).detail == "completed"
    assert len(made_in) == 1 and made_in[0].startswith("selfbound-engine")


def test_a_slow_client_factory_keeps_nobody_waiting(real_engine, lab):
    loaded = threading.Event()

    def factory():
        loaded.wait(30)
        return lab.client()

    run = real_engine.start(lab.job(factory, lab.recorder(), 3))
    other = real_engine.start(lab.job(lab.client(), lab.recorder(), 3, run_id="other"))
    assert finished(other).detail == "completed"
    assert (run.progress().state, run.progress().pending) == ("starting", 3)
    loaded.set()
    assert finished(run).detail == "completed"


def test_a_client_that_cannot_be_made_fails_the_run_and_leaves_the_plan_owed(engine, lab):
    def factory():
        raise InputError("the weights are missing", hint="run make install")

    progress = finished(engine.start(lab.job(factory, lab.recorder(), 4)))
    assert (progress.detail, progress.pending) == ("failed", 4)
    assert (progress.message, progress.hint) == ("the weights are missing", "run make install")


def test_closing_the_engine_stops_its_runs_and_closes_each_client_once(lab):
    engine = Engine()
    client, recorder = lab.client(lambda request, n: asyncio.sleep(1000)), lab.recorder()
    sent = threading.Event()
    client.answer = lambda request, n: (sent.set(), asyncio.sleep(1000))[1]
    run = engine.start(lab.job(client, recorder, 10, limits={"concurrency": 2}))
    assert sent.wait(30)
    engine.close(grace_s=0)
    engine.close()
    progress = finished(run)
    assert progress.detail == "stopped" and progress.outcomes[Outcome.CANCELLED] == 10
    assert client.n_closed == 1
    assert not [t for t in threading.enumerate() if t is engine._thread]
    with pytest.raises(ConflictError, match="the engine is closed"):
        engine.start(lab.job(client, recorder, 1))


def test_memory_does_not_grow_with_the_plan(engine, lab):
    alive, most_alive, n_made = 0, 0, 0

    def one_less():
        nonlocal alive
        alive -= 1

    def requests():
        nonlocal alive, most_alive, n_made
        for request in lab.plan(200_000):
            n_made, alive = n_made + 1, alive + 1
            most_alive = max(most_alive, alive)
            weakref.finalize(request, one_less)
            yield request

    def record(attempt):
        if attempt.request.item_id == "item-5000":
            engine.runs()[0].stop()
        done = Future()
        done.set_result(None)
        return done

    job = lab.job(lab.client(), lab.recorder(), 200_000, requests=requests, record=record)
    progress = finished(engine.start(job))
    assert progress.planned == 200_000 and progress.outcomes[Outcome.OK] >= 5_000
    # 16 read ahead, 8 in flight, and the few that a loop variable or a finished task still holds
    assert most_alive <= 50
    assert n_made - progress.outcomes[Outcome.OK] <= 50


def test_a_plan_longer_than_expected_raises_what_is_planned(engine, lab):
    progress = finished(engine.start(lab.job(lab.client(), lab.recorder(), 30, n_owed=10)))
    assert (progress.planned, progress.outcomes[Outcome.OK], progress.message) == (30, 30, "")


def test_a_plan_shorter_than_expected_leaves_the_rest_pending_and_says_so(engine, lab):
    progress = finished(engine.start(lab.job(lab.client(), lab.recorder(), 30, n_owed=40)))
    assert (progress.planned, progress.pending, progress.detail) == (40, 10, "completed")
    assert progress.message == "10 of the 40 calls owed were not in the plan"


def test_requests_per_minute_spaces_the_sends_evenly(engine, lab):
    client = lab.client()
    finished(engine.start(lab.job(client, lab.recorder(), 7, limits={"requests_per_minute": 30})))
    # 30 a minute is one every 2 s
    assert client.times == pytest.approx([0, 2, 4, 6, 8, 10, 12])


def test_progress_tells_pace_time_to_go_and_cost_with_intervals(real_engine, lab):
    half, go = threading.Event(), asyncio.Event()

    async def wait_for_go():
        half.set()
        await go.wait()
        return lab.reply(cost_usd=0.01)

    client = lab.client(
        lambda request, n: (
            lab.reply(cost_usd=0.01) if int(request.item_id[5:]) < 50 else wait_for_go()
        )
    )
    run = real_engine.start(lab.job(client, lab.recorder(), 100, limits={"concurrency": 1}))
    assert half.wait(30)
    progress = run.progress()
    assert progress.calls_per_s > 0
    assert 0 < progress.eta_s.low < progress.eta_s.value < progress.eta_s.high
    # every call costs 0.01, so the total is sure: 100 × 0.01
    assert progress.cost_usd == pytest.approx(0.5)
    cost = progress.expected_cost_usd
    assert (cost.low, cost.value, cost.high) == pytest.approx((1.0, 1.0, 1.0))
    real_engine._loop.call_soon_threadsafe(go.set)
    ended = finished(run)
    assert ended.eta_s is None and ended.cost_usd == pytest.approx(1.0)
    assert ended.cpu_ms_per_call > 0 and ended.n_sent == 100
