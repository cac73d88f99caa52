import pytest

from core.errors import InputError
from core.metrics.intervals import wilson_interval
from core.metrics.true_rates import Judged, audited_rate, raw_rate

from .audits import audited, shown

JUDGED = Judged(n_yes=900, n_no=100)


def test_the_raw_rate_and_the_audit_alone_have_wilsons_interval():
    assert shown(raw_rate(JUDGED), 12)[1:] == pytest.approx(wilson_interval(900, 1000))
    found = audited_rate(audited(40, 10, 5, 45))
    assert (found.value, found.low, found.high) == pytest.approx((0.45, *wilson_interval(45, 100)))


def test_the_audit_alone_with_weights_is_the_stratified_rate():
    assert audited_rate(audited(45, 5, 15, 35, weights=(18, 2))).value == pytest.approx(0.84)


def test_impossible_counts_are_refused():
    with pytest.raises(InputError, match="gave -1 yes and 2 no"):
        Judged(-1, 2)
