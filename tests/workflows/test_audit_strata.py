"""How a sample is spread over strata: it adds up, and none is left out."""

from hypothesis import given
from hypothesis import strategies as st

from core.workflows.audit_strata import allocate


@given(
    sizes=st.dictionaries(st.text("abc", min_size=1), st.integers(1, 60), min_size=1, max_size=8),
    share=st.floats(0, 1),
    allocation=st.sampled_from(["equal", "proportional"]),
)
def test_an_allocation_adds_up_and_leaves_no_stratum_out(sizes, share, allocation) -> None:
    total = sum(sizes.values())
    n = max(len(sizes), round(share * total))
    found = allocate(sizes, n, allocation)
    assert sum(found.values()) == n
    assert all(1 <= found[name] <= sizes[name] for name in sizes)
    if allocation == "equal":
        # Nobody has two more than another that could have given one more.
        short = [found[name] for name in sizes if found[name] < sizes[name]]
        assert not short or max(found.values()) - min(short) <= 1
