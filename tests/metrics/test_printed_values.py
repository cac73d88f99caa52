"""Printed values of any source are compared to the digit they were printed with."""

import json

import pytest

from core.errors import InputError
from core.exchange.printed_file import PrintedValue, parse_printed, read_printed_file
from core.metrics.counts import CountRow
from core.metrics.printed_values import compare_values


def _row(intent: str, label: str, n: int, **more: str | None) -> CountRow:
    about = {"study": "S", "subject": "m", "model": "m", "prompt_set": "vanilla", "type": "T"}
    reasons = {"reason": None, "label_reason": None}
    return CountRow(**(about | reasons | {"intent": intent, "label": label, "n": n} | more))


# 71 of 100 right: accuracy 0.71; another model's 10 rows do not count unless it is named.
ROWS = [
    _row("feasible", "feasible", 71),
    _row("feasible", "infeasible", 29, label_reason="r"),
    _row("feasible", "infeasible", 10, model="other", label_reason="r"),
]


def _value(printed: float, digits: int, metric: str = "accuracy", **where: str) -> PrintedValue:
    return PrintedValue(where, metric, printed, digits)


@pytest.mark.parametrize(
    ("printed", "digits", "agrees", "verdict"),
    [
        (0.71, 2, True, "agrees to the printed digit"),
        (0.7, 1, True, "agrees to the printed digit"),
        (0.715, 3, False, "differs"),
        (0.72, 2, True, "agrees within one of the last digit"),
        (0.73, 2, False, "differs"),
    ],
)
def test_a_value_agrees_as_far_as_it_was_printed(printed, digits, agrees, verdict):
    [row] = compare_values(ROWS, [_value(printed, digits)]).to_dict("records")
    assert (row["agrees"], row["verdict"], row["n"]) == (agrees, verdict, 100)
    assert row["difference"] == pytest.approx(0.71 - printed)


def test_a_value_for_another_model_is_about_that_model_only():
    [row] = compare_values(ROWS, [_value(0.0, 1, model="other")]).to_dict("records")
    assert (row["ours"], row["n"], row["agrees"]) == (0.0, 10, True)


def test_what_cannot_be_compared_says_why():
    frame = compare_values(ROWS, [_value(0.5, 1, study="X"), _value(0.5, 1, metric="foresight")])
    assert frame["agrees"].isna().all()
    assert frame["verdict"].tolist()[0] == "not compared: there are no such tasks"
    assert frame["verdict"].tolist()[1].startswith("not defined here: ")
    with pytest.raises(InputError, match="the metric 'skill' is not known"):
        compare_values(ROWS, [_value(0.5, 1, metric="skill")])


def test_a_file_keeps_the_digits_as_they_were_printed(tmp_path):
    path = tmp_path / "printed.json"
    path.write_text(
        '{"source": "Table 1", "values": [{"study": "S", "metric": "accuracy", "printed": 0.80}, '
        '{"metric": "insight", "printed": 1, "digits": 2}]}'
    )
    file = read_printed_file(path)
    assert (file.source, [(one.printed, one.digits) for one in file.values]) == (
        "Table 1",
        [(0.8, 2), (1.0, 2)],
    )


@pytest.mark.parametrize(
    ("values", "wording"),
    [
        ([], "p.json has no list of values"),
        (["x"], "value 1 of p.json is 'x'"),
        ([{"metric": "accuracy"}], "value 1 of p.json has the printed value None"),
        ([{"printed": 1}], "value 1 of p.json names no metric"),
        ([{"metric": "a", "printed": 1, "studdy": "S"}], "unknown key 'studdy'"),
        ([{"metric": "a", "printed": True}], "has the printed value True"),
        ([{"metric": "a", "printed": 1, "type": 4}], "has the type 4"),
        ([{"metric": "a", "printed": 1, "digits": 99}], "has 99 digits"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_by_its_value(values, wording):
    with pytest.raises(InputError, match=wording):
        parse_printed(json.dumps({"values": values}), "p.json")


def test_a_broken_file_is_told_by_its_line():
    with pytest.raises(InputError, match=r"line 2 of p\.json is no JSON"):
        parse_printed('{"values":\n oops}', "p.json")
