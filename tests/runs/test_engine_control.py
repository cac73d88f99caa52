"""Pause, resume, stop and the budget: what people use to hold a run back."""

import asyncio
import threading

import pytest

from core.records import Outcome


def finished(run):
    """The progress of a run that must come to its end."""
    progress = run.wait(30)
    assert progress.state == "ended", progress
    assert sum(progress.outcomes.values()) + progress.pending == progress.planned
    return progress


class Held:
    """Answers only once they are let go; `sent` is set when `n` calls are out."""

    def __init__(self, lab, n):
        self._lab, self._n = lab, n
        self._go = asyncio.Event()
        self._n_out = 0
        self.sent = threading.Event()

    async def __call__(self):
        self._n_out += 1
        if self._n_out == self._n:
            self.sent.set()
        await self._go.wait()
        return self._lab.reply()

    def let_go(self, engine):
        engine._loop.call_soon_threadsafe(self._go.set)


def test_a_pause_lets_calls_in_flight_finish_and_sends_nothing_new(real_engine, lab):
    held, recorder = Held(lab, 3), lab.recorder()
    client = lab.client(lambda r, n: held())
    run = real_engine.start(lab.job(client, recorder, 9, limits={"concurrency": 3}))
    assert held.sent.wait(30)
    run.pause()
    held.let_go(real_engine)
    while run.progress().in_flight:
        run.wait(0.005)
    progress = run.progress()
    assert (progress.state, progress.pending, progress.in_flight) == ("paused", 6, 0)
    assert progress.outcomes[Outcome.OK] == len(client.sent) == 3
    assert progress.eta_s is None
    run.resume()
    assert finished(run).outcomes[Outcome.OK] == 9
    assert recorder.events == [
        ("started", ""),
        ("paused", ""),
        ("resumed", ""),
        ("ended", "completed"),
    ]


def test_calls_held_back_by_a_pause_say_what_they_wait_for(engine, lab):
    seen = []

    def answer(request, n):
        if not seen:
            run = engine.runs()[0]
            run.pause()
            engine._loop.call_later(5, lambda: (seen.append(run.progress()), run.resume()))
        return lab.reply()

    client = lab.client(answer)
    finished(engine.start(lab.job(client, lab.recorder(), 9, limits={"concurrency": 1})))
    assert seen[0].waiting_for == "1 call waits for the run to be resumed"


def test_a_stop_stores_what_comes_within_the_grace_and_cancels_the_rest(engine, lab):
    def answer(request, n):
        number = int(request.item_id[5:])
        if number == 3:
            engine.runs()[0].stop(grace_s=10)
        return asyncio.sleep(5 if number < 2 else 500, lab.reply())

    client, recorder = lab.client(answer), lab.recorder()
    job = lab.job(client, recorder, 100, limits={"concurrency": 4, "timeout_s": 1000})
    progress = finished(engine.start(job))
    assert len(client.sent) == 4 and recorder.outcomes() == {"ok": 2, "cancelled": 2}
    assert progress.detail == "stopped" and progress.elapsed_s == 10
    # two given up in flight, 96 never sent
    assert progress.outcomes[Outcome.OK] == 2 and progress.outcomes[Outcome.CANCELLED] == 98
    assert {a.error for a in recorder.attempts} == {"", "stopped before an answer came"}


def test_a_second_stop_shortens_the_grace(real_engine, lab):
    held = Held(lab, 2)
    job = lab.job(lab.client(lambda r, n: held()), lab.recorder(), 5, limits={"concurrency": 2})
    run = real_engine.start(job)
    assert held.sent.wait(30)
    run.stop(grace_s=1000)
    assert run.progress().state == "stopping"
    run.stop(grace_s=0)
    assert finished(run).outcomes[Outcome.CANCELLED] == 5


def test_a_stop_while_paused_or_after_the_end_is_fine(real_engine, lab):
    run = real_engine.start(lab.job(lab.client(), lab.recorder(), 1000))
    run.pause()
    run.stop()
    progress = finished(run)
    assert progress.detail in ("stopped", "completed")
    run.stop()
    run.pause()
    run.resume()
    assert run.progress() == progress


