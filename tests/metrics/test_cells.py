import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.cells import (
    METRIC_NAMES,
    Cells,
    boundary_metrics,
    confidence_balance,
    harmonic_mean,
    shares,
    why_not_defined,
)

some_cells = st.builds(Cells, *[st.integers(0, 1000)] * 5)


def test_metrics_of_hand_worked_cells():
    # 20 tasks: 10 thought feasible (8 held, 2 declined), 10 thought infeasible (1 done, 6 declined
    # for the same reason, 3 for another).
    #   accuracy  (8 + 6) / 20 = 0.7      foresight 6 / 10 = 0.6     insight 6 / (2 + 6 + 3) = 6/11
    #   harmonic  2 * .6 * 6/11 / (.6 + 6/11) = 12/21                over 2 / 10    cons 1 / 10
    #   balance   (0.2 - 0.1) / 0.2 = 0.5
    assert boundary_metrics(Cells(ff=8, fr=2, rf=1, rr=6, rr_other=3)) == pytest.approx(
        {
            "accuracy": 0.7,
            "foresight": 0.6,
            "insight": 6 / 11,
            "harmonic_mean": 12 / 21,
            "overconfidence": 0.2,
            "conservatism": 0.1,
            "confidence_balance": 0.5,
        }
    )


def test_without_tasks_nothing_is_defined_and_every_metric_says_why():
    assert set(boundary_metrics(Cells()).values()) == {None}
    assert all(why_not_defined(name, Cells()) for name in METRIC_NAMES)


def test_balance_is_zero_when_neither_side_was_ever_crossed():
    # over = 0/4, cons = 0/4: the formula is 0/0, and the boundary holds on both sides.
    assert confidence_balance(Cells(ff=4, rr=4)) == 0.0


def test_balance_is_not_defined_while_one_side_has_no_task():
    assert confidence_balance(Cells(ff=4)) is None
    assert why_not_defined("confidence_balance", Cells(ff=4)) == (
        "not defined: no task generated as infeasible has been classified"
    )


def test_harmonic_mean_of_two_zeros_is_zero():
    assert harmonic_mean(Cells(rf=3, rr_other=2)) == 0.0


def test_harmonic_mean_names_the_part_that_is_missing():
    assert harmonic_mean(Cells(ff=4, rf=4)) is None
    assert why_not_defined("harmonic_mean", Cells(ff=4, rf=4)) == (
        "not defined: no task was classified as infeasible"
    )


def test_a_defined_metric_has_nothing_to_explain():
    assert why_not_defined("accuracy", Cells(ff=1)) is None


def test_an_unknown_metric_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="there is no metric 'recall'") as caught:
        why_not_defined("recall", Cells())
    assert "foresight" in caught.value.hint


@given(some_cells)
def test_values_stay_in_their_range_and_are_missing_only_with_a_reason(found):
    for name, value in boundary_metrics(found).items():
        if value is None:
            assert why_not_defined(name, found).startswith("not defined: ")
        else:
            low = -1 if name == "confidence_balance" else 0
            assert low <= value <= 1


@given(some_cells, some_cells)
def test_adding_cells_adds_every_count(one, other):
    both = one + other
    assert both == other + one
    assert both.total == one.total + other.total
    for name, (part, whole) in shares(both).items():
        assert part == shares(one)[name][0] + shares(other)[name][0]
        assert whole == shares(one)[name][1] + shares(other)[name][1]


@given(some_cells)
def test_the_two_sides_make_up_the_total(found):
    assert found.made_feasible + found.made_infeasible == found.total
