import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from core.errors import InputError
from core.metrics.contract_totals import contract_totals
from core.metrics.contract_trials import ContractTrials, contract_trials
from core.metrics.contracts import contract_curves, earned, expected_profit
from core.metrics.thresholds import best_threshold, best_threshold_profit
from core.metrics.trial_resampling import redraw_trials

SHARED = Path(__file__).parents[2].parent / "shared"
REFERENCE = SHARED / "reference/contracts.json"
SEQUENCES = SHARED / "published/in_advance_confidence/contract_sequences.json"

NAN = float("nan")
COLUMNS = ("trial", "contract", "solvable", "estimate", "accepted")


@pytest.fixture(scope="module")
def subjects():
    """The simulated subjects: their trials on the published sequences, and what they make."""
    if not (REFERENCE.exists() and SEQUENCES.exists()):
        pytest.skip(f"the reference subjects are not at {REFERENCE}")
    sequences = json.loads(SEQUENCES.read_text())
    solvable = np.array([[kind == "C" for kind, _ in row] for row in sequences])
    cases = json.loads(REFERENCE.read_text())["cases"]
    assert len(cases) == 3
    return [
        (
            ContractTrials(
                solvable, np.array(case["likelihood_percent"]) / 100, np.array(case["accepted"])
            ),
            case["by_contract"],
        )
        for case in cases
    ]


def test_curves_equal_the_reference(subjects):
    for trials, expected in subjects:
        frame = contract_curves(trials, replicates=40)
        found = frame.set_index(["metric", "contract"])
        for metric in (
            "acceptance_rate",
            "predicted_success_rate",
            "expected_profit",
            "best_threshold_profit",
            "direct_threshold_profit",
        ):
            assert found.loc[metric, "value"].tolist() == pytest.approx(expected[metric], abs=1e-10)
        profit = found.loc["expected_profit"]
        assert profit["low"].tolist() == pytest.approx(expected["profit_lo95"], abs=1e-10)
        assert profit["high"].tolist() == pytest.approx(expected["profit_hi95"], abs=1e-10)
        # Half the contracts at each place are solvable, so it is also what was earned.
        assert found.loc["earned", "value"].tolist() == pytest.approx(expected["expected_profit"])
        assert (frame["n"] == 512).all()
        assert not frame["n_missing"].any()


def test_auroc_by_contract_equals_scikit_learns(subjects):
    trials, _ = subjects[1]
    frame = contract_curves(trials, replicates=40)
    found = frame.loc[frame["metric"] == "auroc", "value"].tolist()
    expected = [roc_auc_score(trials.solvable[:, at], trials.estimate[:, at]) for at in range(9)]
    assert found == pytest.approx(expected, abs=1e-12)


def test_intervals_hold_their_values(subjects):
    for trials, _ in subjects:
        for frame in (contract_curves(trials, replicates=40), contract_totals(trials)):
            there = frame.dropna(subset="low")
            assert (there["low"] <= there["value"]).all()
            assert (there["value"] <= there["high"]).all()
            assert (there["low"] < there["high"]).all()
            missing = frame[frame["low"].isna()]
            assert missing["why"].str.len().gt(0).all()


def test_expected_profit_worked_by_hand():
    # 3 of 4 solvable and 1 of 2 unsolvable accepted: (0.75 - 0.5) / 2; earned (3 - 1) / 6.
    accepted = np.array([1, 1, 1, 0, 1, 0]) == 1
    solvable = np.array([1, 1, 1, 1, 0, 0]) == 1
    found = expected_profit(accepted, solvable)
    assert found.value == 0.125
    # Clopper and Pearson: 3 of 4 [0.1941, 0.9937], 1 of 2 [0.0126, 0.9874].
    assert found.low == pytest.approx((0.19412 - 0.98742) / 2, abs=1e-4)
    assert found.high == pytest.approx((0.99369 - 0.01258) / 2, abs=1e-4)
    assert earned(accepted, solvable).value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("solvable", "why"), [([True], "every answered"), ([False], "no answered"), ([], "no contract")]
)
def test_profit_needs_both_kinds_of_contract(solvable, why):
    solvable = np.array(solvable, dtype=bool)
    found = expected_profit(solvable, solvable)
    assert found.value is None
    assert found.why.startswith(f"not defined: {why}")


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 10)), min_size=2, max_size=20).filter(
        lambda rows: len({row[0] for row in rows}) == 2
    )
)
def test_the_best_threshold_is_the_best_of_all_and_perfect_or_chance_at_its_ends(rows):
    solvable = np.array([row[0] for row in rows])
    estimate = np.array([row[1] for row in rows]) / 10
    value, threshold = best_threshold(estimate, solvable)
    every = [expected_profit(estimate >= at / 10, solvable).value for at in range(12)]
    assert value == pytest.approx(max(every), abs=1e-12)
    assert 0 <= value <= 0.5
    if threshold is not None:
        assert expected_profit(estimate >= threshold, solvable).value == pytest.approx(value)
    found = best_threshold_profit(estimate, solvable, 100, np.random.default_rng(0))
    if found.low is not None:
        assert 0 <= found.low <= value <= found.high <= 0.5


