"""What a failed call means, and when a run is given up for it."""

from random import Random

import pytest

from core.errors import ModelError
from core.llm.client import CallFailed
from core.runs.failures import SameFailure, Tries, as_call_failed, backoff_s
from core.runs.limits import Limits


def failure(kind="provider_error", *, retryable=True, retry_after_s=None, hint="", words="no"):
    return CallFailed(words, kind=kind, retryable=retryable, retry_after_s=retry_after_s, hint=hint)


def test_the_wait_doubles_up_to_a_minute_and_is_never_less_than_half():
    for n_failures, longest in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (5000, 60)]:
        waits = [backoff_s(n_failures, Random(seed)) for seed in range(50)]
        assert longest / 2 <= min(waits) < max(waits) <= longest


def test_a_time_named_by_a_500_is_waited_for_and_still_uses_up_a_try():
    tries = Tries(Limits(max_tries=2), Random(0))
    assert tries.wait_after(failure(retry_after_s=30)) == 30
    assert tries.wait_after(failure(retry_after_s=30)) is None


def test_a_time_of_nothing_named_by_a_429_does_not_make_it_ask_without_end():
    tries, waits = Tries(Limits(max_rate_wait_s=600), Random(0)), []
    while (wait := tries.wait_after(failure("rate_limited", retry_after_s=0))) is not None:
        waits.append(wait)
    # doubling to 60 s, so 600 s hold about 16 waits and surely not more than 5 + 600/30
    assert 10 <= len(waits) <= 25 and sum(waits) <= 600


def test_a_call_that_timed_out_is_not_sent_again():
    assert Tries(Limits(), Random(0)).wait_after(failure("timed_out")) is None


def test_an_answer_or_another_failure_between_starts_the_count_of_like_failures_again():
    same = SameFailure()
    wrong_key = failure(retryable=False, hint="check the key", words="error 401")
    for between in (same.answered, lambda: same.failed(failure())):
        for _ in range(4):
            same.failed(wrong_key)
        between()
    for _ in range(4):
        same.failed(wrong_key)
    with pytest.raises(ModelError, match="stopped after 5 calls in a row failed the same way"):
        same.failed(wrong_key)


def test_tasks_a_provider_turns_down_never_end_a_run():
    same = SameFailure()
    for _ in range(100):
        same.failed(failure(retryable=False, words="error 400: content policy"))


def test_the_words_of_an_unknown_error_are_not_told():
    try:
        raise ValueError("key sk-123 is wrong")
    except ValueError as error:
        met = as_call_failed(error, timeout_s=1)
    assert str(met).startswith("unexpected ValueError in test_failures.py, line ")
    assert not met.retryable
