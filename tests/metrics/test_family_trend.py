from math import atanh, sqrt, tanh

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from core.errors import InputError
from core.metrics.family_trend import line_trend, rank_trend


def test_a_perfect_order_of_four_models_has_two_of_24_orders_as_p():
    found = rank_trend([1, 7, 13, 70], [0.1, 0.2, 0.25, 0.9])
    assert (found.value, found.p) == (1.0, pytest.approx(2 / 24))
    assert (found.low, found.high) == (None, None)
    assert found.why == "no interval: fewer than 5 models"
    assert found.caution.startswith("only 4 models")


def test_a_rank_trend_worked_by_hand():
    # Two neighbours changed places among five: 1 - 6·2 / (5·24) = 0.9. The error is
    # √((1 + 0.81/2) / 2) = 0.838153. Of 120 orders one is perfect, 4 have one swap; twice 5.
    found = rank_trend([1, 2, 3, 4, 5], [0.1, 0.2, 0.4, 0.3, 0.5])
    assert (found.value, found.p) == (pytest.approx(0.9), pytest.approx(10 / 120))
    error = 1.959964 * sqrt(1.405 / 2)
    assert found.low == pytest.approx(tanh(atanh(0.9) - error), abs=1e-6)
    assert found.high == pytest.approx(tanh(atanh(0.9) + error), abs=1e-6)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=12))
def test_a_rank_trend_is_spearmans_and_mirrors(rows):
    x, y = (np.array(one, dtype=float) for one in zip(*rows, strict=True))
    found, turned = rank_trend(x, y), rank_trend(x, -y)
    if found.value is None:
        assert "are the same" in found.why
        return
    assert found.value == pytest.approx(spearmanr(x, y).statistic)
    assert turned.value == pytest.approx(-found.value)
    assert turned.p == pytest.approx(found.p)
    assert 0 < found.p <= 1
    if found.low is not None:
        assert -1 <= found.low < found.value < found.high <= 1
        assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


def test_a_line_worked_by_hand():
    # Through (0, 0.1), (1, 0.4), (2, 0.3): slope 0.1, rests -1/15, 2/15, -1/15, squares 6/225;
    # error √(6/225 / 1 / 2) = 0.11547, times t of 1 degree, 12.7062.
    found = line_trend([0, 1, 2], [0.1, 0.4, 0.3])
    error = sqrt(6 / 225 / 1 / 2)
    assert found.value == pytest.approx(0.1)
    assert (found.low, found.high) == pytest.approx(
        (0.1 - 12.7062047 * error, 0.1 + 12.7062047 * error), abs=1e-6
    )


def test_points_on_one_line_have_no_interval():
    found = line_trend([0, 1, 2], [0.25, 0.5, 0.75])
    assert (found.value, found.low) == (0.25, None)
    assert found.why == "no interval: all models lie on the line"


@pytest.mark.parametrize("trend", [rank_trend, line_trend])
def test_too_few_models_or_all_at_one_place_are_not_defined(trend):
    assert trend([1, 2], [0.1, 0.2]).why == "not defined: a trend needs 3 models"
    assert trend([1, 1, 1], [0.1, 0.2, 0.3]).why == "not defined: all places are the same"
    with pytest.raises(InputError, match="3 places and 2 values"):
        trend([1, 2, 3], [0.1, 0.2])


def test_many_models_carry_no_caution():
    found = rank_trend(range(12), [*range(11), 0])
    assert (found.caution, found.test) == ("", "Student's t test")
