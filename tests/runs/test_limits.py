"""Limits refuse what makes no sense; the throttle follows the provider's answers."""

import pytest

from core.errors import InputError
from core.runs.limits import Limits, Throttle


@pytest.mark.parametrize(
    ("limits", "wording"),
    [
        ({"concurrency": 0}, "concurrency is 0; it must be at least 1"),
        ({"max_tries": 0}, "max_tries is 0; it must be at least 1"),
        ({"timeout_s": 0}, "timeout_s is 0; it must be above 0"),
        ({"timeout_s": float("nan")}, "timeout_s is nan; it must be above 0"),
        ({"budget_usd": -1}, "the budget is -1 US dollars; it must be 0 or more"),
        ({"requests_per_minute": 0}, "requests_per_minute is 0; it must be above 0"),
        ({"max_rate_wait_s": -1}, "max_rate_wait_s is -1; it must be 0 or more"),
    ],
)
def test_a_limit_out_of_range_is_refused_with_the_value_met_and_wanted(limits, wording):
    with pytest.raises(InputError, match=wording):
        Limits(**limits)


def test_concurrency_never_falls_below_one():
    throttle = Throttle(Limits(concurrency=8))
    for now in range(10):
        throttle.shrink(sent_at=now, now=now)
    assert throttle.allowed == 1


def test_concurrency_comes_back_by_one_per_round_and_no_further_than_it_was():
    throttle = Throttle(Limits(concurrency=8))
    throttle.shrink(sent_at=0, now=0)
    assert throttle.allowed == 4
    # 4 + 1/4 + 1/4.25 + 1/4.49 + 1/4.71 + 1/4.92 = 5.12: five answers for one more
    steps = []
    for _ in range(5):
        throttle.grow()
        steps.append(throttle.allowed)
    assert steps == [4, 4, 4, 4, 5]
    for _ in range(1000):
        throttle.grow()
    assert throttle.allowed == 8


def test_a_hold_never_gets_shorter():
    throttle = Throttle(Limits())
    throttle.hold(until=50)
    throttle.hold(until=20)
    assert throttle.opens_at == 50
