import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.intervals import TOO_OFTEN_UNDEFINED, percentile_interval, wilson_interval

REFERENCE = Path(__file__).parents[2].parent / "shared/reference/binomial_intervals.json"


def test_ten_of_ten_worked_by_hand():
    # z = 1.959964, z^2 = 3.841459: low = n / (n + z^2) = 10 / 13.841459 = 0.722467.
    assert wilson_interval(10, 10) == (pytest.approx(0.722467, abs=1e-6), 1.0)


def test_wilson_intervals_equal_the_reference():
    if not REFERENCE.exists():
        pytest.skip(f"the reference intervals are not at {REFERENCE}")
    for case in json.loads(REFERENCE.read_text()):
        found = wilson_interval(case["successes"], case["trials"])
        assert found == pytest.approx(case["wilson95"], abs=1e-9)


def test_no_task_has_no_interval():
    assert wilson_interval(0, 0) is None


@given(st.integers(1, 5000), st.data())
def test_an_interval_holds_its_share_and_has_a_width(n, data):
    successes = data.draw(st.integers(0, n))
    low, high = wilson_interval(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high


@given(st.integers(1, 5000), st.data())
def test_successes_and_failures_mirror_each_other(n, data):
    successes = data.draw(st.integers(0, n))
    low, high = wilson_interval(successes, n)
    assert wilson_interval(n - successes, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_a_higher_level_is_wider():
    narrow, wide = wilson_interval(3, 10, 0.9), wilson_interval(3, 10, 0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize(("successes", "n"), [(-1, 10), (11, 10), (1, 0)])
def test_more_successes_than_tasks_are_refused(successes, n):
    with pytest.raises(InputError, match=f"{successes} of {n} is not a share"):
        wilson_interval(successes, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95])
def test_a_level_outside_zero_to_one_is_refused(level):
    with pytest.raises(InputError, match=f"cannot have the level {level}"):
        wilson_interval(1, 2, level)


def test_a_quantity_too_often_undefined_has_no_interval():
    replicates = np.arange(100.0)
    replicates[:5] = np.nan
    assert percentile_interval(replicates) is not None
    replicates[5] = np.nan
    assert percentile_interval(replicates) is None
    assert percentile_interval(np.array([])) is None
    assert "5 %" in TOO_OFTEN_UNDEFINED


def test_a_percentile_interval_is_widened_to_hold_the_value():
    assert percentile_interval(np.arange(101), level=0.5, value=90) == (25, 90)
    assert percentile_interval(np.arange(101), level=0.5, value=3) == (3, 75)
