"""Charts of stated chances: what is drawn, what is too little, and what screens can read."""

import math

import pandas as pd
import pytest

from core.charts.drawing import exhibit_chart
from core.metrics.confidence_frames import calibration_points, risk_coverage_points

WHO = {"study": "S", "model": "m", "part": "task"}


def _counts(n: int) -> pd.DataFrame:
    rows = [
        WHO | {"estimate": 0.9, "result": "passed", "n": n},
        WHO | {"estimate": 0.9, "result": "failed", "n": 1},
        WHO | {"estimate": 0.2, "result": "no_program", "n": 2},
        WHO | {"estimate": None, "result": "passed", "n": 50},
    ]
    return pd.DataFrame(rows)


def _curve(**changes: object) -> pd.DataFrame:
    row = {"study": "S", "model": "m", "metric": "auroc", "value": 0.7, "low": 0.6, "high": 0.8}
    rows = [row | {"contract": at, "n": 40, "n_missing": 2, "why": ""} | changes for at in (1, 2)]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("kind", ["calibration", "risk_coverage"])
def test_fewer_than_five_tasks_are_told_and_not_drawn(kind: str) -> None:
    points = {"calibration": calibration_points, "risk_coverage": risk_coverage_points}[kind]
    few = exhibit_chart(kind, points(_counts(1))).to_dict()
    assert "fewer than 5 tasks" in few["description"]
    assert "layer" in exhibit_chart(kind, points(_counts(3))).to_dict()


def test_each_bin_says_how_many_tasks_it_rests_on() -> None:
    chart = exhibit_chart("calibration", calibration_points(_counts(3))).to_dict()
    assert "75% solved of 4 given 90% on average" in chart["description"]
    assert "0% solved of 2 given 20% on average" in chart["description"]
    [pick] = [one for one in chart["params"] if one["name"] == "pick"]
    assert pick["select"]["fields"] == ["study", "model", "least", "most"]


def test_risk_is_told_beside_what_chances_that_tell_nothing_would_bring() -> None:
    points = risk_coverage_points(_counts(3))
    assert points["coverage"].tolist() == pytest.approx([4 / 6, 1.0])
    assert points["risk"].tolist() == pytest.approx([1 / 4, 3 / 6])
    assert set(points["by_chance"]) == {0.5}
    assert "50% of the 6 tasks" in exhibit_chart("risk_coverage", points).to_dict()["description"]


def test_a_curve_of_contracts_tells_interval_n_and_what_is_missing() -> None:
    said = exhibit_chart("contract_curve", _curve()).to_dict()["description"]
    assert "m, AUROC, contract 2: 0.70 [0.60, 0.80], n = 40, 2 missing" in said


def test_contracts_that_nobody_answered_are_not_drawn() -> None:
    for frame in (_curve(n=4), _curve(value=math.nan)):
        chart = exhibit_chart("contract_curve", frame).to_dict()
        assert "Nothing to draw" in chart["description"]
