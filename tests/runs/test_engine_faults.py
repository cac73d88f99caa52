"""What the engine makes of calls, clients and stores that fail, in every way known from users."""

import asyncio
import threading
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import ModelError, StoreError
from core.llm.client import CallFailed
from core.records import Outcome
from core.runs.engine import Engine


def finished(run):
    """The progress of a run that must come to its end."""
    progress = run.wait(30)
    assert progress.state == "ended", progress
    assert sum(progress.outcomes.values()) + progress.pending == progress.planned
    return progress


def server_error():
    return CallFailed("fake answered with error 500", kind="provider_error", retryable=True)


def rate_limit(retry_after_s=None):
    return CallFailed(
        "fake asks to slow down", kind="rate_limited", retryable=True, retry_after_s=retry_after_s
    )


def test_an_unexpected_exception_at_call_799_costs_no_other_result(engine, lab):
    client = lab.client(lambda r, n: KeyError("sk-key") if r.item_id == "item-798" else lab.reply())
    recorder = lab.recorder()
    progress = finished(engine.start(lab.job(client, recorder, 800)))
    assert progress.outcomes[Outcome.OK] == 799
    assert progress.outcomes[Outcome.PROVIDER_ERROR] == 1
    [failed] = [a for a in recorder.attempts if a.outcome is Outcome.PROVIDER_ERROR]
    assert failed.reply is None and failed.error.startswith("unexpected KeyError in conftest.py")
    assert "sk-key" not in failed.error


def test_a_plan_that_breaks_at_call_799_leaves_798_results(engine, lab):
    def requests():
        yield from lab.plan(798)
        raise StoreError("the store was closed")

    recorder = lab.recorder()
    progress = finished(engine.start(lab.job(lab.client(), recorder, 800, requests=requests)))
    # whole chunks of 16 came through before the break: 49 × 16 = 784
    assert len(recorder.attempts) == progress.outcomes[Outcome.OK] == 784
    assert (progress.detail, progress.message) == ("failed", "the store was closed")
    assert progress.pending == 16


def test_a_reply_the_reader_breaks_on_is_kept_and_not_owed_again(engine, lab):
    def read(request, reply):
        if request.item_id == "item-3":
            raise IndexError
        return lab.read(request, reply)

    recorder = lab.recorder()
    progress = finished(engine.start(lab.job(lab.client(), recorder, 5, read=read)))
    assert progress.outcomes[Outcome.OK] == 4 and progress.outcomes[Outcome.UNPARSABLE] == 1
    [broken] = [a for a in recorder.attempts if a.outcome is Outcome.UNPARSABLE]
    assert broken.reply.text == "yes"
    assert "unexpected IndexError in test_engine_faults.py" in broken.error
    assert broken.error.endswith("while the reply was read")
    assert broken.reading.note == broken.error


def test_three_tries_are_exactly_three_sends_and_three_rows(engine, lab):
    client, recorder = lab.client(lambda r, n: server_error()), lab.recorder()
    progress = finished(engine.start(lab.job(client, recorder, 4, limits={"max_tries": 3})))
    assert Counter(client.sent) == {f"item-{n}": 3 for n in range(4)}
    rows = sorted((a.request.item_id, a.number, a.final) for a in recorder.attempts)
    assert rows[:3] == [("item-0", 1, False), ("item-0", 2, False), ("item-0", 3, True)]
    assert progress.outcomes[Outcome.PROVIDER_ERROR] == 4
    assert (progress.n_sent, progress.n_retries) == (12, 8)
    assert progress.newest_error == "fake answered with error 500"


def test_tries_are_spaced_by_a_doubling_wait(engine, lab):
    client = lab.client(lambda r, n: server_error())
    finished(engine.start(lab.job(client, lab.recorder(), 1, limits={"max_tries": 4})))
    gaps = [later - sooner for sooner, later in zip(client.times, client.times[1:], strict=False)]
    for gap, longest in zip(gaps, (1, 2, 4), strict=True):
        assert longest / 2 <= gap <= longest


def test_a_failure_that_cannot_get_better_is_not_tried_again(engine, lab):
    error = CallFailed("fake answered with error 400", kind="provider_error", retryable=False)
    client = lab.client(lambda r, n: error)
    progress = finished(engine.start(lab.job(client, lab.recorder(), 20)))
    assert len(client.sent) == 20 and progress.outcomes[Outcome.PROVIDER_ERROR] == 20
    assert progress.detail == "completed"


def test_calls_that_all_fail_for_one_mendable_reason_end_the_run(engine, lab):
    def answer(request, n):
        words = f"fake answered with error 401, request 7f{request.item_id[5:]}"
        return CallFailed(words, kind="provider_error", retryable=False, hint="check the key")

    client = lab.client(answer)
    job = lab.job(client, lab.recorder(), 900, limits={"concurrency": 1})
    progress = finished(engine.start(job))
    assert len(client.sent) == 5 and progress.pending == 895
    assert progress.detail == "failed" and progress.hint == "check the key"
    assert progress.message.startswith("stopped after 5 calls in a row failed the same way: fake")


