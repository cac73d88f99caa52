import pytest

from core.errors import InputError
from core.metrics.audit_shares import AuditedPair, decided_cells, weighted_share


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("maybe", "yes"), "the judge's verdict is 'maybe'"),
        (("unsure", "yes"), "the judge's verdict is 'unsure'"),
        (("yes", "Yes"), "the auditor's vote is 'Yes'"),
        (("yes", "yes", 0), "has the weight 0"),
        (("yes", "yes", float("nan")), "has the weight nan"),
        (("yes", "yes", float("inf")), "has the weight inf"),
    ],
)
def test_a_pair_that_says_something_else_is_refused(pair, message):
    with pytest.raises(InputError, match=message):
        AuditedPair(*pair)


def test_a_share_among_none_tells_why():
    found = weighted_share(decided_cells([]), lambda *_: True, empty="there is nothing")
    assert (found.value, found.why) == (None, "not defined: there is nothing")
