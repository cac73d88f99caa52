import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar

from core.errors import InputError
from core.metrics.intervals import wilson_interval
from core.metrics.share_differences import independent_difference, paired_difference

Z = 1.959963984540054


def test_a_paired_difference_counts_the_tasks_that_differ():
    found = paired_difference(only_a=2, only_b=6, n=20)
    assert found.difference == pytest.approx(0.2)
    # 8 coins: P(X ≤ 2) = (1 + 8 + 28) / 256 and P(X ≤ 1) = 9 / 256.
    assert found.p == pytest.approx((37 + 9) / 256)
    assert found.test == "McNemar's test (mid-p), Tango's interval"


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_mid_p_value_is_the_exact_one_less_half_of_what_was_observed_at_either_end(a, b):
    exact = mcnemar([[0, a], [b, 0]], exact=True).pvalue
    observed = binom.pmf(a, a + b, 0.5)
    expected = exact - observed if a != b else 1
    assert paired_difference(a, b, 100).p == pytest.approx(expected, abs=1e-12)


def tango_by_search(only_a, only_b, n):
    """Ends where the score statistic is ± z, its spread from a likelihood that is searched."""

    def statistic(delta):
        def unlikely(share):
            chances = (share + delta, share, 1 - 2 * share - delta)
            counts = (only_b, only_a, n - only_a - only_b)
            return -sum(k * np.log(p) for k, p in zip(counts, chances, strict=True) if k)

        bounds = (max(0, -delta) + 1e-13, (1 - delta) / 2 - 1e-13)
        found = minimize_scalar(unlikely, bounds=bounds, method="bounded", options={"xatol": 1e-12})
        return (only_b - only_a - n * delta) / np.sqrt(n * (2 * found.x + delta * (1 - delta)))

    difference = (only_b - only_a) / n
    return (
        brentq(lambda delta: statistic(delta) - Z, -1 + 1e-6, difference - 1e-9),
        brentq(lambda delta: statistic(delta) + Z, difference + 1e-9, 1 - 1e-6),
    )


@pytest.mark.parametrize(
    ("only_a", "only_b", "n"),
    [(1, 6, 50), (0, 0, 20), (0, 0, 800), (3, 0, 20), (16, 53, 111), (200, 100, 400), (7, 3, 10)],
)
def test_the_paired_interval_is_that_of_the_score_statistic_with_its_likelihood_searched(
    only_a, only_b, n
):
    found = paired_difference(only_a, only_b, n)
    assert (found.low, found.high) == pytest.approx(tango_by_search(only_a, only_b, n), abs=2e-5)


def test_without_a_task_that_differs_the_interval_still_has_a_width():
    # The score statistic at d is then n·d / √(n·d·(1 - d)), and z at d = z² / (n + z²).
    found = paired_difference(0, 0, 800)
    end = Z**2 / (800 + Z**2)
    assert found[:4] == (0, pytest.approx(-end), pytest.approx(end), 1)


def test_an_independent_difference_joins_the_two_wilson_intervals():
    found = independent_difference(10, 40, 24, 60)
    (low_a, high_a), (low_b, high_b) = wilson_interval(10, 40), wilson_interval(24, 60)
    assert found.difference == pytest.approx(0.15)
    assert found.low == pytest.approx(0.15 - np.hypot(0.4 - low_b, high_a - 0.25))
    assert found.high == pytest.approx(0.15 + np.hypot(high_b - 0.4, 0.25 - low_a))
    # Pooled 34 of 100: z² = 0.15² / (0.34 · 0.66 · (1/40 + 1/60)) · 99/100.
    z2 = 0.15**2 / (0.34 * 0.66 * (1 / 40 + 1 / 60)) * 0.99
    from scipy.stats import chi2

    assert found.p == pytest.approx(chi2.sf(z2, 1))


@pytest.mark.parametrize("successes", [(0, 0), (30, 20)])
def test_two_shares_of_none_or_all_do_not_differ_and_have_a_width(successes):
    found = independent_difference(successes[0], 30, successes[1], 20)
    assert (found.difference, found.p) == (0, 1)
    assert found.low < -0.05 < 0.05 < found.high


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_changing_the_two_for_one_another_changes_signs_only(one, other, rest):
    n = one + other + rest + 1
    for found, turned in (
        (paired_difference(one, other, n), paired_difference(other, one, n)),
        (independent_difference(one, n, other, 31), independent_difference(other, 31, one, n)),
    ):
        assert turned.difference == pytest.approx(-found.difference, abs=1e-12)
        assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-9)
        assert turned.p == pytest.approx(found.p)
        assert -1 <= found.low < found.high <= 1
        assert found.low - 1e-9 <= found.difference <= found.high + 1e-9
        assert 0 < found.p <= 1


def test_numbers_that_cannot_be_are_refused():
    with pytest.raises(InputError, match="6 and 5 of 10 tasks cannot be those that differ"):
        paired_difference(6, 5, 10)
    with pytest.raises(InputError, match="0 and 0 of 0 tasks"):
        paired_difference(0, 0, 0)
    with pytest.raises(InputError, match="5 of 4 is not a share"):
        independent_difference(1, 4, 5, 4)
