from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.audit_shares import AuditedPair
from core.metrics.intervals import wilson_interval
from core.metrics.judge_audit import judge_audit, more_audits_needed

from .audits import audited

few = st.integers(0, 40)


def test_an_even_audit_worked_by_hand():
    # 20 decided: agreement (9 + 6)/20; true yes 9 + 2 = 11, of which 9 found; true no 3 + 6 = 9,
    # of which 6 found. By chance (12·11 + 8·9)/400 = 0.51: kappa (0.75 - 0.51)/0.49.
    # AC1: share of yes (12 + 11)/40 = 0.575, chance 2·0.575·0.425 = 0.48875.
    found = judge_audit(audited(9, 3, 2, 6, unsure=4))
    assert found.agreement.value == 0.75
    assert found.sensitivity.value == pytest.approx(9 / 11)
    assert found.specificity.value == pytest.approx(6 / 9)
    assert found.kappa.value == pytest.approx(0.24 / 0.49)
    assert found.ac1.value == pytest.approx((0.75 - 0.48875) / (1 - 0.48875))
    ends = (found.sensitivity.low, found.sensitivity.high)
    assert ends == pytest.approx(wilson_interval(9, 11))


def test_kappa_never_comes_without_ac1_which_a_dominant_verdict_does_not_mislead():
    # 90 / 5 / 5 / 0: agreement 90 %, kappa (0.9 - 0.905)/0.095 = -0.053, AC1 0.889.
    found = judge_audit(audited(90, 5, 5, 0))
    assert found.agreement.value == 0.9
    assert found.kappa.value == pytest.approx(-0.0526, abs=1e-4)
    assert found.ac1.value == pytest.approx(0.8895, abs=1e-3)
    assert found.kappa.dominant_share == 0.95


def test_a_stratified_audit_is_weighted():
    # 50 of 900 yes with 45 confirmed, 50 of 100 no with 35: in tasks 810, 90, 30 and 70.
    found = judge_audit(audited(45, 5, 15, 35, weights=(18, 2)))
    assert found.agreement.value == pytest.approx(880 / 1000)
    assert found.sensitivity.value == pytest.approx(810 / 840)
    assert found.specificity.value == pytest.approx(70 / 160)
    # Kappa: by chance 0.9·0.84 + 0.1·0.16 = 0.772.
    assert found.kappa.value == pytest.approx((0.88 - 0.772) / (1 - 0.772))
    assert found.counts == {
        ("yes", "yes"): 45,
        ("yes", "no"): 5,
        ("no", "yes"): 15,
        ("no", "no"): 35,
    }


def test_the_effective_n_of_a_stratified_audit_worked_by_hand():
    # Agreement 0.88: variance 0.9²·0.9·0.1/50 + 0.1²·0.3·0.7/50 = 0.0015, so
    # n = 0.88·0.12/0.0015 = 70.4.
    found = judge_audit(audited(45, 5, 15, 35, weights=(18, 2))).agreement
    assert found.effective_n == pytest.approx(70.4)
    assert (found.low, found.high) == pytest.approx(wilson_interval(0.88 * 70.4, 70.4))
    assert found.n == 100


def test_weights_that_are_equal_change_nothing():
    once, heavy = judge_audit(audited(9, 3, 2, 6)), judge_audit(audited(9, 3, 2, 6, weights=(7, 7)))
    assert heavy.agreement == once.agreement
    assert heavy.sensitivity == once.sensitivity
    assert heavy.kappa == once.kappa


def test_a_specificity_without_a_wrong_yes_is_not_taken_for_certain_from_the_no_alone():
    # 50 of 950 yes and 50 of 50 no, 50 and 30 confirmed. Up to 7.1 % of the 950 may be no, 68
    # tasks, and only 30 no were found: nothing speaks against a specificity of 30 / 98.
    found = judge_audit(audited(50, 0, 20, 30, weights=(19, 1))).specificity
    assert found.value == 1
    assert found.low < 0.32
    assert found.high == 1