def test_a_subject_whose_estimates_tell_nothing_may_have_a_best_profit_of_0():
    rng = np.random.default_rng(5)
    lows = [
        best_threshold_profit(rng.random(100), np.arange(100) % 2 == 0, 200, rng).low
        for _ in range(100)
    ]
    assert np.mean(np.array(lows) == 0) > 0.9


def test_an_incomplete_trial_counts_as_such_and_its_answers_count():
    rows = [
        ("a", 1, 1, 0.9, 1),
        ("a", 2, 0, 0.2, 0),
        ("b", 1, 0, 0.6, 1),
        ("b", 2, 1, NAN, NAN),
        ("c", 1, 1, 0.7, 1),
    ]
    trials = contract_trials(pd.DataFrame(rows, columns=list(COLUMNS)))
    assert (trials.n_trials, trials.n_contracts, trials.n_incomplete) == (3, 2, 2)
    found = contract_curves(trials, replicates=50).set_index(["contract", "metric"])
    assert found.loc[(1, "acceptance_rate"), "n"] == 3
    assert found.loc[(2, "acceptance_rate"), ["value", "n", "n_missing"]].tolist() == [0, 1, 2]
    assert np.isnan(found.loc[(2, "auroc"), "value"])
    totals = contract_totals(trials).set_index("metric")
    assert totals.loc["acceptance_rate", ["n", "n_trials", "n_incomplete"]].tolist() == [4, 3, 2]
    assert totals.loc["earned", "value"] == 0.25  # 1 - 1 + 1 of 4 answered


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", 1, 1, 0.5, 1), ("a", 1, 1, 0.5, 1)], "same contract twice"),
        ([("a", 0, 1, 0.5, 1)], "contract 0 is none of"),
        ([("a", 1, 1, 50, 1)], "1 values of estimate are outside 0 to 1, such as 50"),
        ([("a", 1, 1, 0.5, NAN)], "estimate without a decision"),
        ([("a", 1, 2, 0.5, 1)], "values of solvable are neither 0 nor 1, such as 2"),
        ([("a", 1, NAN, 0.5, 1)], "not known to be solvable"),
    ],
)
def test_contracts_that_cannot_be_are_refused(rows, message):
    with pytest.raises(InputError, match=message):
        contract_trials(pd.DataFrame(rows, columns=list(COLUMNS)))


def test_totals_equal_plain_numbers_over_all_contracts(subjects):
    trials, _ = subjects[1]
    found = contract_totals(trials, replicates=50).set_index("metric")["value"]
    solvable, estimate, accepted = (
        one.ravel() for one in (trials.solvable, trials.estimate, trials.accepted)
    )
    assert found["auroc"] == pytest.approx(roc_auc_score(solvable, estimate), abs=1e-12)
    assert found["overconfidence"] == pytest.approx((estimate - solvable).mean(), abs=1e-12)
    assert found["acceptance_rate"] == pytest.approx(accepted.mean(), abs=1e-12)
    for metric, taken in (
        ("expected_profit", accepted == 1),
        ("direct_threshold_profit", estimate > 0.5),
    ):
        expected = expected_profit(taken, solvable == 1).value
        assert found[metric] == pytest.approx(expected, abs=1e-12)


def test_whole_trials_are_drawn_again_never_contracts():
    # Each trial holds its cell nine times: every draw must have multiples of nine.
    trial_of, cell_of = np.repeat(np.arange(20), 9), np.repeat(np.arange(20) % 4, 9)
    drawn = np.concatenate(list(redraw_trials(trial_of, cell_of, 4, 300, np.random.default_rng(1))))
    assert drawn.shape == (300, 4)
    assert (drawn.sum(axis=1) == 180).all()
    assert (drawn % 9 == 0).all()


def test_trials_that_decide_as_one_have_wider_intervals_than_contracts_would():
    # Half the trials accept everything, the others nothing, 20 trials each.
    accepted = np.repeat([[1], [0]], 20, axis=0) * np.ones((1, 9))
    solvable = np.tile([1, 0, 1, 0, 1, 0, 1, 0, 1], (40, 1))
    found = contract_totals(ContractTrials(solvable, np.full((40, 9), 0.5), accepted))
    low, high = found.set_index("metric").loc["acceptance_rate", ["low", "high"]]
    # Of 40 trials the error is 0.079, of 360 contracts it would be 0.026.
    assert high - low == pytest.approx(2 * 1.96 * 0.079, rel=0.15)
