import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from core.errors import InputError
from core.metrics.binomial import clopper_pearson_interval

REFERENCE = Path(__file__).parents[2].parent / "shared/reference/binomial_intervals.json"


def test_none_of_ten_worked_by_hand():
    # The share p at which none of 10 has the chance 0.025: (1 - p)^10 = 0.025.
    low, high = clopper_pearson_interval(0, 10)
    assert (low, high) == (0.0, pytest.approx(1 - 0.025**0.1, abs=1e-12))


def test_exact_intervals_equal_the_reference():
    if not REFERENCE.exists():
        pytest.skip(f"the reference intervals are not at {REFERENCE}")
    cases = json.loads(REFERENCE.read_text())
    assert len(cases) == 12
    for case in cases:
        found = clopper_pearson_interval(case["successes"], case["trials"])
        assert found == pytest.approx(case["clopper_pearson95"], abs=1e-10)


def test_nothing_has_no_interval():
    assert clopper_pearson_interval(0, 0) is None


@settings(deadline=None)
@given(st.integers(1, 5000), st.data())
def test_an_exact_interval_holds_its_share_and_mirrors(n, data):
    successes = data.draw(st.integers(0, n))
    low, high = clopper_pearson_interval(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high
    mirrored = clopper_pearson_interval(n - successes, n)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@settings(deadline=None)
@given(st.integers(1, 2000), st.data())
def test_at_each_end_a_result_so_far_out_has_a_chance_of_one_in_forty(n, data):
    successes = data.draw(st.integers(0, n))
    low, high = clopper_pearson_interval(successes, n)
    if successes:
        assert binom.sf(successes - 1, n, low) == pytest.approx(0.025, abs=1e-9)
    if successes < n:
        assert binom.cdf(successes, n, high) == pytest.approx(0.025, abs=1e-9)


@pytest.mark.parametrize(("successes", "n"), [(-1, 10), (11, 10), (1, 0)])
def test_more_successes_than_there_are_is_refused(successes, n):
    with pytest.raises(InputError, match=f"{successes} of {n} is not a share"):
        clopper_pearson_interval(successes, n)
