"""The closed sum and the sentences about who waits for what."""

from datetime import UTC, datetime

import pytest

from core.records import Outcome
from core.runs.gate import Hold
from core.runs.progress import close_sum, waiting_sentence

THREE_PAST_TWO = datetime(2026, 1, 2, 14, 3, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ended_by", "takes_the_rest"),
    [
        ("stopped", Outcome.CANCELLED),
        ("budget", Outcome.BUDGET_STOPPED),
        ("failed", None),
        ("completed", None),
        ("", None),
    ],
)
def test_the_rest_goes_where_the_end_says_and_the_sum_is_closed(ended_by, takes_the_rest):
    counts, pending = close_sum(
        {Outcome.OK: 3, Outcome.CANCELLED: 1}, planned=10, ended_by=ended_by
    )
    assert sum(counts.values()) + pending == 10
    assert set(counts) == set(Outcome)
    assert pending == (0 if takes_the_rest else 6)
    if takes_the_rest:
        assert counts[takes_the_rest] == 6 + (takes_the_rest is Outcome.CANCELLED)


@pytest.mark.parametrize(
    ("waiting", "sentence"),
    [
        ((0, Hold.NOTHING, None, 0), ""),
        ((0, Hold.PAUSE, None, 0), ""),
        (
            (10, Hold.RATE_LIMIT, THREE_PAST_TWO, 2),
            "12 calls wait for the rate limit until 14:03:20 UTC",
        ),
        ((3, Hold.PAUSE, None, 1), "4 calls wait for the run to be resumed"),
        ((3, Hold.BUDGET, None, 0), "3 calls wait for money reserved by calls in flight"),
        (
            (2, Hold.PACE, THREE_PAST_TWO, 1),
            "2 calls wait for their turn in the requests per minute until 14:03:20 UTC; "
            "1 call waits to be tried again",
        ),
        (
            (0, Hold.NOTHING, THREE_PAST_TWO, 2),
            "2 calls wait to be tried again, the first at 14:03:20 UTC",
        ),
    ],
)
def test_who_waits_for_what_is_said_in_words(waiting, sentence):
    n_at_gate, hold, until, n_backing_off = waiting
    assert sentence == waiting_sentence(
        n_at_gate=n_at_gate, hold=hold, until=until, n_backing_off=n_backing_off, allowed=4
    )
