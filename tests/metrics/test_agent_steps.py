import numpy as np
import pandas as pd
import pytest

from core.errors import InputError
from core.metrics.agent_steps import carried_forward, step_curves
from core.metrics.auroc import auroc, auroc_difference

NAN = float("nan")


def frame(*rows):
    return pd.DataFrame(rows, columns=["task", "step", "estimate"])


@pytest.fixture
def five_tasks():
    """Task c ends at step 1, d has no readable step 1, e no readable step 2."""
    estimates = frame(
        ("a", 1, 0.5), ("a", 2, 0.7), ("a", 3, 0.9),
        ("b", 1, 0.6), ("b", 2, 0.4), ("b", 3, 0.1),
        ("c", 1, 0.8),
        ("d", 1, NAN), ("d", 2, 0.3),
        ("e", 1, 0.4), ("e", 2, NAN), ("e", 3, 0.2),
    )  # fmt: skip
    return estimates, {"a": 1, "b": 0, "c": 1, "d": 0, "e": 0}


def one(found, step, metric):
    return found[(found["step"] == step) & (found["metric"] == metric)].iloc[0]


def test_ended_and_unread_steps_keep_the_last_estimate(five_tasks):
    found = carried_forward(five_tasks[0], n_steps=4)
    assert found.loc["c"].tolist() == [0.8] * 4
    assert found.loc["e"].tolist() == [0.4, 0.4, 0.2, 0.2]
    assert np.isnan(found.loc["d", 1])
    assert found.loc["d"].tolist()[1:] == [0.3] * 3


def test_curves_worked_by_hand(five_tasks):
    found = step_curves(*five_tasks)
    first = one(found, 1, "mean_estimate")
    assert (first["value"], first["n"], first["n_carried"]) == (pytest.approx(2.3 / 4), 4, 0)
    third = one(found, 3, "mean_estimate")  # 0.9, 0.1, 0.8, 0.3, 0.2
    assert (third["value"], third["n"], third["n_carried"]) == (pytest.approx(0.46), 5, 2)
    # Step 1: 0.5 and 0.8 against 0.6 and 0.4: 3 of 4 pairs. Step 3: all in order.
    assert one(found, 1, "auroc")["value"] == 0.75
    assert one(found, 3, "auroc")["value"] == 1.0
    # Against step 1 on a, b, c, e: changes 0.4, -0.5, 0, -0.2.
    assert one(found, 3, "estimate_change")["value"] == pytest.approx(-0.075)
    assert one(found, 3, "auroc_difference")["value"] == 0.25
    assert one(found, 3, "auroc_difference")["n"] == 4
    assert one(found, 3, "overconfidence")["value"] == pytest.approx(0.46 - 0.4)


def test_step_1_is_not_compared_with_itself(five_tasks):
    found = step_curves(*five_tasks)
    assert set(found.loc[found["step"] == 1, "metric"]) == {
        "mean_estimate",
        "overconfidence",
        "auroc",
    }


def test_differences_are_delongs_on_the_same_tasks():
    rng = np.random.default_rng(4)
    outcome = rng.integers(0, 2, 80)
    first = np.round(np.clip(0.5 + 0.1 * outcome + rng.normal(0, 0.2, 80), 0, 1), 2)
    last = np.round(np.clip(0.4 + 0.3 * outcome + rng.normal(0, 0.2, 80), 0, 1), 2)
    rows = [(task, step, p) for step, ps in ((1, first), (2, last)) for task, p in enumerate(ps)]
    found = step_curves(frame(*rows), dict(enumerate(outcome)), after=dict(enumerate(last)))
    expected = auroc_difference(outcome, first, last)
    for step in (2, "after"):
        row = one(found, step, "auroc_difference")
        assert row[["value", "low", "high", "p"]].tolist() == pytest.approx(
            [expected.value, expected.low, expected.high, expected.p]
        )
        alone = auroc(outcome, last)
        assert one(found, step, "auroc")[["value", "low", "high"]].tolist() == pytest.approx(
            [alone.value, alone.low, alone.high]
        )


def test_after_the_fact_takes_its_own_estimates_and_carries_none(five_tasks):
    estimates, outcomes = five_tasks
    after = {"a": 1.0, "b": 0.5, "c": 0.9, "f": 0.4}
    found = step_curves(estimates, outcomes | {"f": 0}, after=after)
    row = one(found, "after", "mean_estimate")
    assert (row["value"], row["n"], row["n_carried"]) == (pytest.approx(0.7), 4, 0)
    assert one(found, "after", "estimate_change")["n"] == 3  # f has no step 1
    assert found["step"].unique().tolist() == [1, 2, 3, "after"]


def test_order_of_rows_and_of_outcomes_does_not_matter(five_tasks):
    estimates, outcomes = five_tasks
    turned = step_curves(estimates[::-1], dict(reversed(outcomes.items())))
    pd.testing.assert_frame_equal(turned, step_curves(estimates, outcomes))


def test_tasks_without_an_outcome_are_left_out(five_tasks):
    estimates, outcomes = five_tasks
    del outcomes["d"]
    assert one(step_curves(estimates, outcomes), 3, "mean_estimate")["n"] == 4


def test_no_estimate_at_all_gives_no_step():
    assert step_curves(frame(), {"a": 1}).empty
    found = step_curves(frame(("a", 2, 0.5)), {"a": 1})
    assert one(found, 1, "mean_estimate")["why"].startswith("not defined")
    assert "both at step 1" in one(found, 2, "auroc_difference")["why"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", 0, 0.5)], "there is a step 0"),
        ([("a", 1.5, 0.5)], "there is a step 1.5"),
        ([("a", 1, 0.5), ("a", 1, 0.6)], "task a has step 1 twice"),
        ([("a", 1, 60)], "1 of 1 estimates lie outside 0 to 1, such as 60"),
        ([("a", 9, 0.5)], "step 9 beyond the 5 wanted"),
    ],
)
def test_steps_that_cannot_be_are_refused(rows, message):
    with pytest.raises(InputError, match=message):
        step_curves(frame(*rows), {"a": 1}, n_steps=5)
