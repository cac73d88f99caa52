import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.risk_attitude import fit_lines, risk_attitude


def simulated(loss_weight, *, beta=8.0, n_trials=512, seed=0, spread=0.0):
    """Decisions of a subject with this λ: accepted, estimates, trials; nine a trial.

    With a spread, the whole trial is in a mood to accept, or not.
    """
    rng = np.random.default_rng(seed)
    estimate = rng.integers(5, 100, (n_trials, 9)) / 100
    mood = rng.normal(0, spread, (n_trials, 1))
    utility = estimate - (1 - estimate) * loss_weight
    accepted = rng.random((n_trials, 9)) < 1 / (1 + np.exp(-(beta * utility + mood)))
    return accepted.ravel(), estimate.ravel(), np.repeat(np.arange(n_trials), 9)


@pytest.mark.parametrize("loss_weight", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_loss_weight_of_a_simulated_subject_lies_in_its_interval(loss_weight, seed):
    accepted, estimates, trials = simulated(loss_weight, seed=seed)
    found = risk_attitude(accepted, estimates, trials=trials)
    assert found.low < loss_weight < found.high
    assert found.low < found.value < found.high
    assert found.high - found.low < 0.25 * loss_weight + 0.1
    assert found.beta == pytest.approx(8, rel=0.15)
    assert found.threshold == pytest.approx(loss_weight / (1 + loss_weight), abs=0.03)
    assert (found.n, found.n_trials) == (4608, 512)


def test_the_fit_is_the_maximum_of_the_likelihood():
    from statsmodels.discrete.discrete_model import Logit

    accepted, estimates, _ = simulated(2.0, n_trials=60, beta=4)
    # β and -βλ are the two coefficients of p and 1 - p, without a constant.
    expected = Logit(accepted.astype(float), np.column_stack([estimates, 1 - estimates])).fit(
        disp=0
    )
    beta, loss = expected.params
    found = risk_attitude(accepted, estimates, replicates=50)
    assert found.beta == pytest.approx(beta, abs=1e-6)
    assert found.value == pytest.approx(-loss / beta, abs=1e-6)
    right = (expected.predict() > 0.5) == accepted
    assert found.n_explained == right.sum()


def test_a_fit_of_two_estimates_worked_by_hand():
    # At 25 % 1 of 4 is accepted, logit -ln 3; at 75 % 2 of 4, logit 0. Slope 2 ln 3, intercept
    # -1.5 ln 3: β = 0.5 ln 3, λ = 1.5 / 0.5 = 3, the threshold 75 %.
    decided = [1, 0, 0, 0, 1, 1, 0, 0] * 100
    found = risk_attitude(decided, ([0.25] * 4 + [0.75] * 4) * 100, replicates=50)
    assert found.value == pytest.approx(3)
    assert found.threshold == pytest.approx(0.75)
    assert found.beta == pytest.approx(0.5 * np.log(3))
    assert (found.n_accepted, found.n_by_majority) == (300, 500)


def test_the_interval_draws_trials_again_not_contracts():
    accepted, estimates, trials = simulated(1.5, n_trials=200, spread=4.0)
    by_trial = risk_attitude(accepted, estimates, trials=trials)
    by_contract = risk_attitude(accepted, estimates)
    assert by_trial.value == by_contract.value
    assert by_trial.high - by_trial.low > 1.5 * (by_contract.high - by_contract.low)
    assert by_contract.n_trials == 1800


def test_the_interval_is_repeatable_and_follows_the_seed():
    accepted, estimates, trials = simulated(1.0, n_trials=50)
    first, again, other = (
        risk_attitude(accepted, estimates, trials=trials, replicates=200, seed=seed)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert (first.low, first.high) != (other.low, other.high)


@pytest.mark.parametrize(
    ("accepted", "estimates", "why"),
    [
        ([], [], "there is no decision"),
        ([1, 1, 1], [0.2, 0.5, 0.9], "every contract was accepted"),
        ([0, 0, 0], [0.2, 0.5, 0.9], "every contract was declined"),
        ([0, 1, 0], [0.5, 0.5, 0.5], "all estimates are the same"),
        ([0, 0, 1, 1], [0.1, 0.6, 0.75, 0.9], "a threshold between 60 % and 75 % explains every"),
        ([0, 0, 1, 1], [0.1, 0.6, 0.6, 0.9], "every decision but those at 60 %"),
        ([1, 1, 0, 0], [0.1, 0.6, 0.75, 0.9], "it accepts only below some estimate"),
        ([0, 1, 0, 1], [0.25, 0.25, 0.75, 0.75], "it accepts no more often the higher"),
        (
            [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1],
            [0.1] * 6 + [0.9] * 6,
            "it would decline more often than not even at an estimate of 100 %",
        ),
    ],
)
def test_what_has_no_loss_weight_says_why(accepted, estimates, why):
    found = risk_attitude(accepted, estimates, replicates=50)
    assert (found.value, found.low, found.high, found.beta) == (None, None, None, None)
    assert found.why.startswith("not defined: ")
    assert why in found.why


def test_a_subject_that_keeps_to_a_threshold_is_told_what_its_loss_weight_can_be():
    found = risk_attitude([0, 0, 1, 1], [0.2, 0.5, 0.75, 0.9])
    assert found.why.endswith("so that λ can be anything from 1.00 to 3.00")
    assert found.n_explained == 4


@pytest.mark.parametrize("seed", range(40))
def test_decisions_that_tell_nothing_have_no_absurd_loss_weight(seed):
    # Accepted by a coin: λ came out as 711, or as -0.996 with a threshold of -270.
    rng = np.random.default_rng(seed)
    n = int(rng.choice([40, 200, 1000]))
    estimates = np.clip(np.round(rng.normal(0.75, 0.12, n), 2), 0, 1)
    found = risk_attitude(rng.random(n) < rng.uniform(0.05, 0.95), estimates, replicates=200)
    if found.value is None:
        assert found.why.startswith("not defined: ") and found.threshold is None
        return
    assert -1 < found.low <= found.value <= found.high < 20
    assert found.threshold is None or 0 <= found.threshold <= 1


def test_a_subject_that_accepts_whatever_it_states_has_no_threshold():
    # At 20 % 8 of 10 are accepted and at 90 % 19 of 20: a line that is above one half at 0 too.
    decided = ([1] * 8 + [0] * 2) * 40 + ([1] * 19 + [0]) * 20
    found = risk_attitude(decided, [0.2] * 400 + [0.9] * 400, replicates=200)
    assert -1 < found.low < found.value < found.high < 0.5
    assert found.value < 0 and found.threshold is None
    assert found.caution == "it accepts more often than not whatever it states"


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=25))
def test_at_the_maximum_expected_acceptances_equal_those_met(rows):
    accepted = np.array([row[0] for row in rows])
    distinct, numbers = np.unique([row[1] / 4 for row in rows], return_inverse=True)
    counts = np.bincount(2 * numbers + accepted, minlength=2 * len(distinct))[None].astype(float)
    intercept, slope = (float(one[0]) for one in fit_lines(distinct, counts))
    p = distinct[numbers]
    yes, no = p[accepted == 1], p[accepted == 0]
    if not len(yes) or not len(no) or no.max() <= yes.min() or yes.max() <= no.min():
        assert np.isnan(slope)
        return
    chance = 1 / (1 + np.exp(-(intercept + slope * p)))
    assert chance.sum() == pytest.approx(accepted.sum(), abs=1e-6)
    assert (chance * p).sum() == pytest.approx(yes.sum(), abs=1e-6)


def test_decisions_that_are_none_are_refused():
    with pytest.raises(InputError, match="neither 0 nor 1, such as 2"):
        risk_attitude([0, 2], [0.5, 0.6])
    with pytest.raises(InputError, match="2 decisions and 1 trials"):
        risk_attitude([0, 1], [0.5, 0.6], trials=np.array([1]))
    with pytest.raises(InputError, match="such as 50"):
        risk_attitude([0, 1], [50, 60])
