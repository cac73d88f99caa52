import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.corrected_rate import corrected_rate
from core.metrics.rogan_gladen import rogan_gladen, rogan_gladen_rate
from core.metrics.true_rates import Judged

from .audits import audited, shown

JUDGED = Judged(n_yes=900, n_no=100)
few = st.integers(0, 40)
REFERENCE = Path(__file__).parents[2].parent / "shared/reference/rogan_gladen.json"


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


@given(st.integers(1, 40), few, few, st.integers(1, 40), st.integers(0, 500), st.integers(0, 500))
def test_rogan_gladen_weighted_by_verdict_is_the_stratified_rate(a, b, c, d, more_yes, more_no):
    judged = Judged(a + b + more_yes, c + d + more_no)
    weights = (judged.n_yes / (a + b), judged.n_no / (c + d))
    pairs = audited(a, b, c, d, weights=weights)
    expected, found = corrected_rate(judged, pairs), rogan_gladen_rate(judged, pairs)
    assume(expected.value is not None and found.value is not None)
    assert found.value == pytest.approx(expected.value, abs=1e-6)


def test_a_share_in_percent_is_refused():
    with pytest.raises(InputError, match="the sensitivity is 97, outside 0 to 1"):
        rogan_gladen(0.5, 97, 0.9)
