"""Estimates of time and cost, against exact limits and values worked by hand."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runs.estimates import RunningMean, poisson_interval, time_left_s, total_cost_usd


@pytest.mark.parametrize(
    ("n_events", "exact", "tolerance"),
    [
        # half of the chi-square quantiles with 2n and with 2n + 2 degrees of freedom
        (2, (0.2422, 7.2247), 0.08),
        (5, (1.6235, 11.6683), 0.03),
        (10, (4.7954, 18.3904), 0.01),
        (50, (37.1110, 65.9184), 0.01),
        (100, (81.3640, 121.6272), 0.01),
    ],
)
def test_the_interval_for_counts_is_close_to_the_exact_one(n_events, exact, tolerance):
    assert poisson_interval(n_events) == pytest.approx(exact, rel=tolerance)


def test_no_event_still_has_an_upper_limit():
    low, high = poisson_interval(0)
    assert low == 0 and 3 < high < 4  # exactly 3.69


def test_time_left_follows_the_pace_of_the_window():
    # 50 calls in 10 s are 5 a second: 100 more take 20 s. With 50 events the pace lies between
    # 37.1 and 65.9 in 10 s, so the time between 100 / 6.59 and 100 / 3.71 s
    estimate = time_left_s(100, n_done=50, window_s=10)
    assert estimate.value == 20
    assert (estimate.low, estimate.high) == pytest.approx((15.17, 26.95), abs=0.02)


@pytest.mark.parametrize(("n_done", "window_s"), [(0, 10), (1, 10), (5, 0)])
def test_time_left_is_not_told_from_too_little(n_done, window_s):
    assert time_left_s(100, n_done=n_done, window_s=window_s) is None


def test_the_total_cost_is_known_at_the_end_and_uncertain_before():
    costs = RunningMean()
    for cost in (0.1, 0.2, 0.3):
        costs.add(cost)
    at_the_end = total_cost_usd(costs, spent_usd=0.6, n_left=0)
    assert (at_the_end.low, at_the_end.value, at_the_end.high) == pytest.approx((0.6, 0.6, 0.6))
    # 3 more at 0.2: 1.2; variance 0.01, so ± 1.96 · √(0.01 · (3 + 9/3)) = ± 0.48
    half_way = total_cost_usd(costs, spent_usd=0.6, n_left=3)
    assert half_way.value == pytest.approx(1.2)
    assert (half_way.low, half_way.high) == pytest.approx((0.72, 1.68), abs=0.001)


def test_the_total_cost_is_never_told_below_what_is_spent():
    costs = RunningMean()
    for cost in (0.0, 1.0):
        costs.add(cost)
    assert total_cost_usd(costs, spent_usd=1.0, n_left=10).low == 1.0


def test_one_call_tells_nothing_about_the_total_cost():
    costs = RunningMean()
    costs.add(0.1)
    assert total_cost_usd(costs, spent_usd=0.1, n_left=10) is None


@given(st.lists(st.floats(0, 1000), min_size=2, max_size=50))
def test_mean_and_variance_equal_those_of_the_whole_list(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
    assert running.mean == pytest.approx(statistics.mean(numbers), abs=1e-9)
    assert running.variance == pytest.approx(statistics.variance(numbers), rel=1e-6, abs=1e-6)
