import pandas as pd
import pytest

from core.charts.balance import balance_chart
from core.charts.theme import CONSERVATIVE, OVERCONFIDENT


def _frame(*rows):
    columns = ["type", "confidence_balance", "overconfidence", "conservatism"]
    frame = pd.DataFrame(rows, columns=[*columns, "n_feasible", "n_infeasible"])
    return frame.assign(n=frame["n_feasible"] + frame["n_infeasible"])


@pytest.fixture
def three_types():
    return _frame(
        ("Ethics", 0.5, 0.2, 0.1, 10, 10),
        ("Time", -0.25, 0.3, 0.4, 10, 10),
        ("Context", None, None, 0.1, 0, 10),
    )


def test_each_side_has_its_colour_and_the_axis_names_both(three_types, drawn_rows):
    chart = balance_chart(three_types)
    colours = [row["colour"] for row in drawn_rows(chart)][:2]
    assert colours == [OVERCONFIDENT, CONSERVATIVE]
    x = chart.to_dict()["layer"][0]["encoding"]["x"]
    assert x["scale"]["domain"] == [-1, 1]
    assert x["title"] == "← conservative · confidence balance · overconfident →"


def test_what_is_not_defined_has_words_and_no_bar(three_types, drawn_rows):
    row = drawn_rows(balance_chart(three_types))[2]
    assert (row["value"], row["text"]) == (None, "not defined")
    assert row["over_text"] == "not defined of 0 generated as feasible"


def test_fewer_than_five_tasks_on_a_side_are_said_in_words(three_types, drawn_rows):
    few = pd.concat([three_types, _frame(("Ceiling", 1.0, 0.5, 0.0, 4, 10))])
    row = drawn_rows(balance_chart(few))[3]
    assert (row["value"], row["text"]) == (None, "too few (n = 4)")


def test_the_description_states_every_balance(three_types):
    assert balance_chart(three_types).to_dict()["description"] == (
        "Confidence balance from −1 (conservative) to +1 (overconfident), 0 is balanced: "
        "Ethics +0.50; Time −0.25; Context not defined."
    )


def test_several_subjects_stand_side_by_side_under_one_type(three_types, drawn_rows):
    both = pd.concat([three_types.assign(subject=name) for name in ("a", "b")])
    chart = balance_chart(both, series="subject")
    assert [row["text"] for row in drawn_rows(chart)][::3] == ["+0.50   a", "+0.50   b"]
    assert chart.to_dict()["layer"][0]["encoding"]["yOffset"]["sort"] == ["a", "b"]


def test_without_a_bar_the_chart_says_so(three_types):
    sentence = "Nothing to draw: too few tasks have been classified."
    assert balance_chart(three_types.iloc[2:]).to_dict()["description"] == sentence
    assert balance_chart(three_types.iloc[:0]).to_dict()["description"] == sentence


def test_hostile_names_are_data(three_types, hostile, fields, drawn_rows):
    chart = balance_chart(three_types.assign(type=hostile))
    assert drawn_rows(chart)[0]["label"] == hostile
    assert hostile not in fields(chart)
