from itertools import pairwise, permutations
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.risk_coverage import risk_coverage_area, risk_coverage_curve

pairs = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4).map(lambda value: value / 4)),
    min_size=1,
    max_size=25,
)


def unzip(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


def area_in_order(outcomes):
    return mean(mean(1 - one for one in outcomes[:n]) for n in range(1, len(outcomes) + 1))


def test_the_curve_takes_ties_together():
    found = risk_coverage_curve([1, 0, 1, 0, 0], [0.9, 0.5, 0.5, 0.5, 0.1])
    assert found["threshold"].tolist() == [0.9, 0.5, 0.1]
    assert found["n"].tolist() == [1, 4, 5]
    assert found["failures"].tolist() == [0, 2, 3]
    assert found["coverage"].tolist() == [0.2, 0.8, 1.0]
    assert found["risk"].tolist() == [0, 0.5, 0.6]


def test_the_area_worked_by_hand():
    # In order of estimate: success, failure, success, failure. Risks 0, 1/2, 1/3, 1/2.
    found = risk_coverage_area([0, 1, 0, 1], [0.6, 0.9, 0.1, 0.5])
    assert found.value == pytest.approx((1 / 2 + 1 / 3 + 1 / 2) / 4)
    assert found.best == pytest.approx((1 / 3 + 1 / 2) / 4)
    assert found.by_chance == 0.5


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=6))
def test_the_area_is_the_mean_over_all_orders_of_tied_tasks(rows):
    outcomes, estimates = [row[0] for row in rows], [row[1] / 2 for row in rows]
    orders = [
        area_in_order([outcomes[at] for at in order])
        for order in permutations(range(len(rows)))
        if all(estimates[one] >= estimates[after] for one, after in pairwise(order))
    ]
    found = risk_coverage_area(outcomes, estimates, replicates=1)
    assert found.value == pytest.approx(mean(orders))


@settings(deadline=None)
@given(pairs)
def test_the_area_lies_between_the_best_and_the_worst_and_in_its_interval(rows):
    outcomes, estimates = unzip(rows)
    found = risk_coverage_area(outcomes, estimates, replicates=100)
    worst = area_in_order(sorted(outcomes))
    assert found.best - 1e-12 <= found.value <= worst + 1e-12
    assert found.best <= found.by_chance + 1e-12
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


def test_estimates_that_tell_nothing_have_the_area_of_chance():
    found = risk_coverage_area([1, 0, 0, 1, 0], [0.5] * 5)
    assert found.value == pytest.approx(found.by_chance) == pytest.approx(0.6)


def test_the_interval_is_repeatable_and_follows_the_seed():
    rng = np.random.default_rng(0)
    estimates = rng.integers(0, 101, 100) / 100
    outcomes = rng.random(100) < estimates
    first, again, other = (risk_coverage_area(outcomes, estimates, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.low != other.low


def test_25_of_25_has_an_interval_with_a_width_and_nothing_no_area():
    found = risk_coverage_area([1] * 25, [0.9] * 25)
    assert (found.value, found.low) == (0, 0)
    # Failures of 25 draws with the chance 1/27: 3 at most in 97.5 % of them.
    assert found.high == pytest.approx(3 / 25)
    assert "no task" in risk_coverage_area([], []).why
    assert risk_coverage_curve([], []).empty


def test_no_replicate_is_refused():
    with pytest.raises(InputError, match="0 replicates"):
        risk_coverage_area([1, 0], [0.5, 0.6], replicates=0)
