import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.audit_shares import AuditedPair
from core.metrics.corrected_rate import (
    corrected_rate,
    ppi_rate,
    rate_by_truth,
    stratified_ppi_rate,
)
from core.metrics.intervals import wilson_interval
from core.metrics.rogan_gladen import rogan_gladen_rate
from core.metrics.true_rates import Judged, audited_rate

from .audits import audited, shown

JUDGED = Judged(n_yes=900, n_no=100)
few = st.integers(0, 40)


def test_a_stratified_audit_gives_the_true_rate_whatever_its_weights():
    # 0.9·45/50 + 0.1·15/50 = 0.84; variance 0.81·0.09/50 + 0.01·0.21/50 = 0.0015, ±0.0759.
    for weights in ((1, 1), (18, 2)):
        found = corrected_rate(JUDGED, audited(45, 5, 15, 35, weights=weights))
        assert shown(found) == (0.84, 0.764, 0.916)
        assert (found.clipped, found.why, found.n) == (False, "", 100)


def test_plain_inference_adds_what_the_audit_says_the_judge_is_off_by():
    # 0.6 + (12 - 8)/100 = 0.64; variance 0.24/1000 + (0.2 - 0.04²)/100 = 0.002224: ±0.09243.
    found = ppi_rate(Judged(600, 400), audited(48, 8, 12, 32))
    assert shown(found, 4) == (0.64, 0.5476, 0.7324)


def test_no_error_in_the_audit_is_no_certainty():
    # 25 of 25 and 0 of 25 by the truth: 0.9·0.867 = 0.780 at least for the first, with
    # Wilson's 25/(25 + 3.8415) = 0.8668; so low = 0.9 - 0.9·(1 - 0.8668) = 0.7801.
    found = corrected_rate(JUDGED, audited(25, 0, 0, 25))
    assert found.value == 0.9
    assert found.low == pytest.approx(0.7801, abs=1e-4)
    assert found.high == pytest.approx(0.9 + 0.1 * 0.1332, abs=1e-4)
    assert "Wilson" in found.method
    for rate in (rogan_gladen_rate, ppi_rate):
        other = rate(JUDGED, audited(25, 0, 0, 25))
        assert other.low < 0.89 < 0.9 < other.high


@pytest.mark.parametrize("rate", [corrected_rate, rogan_gladen_rate])
def test_a_judge_no_better_than_chance_corrects_nothing(rate):
    for pairs in (audited(10, 10, 10, 10), audited(10, 20, 20, 10)):
        found = rate(JUDGED, pairs)
        assert (found.value, found.low, found.high) == (None, None, None)
        assert found.why.startswith("not defined: the judge is no better than chance")
    assert audited_rate(audited(10, 10, 10, 10)).value == 0.5


@pytest.mark.parametrize("rate", [corrected_rate, rogan_gladen_rate])
def test_a_class_that_the_audit_never_met_is_named(rate):
    assert rate(JUDGED, audited(10, 0, 10, 0)).why == (
        "not defined: the auditor said no to no task"
    )
    assert rate(JUDGED, audited(0, 10, 0, 10)).why == (
        "not defined: the auditor said yes to no task"
    )
    assert rate(JUDGED, []).why == "not defined: no verdict was audited with a yes or a no"
    only_unsure = [AuditedPair("yes", "unsure")]
    assert rate(JUDGED, only_unsure) == rate(JUDGED, [])


def test_a_verdict_that_was_never_audited_leaves_the_rate_undefined():
    for rate in (corrected_rate, stratified_ppi_rate):
        assert rate(JUDGED, audited(10, 5)).why == (
            "not defined: none of the 100 verdicts of no was audited with a yes or a no"
        )


def test_a_judge_that_never_says_no_corrects_nothing_but_the_strata_still_hold():
    judged, pairs = Judged(50, 0), audited(9, 1)
    assert corrected_rate(judged, pairs).why == (
        "not defined: the judge is no better than chance: it said yes to every task"
    )
    found = stratified_ppi_rate(judged, pairs)
    assert (found.value, found.low, found.high) == pytest.approx((0.9, *wilson_interval(9, 10)))


def test_unsure_votes_count_for_nothing():
    pairs = audited(45, 5, 15, 35)
    unsure = [AuditedPair("yes", "unsure"), AuditedPair("no", "unsure", 7)]
    assert rate_by_truth(JUDGED, pairs + unsure) == rate_by_truth(JUDGED, pairs)


def test_the_rate_of_new_tasks_is_less_certain_than_that_of_these():
    # 0.9·0.1·(0.9 - 0.3)²/1000 = 0.0000324 more variance: 1.96·sqrt(0.0015324) = 0.0767.
    pairs = audited(45, 5, 15, 35)
    found = stratified_ppi_rate(JUDGED, pairs, of_new_tasks=True)
    assert shown(found) == (0.84, 0.763, 0.917)


def test_weights_that_differ_within_a_verdict_count():
    # Of the yes 3 of weight 1 are confirmed and 1 of weight 5 is not: 3/8. Of the no, 0 of 2.
    pairs = [AuditedPair("yes", "yes", 1)] * 3 + [AuditedPair("yes", "no", 5)]
    pairs += [AuditedPair("no", "no", 1)] * 2
    assert corrected_rate(Judged(8, 2), pairs).value == pytest.approx(0.8 * 3 / 8)


def test_no_verdict_has_no_rate():
    found = rate_by_truth(Judged(0, 0), [])
    assert found.raw.why == "not defined: there is no verdict"
    assert found.corrected.value is found.rogan_gladen.value is found.audited.value is None
    assert ppi_rate(Judged(0, 0), []).value is None


def test_more_audits_than_verdicts_are_refused():
    for rate in (corrected_rate, ppi_rate, rogan_gladen_rate, stratified_ppi_rate):
        with pytest.raises(
            InputError, match="3 verdicts of yes were audited, and the judge gave 2"
        ):
            rate(Judged(2, 9), audited(3))


@given(few, few, few, few, st.integers(0, 500), st.integers(0, 500))
def test_rates_stay_in_range_with_a_width_or_a_reason(a, b, c, d, more_yes, more_no):
    judged, pairs = Judged(a + b + more_yes, c + d + more_no), audited(a, b, c, d)
    assume(judged.n)
    found = [*vars(rate_by_truth(judged, pairs)).values(), ppi_rate(judged, pairs)]
    for one in found:
        if one.value is None:
            assert one.why.startswith("not defined: ")
        elif one.low is None:
            assert one.clipped
            assert one.why
        else:
            assert 0 <= one.low <= one.value <= one.high <= 1
            assert one.low < one.high


@given(few, few, few, few, st.integers(0, 500), st.integers(0, 500))
def test_swapping_yes_and_no_mirrors_the_corrected_rate(a, b, c, d, more_yes, more_no):
    judged = Judged(a + b + more_yes, c + d + more_no)
    assume(judged.n)
    found = corrected_rate(judged, audited(a, b, c, d))
    other = corrected_rate(Judged(judged.n_no, judged.n_yes), audited(d, c, b, a))
    assert (found.value is None) == (other.value is None)
    if found.value is not None:
        mirrored = (1 - other.value, 1 - other.high, 1 - other.low)
        assert (found.value, found.low, found.high) == pytest.approx(mirrored, abs=1e-9)
