from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.calibration import (
    bin_numbers,
    calibration_curve,
    calibration_error,
    overconfidence,
    predicted_success_rate,
    true_success_rate,
)
from core.metrics.intervals import wilson_interval

percent = st.integers(0, 100).map(lambda value: value / 100)
pairs = st.lists(st.tuples(st.integers(0, 1), percent), min_size=1, max_size=40)


def unzip(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


def test_predicted_and_true_rate_worked_by_hand():
    # Of 0.4, 0.6, 0.8: mean 0.6, deviation 0.2; t of 2 degrees 4.302653: ±0.496827.
    found = predicted_success_rate([0.4, 0.6, 0.8])
    assert (found.value, found.low) == (pytest.approx(0.6), pytest.approx(0.103173, abs=1e-6))
    assert found.high == 1.0
    rate = true_success_rate([1, 1, 0, 1])
    assert (rate.value, (rate.low, rate.high)) == (0.75, wilson_interval(3, 4))


def test_overconfidence_worked_by_hand():
    # Differences -0.1, 0.8, -0.1, 0.8: mean 0.35. Centre 1.4 / 6; squares 1.3 + 1 over 6 less the
    # centre's square: 0.328889; error √(0.328889 / 6) = 0.234126.
    found = overconfidence([1, 0, 1, 0], [0.9, 0.8, 0.9, 0.8])
    assert found.value == pytest.approx(0.35)
    half = 1.959964 * sqrt(0.328889 / 6)
    assert (found.low, found.high) == pytest.approx((1.4 / 6 - half, 1.4 / 6 + half), abs=1e-5)


@settings(deadline=None)
@given(pairs)
def test_overconfidence_is_predicted_minus_true_inside_an_interval_with_a_width(rows):
    outcomes, estimates = unzip(rows)
    found = overconfidence(outcomes, estimates)
    assert found.value == pytest.approx(
        predicted_success_rate(estimates).value - true_success_rate(outcomes).value
    )
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


@settings(deadline=None)
@given(pairs)
def test_underconfidence_mirrors_overconfidence(rows):
    outcomes, estimates = unzip(rows)
    found = overconfidence(outcomes, estimates)
    turned = overconfidence([1 - one for one in outcomes], [1 - one for one in estimates])
    assert turned.value == pytest.approx(-found.value, abs=1e-12)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


def test_the_interval_of_overconfidence_knows_which_estimate_belongs_to_which_outcome():
    estimates = [0.1, 0.2, 0.3, 0.7, 0.8, 0.9] * 10
    right, wrong = (
        overconfidence([0, 0, 0, 1, 1, 1] * 10, estimates),
        overconfidence([1, 1, 1, 0, 0, 0] * 10, estimates),
    )
    assert right.value == pytest.approx(wrong.value)
    assert right.high - right.low < (wrong.high - wrong.low) / 2


def test_25_of_25_at_full_confidence_still_has_an_interval_with_a_width():
    found = overconfidence([1] * 25, [1.0] * 25)
    assert found.value == 0
    # Centre 0, spread 1 / 27: ±1.96 / 27.
    assert (found.low, found.high) == pytest.approx((-1.959964 / 27, 1.959964 / 27), abs=1e-6)


def test_a_mean_of_equal_estimates_has_no_interval_and_says_why():
    found = predicted_success_rate([0.9, 0.9, 0.9])
    assert (found.value, found.low, found.high) == (0.9, None, None)
    assert found.why.startswith("no interval: all values are the same")
    assert predicted_success_rate([0.9]).why.startswith("no interval: a single value")


def test_nothing_is_not_defined():
    for found in (predicted_success_rate([]), true_success_rate([]), overconfidence([], [])):
        assert (found.value, found.n) == (None, 0)
        assert found.why.startswith("not defined: there is no task")
    assert calibration_error([], []).value is None
    assert calibration_curve([], []).empty
    assert calibration_curve([], [], equal="count").empty


def test_the_curve_leaves_empty_bins_out_and_tells_n():
    found = calibration_curve([0, 1, 1, 1, 0], [0.05, 0.15, 0.15, 1.0, 0.95])
    assert found["bin_low"].tolist() == [0.0, 0.1, 0.9]
    assert found["n"].tolist() == [1, 2, 2]
    assert found["mean_estimate"].tolist() == pytest.approx([0.05, 0.15, 0.975])
    assert found["success_rate"].tolist() == [0.0, 1.0, 0.5]
    assert found[["low", "high"]].values.tolist()[2] == pytest.approx(list(wilson_interval(1, 2)))


def test_bins_of_equal_count_never_part_equal_estimates():
    estimates = [0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.8, 0.9]
    found = calibration_curve([0, 1, 1, 0, 0, 1, 1, 1], estimates, bins=4, equal="count")
    # Quarters end at the 2nd, 4th, 6th and 8th estimate: 0.5, 0.5, 0.5 and 0.9.
    assert found["n"].tolist() == [6, 2]
    assert found["successes"].tolist() == [3, 2]
    assert found["bin_high"].tolist() == [0.5, 0.9]


def test_an_estimate_on_an_edge_lies_in_the_bin_above_whatever_rounding_does():
    numbers, _ = bin_numbers([at / 100 for at in range(101)], 100)
    assert numbers.tolist() == [*range(100), 99]


@settings(deadline=None)
@given(pairs, st.integers(1, 12), st.sampled_from(["width", "count"]))
def test_bins_hold_every_task_once_between_their_edges(rows, bins, equal):
    outcomes, estimates = unzip(rows)
    found = calibration_curve(outcomes, estimates, bins=bins, equal=equal)
    assert found["n"].sum() == len(rows)
    assert found["successes"].sum() == sum(outcomes)
    assert found["mean_estimate"].between(found["bin_low"] - 1e-9, found["bin_high"] + 1e-9).all()
    assert len(found) <= bins


def test_calibration_error_worked_by_hand():
    # Bins {0.3, 0.3}: rate 0.5, 0.2 apart; {0.8, 0.8}: rate 1, 0.2 apart.
    found = calibration_error([0, 1, 1, 1], [0.3, 0.3, 0.8, 0.8], bins=2)
    assert (found.value, found.n_bins) == (pytest.approx(0.2), 2)
    # By chance: (√(2·0.42/π) + √(2·0.32/π)) / 4.
    assert found.if_calibrated == pytest.approx((sqrt(0.84 / np.pi) + sqrt(0.64 / np.pi)) / 4)


def test_a_calibrated_subject_has_about_the_error_of_chance():
    rng = np.random.default_rng(3)
    found = []
    for _ in range(200):
        estimates = rng.integers(0, 101, 164) / 100
        found.append(calibration_error(rng.random(164) < estimates, estimates))
    by_chance = np.mean([one.if_calibrated for one in found])
    assert np.mean([one.value for one in found]) == pytest.approx(by_chance, rel=0.05)


@pytest.mark.parametrize(
    ("estimates", "message"),
    [
        ([85, 50], "2 of 2 estimates lie outside 0 to 1, such as 85"),
        ([0.5], "2 outcomes and 1 est"),
    ],
)
def test_percent_and_unequal_lengths_are_refused(estimates, message):
    with pytest.raises(InputError, match=message):
        overconfidence([1, 0], estimates)


def test_bins_that_cannot_be_are_refused():
    with pytest.raises(InputError, match="0 bins"):
        bin_numbers([0.5], 0)
    with pytest.raises(InputError, match="equal 'size'"):
        bin_numbers([0.5], 2, equal="size")
