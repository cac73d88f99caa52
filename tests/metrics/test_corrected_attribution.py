import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.attribution import attribution_metrics
from core.metrics.attribution_counts import AttributionCounts
from core.metrics.corrected_attribution import corrected_attribution
from tests.bench.bench_audit import REGIMES, coverage

from .audits import audited

# Answerable: 60 judged correct and 20 wrong, 4 DATA, 12 MODEL, 4 unparsable. Others: 50.
COUNTS = AttributionCounts(60, 20, 4, 12, 4, 15, 25, 10, 0)
PAIRS = audited(18, 2, 5, 15)

some_counts = st.builds(AttributionCounts, *[st.integers(1, 200)] * 10)


def values(found, which):
    return [getattr(one, which).value for one in found]


def test_the_corrected_number_of_right_answers_moves_every_metric():
    # 60·0.9 + 20·0.25 = 59 right, so M = 41 and N = 50.
    #   DU  tp .5, fp 4/41, fn 25: /41 released, 1/(1 + 29/41); /50 balanced, 1/(1.5 + 4/41)
    #   MU  tp 12/41, fp .2, fn 29: /50 released, (24/41)/(24/41 + .78); /41 balanced, 24/61.2
    found = corrected_attribution(COUNTS, PAIRS)
    expected = [0.59, 41 / 70, 1 / (1.5 + 4 / 41), 24 / (24 + 0.78 * 41), 24 / 61.2]
    assert values(found, "corrected") == pytest.approx(expected)
    assert [one.judged for one in found] == attribution_metrics(COUNTS)
    assert {one.corrected.n_audited for one in found} == {40}


def test_rogan_gladen_inverts_sensitivity_and_specificity_instead():
    # Sensitivity 18/23, specificity 15/17, rate 60/80: (0.75 - 2/17)/(18/23 - 2/17) = 0.950961 of
    # 80 answers are right, 76.0769; of 100 questions 0.760769.
    found = corrected_attribution(COUNTS, PAIRS)[0].rogan_gladen
    assert found.value == pytest.approx(0.760769, abs=1e-6)
    assert not found.clipped


def test_900_yes_and_100_no_audited_by_halves():
    # 0.9·45/50 + 0.1·15/50 = 0.84 of 1,000 answers; Rogan and Gladen without weights say 1.24.
    counts = AttributionCounts(correct=900, wrong=100, unanswerable_data=10)
    acc, *f1s = corrected_attribution(counts, audited(45, 5, 15, 35))
    assert (acc.judged.value, acc.corrected.value) == (0.9, pytest.approx(0.84))
    assert (acc.rogan_gladen.value, acc.rogan_gladen.clipped) == (1.0, True)
    assert {one.rogan_gladen.why for one in f1s} == {
        "not defined: by the corrected rate every answerable question was answered correctly"
    }
    weighted = corrected_attribution(counts, audited(45, 5, 15, 35, weights=(18, 2)))[0]
    assert weighted.rogan_gladen.value == pytest.approx(0.84)
    # 0.9·Beta(45.5, 5.5) + 0.1·Beta(15.5, 35.5): mean 0.833, spread 0.9·0.0430 and 0.1·0.0638,
    # 0.0392, and sqrt(0.09·0.346/1000) = 0.0056 for the questions: 0.0396, longer below.
    for one in (acc.corrected, weighted.corrected, weighted.rogan_gladen):
        assert (one.low, one.high) == pytest.approx((0.833 - 0.085, 0.833 + 0.072), abs=0.012)


@given(some_counts)
def test_an_audit_that_confirms_every_verdict_changes_no_value(counts):
    n_yes, n_no = min(counts.correct, 30), min(counts.wrong, 30)
    found = corrected_attribution(counts, audited(n_yes, 0, 0, n_no), draws=200)
    for which in ("corrected", "rogan_gladen"):
        assert values(found, which) == pytest.approx(values(found, "judged"))


@given(some_counts, *[st.integers(0, 30)] * 4, st.floats(0.5, 20))
def test_values_lie_in_intervals_that_have_a_width_or_say_why_not(counts, a, b, c, d, weight):
    a, c = min(a, counts.correct), min(c, counts.wrong)
    b, d = min(b, counts.correct - a), min(d, counts.wrong - c)
    pairs = audited(a, b, c, d, weights=(weight, 1.0))
    for one in corrected_attribution(counts, pairs, draws=200):
        for found in (one.corrected, one.rogan_gladen):
            if found.value is None:
                assert found.why.startswith("not defined: ")
            elif found.low is None:
                assert found.why
            else:
                assert 0 <= found.low <= found.value <= found.high <= 1
                assert found.low < found.high


def test_an_answer_without_a_verdict_enters_nothing():
    more = AttributionCounts(*(60, 20, 4, 12, 4, 15, 25, 10, 0), unjudged=70)
    assert corrected_attribution(more, PAIRS) == corrected_attribution(COUNTS, PAIRS)


def test_what_has_no_corrected_rate_says_why():
    one_class = corrected_attribution(COUNTS, audited(18, 0, 5, 0))[0]
    assert one_class.corrected.why == "not defined: the auditor said no to no task"
    assert one_class.judged.value == 0.6
    by_chance = corrected_attribution(COUNTS, audited(5, 5, 5, 5))
    assert all("no better than chance" in one.corrected.why for one in by_chance)
    unjudged = AttributionCounts(answerable_model=5, unanswerable_data=5)
    assert corrected_attribution(unjudged, [])[0].corrected.why == (
        "not defined: no answer has a verdict"
    )
    answerable = AttributionCounts(correct=6, wrong=6)
    acc, *f1s = corrected_attribution(answerable, audited(5, 1, 1, 5))
    assert acc.corrected.value == 0.5
    assert {one.corrected.why for one in f1s} == {"not defined: there is no unanswerable question"}


def test_more_audits_than_answers_are_refused():
    with pytest.raises(InputError, match="61 verdicts of yes were audited, and the judge gave 60"):
        corrected_attribution(COUNTS, audited(61))


def test_the_seed_decides_the_draws():
    first, again = (corrected_attribution(COUNTS, PAIRS, seed=4) for _ in range(2))
    assert first == again
    other = corrected_attribution(COUNTS, PAIRS, seed=5)
    assert other[0].corrected.low != first[0].corrected.low


@pytest.mark.parametrize("regime", ["lenient judge", "strict judge", "drawn evenly"])
def test_corrected_intervals_hold_the_truth_as_often_as_they_say_and_raw_ones_do_not(regime):
    found = coverage(REGIMES[regime], studies=1_000, seed=0).set_index("metric")
    calibrated = found.drop(index="rate, these")
    assert calibrated["corrected"].between(0.93, 0.97).all()
    # The rate of the study's own answers: safe, for audits are taken as drawn with replacement.
    assert found.loc["rate, these", "corrected"] >= 0.95
    assert (found.loc[["rate", "ACC", "MU-F1 released"], "raw"] < 0.6).all()
