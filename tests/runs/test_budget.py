"""Money is set aside before it is spent, and the cap is never passed."""

from hypothesis import given
from hypothesis import strategies as st

from core.runs.budget import Budget


def test_the_cap_itself_may_be_spent_to_the_cent():
    # 0.1 + 0.1 + 0.1 is more than 0.3 in floats
    budget = Budget(0.3)
    assert [budget.reserve(0.1) for _ in range(4)] == [True, True, True, False]


def test_a_price_nobody_knows_counts_as_the_worst():
    budget = Budget(1.0)
    budget.reserve(0.4)
    budget.settle(0.4, None)
    assert budget.spent_usd == 0.4


def test_without_a_cap_everything_is_affordable_and_still_counted():
    budget = Budget(None, spent_usd=1.0)
    assert not budget.is_capped and budget.reserve(1e9)
    budget.settle(1e9, 2.5)
    assert budget.spent_usd == 3.5


def test_a_free_model_runs_on_a_cap_of_zero():
    assert Budget(0.0).reserve(0.0) and not Budget(0.0).reserve(1e-6)


@given(
    cap=st.floats(0, 100),
    calls=st.lists(st.tuples(st.floats(0, 10), st.floats(0, 1), st.booleans()), max_size=50),
)
def test_spent_never_passes_the_cap_in_any_order_of_calls(cap, calls):
    budget, open_calls = Budget(cap), []
    for worst, share, settle_now in calls:
        if budget.reserve(worst):
            open_calls.append((worst, worst * share))
        if settle_now and open_calls:
            budget.settle(*open_calls.pop(0))
    for worst, cost in open_calls:
        budget.settle(worst, cost)
    assert budget.spent_usd <= cap + 1e-9
