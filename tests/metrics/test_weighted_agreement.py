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


@pytest.mark.parametrize("weight", [1, 3])
@pytest.mark.parametrize(("counts", "pair"), [((8, 2), ("yes", "no")), ((8, 0, 2), ("no", "yes"))])
def test_kappa_is_not_defined_where_the_judge_or_the_auditor_has_one_verdict(counts, pair, weight):
    found = judge_audit([*audited(*counts), AuditedPair(*pair, weight)]).kappa
    assert (found.value, found.low, found.high) == (None, None, None)
    assert "used one label only, so kappa would be 0" in found.why_undefined
