import pandas as pd
import pytest

from core.charts.agent_curves import agent_curve_chart

COLUMNS = ["study", "model", "step", "metric", "value", "low", "high", "n", "n_carried"]
COLUMNS += ["success_rate"]


@pytest.fixture
def frame():
    rows = [
        ("s", "m", "1", "mean_estimate", 0.5, 0.4, 0.6, 8, 0, 0.25),
        ("s", "m", "2", "mean_estimate", 0.75, 0.6, 0.9, 8, 3, 0.25),
        ("s", "m", "after", "mean_estimate", 0.9, 0.8, 1.0, 8, 0, 0.25),
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def test_after_submission_stands_apart_behind_the_last_step(frame, drawn_rows):
    assert [row["at"] for row in drawn_rows(agent_curve_chart(frame))] == [1, 2, 3]
    axis = agent_curve_chart(frame).to_dict()["layer"][1]["encoding"]["x"]["axis"]
    assert axis["labelExpr"] == "datum.value > 2 ? 'after' : datum.value"
    assert axis["values"] == [1, 2, 3]


def test_a_point_says_its_value_interval_and_how_many_are_carried_on(frame, drawn_rows):
    words = [row["words"] for row in drawn_rows(agent_curve_chart(frame))]
    assert words[1] == "0.75 [0.60, 0.90], n = 8, 3 of them carried on"


def test_the_share_solved_is_drawn_under_the_mean_estimate_only(frame):
    first = agent_curve_chart(frame).to_dict()["layer"][0]
    assert first["encoding"]["y"]["field"] == "success_rate"
    auroc = agent_curve_chart(frame.assign(metric="auroc")).to_dict()["layer"][0]
    assert auroc["data"]["values"] == [{"chance": 0.5}]


def test_a_difference_is_drawn_around_zero(frame):
    chart = agent_curve_chart(frame.assign(metric="auroc_difference")).to_dict()
    assert chart["layer"][2]["encoding"]["y"]["scale"]["domain"] == [-1.0, 1.0]


def test_too_few_runs_are_said_in_words(frame):
    sentence = "Nothing to draw: fewer than 5 runs have a chance stated and an outcome."
    for few in (frame.assign(n=4), frame.iloc[:0], frame.assign(value=float("nan"))):
        assert agent_curve_chart(few).to_dict()["description"] == sentence


def test_the_description_states_both_ends(frame):
    assert agent_curve_chart(frame).to_dict()["description"] == (
        "By step, m: step 1 0.50 [0.40, 0.60], n = 8, after submission 0.90 [0.80, 1.00], n = 8."
    )


def test_hostile_names_are_data(frame, hostile, fields, drawn_rows):
    chart = agent_curve_chart(frame.assign(model=hostile))
    assert drawn_rows(chart)[0]["who"] == hostile
    assert hostile not in fields(chart)
