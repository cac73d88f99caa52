import pandas as pd
import pytest

from core.charts.drawing import exhibit_chart
from core.charts.funnel import PART_OPACITY, funnel_chart
from core.charts.theme import NEUTRAL


def _frame(*rows):
    frame = pd.DataFrame(rows, columns=["stage", "within", "label", "n"])
    n_tasks = frame["n"].iloc[0] if len(frame) else 0
    return frame.assign(share_of_tasks=frame["n"] / n_tasks if n_tasks else float("nan"))


@pytest.fixture
def small():
    return _frame(
        ("tasks", "", "Generated", 2000),
        ("decided", "", "Decided", 500),
        ("removed", "decided", "Removed", 500),
        ("removed:malformed", "removed", "Removed: Malformed", 1),
        ("disputed", "decided", "Disputed", 0),
        ("drawn", "", "Drawn", 1600),
        ("classified:a/b", "", "Classified by a/b", 1600),
    )


def test_every_stage_has_a_bar_in_order_with_its_number_beside_it(small, drawn_rows):
    chart = funnel_chart(small)
    rows = drawn_rows(chart)
    assert [row["label"] for row in rows] == list(small["label"])
    assert [row["n"] for row in rows] == list(small["n"])
    assert [row["text"] for row in rows][:5] == [
        "2,000  (100 %)",
        "500  (25 %)",
        "500  (25 %)",
        "1  (<1 %)",
        "0  (0 %)",
    ]
    encoding = chart.to_dict()["layer"][0]["encoding"]
    assert encoding["y"]["sort"] == list(small["label"])
    assert encoding["x"]["scale"]["domain"] == [0, 2000]


def test_parts_of_a_stage_have_its_colour_and_are_paler(small, drawn_rows):
    rows = {row["label"]: row for row in drawn_rows(funnel_chart(small))}
    whole, part = rows["Removed"], rows["Removed: Malformed"]
    assert whole["colour"] == part["colour"] != NEUTRAL
    assert (whole["opacity"], part["opacity"]) == (1.0, PART_OPACITY)
    assert rows["Classified by a/b"]["colour"] == rows["Drawn"]["colour"]
    assert rows["Decided"]["colour"] == NEUTRAL


def test_the_description_states_every_stage(small):
    assert funnel_chart(small.iloc[:2]).to_dict()["description"] == (
        "Tasks at each stage, with their share of all tasks: "
        "Generated 2,000 (100 %); Decided 500 (25 %)."
    )


def test_without_tasks_the_chart_says_so(small):
    sentence = "Nothing to draw yet: there are no tasks."
    empty = _frame(("tasks", "", "Generated", 0), ("drawn", "", "Drawn", 0))
    assert funnel_chart(empty).to_dict()["description"] == sentence
    assert funnel_chart(small.iloc[:0]).to_dict()["description"] == sentence


def test_it_is_found_by_its_kind(small):
    by_kind = exhibit_chart("funnel", small).to_dict()
    assert by_kind["description"] == funnel_chart(small).to_dict()["description"]


def test_hostile_names_are_data(small, hostile, fields, drawn_rows):
    chart = funnel_chart(small.assign(label=[*small["label"][:-1], hostile]))
    assert drawn_rows(chart)[-1]["label"] == hostile
    assert hostile not in fields(chart)