def test_a_stop_that_comes_when_all_is_done_is_completed(engine, lab):
    def answer(request, n):
        engine.runs()[0].stop()
        return lab.reply()

    progress = finished(engine.start(lab.job(lab.client(answer), lab.recorder(), 1)))
    assert (progress.detail, progress.outcomes[Outcome.OK]) == ("completed", 1)


def test_a_budget_is_never_passed_however_many_calls_are_in_flight(engine, lab):
    # worst 0.10 each, really 0.04. 8 in flight would promise 0.80 of the 0.50.
    client = lab.client(lambda r, n: asyncio.sleep(1, lab.reply(cost_usd=0.04)), worst_usd=0.10)
    job = lab.job(client, lab.recorder(), 100, limits={"concurrency": 8, "budget_usd": 0.50})
    progress = finished(engine.start(job))
    assert client.most_open == 5
    # a call goes out while spent + 0.10 <= 0.50, so the last at 0.40 spent: 11 calls, $0.44
    assert len(client.sent) == 11 and progress.cost_usd == pytest.approx(0.44)
    assert (progress.detail, progress.outcomes[Outcome.BUDGET_STOPPED]) == ("budget", 89)


def test_calls_at_the_full_price_fill_the_budget_to_the_cent(engine, lab):
    client = lab.client(lambda r, n: lab.reply(cost_usd=0.1), worst_usd=0.1)
    progress = finished(
        engine.start(lab.job(client, lab.recorder(), 9, limits={"budget_usd": 0.3}))
    )
    assert len(client.sent) == 3 and progress.against_cap_usd == 0.3


def test_money_of_earlier_runs_counts_against_the_budget(engine, lab):
    client = lab.client(lambda r, n: lab.reply(cost_usd=0.1), worst_usd=0.1)
    job = lab.job(client, lab.recorder(), 9, limits={"budget_usd": 1.0}, spent_usd=0.75)
    progress = finished(engine.start(job))
    assert len(client.sent) == 2 and progress.cost_usd == pytest.approx(0.2)
    assert progress.against_cap_usd == pytest.approx(0.95)


def test_a_timed_out_call_counts_at_its_worst_because_it_may_be_billed(engine, lab):
    client = lab.client(lambda r, n: asyncio.Event().wait(), worst_usd=0.1)
    progress = finished(
        engine.start(lab.job(client, lab.recorder(), 9, limits={"budget_usd": 0.2}))
    )
    assert (progress.cost_usd, progress.against_cap_usd) == (0, 0.2)
    assert progress.outcomes[Outcome.TIMED_OUT] == 2


def test_a_budget_for_a_model_without_a_price_is_refused_in_one_sentence(engine, lab):
    client = lab.client(worst_usd=None)
    progress = finished(engine.start(lab.job(client, lab.recorder(), 9, limits={"budget_usd": 5})))
    assert client.sent == [] and (progress.detail, progress.pending) == ("failed", 9)
    assert progress.message == (
        "fake/model has no known price, so the budget of $5.00 cannot be kept"
    )


def test_replies_without_a_price_are_counted_as_such(engine, lab):
    client = lab.client(lambda r, n: lab.reply(cost_usd=None))
    progress = finished(engine.start(lab.job(client, lab.recorder(), 3)))
    assert (progress.n_unpriced, progress.cost_usd, progress.expected_cost_usd) == (3, 0, None)


def test_prices_are_asked_for_in_a_thread_since_the_first_may_load_a_library(engine, lab):
    asked_in = set()
    client = lab.client()

    def worst_cost_usd(request):
        asked_in.add(threading.current_thread().name.rpartition("_")[0])
        return 0.0

    client.worst_cost_usd = worst_cost_usd
    finished(engine.start(lab.job(client, lab.recorder(), 3, limits={"budget_usd": 1})))
    assert asked_in == {"selfbound-engine"}
