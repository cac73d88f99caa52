"""What the results of in-advance confidence say in sentences."""

import math

import pandas as pd
import pytest

from core.protocols.confidence_words import overconfidence_words, pick_bin
from core.protocols.contract_exhibits import attitude_words, trial_words

WHO = {"study": "S", "model": "m"}


@pytest.mark.parametrize(
    ("fitted", "low", "high", "caution", "said"),
    [
        (1.5, 1.2, 3.0, "", "λ = 1.50 [1.20, 3.00], so a loss weighs more than a gain"),
        (0.6, 0.4, 0.9, "", "λ = 0.60 [0.40, 0.90], so a loss weighs less than a gain"),
        (1.5, 0.8, 2.1, "", "so whether a loss weighs more than a gain cannot be told"),
        (-0.2, -0.4, 0.1, "it always accepts", "λ = −0.20 [−0.40, 0.10], it always accepts."),
    ],
)
def test_a_risk_attitude_is_told_by_its_interval(
    fitted: float, low: float, high: float, caution: str, said: str
) -> None:
    row = WHO | {"lambda": fitted, "low": low, "high": high, "n": 90, "n_explained": 80}
    [sentence] = attitude_words(pd.DataFrame([row | {"why": "", "caution": caution}]))
    assert said in sentence and "explains 80 of 90 decisions" in sentence


def test_without_a_fit_nothing_is_concluded() -> None:
    row = WHO | {"low": math.nan, "high": math.nan, "n": 9, "n_explained": 8, "caution": ""}
    none = row | {"lambda": math.nan, "why": "not defined: every contract was accepted"}
    assert attitude_words(pd.DataFrame([none])) == [
        "S, m: λ is not defined: every contract was accepted."
    ]


@pytest.mark.parametrize(
    ("stated", "true", "said"),
    [
        (0.7, 0.5, "expected to solve 70 % of 10 tasks and solved 50 %, so it is overconfident"),
        (0.3, 0.5, "so it is underconfident by 20 percentage points."),
        (0.51, 0.5, "overconfident by 1 percentage point."),
        (0.502, 0.5, "and solved 50 %."),
    ],
)
def test_what_was_expected_is_set_against_what_came(stated: float, true: float, said: str) -> None:
    row = WHO | {"n": 10, "predicted_success_rate": stated, "true_success_rate": true}
    [sentence] = overconfidence_words(pd.DataFrame([row | {"caution": ""}]))
    assert said in sentence


def test_no_task_with_both_is_said_so() -> None:
    row = WHO | {"n": 0, "predicted_success_rate": math.nan, "true_success_rate": math.nan}
    [sentence] = overconfidence_words(pd.DataFrame([row | {"caution": ""}]))
    assert sentence == "S, m: no task has both a stated chance and a result yet."


def test_trials_are_told_as_a_closed_sum() -> None:
    row = WHO | {"trials": 8, "complete": 5, "unreadable": 2, "open": 1}
    [sentence] = trial_words(pd.DataFrame([row | {"contracts": 24, "answered": 19}]))
    assert "8 trials = 5 complete + 2 ended early" in sentence and "+ 1 open" in sentence
    assert "19 of 24 contracts are answered" in sentence


def test_a_bin_leads_to_its_tasks_that_came_to_a_result() -> None:
    picked = pick_bin(WHO | {"least": "0.8", "most": "0.9"})
    assert (picked["of_study"], picked["models"]) == ("S", ("m",))
    assert (picked["least"], picked["most"]) == ("0.8", "0.9")
    assert set(picked["outcomes"]) == {"passed", "failed", "no_program"}
