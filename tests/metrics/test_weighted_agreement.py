import pandas as pd
import pytest

from core.metrics.agreement import agreement
from core.metrics.audit_shares import AuditedPair
from core.metrics.judge_audit import judge_audit

from .audits import audited


@pytest.mark.parametrize("weights", [(1, 1), (4, 1)])
def test_one_label_from_both_leaves_kappa_undefined(weights):
    found = judge_audit([*audited(12, weights=weights), AuditedPair("yes", "yes", 2)])
    assert found.kappa.why_undefined == "not defined: one label used"
    assert found.ac1.value == 1


def test_kappa_and_ac1_of_an_even_audit_are_those_of_two_people():
    pairs = audited(9, 3, 2, 6)
    votes = pd.DataFrame(
        [
            (item, person, label)
            for item, pair in enumerate(pairs)
            for person, label in (("judge", pair.judge), ("auditor", pair.auditor))
        ],
        columns=["item", "person", "label"],
    )
    expected = agreement(votes)
    found = judge_audit(pairs)
    assert (found.kappa, found.ac1) == (expected.kappa, expected.ac1)


def test_kappa_and_ac1_of_a_stratified_audit_have_intervals_even_when_all_agree():
    mixed = judge_audit(audited(45, 5, 15, 35, weights=(18, 2)))
    agreed = judge_audit(audited(50, 0, 0, 50, weights=(18, 2)))
    for one in (mixed.kappa, mixed.ac1, agreed.kappa, agreed.ac1):
        assert one.low < one.high
        assert one.low <= one.value <= one.high
    assert agreed.kappa.value == agreed.ac1.value == pytest.approx(1)


def test_a_judge_of_one_verdict_has_a_kappa_of_zero_without_an_interval():
    found = judge_audit([*audited(8, 2), AuditedPair("yes", "no", 3)]).kappa
    assert (found.value, found.low) == (0, None)
    assert "one label only" in found.why_no_interval
