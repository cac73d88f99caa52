import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.auroc import DELONG, auroc, auroc_difference, newcombe_interval
from core.metrics.intervals import wilson_interval

REFERENCE = Path(__file__).parents[2].parent / "shared/reference/delong.json"

tasks = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30
)


@pytest.fixture(scope="module")
def reference():
    if not REFERENCE.exists():
        pytest.skip(f"the reference values are not at {REFERENCE}")
    return json.loads(REFERENCE.read_text())


def test_auroc_and_its_variance_worked_by_hand():
    # Successes 4 and 2, failures 3, 2, 1. Below 4 are 3 failures, below 2 one and a half:
    # (3 + 1.5) / 6 = 0.75. Shares of failures below: 1, 0.5, variance 0.125; of successes above:
    # 0.5, 0.75, 1, variance 0.0625. 0.125 / 2 + 0.0625 / 3 = 0.083333, error 0.288675.
    found = auroc([1, 0, 1, 0, 0], [4, 3, 2, 2, 1])
    assert found.value == 0.75
    assert found.variance == pytest.approx(1 / 12)
    assert (found.low, found.high) == (pytest.approx(0.75 - 1.959964 * sqrt(1 / 12), abs=1e-6), 1.0)
    assert (found.n, found.n_successes, found.method, found.why) == (5, 2, DELONG, "")


def test_auroc_equals_the_reference(reference):
    assert len(reference["single"]) == 24
    for case in reference["single"]:
        found = auroc(case["outcome"], case["score"])
        assert found.value == pytest.approx(case["auroc"], abs=1e-10)
        assert found.variance == pytest.approx(case["variance"], abs=1e-10)
        assert (found.low, found.high) == pytest.approx(tuple(case["ci95"]), abs=1e-10)


def test_paired_differences_equal_the_reference(reference):
    assert len(reference["paired"]) == 6
    for case in reference["paired"]:
        found = auroc_difference(case["outcome"], case["first"], case["second"])
        assert found.value == pytest.approx(case["difference"], abs=1e-10)
        assert found.standard_error == pytest.approx(case["standard_error"], abs=1e-10)
        assert (found.low, found.high) == pytest.approx(tuple(case["ci95"]), abs=1e-10)


def test_a_paired_p_value_is_that_of_the_normal_distribution():
    # Of a: 0.625, of b: 1. Counts apart 0 and 1.5, and 1 and 0.5: variances 1.125 / 2 / 4 and
    # 0.125 / 2 / 4, in all 0.15625; z = 0.375 / 0.395285 = 0.948683, p = 0.3428.
    found = auroc_difference([1, 1, 0, 0], [4, 1, 2, 1], [4, 3, 2, 1])
    assert (found.value, found.standard_error) == (0.375, pytest.approx(sqrt(0.15625)))
    assert found.p == pytest.approx(0.342782, abs=1e-6)


@settings(deadline=None)
@given(tasks)
def test_auroc_is_the_share_of_pairs_in_order(rows):
    outcomes, scores = [row[0] for row in rows], [row[1] for row in rows]
    pairs = [
        (a > b) + (a == b) / 2
        for a, won in zip(scores, outcomes, strict=True)
        for b, lost in zip(scores, outcomes, strict=True)
        if won and not lost
    ]
    found = auroc(outcomes, scores)
    if not pairs:
        assert (found.value, found.low, found.high) == (None, None, None)
        assert found.why in (
            "not defined: every task succeeded",
            "not defined: every task failed",
        )
        return
    assert found.value == pytest.approx(np.mean(pairs))
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


@settings(deadline=None)
@given(tasks)
def test_auroc_mirrors_when_scores_are_turned_and_when_outcomes_are(rows):
    outcomes, scores = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = auroc(outcomes, scores)
    for turned in (auroc(outcomes, -scores), auroc(1 - outcomes, scores)):
        if found.value is None:
            assert turned.value is None
            continue
        assert turned.value == pytest.approx(1 - found.value)
        assert (turned.low, turned.high) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-9)


@settings(deadline=None)
@given(tasks)
def test_only_the_order_of_scores_matters(rows):
    outcomes, scores = [row[0] for row in rows], np.array([float(row[1]) for row in rows])
    assert auroc(outcomes, scores) == auroc(outcomes, np.exp(scores) - 7)