def of_subjects(counts: tuple[int, ...], weights: tuple[float, ...]) -> list[AuditedPair]:
    """As many pairs of each subject, weighted apart, each with these counts of the four cells."""
    return [pair for weight in weights for pair in audited(*counts, weights=(weight, weight))]


def test_weights_that_hardly_differ_hardly_change_an_interval():
    # 50 answers of each of two subjects, of 160 and of 168: how many of the 50 the judge called
    # right is chance, so sensitivity is no surer than that of 100 answers drawn evenly.
    even = judge_audit(of_subjects((24, 8, 8, 10), (3.28, 3.28)))
    apart = judge_audit(of_subjects((24, 8, 8, 10), (3.2, 3.36)))
    for name in ("agreement", "sensitivity", "specificity"):
        one, other = getattr(even, name), getattr(apart, name)
        assert other.value == pytest.approx(one.value)
        assert other.low == pytest.approx(one.low, abs=0.004)
        assert other.high == pytest.approx(one.high, abs=0.004)
        # Never surer than by evenly drawn pairs, of which some are outside the class.
        assert other.effective_n <= one.n + 1e-9


def test_a_sensitivity_of_answers_drawn_by_subject_covers_as_often_as_it_says():
    rng = np.random.default_rng(5)
    covered = []
    for _ in range(600):
        pairs = []
        for weight in (3.2, 3.36):
            truth = rng.random(40) < 0.6
            said = np.where(truth, rng.random(40) < 0.75, rng.random(40) < 0.4)
            words = np.where(np.column_stack([said, truth]), "yes", "no").tolist()
            pairs += [AuditedPair(judge, auditor, weight) for judge, auditor in words]
        found = judge_audit(pairs).sensitivity
        covered.append(found.low <= 0.75 <= found.high)
    assert 0.93 <= np.mean(covered) <= 0.98


def test_unsure_votes_are_left_out_and_counted():
    with_unsure, without = (
        judge_audit(audited(5, 1, 1, 5, unsure=3)),
        judge_audit(audited(5, 1, 1, 5)),
    )
    assert (with_unsure.n_audited, with_unsure.n_unsure) == (15, 3)
    assert replace(with_unsure, n_audited=12, n_unsure=0) == without


def test_only_unsure_votes_leave_everything_undefined():
    found = judge_audit(audited(unsure=3))
    assert found.agreement.why == "not defined: no verdict was audited with a yes or a no"
    assert found.kappa.why_undefined == "not defined: no verdict was audited with a yes or a no"
    assert found.sensitivity.value is found.ac1.value is None
    assert judge_audit([]).n_audited == 0


def test_a_missing_class_leaves_its_share_undefined_and_names_it():
    found = judge_audit(audited(5, 0, 2, 0))
    assert found.specificity.why == "not defined: the auditor said no to no task"
    assert found.sensitivity.value == pytest.approx(5 / 7)
    assert judge_audit(audited(0, 2, 0, 5)).sensitivity.why == (
        "not defined: the auditor said yes to no task"
    )


def test_the_audits_still_needed_are_the_fewest_that_suffice():
    # 45 of 50. Wilson's interval of 0.9 is ±0.050176 at 140 and ±0.049995 at 141.
    present = judge_audit(audited(45, 5)).agreement
    more = more_audits_needed(present, 0.05)
    half = {
        n: (ends[1] - ends[0]) / 2 for n in range(51, 200) for ends in [wilson_interval(0.9 * n, n)]
    }
    assert half[50 + more] <= 0.05 < half[50 + more - 1]


def test_an_interval_that_is_narrow_enough_needs_no_more_audits():
    present = judge_audit(audited(450, 50)).agreement
    assert more_audits_needed(present, 0.05) == 0


def test_full_agreement_does_not_promise_that_nothing_more_is_needed():
    # 5 of 5 is [0.566, 1]: 0.217 on either side.
    assert more_audits_needed(judge_audit(audited(5)).agreement, 0.05) > 0


