import pandas as pd
import pytest

from core.charts.metric_bars import metric_bars
from core.charts.theme import NEUTRAL, model_colours


@pytest.fixture
def frame():
    columns = ["study", "metric", "value", "low", "high", "n", "why"]
    rows = [
        ("s", "accuracy", 0.5, 0.4, 0.6, 1000, ""),
        ("s", "harmonic_mean", 0.25, None, None, 100, ""),
        ("s", "insight", None, None, None, 0, "not defined: no task was classified as infeasible"),
        ("s", "foresight", 1.0, 0.44, 1.0, 3, ""),
    ]
    return pd.DataFrame(rows, columns=columns)


def test_a_bar_has_its_value_interval_and_n_in_text(frame, drawn_rows):
    assert [row["text"] for row in drawn_rows(metric_bars(frame))] == [
        "0.50  [0.40, 0.60]  n = 1,000",
        "0.25  n = 100",
        "not defined",
        "too few (n = 3)",
    ]


def test_what_has_no_value_or_too_few_tasks_has_no_bar_and_no_interval(frame, drawn_rows):
    rows = drawn_rows(metric_bars(frame))
    assert [row["value"] for row in rows] == [0.5, 0.25, None, None]
    assert rows[3]["low"] is None
    assert rows[2]["why"] == "not defined: no task was classified as infeasible"


def test_metrics_are_shown_as_words(frame, drawn_rows):
    assert drawn_rows(metric_bars(frame))[1]["series"] == "harmonic mean"


def test_several_columns_can_name_a_bundle_together(frame, drawn_rows):
    chart = metric_bars(frame.assign(model="m"), group=("study", "model"))
    assert drawn_rows(chart)[0]["group"] == "s · m"


def test_bars_are_never_stacked(frame):
    layer = metric_bars(frame).to_dict()["layer"][0]
    assert layer["encoding"]["x"]["stack"] is None


def test_models_have_the_colours_they_are_given_and_keep_their_names(frame):
    models = frame.iloc[:2].assign(subject=["model_b", "model_c"])
    colours = model_colours(["model_a", "model_b"])
    chart = metric_bars(models, series="subject", colours=colours).to_dict()
    scale = chart["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["model_b", "model_c"]
    assert scale["range"] == [colours["model_b"], NEUTRAL]


@pytest.mark.parametrize(("n_letters", "n_columns"), [(8, 3), (40, 1)])
def test_a_legend_too_long_for_one_row_wraps(frame, n_letters, n_columns):
    models = pd.concat([frame.iloc[:1]] * 3).assign(subject=[n * n_letters for n in "abc"])
    legend = metric_bars(models, series="subject").to_dict()["layer"][0]["encoding"]["color"]
    assert legend["legend"]["columns"] == n_columns


def test_every_bar_is_on_the_scale_from_zero_to_one(frame):
    for layer in metric_bars(frame).to_dict()["layer"][:2]:
        assert layer["encoding"]["x"]["scale"]["domain"] == [0, 1]


def test_the_description_states_the_values(frame):
    description = metric_bars(frame.iloc[:1]).to_dict()["description"]
    assert description == (
        "Shares from 0 to 1 with 95 % intervals: s, accuracy: 0.50  [0.40, 0.60]  n = 1,000."
    )


def test_without_a_bar_the_chart_says_so(frame):
    sentence = "Nothing to draw: too few tasks have been classified."
    assert metric_bars(frame.iloc[2:]).to_dict()["description"] == sentence
    assert metric_bars(frame.iloc[:0]).to_dict()["description"] == sentence


def test_hostile_names_are_data(frame, hostile, fields, drawn_rows):
    chart = metric_bars(frame.assign(study=hostile))
    assert drawn_rows(chart)[0]["group"] == hostile
    assert hostile not in fields(chart)
