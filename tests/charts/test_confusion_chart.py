import pandas as pd
import pytest

from core.charts.confusion import confusion_chart
from core.charts.theme import NEUTRAL


def _frame(*rows):
    frame = pd.DataFrame(rows, columns=["generated", "classified", "n"])
    frame["row_total"] = frame.groupby("generated")["n"].transform("sum")
    frame["share"] = frame["n"] / frame["row_total"].where(frame["row_total"] > 0)
    return frame


@pytest.fixture
def two_by_two():
    return _frame(
        ("Feasible", "Feasible", 6),
        ("Feasible", "Ethics", 2),
        ("Ethics", "Feasible", 0),
        ("Ethics", "Ethics", 12_000),
    )


def test_a_cell_shows_its_count_and_its_share_of_the_row(two_by_two, drawn_rows):
    shown = [(row["above"], row["below"]) for row in drawn_rows(confusion_chart(two_by_two))]
    assert shown == [("6", "75 %"), ("2", "25 %"), ("", ""), ("12k", "100 %")]


def test_rows_and_columns_keep_the_order_of_the_frame(two_by_two):
    encoding = confusion_chart(two_by_two).to_dict()["layer"][0]["encoding"]
    assert encoding["y"]["sort"] == encoding["x"]["sort"] == ["Feasible", "Ethics"]


def test_agreement_is_outlined(two_by_two, drawn_rows):
    outlines = [row["outline"] for row in drawn_rows(confusion_chart(two_by_two))]
    assert outlines == [NEUTRAL, "transparent", "transparent", NEUTRAL]


def test_the_tooltip_has_the_count_and_the_row_total_in_full(two_by_two):
    layer = confusion_chart(two_by_two).to_dict()["layer"][0]
    titles = [tip["title"] for tip in layer["encoding"]["tooltip"]]
    assert titles == [
        "Generated as",
        "Classified as",
        "Tasks",
        "Tasks in the row",
        "Share of the row",
    ]


def test_the_description_states_agreement_and_the_worst_confusions(two_by_two):
    assert confusion_chart(two_by_two).to_dict()["description"] == (
        "Generated as down, classified as across, 12,008 tasks. 12,006 (>99 %) have the same name "
        "on both sides. Most frequent confusions: Feasible as Ethics, 2 of 8 (25 %)."
    )


def test_a_row_without_tasks_is_drawn_blank(drawn_rows):
    frame = _frame(("a", "a", 5), ("b", "a", 0))
    row = drawn_rows(confusion_chart(frame))[1]
    assert (row["above"], row["share_text"]) == ("", "no task in the row")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ((), "Nothing to draw yet: no task has been classified."),
        ((("a", "a", 1),), "Only 1 classified task: too few to draw (fewer than 5)."),
        ((("a", "a", 4),), "Only 4 classified tasks: too few to draw (fewer than 5)."),
    ],
)
def test_too_few_tasks_are_said_in_words(rows, sentence):
    assert confusion_chart(_frame(*rows)).to_dict()["description"] == sentence


def test_any_two_columns_can_be_set_against_each_other(two_by_two):
    frame = two_by_two.rename(columns={"generated": "person", "classified": "judge"})
    chart = confusion_chart(frame, rows="person", columns="judge", row_title="Person").to_dict()
    assert chart["layer"][0]["encoding"]["y"]["title"] == "Person"


def test_hostile_names_are_data_and_reach_no_field_name(hostile, fields, drawn_rows):
    chart = confusion_chart(_frame((hostile, hostile, 9)), title=hostile)
    assert drawn_rows(chart)[0]["row"] == hostile
    assert chart.to_dict()["title"]["text"] == hostile
    assert hostile not in fields(chart)


@pytest.mark.parametrize(("n_names", "n_layers"), [(20, 3), (21, 1), (52, 1)])
def test_squares_too_narrow_for_numbers_have_none_and_every_name_is_drawn(
    n_names, n_layers, drawn_rows
):
    # 52 names: the most reasons a study can have, feasible, and no reason given.
    names = [f"Name {number:02}" for number in range(n_names)]
    chart = confusion_chart(_frame(*((one, other, 1) for one in names for other in names)))
    assert len(chart.to_dict()["layer"]) == n_layers
    assert len(drawn_rows(chart)) == n_names**2
