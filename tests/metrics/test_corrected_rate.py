import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.corrected_rate import (
    Judged,
    audited_rate,
    corrected_rate,
    ppi_rate,
    rate_by_truth,
    raw_rate,
    rogan_gladen,
    rogan_gladen_rate,
    stratified_ppi_rate,
)
from core.metrics.intervals import wilson_interval
from core.metrics.judge_audit import AuditedPair

REFERENCE = Path(__file__).parents[2].parent / "shared/reference/rogan_gladen.json"

JUDGED = Judged(n_yes=900, n_no=100)
few = st.integers(0, 40)


def audited(yes_yes=0, yes_no=0, no_yes=0, no_no=0, *, weights=(1.0, 1.0)):
    """Pairs by (judge, auditor), the two weights being those of the judge's yes and no."""
    of_yes, of_no = weights
    return (
        [AuditedPair("yes", "yes", of_yes)] * yes_yes
        + [AuditedPair("yes", "no", of_yes)] * yes_no
        + [AuditedPair("no", "yes", of_no)] * no_yes
        + [AuditedPair("no", "no", of_no)] * no_no
    )


def shown(rate, digits=3):
    return tuple(round(number, digits) for number in (rate.value, rate.low, rate.high))


def test_a_stratified_audit_gives_the_true_rate_whatever_its_weights():
    # 0.9·45/50 + 0.1·15/50 = 0.84; variance 0.81·0.09/50 + 0.01·0.21/50 = 0.0015, ±0.0759.
    for weights in ((1, 1), (18, 2)):
        found = corrected_rate(JUDGED, audited(45, 5, 15, 35, weights=weights))
        assert shown(found) == (0.84, 0.764, 0.916)
        assert (found.clipped, found.why, found.n) == (False, "", 100)


def test_rogan_gladen_without_weights_leads_above_1_and_is_marked():
    # Sensitivity 45/60, specificity 35/40: (0.9 - 0.125) / 0.625 = 1.24. Its interval is
    # 1.24 ± 0.22, so nothing of it is a rate.
    found = rogan_gladen_rate(JUDGED, audited(45, 5, 15, 35))
    assert found.unclipped == pytest.approx(1.24)
    assert (found.value, found.clipped) == (1.0, True)
    assert (found.low, found.high) == (None, None)
    assert "weights" in found.why


def test_rogan_gladen_with_weights_is_the_stratified_rate_and_interval():
    found = rogan_gladen_rate(JUDGED, audited(45, 5, 15, 35, weights=(18, 2)))
    assert shown(found) == (0.84, 0.764, 0.916)


def test_rogan_gladen_equals_the_reference():
    if not REFERENCE.exists():
        pytest.skip(f"the reference rates are not at {REFERENCE}")
    for case in json.loads(REFERENCE.read_text()):
        found = rogan_gladen(case["judge_yes_rate"], case["sensitivity"], case["specificity"])
        assert found.value == pytest.approx(case["corrected_rate"], abs=1e-12)
        assert found.clipped == (not 0 <= found.unclipped <= 1 and abs(found.unclipped) > 1e-9)


def test_rogan_gladen_of_an_even_audit_has_their_variance():
    # r 0.6 of 1000; s = 48/60, t = 32/40: J = 0.6, rate (0.6 - 0.2)/0.6 = 2/3. Variance
    # [0.6·0.4/1000 + (4/9)·0.16/60 + (1/9)·0.16/40] / 0.36 = 0.0051926: ±0.14123.
    found = rogan_gladen_rate(Judged(600, 400), audited(48, 8, 12, 32))
    assert shown(found, 4) == (0.6667, 0.5254, 0.8079)


def test_plain_inference_adds_what_the_audit_says_the_judge_is_off_by():
    # 0.6 + (12 - 8)/100 = 0.64; variance 0.24/1000 + (0.2 - 0.04²)/100 = 0.002224: ±0.09243.
    found = ppi_rate(Judged(600, 400), audited(48, 8, 12, 32))
    assert shown(found, 4) == (0.64, 0.5476, 0.7324)


def test_the_raw_rate_and_the_audit_alone_have_wilsons_interval():
    assert shown(raw_rate(JUDGED), 12)[1:] == pytest.approx(wilson_interval(900, 1000))
    found = audited_rate(audited(40, 10, 5, 45))
    assert (found.value, found.low, found.high) == pytest.approx((0.45, *wilson_interval(45, 100)))


def test_the_audit_alone_with_weights_is_the_stratified_rate():
    assert audited_rate(audited(45, 5, 15, 35, weights=(18, 2))).value == pytest.approx(0.84)


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


def test_impossible_counts_and_shares_are_refused():
    with pytest.raises(InputError, match="gave -1 yes and 2 no"):
        Judged(-1, 2)
    with pytest.raises(InputError, match="the sensitivity is 97, outside 0 to 1"):
        rogan_gladen(0.5, 97, 0.9)


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


@given(st.integers(1, 40), few, few, st.integers(1, 40), st.integers(0, 500), st.integers(0, 500))
def test_rogan_gladen_weighted_by_verdict_is_the_stratified_rate(a, b, c, d, more_yes, more_no):
    judged = Judged(a + b + more_yes, c + d + more_no)
    weights = (judged.n_yes / (a + b), judged.n_no / (c + d))
    pairs = audited(a, b, c, d, weights=weights)
    expected, found = corrected_rate(judged, pairs), rogan_gladen_rate(judged, pairs)
    assume(expected.value is not None and found.value is not None)
    assert found.value == pytest.approx(expected.value, abs=1e-6)
