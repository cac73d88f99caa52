import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from core.metrics.brier import brier_score

pairs = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 100).map(lambda value: value / 100)),
    min_size=1,
    max_size=40,
)


def unzip(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


def test_a_brier_score_and_its_parts_worked_by_hand():
    # Two bins: {0.2, 0.2} with rate 0 and {0.6, 0.8} with rate 0.5, 0.25 in all.
    # Score (0.04 + 0.04 + 0.16 + 0.64) / 4 = 0.22. Reliability (2·0.04 + 2·0.04) / 4 = 0.04,
    # resolution (2·0.0625 + 2·0.0625) / 4 = 0.0625, uncertainty 0.1875. Within the second bin:
    # 0.6 succeeds and 0.8 fails, squares 0.01 + 0.01, products 2(-0.05 - 0.05): (0.02 + 0.2) / 4.
    found = brier_score([0, 0, 1, 0], [0.2, 0.2, 0.6, 0.8], bins=2)
    assert found.value == pytest.approx(0.22)
    assert found.reliability == pytest.approx(0.04)
    assert found.resolution == pytest.approx(0.0625)
    assert found.uncertainty == pytest.approx(0.1875)
    assert found.within_bins == pytest.approx(0.055)
    assert found.skill == pytest.approx(1 - 0.22 / 0.1875)
    assert (found.n, found.n_bins) == (4, 2)


@settings(deadline=None)
@given(pairs, st.integers(1, 12), st.sampled_from(["width", "count"]))
def test_the_parts_add_up_to_the_score_whatever_the_bins(rows, bins, equal):
    found = brier_score(*unzip(rows), bins=bins, equal=equal)
    parts = found.reliability - found.resolution + found.uncertainty + found.within_bins
    assert parts == pytest.approx(found.value, abs=1e-12)
    assert min(found.reliability, found.resolution) >= 0
    assert found.resolution <= found.uncertainty + 1e-12


@settings(deadline=None)
@given(pairs)
def test_a_bin_for_each_estimate_hides_nothing(rows):
    found = brier_score(*unzip(rows), bins=None)
    parts = found.reliability - found.resolution + found.uncertainty
    assert parts == pytest.approx(found.value, abs=1e-12)
    assert found.within_bins == 0


@settings(deadline=None)
@given(pairs)
def test_the_score_is_scikit_learns_inside_an_interval_with_a_width(rows):
    outcomes, estimates = unzip(rows)
    found = brier_score(outcomes, estimates)
    assert found.value == pytest.approx(brier_score_loss(outcomes, estimates, labels=[0, 1]))
    if set(estimates) == {0.5}:
        assert (found.low, found.high) == (None, None)
        return
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


@pytest.mark.parametrize("outcomes", [[1], [0, 1, 1], [1] * 30])
def test_half_for_every_task_has_one_score_and_no_interval_of_width_zero(outcomes):
    found = brier_score(outcomes, [0.5] * len(outcomes))
    assert (found.value, found.low, found.high, found.method) == (0.25, None, None, "")
    assert found.why.startswith("no interval: where every estimate is 50 %")


@settings(deadline=None)
@given(pairs)
def test_failures_mirror_successes(rows):
    outcomes, estimates = (np.array(one) for one in unzip(rows))
    found, turned = brier_score(outcomes, estimates), brier_score(1 - outcomes, 1 - estimates)
    assert (turned.value, turned.low, turned.high) == pytest.approx(
        (found.value, found.low, found.high)
    )


def test_a_perfect_subject_scores_0_with_an_interval_above_it():
    found = brier_score([1, 0, 1, 0], [1, 0, 1, 0])
    assert (found.value, found.low, found.skill) == (0, 0, 1)
    assert 0.2 < found.high < 0.5


def test_one_outcome_has_no_skill_and_nothing_is_not_defined():
    assert brier_score([1, 1], [0.5, 0.5]).skill is None
    assert brier_score([1, 1], [0.5, 0.5]).value == 0.25
    found = brier_score([], [])
    assert (found.value, found.reliability, found.n) == (None, None, 0)
    assert "no task" in found.why