def test_a_model_that_cannot_run_here_ends_the_run_with_its_hint(engine, lab):
    client = lab.client(lambda r, n: ModelError("libgomp1 is missing", hint="install libgomp1"))
    progress = finished(engine.start(lab.job(client, lab.recorder(), 900)))
    # four more may follow before the fifth failure, with the eight in flight
    assert progress.hint == "install libgomp1" and len(client.sent) <= 12


def test_a_call_that_never_answers_ends_as_timed_out_and_the_run_ends(engine, lab):
    client = lab.client(
        lambda r, n: asyncio.Event().wait() if r.item_id == "item-3" else lab.reply()
    )
    recorder = lab.recorder()
    progress = finished(engine.start(lab.job(client, recorder, 10, limits={"timeout_s": 60})))
    assert progress.outcomes[Outcome.OK] == 9 and progress.outcomes[Outcome.TIMED_OUT] == 1
    assert client.sent.count("item-3") == 1
    [late] = [a for a in recorder.attempts if a.outcome is Outcome.TIMED_OUT]
    assert (late.latency_s, late.error) == (60, "no answer within 60 s")


def test_a_late_answer_of_a_client_that_ignores_cancellation_is_dropped(engine, lab):
    answered = threading.Event()

    async def stubborn():
        for _ in range(2):
            try:
                await asyncio.sleep(50)
            except asyncio.CancelledError:
                continue
        await asyncio.sleep(50)
        answered.set()
        return lab.reply()

    recorder = lab.recorder()
    job = lab.job(lab.client(lambda r, n: stubborn()), recorder, 1, limits={"timeout_s": 60})
    assert finished(engine.start(job)).outcomes[Outcome.TIMED_OUT] == 1
    assert answered.wait(30)
    assert [a.outcome for a in recorder.attempts] == [Outcome.TIMED_OUT]


def test_nothing_is_sent_before_the_time_a_429_names(engine, lab):
    limited = {"item-2"}

    def answer(request, n):
        if request.item_id in limited and n == 1:
            return asyncio.sleep(1, rate_limit(30))
        return asyncio.sleep(1, lab.reply())

    client, recorder = lab.client(answer), lab.recorder()
    job = lab.job(client, recorder, 12, limits={"concurrency": 4, "max_tries": 1})
    progress = finished(engine.start(job))
    assert progress.outcomes[Outcome.OK] == 12  # waiting is not a try
    # four go out at 0 s, one of them is told at 1 s to wait 30 s. Its neighbours end at that same
    # moment, and one of those that ended just before may have been followed up already.
    assert [t for t in client.times if 1 < t < 31] == []
    assert sorted(t for t in client.times if t >= 31)[0] == 31


def test_the_wait_for_a_rate_limit_is_told_in_words(engine, lab):
    seen = []

    def answer(request, n):
        if n == 1:
            engine._loop.call_later(10, lambda: seen.append(engine.runs()[0].progress()))
            return rate_limit(80)
        return lab.reply()

    finished(engine.start(lab.job(lab.client(answer), lab.recorder(), 1)))
    # the clock of the test stands at noon: at 10 s, 70 s are left
    assert seen[0].waiting_for == "1 call waits for the rate limit until 12:01:10 UTC"
    assert (seen[0].waiting, seen[0].in_flight, seen[0].pending) == (1, 0, 1)


def test_waiting_for_named_times_is_bounded_per_call(engine, lab):
    client = lab.client(lambda r, n: rate_limit(100))
    job = lab.job(client, lab.recorder(), 1, limits={"max_rate_wait_s": 350})
    progress = finished(engine.start(job))
    assert progress.outcomes[Outcome.PROVIDER_ERROR] == 1
    assert client.times == [0, 100, 200, 300]  # a fourth wait would make 400 s


def test_429s_that_name_no_time_use_up_tries(engine, lab):
    client = lab.client(lambda r, n: rate_limit())
    finished(engine.start(lab.job(client, lab.recorder(), 1, limits={"max_tries": 3})))
    assert len(client.sent) == 3


def test_a_provider_that_asks_for_hours_ends_the_run(engine, lab):
    client = lab.client(lambda r, n: rate_limit(7200))
    progress = finished(engine.start(lab.job(client, lab.recorder(), 50)))
    assert progress.detail == "failed" and progress.elapsed_s < 7200
    assert "asks to wait 7200 s, longer than the 600 s a run waits" in progress.message


