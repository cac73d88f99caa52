import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.attribution import (
    accuracy,
    accuracy_bounds,
    attribution_metrics,
    data_uncertainty_f1,
    model_uncertainty_f1,
)
from core.metrics.attribution_counts import AttributionCounts

REFERENCE = Path(__file__).parents[2].parent / "shared/reference/attribution.json"

some_counts = st.builds(AttributionCounts, *[st.integers(0, 500)] * 10)


def values(counts):
    return {(one.name, one.form): one.value for one in attribution_metrics(counts)}


def test_metrics_of_hand_worked_counts():
    # 20 answerable: 10 correct, 4 wrong, 1 DATA, 4 MODEL, 1 unparsable; so M = 10.
    # 5 unanswerable: 1 answered, 3 DATA, 1 MODEL; so N = 5.
    #   ACC 10/20
    #   DU  tp 3/5, fp 1/10, fn 2:  released 2/10: 1.2/(1.2+.1+.2) = 0.8;  balanced 2/5: 1.2/1.7
    #   MU  tp 4/10, fp 1/5, fn 6:  released 6/5:  .8/(.8+.2+1.2) = 4/11;  balanced 6/10: .8/1.6
    counts = AttributionCounts(10, 4, 1, 4, 1, 1, 3, 1, 0)
    assert values(counts) == pytest.approx(
        {
            ("ACC", ""): 0.5,
            ("DU-F1", "released"): 0.8,
            ("DU-F1", "balanced"): 12 / 17,
            ("MU-F1", "released"): 4 / 11,
            ("MU-F1", "balanced"): 0.5,
        }
    )


def test_metrics_equal_the_reference():
    if not REFERENCE.exists():
        pytest.skip(f"the reference counts are not at {REFERENCE}")
    cases = json.loads(REFERENCE.read_text())["cases"]
    assert len(cases) == 12
    for case in cases:
        side, other = case["answerable"], case["unanswerable"]
        outcomes = ("DATA_UNCERTAIN", "MODEL_UNCERTAIN", "unparsable")
        counts = AttributionCounts(
            side["correct"],
            side["wrong"],
            *(side[name] for name in outcomes),
            other["ANSWERED"],
            *(other[name] for name in outcomes),
        )
        expected = {("ACC", ""): case["accuracy"]}
        for form in ("released", "balanced"):
            expected["DU-F1", form] = case[form]["du_f1"]
            expected["MU-F1", form] = case[form]["mu_f1"]
        assert values(counts) == pytest.approx(expected, abs=1e-12)


def test_the_ends_of_an_f1_worked_by_hand():
    # MU, balanced, 0 of 10 found and 0 of 10 strayed: recall 0 in [0, u], fp 0 in [0, u] with
    # u = 0.277533. The ratio x = recall / (1 + fp) has its upper end where 1 + fp is at its value:
    # x = u(2·0 - u), b = 1(2·1 - 1) = 1, so x = sqrt(u²) = u and F1 = 2u / (1 + u) = 0.434482.
    found = model_uncertainty_f1(
        AttributionCounts(wrong=10, unanswerable_answered=10), form="balanced"
    )
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(0.434482, abs=1e-6)


def test_both_forms_are_one_number_when_the_two_sets_are_of_one_size():
    found = values(AttributionCounts(3, 2, 2, 3, 1, 1, 4, 2, 1))  # M = 8 = N
    assert found["DU-F1", "released"] == found["DU-F1", "balanced"]
    assert found["MU-F1", "released"] == found["MU-F1", "balanced"]


def test_without_questions_every_metric_says_why_it_is_not_defined():
    for one in attribution_metrics(AttributionCounts()):
        assert (one.value, one.low, one.high, one.method) == (None, None, None, "")
        assert one.why.startswith("not defined: ")


def test_a_missing_set_is_named():
    none_wrong = AttributionCounts(correct=5, unanswerable_data=5)
    assert data_uncertainty_f1(none_wrong, form="balanced").why == (
        "not defined: every answerable question was answered correctly"
    )
    none_at_fault = AttributionCounts(wrong=5)
    for f1 in (data_uncertainty_f1, model_uncertainty_f1):
        assert f1(none_at_fault, form="released").why == (
            "not defined: there is no unanswerable question"
        )


def test_a_label_that_is_never_given_is_zero_and_not_undefined():
    counts = AttributionCounts(correct=1, wrong=4, unanswerable_answered=4)
    assert data_uncertainty_f1(counts, form="released").value == 0
    assert model_uncertainty_f1(counts, form="balanced").value == 0


def test_answers_without_a_verdict_are_in_no_metric_and_widen_the_bounds():
    judged = AttributionCounts(3, 1, 1, 1, 0, 1, 3, 1, 0)
    waiting = judged + AttributionCounts(unjudged=2)
    assert values(waiting) == values(judged)
    assert accuracy_bounds(judged) == (0.5, 0.5)
    assert accuracy_bounds(waiting) == (3 / 8, 5 / 8)
    assert accuracy_bounds(AttributionCounts(unanswerable_data=2)) is None


def test_the_interval_of_an_accuracy_is_wilsons_even_when_nothing_was_wrong():
    # 10 of 10: low = 10 / (10 + 1.959964²) = 0.722467.
    found = accuracy(AttributionCounts(correct=10))
    assert (found.low, found.high, found.n) == (pytest.approx(0.722467, abs=1e-6), 1.0, 10)


def test_an_unknown_form_is_refused():
    with pytest.raises(InputError, match="there is no form 'macro'"):
        data_uncertainty_f1(AttributionCounts(), form="macro")


@given(some_counts)
def test_values_lie_in_intervals_that_have_a_width_and_stay_in_range(counts):
    for one in attribution_metrics(counts):
        if one.value is not None:
            assert 0 <= one.low <= one.value <= one.high <= 1 + 1e-12
            assert one.low < one.high


@given(some_counts)
def test_the_balanced_form_does_not_change_when_one_set_is_doubled(counts):
    side = AttributionCounts(*[0] * 5, *list(vars(counts).values())[5:9])
    for f1 in (data_uncertainty_f1, model_uncertainty_f1):
        once, twice = f1(counts, form="balanced"), f1(counts + side, form="balanced")
        assert twice.value == pytest.approx(once.value, abs=1e-12)
