"""Plans whose later calls depend on earlier answers: read on only when all before is stored."""

import asyncio

import pytest

from core.llm.client import CallFailed
from core.records import Message, Outcome, Request


def call(name):
    return Request(name, "fake/model", (Message("user", "?"),))


def rounds(recorder, seen, *sizes):
    """A plan of rounds, which notes how many answers were stored when each was asked for."""

    def plan():
        for number, size in enumerate(sizes):
            if number:
                yield None
            seen.append(len([one for one in recorder.attempts if one.final]))
            for place in range(size):
                yield call(f"{number}-{place}")

    return plan


@pytest.mark.parametrize("sizes", [(1, 1, 1), (20, 3, 20), (16, 16), (40, 0, 5), (0, 7)])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_each_round_begins_when_the_one_before_is_stored(lab, real_engine, sizes, concurrency):
    seen, recorder, client = [], lab.recorder(), lab.client()
    job = lab.job(
        client,
        recorder,
        sum(sizes),
        limits={"concurrency": concurrency},
        requests=rounds(recorder, seen, *sizes),
    )
    progress = real_engine.start(job).wait(30)
    assert (progress.state, progress.detail, progress.pending) == ("ended", "completed", 0)
    assert seen == [sum(sizes[:at]) for at in range(len(sizes))]
    assert len(client.sent) == len(set(client.sent)) == sum(sizes)
    assert progress.planned == sum(sizes)


def test_more_than_was_owed_at_first_is_planned_as_it_comes(lab, real_engine):
    seen, recorder = [], lab.recorder()
    job = lab.job(lab.client(), recorder, 3, requests=rounds(recorder, seen, 3, 4))
    progress = real_engine.start(job).wait(30)
    assert (progress.planned, progress.outcomes[Outcome.OK]) == (7, 7)


def test_a_call_that_fails_does_not_hold_the_next_round_up(lab, real_engine):
    def answer(request, n):
        if request.item_id == "0-1":
            return CallFailed("no", kind="provider_error", retryable=False)
        return lab.reply()

    seen, recorder = [], lab.recorder()
    job = lab.job(lab.client(answer), recorder, 4, requests=rounds(recorder, seen, 3, 2))
    progress = real_engine.start(job).wait(30)
    assert progress.outcomes[Outcome.OK] == 4
    assert progress.outcomes[Outcome.PROVIDER_ERROR] == 1
    assert seen == [0, 3]


def test_nothing_is_planned_for_the_next_round_after_a_stop(lab, real_engine):
    seen, recorder = [], lab.recorder()
    stop = {}

    async def answer():
        while "run" not in stop:
            await asyncio.sleep(0.001)
        stop["run"].stop()
        return lab.reply()

    client = lab.client(lambda request, n: answer())
    job = lab.job(client, recorder, 5, requests=rounds(recorder, seen, 1, 4))
    stop["run"] = real_engine.start(job)
    assert stop["run"].wait(30).detail == "stopped"
    assert seen == [0]