@settings(deadline=None)
@given(tasks)
def test_a_paired_difference_is_that_of_the_two_and_turns_its_sign(rows):
    outcomes, a, b = ([row[at] for row in rows] for at in range(3))
    there, back = auroc_difference(outcomes, a, b), auroc_difference(outcomes, b, a)
    if there.value is None:
        assert auroc(outcomes, a).value is None
        return
    assert there.value == pytest.approx(auroc(outcomes, b).value - auroc(outcomes, a).value)
    assert back.value == pytest.approx(-there.value)
    assert back.p == (None if there.p is None else pytest.approx(there.p))
    if there.low is not None:
        assert -1 <= there.low <= there.value <= there.high <= 1
        assert there.low < there.high
        assert 0 <= there.p <= 1
    else:
        assert there.why.startswith("no interval")


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_perfect_ranking_has_an_interval_with_a_width(value):
    scores = [1, 2, 3, 4, 5, 6]
    found = auroc([0, 0, 0, 1, 1, 1], scores if value else scores[::-1])
    assert found.value == value
    assert found.variance == 0
    assert 0.4 < found.high - found.low < 0.6
    assert found.method == "Newcombe's interval, as DeLong's variance is zero"


def test_scores_that_are_all_tied_are_chance_with_an_interval_around_it():
    found = auroc([1, 0] * 10, [0.7] * 20)
    assert found.value == 0.5
    # θ = 0.5 is 1.96 errors of θ' away: error² at 0.5 is 0.25(1 + 9·2/3)/100, so ±0.2593 and less.
    assert 0.25 < found.low < 0.3
    assert found.low + found.high == pytest.approx(1)


def test_a_lone_success_has_an_auroc_and_says_why_the_interval_is_another():
    found = auroc([1, 0, 0, 0], [3, 1, 2, 4])
    assert found.value == pytest.approx(2 / 3)
    assert found.variance is None
    assert "two successes and two failures" in found.method
    assert 0 < found.low < 0.3 < 0.9 < found.high < 1


def test_few_failures_or_an_end_at_1_are_told_with_newcombes_ends():
    few = auroc([1] * 30 + [0] * 5, [*range(20, 50), 10, 22, 25, 30, 46])
    low, high = newcombe_interval(few.value, 30, 5)
    assert few.method == DELONG
    assert "there are only 5 failures" in few.caution
    assert few.caution.endswith(f"Newcombe's is {low:.3f} to {high:.3f}")
    near = auroc([1] * 12 + [0] * 12, [*range(11, 23), *range(10), 11, 12])
    assert (near.high, "end of the scale" in near.caution) == (1.0, True)
    even = auroc([1] * 12 + [0] * 12, [*range(12), *range(12)])
    assert (even.value, even.caution) == (0.5, "")


def test_newcombes_interval_of_one_pair_is_wilsons_of_one_task():
    assert newcombe_interval(1.0, 1, 1) == pytest.approx(wilson_interval(1, 1), abs=1e-9)
    assert newcombe_interval(0.5, 1, 1) == pytest.approx(wilson_interval(0.5, 1), abs=1e-9)


def test_newcombes_ends_are_196_of_their_own_errors_away():
    for end in newcombe_interval(0.8, 12, 30):
        k = 20
        shape = 1 + k * (1 - end) / (2 - end) + k * end / (1 + end)
        error = sqrt(end * (1 - end) * shape / 360)
        assert abs(end - 0.8) / error == pytest.approx(1.959964, abs=1e-5)


def test_two_scores_that_rank_alike_do_not_differ_and_have_no_interval():
    found = auroc_difference([1, 0, 1, 0], [1, 2, 3, 4], [10, 20, 30, 40])
    assert (found.value, found.p, found.low) == (0, 1.0, None)
    assert found.why.startswith("no interval: nothing in these tasks")


def test_a_difference_of_a_lone_success_has_no_interval():
    found = auroc_difference([1, 0, 0], [1, 2, 3], [3, 2, 1])
    assert (found.value, found.low, found.p) == (1, None, None)
    assert "two successes" in found.why


def test_no_task_is_not_defined():
    assert "no task" in auroc([], []).why
    assert "no task" in auroc_difference([], [], []).why


@pytest.mark.parametrize(
    ("outcomes", "scores", "message"),
    [
        ([1, 0], [0.5], "2 outcomes and 1 scores"),
        ([1, 2], [0.5, 0.6], "1 of 2 outcomes are neither 0 nor 1, such as 2"),
        ([1, 0], [0.5, float("nan")], "1 of 2 scores are missing or infinite"),
        ([1, float("nan")], [0.5, 0.5], "1 of 2 outcomes are neither 0 nor 1, such as nan"),
    ],
)
def test_what_cannot_be_ranked_is_refused(outcomes, scores, message):
    with pytest.raises(InputError, match=message):
        auroc(outcomes, scores)