@pytest.mark.parametrize(("error", "allowed"), [(rate_limit(), 4), (server_error(), 8)])
def test_a_429_halves_concurrency_once_a_round_and_a_500_does_not(engine, lab, error, allowed):
    seen = []

    def answer(request, n):
        if request.item_id == "item-0" and n == 1:
            run = engine.runs()[0]
            engine._loop.call_later(1.1, lambda: seen.append(run.progress().concurrency))
        first_round = int(request.item_id[5:]) < 8 and n == 1
        return asyncio.sleep(1, error if first_round else lab.reply())

    job = lab.job(lab.client(answer), lab.recorder(), 200, limits={"concurrency": 8})
    progress = finished(engine.start(job))
    assert progress.outcomes[Outcome.OK] == 200
    assert seen == [allowed]
    assert progress.concurrency == 8  # and back up, one more per round of answers


def test_a_store_that_refuses_an_attempt_fails_the_run_and_nothing_more_is_sent(engine, lab):
    full = StoreError("the disk is full", hint="free some space")
    recorder = lab.recorder(lambda a: full if a.request.item_id == "item-20" else None)
    client = lab.client()
    progress = finished(engine.start(lab.job(client, recorder, 100, limits={"concurrency": 1})))
    assert (progress.detail, progress.message, progress.hint) == (
        "failed",
        "the disk is full",
        "free some space",
    )
    assert len(client.sent) == 21 and progress.outcomes[Outcome.OK] == 20
    assert progress.pending == 80  # the one that was not stored is owed, like the rest
    assert recorder.events[-1] == ("ended", "failed")


def test_calls_in_flight_when_the_store_refuses_one_are_still_stored(engine, lab):
    recorder = lab.recorder(lambda a: StoreError("no") if a.request.item_id == "item-0" else None)
    client = lab.client(lambda r, n: asyncio.sleep(1 + int(r.item_id[5:]), lab.reply()))
    progress = finished(engine.start(lab.job(client, recorder, 100, limits={"concurrency": 4})))
    assert progress.outcomes[Outcome.OK] == 3 and len(client.sent) == 4


def test_events_that_cannot_be_told_fail_the_run_before_money_is_spent(engine, lab):
    def on_event(event, detail):
        raise StoreError("the store is gone")

    client = lab.client()
    progress = finished(engine.start(lab.job(client, lab.recorder(), 5, on_event=on_event)))
    assert progress.detail == "failed" and client.sent == []


FAULTS = {
    "ok": lambda lab: lab.reply(),
    "slow": lambda lab: asyncio.sleep(3, lab.reply()),
    "never": lambda lab: asyncio.Event().wait(),
    "500": lambda lab: server_error(),
    "429": lambda lab: rate_limit(),
    "429 wait": lambda lab: rate_limit(7),
    "400": lambda lab: CallFailed("no", kind="provider_error", retryable=False),
    "bug": lambda lab: ZeroDivisionError(),
    "gave up": lambda lab: asyncio.CancelledError(),
    "unreadable": lambda lab: lab.reply("boom"),
    "stop": None,
    "pause": None,
}


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    script=st.lists(st.sampled_from(sorted(FAULTS)), max_size=40),
    concurrency=st.integers(1, 6),
    n_more=st.integers(-3, 3),
    cap=st.none() | st.floats(0, 3),
    refuse_at=st.none() | st.integers(0, 40),
)
def test_the_sum_is_closed_whatever_happens(lab, script, concurrency, n_more, cap, refuse_at):
    engine = Engine(new_loop=lab.loop, chance=Random(0))
    sums = []

    def answer(request, n):
        [run] = engine.runs()
        seen = run.progress()
        sums.append(sum(seen.outcomes.values()) + seen.pending == seen.planned)
        sums.append(seen.in_flight <= concurrency and seen.waiting <= seen.pending)
        fault = script[int(request.item_id[5:])]
        if fault == "stop":
            run.stop(grace_s=2)
        if fault == "pause":
            run.pause()
            engine._loop.call_later(5, run.resume)
        return FAULTS[fault](lab) if FAULTS[fault] else lab.reply(cost_usd=0.1)

    def read(request, reply):
        return {"yes": lab.read}[reply.text](request, reply)

    recorder = lab.recorder(
        lambda a: StoreError("no") if a.request.item_id == f"item-{refuse_at}" else None
    )
    limits = {"concurrency": concurrency, "timeout_s": 20, "budget_usd": cap}
    n = len(script)
    try:
        client, n_owed = lab.client(answer, worst_usd=0.1), max(0, n + n_more)
        job = lab.job(client, recorder, n, limits=limits, read=read, n_owed=n_owed)
        run = engine.start(job)
        progress = finished(run)
    finally:
        engine.close(grace_s=0)
    assert all(sums)
    stored = recorder.outcomes()
    rest = {"stopped": "cancelled", "budget": "budget_stopped"}.get(progress.detail)
    for outcome, count in progress.outcomes.items():
        n_stored = stored[str(outcome)]
        assert count >= n_stored if outcome == rest else count == n_stored
    n_last = Counter(a.request.item_id for a in recorder.attempts if a.final)
    assert max(n_last.values(), default=0) <= 1
    if cap is not None:
        assert progress.against_cap_usd <= cap + 1e-8