def test_a_stratified_audit_needs_more_in_proportion_to_its_effective_n():
    # Agreement as if from 70.4 of the 100 audits. ±0.05 takes the least n whose interval of 0.88
    # is that narrow; an audit that goes on as it was drawn needs 100/70.4 times what is missing.
    present = judge_audit(audited(45, 5, 15, 35, weights=(18, 2))).agreement
    even = replace(present, n=100, effective_n=100.0)
    enough = more_audits_needed(even, 0.05) + 100
    expected = (enough - 70.4) * 100 / 70.4
    assert 0 <= more_audits_needed(present, 0.05) - expected < 1


def test_an_undefined_agreement_has_no_number_of_audits():
    assert more_audits_needed(judge_audit([]).agreement, 0.05) is None


@pytest.mark.parametrize("half_width", [0, 0.5, 5, -0.1, float("nan")])
def test_a_half_width_that_is_no_share_is_refused(half_width):
    with pytest.raises(InputError, match="cannot have the half width"):
        more_audits_needed(judge_audit(audited(5)).agreement, half_width)


@given(few, few, few, few, st.floats(0.5, 40), st.floats(0.5, 40))
def test_shares_lie_in_intervals_that_have_a_width(a, b, c, d, of_yes, of_no):
    found = judge_audit(audited(a, b, c, d, weights=(of_yes, of_no)))
    for one in (found.agreement, found.sensitivity, found.specificity):
        if one.value is not None:
            assert 0 <= one.low <= one.value + 1e-12
            assert one.value - 1e-12 <= one.high <= 1
            assert one.high - one.low > 1e-9


@given(few, few, few, few, st.floats(0.5, 40), st.floats(0.5, 40))
def test_swapping_yes_and_no_swaps_sensitivity_and_specificity(a, b, c, d, of_yes, of_no):
    found = judge_audit(audited(a, b, c, d, weights=(of_yes, of_no)))
    other = judge_audit(audited(d, c, b, a, weights=(of_no, of_yes)))
    for one, mirrored in (
        (found.sensitivity, other.specificity),
        (found.specificity, other.sensitivity),
        (found.agreement, other.agreement),
    ):
        assert (one.value is None) == (mirrored.value is None)
        if one.value is not None:
            ends = (one.value, one.low, one.high)
            assert ends == pytest.approx((mirrored.value, mirrored.low, mirrored.high), abs=1e-9)


def test_the_order_of_pairs_does_not_matter():
    pairs = audited(9, 3, 2, 6, unsure=2, weights=(3, 1))
    found, back = judge_audit(pairs), judge_audit(pairs[::-1])
    assert found.agreement.low == pytest.approx(back.agreement.low)
    assert found.counts == back.counts


def test_several_weights_within_a_verdict_still_give_a_share_of_the_tasks_they_stand_for():
    # Yes of weights 1 and 3, one each and both confirmed; a no of weight 4 that was yes.
    pairs = [
        AuditedPair("yes", "yes", 1),
        AuditedPair("yes", "yes", 3),
        AuditedPair("no", "yes", 4),
    ]
    found = judge_audit(pairs).sensitivity
    assert found.value == 0.5
    assert found.low < 0.5 < found.high


def test_six_of_eight_are_hardly_more_than_nothing():
    # Wilson: centre (0.75 + 0.2401)/1.4802 = 0.6689, half 1.3241·sqrt(0.0234 + 0.0150) = 0.2596.
    found = judge_audit(audited(3, 1, 1, 3)).agreement
    assert (found.value, found.n) == (0.75, 8)
    assert (found.low, found.high) == (
        pytest.approx(0.4093, abs=1e-4),
        pytest.approx(0.9285, abs=1e-4),
    )
    # ±0.1 takes 69: 1.96/(1 + 3.8415/69)·sqrt(0.1875/69 + 3.8415/(4·69²)) = 0.0996.
    more = more_audits_needed(found, 0.1)
    assert more == next(
        n - 8 for n in range(9, 200) if (ends := wilson_interval(0.75 * n, n))[1] - ends[0] <= 0.2
    )
