"""The chart of what became of questions: every square is a number, and says so in words."""

import numpy as np
import pandas as pd

from core.charts.drawing import exhibit_chart
from core.charts.outcomes import outcome_chart
from core.metrics.attribution_frames import metric_intervals
from core.metrics.attribution_tables import outcome_matrix
from tests.metrics.attribution_counts_frames import frame_of, rows_of

ROWS = rows_of(
    {"correct": 6, "wrong": 3, "MODEL_UNCERTAIN": 1},
    {"DATA_UNCERTAIN": 4, "ANSWERED": 1},
)


def squares_of(chart) -> pd.DataFrame:
    spec = chart.to_dict()
    [rows] = spec["datasets"].values()
    return pd.DataFrame(rows).set_index(["row", "column"])


def test_every_outcome_has_its_number_and_share_of_the_row() -> None:
    squares = squares_of(outcome_chart(outcome_matrix(frame_of(ROWS))))
    assert squares.loc[("answerable", "answered right"), ["n", "below"]].tolist() == [6, "60 %"]
    assert squares.loc[("unanswerable", "DATA_UNCERTAIN"), "below"] == "80 %"
    # What a side cannot come to is blank, and still a square of its own.
    blank = squares.loc[("unanswerable", "answered right")]
    assert (blank["n"], blank["above"], blank["share_text"]) == (0, "", "cannot be")
    outlined = squares.index[squares["is_outlined"]].tolist()
    assert outlined == [("answerable", "answered right"), ("unanswerable", "DATA_UNCERTAIN")]


def test_rows_name_study_and_model_only_where_there_are_several() -> None:
    two = frame_of(ROWS, rows_of({"correct": 2}, {}, study="T"))
    assert set(squares_of(outcome_chart(outcome_matrix(two))).index.get_level_values("row")) == {
        "S · answerable",
        "S · unanswerable",
        "T · answerable",
    }
    people = frame_of(ROWS, rows_of({"wrong": 2}, {}, model="other"))
    rows = squares_of(outcome_chart(outcome_matrix(people))).index.get_level_values("row")
    assert "other · answerable" in rows


def test_a_click_picks_what_leads_to_the_questions() -> None:
    spec = outcome_chart(outcome_matrix(frame_of(ROWS))).to_dict()
    [pick] = spec["params"]
    assert pick["select"]["fields"] == ["study", "model", "question", "outcome"]


def test_it_is_told_in_words_too() -> None:
    said = outcome_chart(outcome_matrix(frame_of(ROWS))).description
    assert "15 questions" in said
    assert "answerable: answered right 6 (60 %), answered wrong 3 (30 %)" in said


def test_few_questions_and_none_are_told_instead_of_drawn() -> None:
    few = outcome_matrix(frame_of(rows_of({"correct": 1}, {})))
    assert outcome_chart(few).description == (
        "Only 1 question attempted: too few to draw (fewer than 5)."
    )
    nothing = outcome_chart(outcome_matrix(frame_of()))
    assert nothing.description == "Nothing to draw yet: no question has been answered."


def test_bars_of_groups_and_modes_say_group_and_metric_and_pick_the_group() -> None:
    rows = metric_intervals(frame_of(ROWS), by=("group", "study", "model"))
    spec = exhibit_chart("group_bars", rows).to_dict()
    bars = pd.DataFrame(next(iter(spec["datasets"].values())))
    assert bars["group"].tolist()[0] == "group · ACC"
    assert set(bars["question_group"]) == {"group"}
    [pick] = spec["params"]
    assert "question_group" in pick["select"]["fields"]
    modes = metric_intervals(frame_of(ROWS), by=("model", "prompt_set"))
    bars = pd.DataFrame(
        next(iter(exhibit_chart("mode_bars", modes).to_dict()["datasets"].values()))
    )
    assert bars["group"].tolist()[1] == "m · DU-F1 released"
    assert np.isclose(bars["value"].iloc[0], 0.6)
