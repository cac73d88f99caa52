"""What a failed call means: its outcome, its sentence, and whether it is sent again.

This is the one place that decides about retries. A call is sent again when the client says that
may help, up to the limit of tries. A 429 that names a time is waited for and not counted as a
try, up to a bounded total wait per call. A call that timed out is never sent again within its
run: it may have been answered and billed; the next run owes it anew.
"""

import re
import traceback
from pathlib import Path
from random import Random

from core.errors import ModelError, SelfboundError
from core.llm.client import CallFailed
from core.records import Outcome
from core.runs.limits import Limits

FIRST_BACKOFF_S = 1.0
LONGEST_BACKOFF_S = 60.0

HOPELESS_AFTER = 5
"""Calls in a row that must fail alike, with nothing answered between, to give a run up."""


def sentence_of(error: BaseException) -> str:
    """What went wrong, in one sentence that holds no secret.

    Selfbound's own errors are written for people and speak for themselves. Of any other, only
    the kind and the place are told: its text may quote a key or a whole reply.

    Example:
        >>> sentence_of(ModelError("the model is not loaded"))
        'the model is not loaded'
        >>> sentence_of(KeyError("sk-secret"))
        'unexpected KeyError'
    """
    if isinstance(error, SelfboundError):
        return str(error)
    sentence = f"unexpected {type(error).__name__}"
    places = list(traceback.walk_tb(error.__traceback__))
    if not places:
        return sentence
    frame, line = places[-1]
    return f"{sentence} in {Path(frame.f_code.co_filename).name}, line {line}"


def as_call_failed(error: Exception, *, timeout_s: float) -> CallFailed:
    """Any error met while asking, as the failure of a call; unknown ones are not retryable."""
    if isinstance(error, CallFailed):
        return error
    if isinstance(error, TimeoutError):
        words = f"no answer within {timeout_s:g} s"
        return CallFailed(words, kind="timed_out", retryable=False)
    hint = getattr(error, "hint", "")
    return CallFailed(sentence_of(error), kind="provider_error", retryable=False, hint=hint)


def outcome_of(failure: CallFailed) -> Outcome:
    """How a call that fails like this ends, when it is not sent again.

    Example:
        >>> outcome_of(CallFailed("too many requests", kind="rate_limited", retryable=True))
        <Outcome.PROVIDER_ERROR: 'provider_error'>
    """
    return Outcome.TIMED_OUT if failure.kind == "timed_out" else Outcome.PROVIDER_ERROR


def backoff_s(n_failures: int, chance: Random) -> float:
    """Seconds to wait after this many failures of a call: doubling from 1 to 60, less up to half.

    Example:
        >>> all(4 <= backoff_s(4, Random(seed)) <= 8 for seed in range(99))
        True
    """
    longest = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2.0 ** min(n_failures - 1, 10))
    return longest * chance.uniform(0.5, 1.0)


class Tries:
    """What one planned call has used up of its tries and of its time to wait."""

    def __init__(self, limits: Limits, chance: Random) -> None:
        self._limits = limits
        self._chance = chance
        self._n_failures = 0
        self._n_counted = 0
        self._waited_s = 0.0

    def wait_after(self, failure: CallFailed) -> float | None:
        """Seconds until the call is sent again, or None when it is not."""
        self._n_failures += 1
        if not failure.retryable or failure.kind == "timed_out":
            return None
        named_s = failure.retry_after_s
        wait_s = max(backoff_s(self._n_failures, self._chance), named_s or 0.0)
        if failure.kind == "rate_limited" and named_s is not None:
            self._waited_s += wait_s
            return wait_s if self._waited_s <= self._limits.max_rate_wait_s else None
        self._n_counted += 1
        return wait_s if self._n_counted < self._limits.max_tries else None


class SameFailure:
    """Notices a run in which every call fails alike, such as one with a wrong key.

    Only failures that a person can put right count: those that are not retryable and carry a
    hint. A task that a provider turns down is that task's outcome and ends nothing.
    """

    def __init__(self) -> None:
        self._n_alike = 0
        self._wording = ""

    def answered(self) -> None:
        """Take note of an answer."""
        self._n_alike = 0

    def failed(self, failure: CallFailed) -> None:
        """Take note of a failed call.

        Raises:
            ModelError: it is the last of too many in a row that failed alike.
        """
        if failure.retryable or not failure.hint:
            self._n_alike = 0
            return
        wording = re.sub(r"\w*\d\w*", "#", str(failure))  # without the request's own number
        self._n_alike = self._n_alike + 1 if wording == self._wording else 1
        self._wording = wording
        if self._n_alike >= HOPELESS_AFTER:
            raise ModelError(
                f"stopped after {self._n_alike} calls in a row failed the same way: {failure}",
                hint=failure.hint,
            )
