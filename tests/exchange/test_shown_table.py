"""A frame as people read it: intervals beside values, gaps explained, the best ones marked."""

import pandas as pd
import pytest

from core.exchange.shown_table import Kind, shown_table


def texts(table, **options):
    return [[cell.text for cell in row] for row in shown_table(table, **options).rows]


def best_rows(table, column, **options):
    shown = shown_table(table, **options)
    place = shown.header.index(column)
    return [at for at, row in enumerate(shown.rows) if row[place].is_best]


def test_a_value_and_its_interval_are_one_cell_with_the_same_digits():
    frame = pd.DataFrame({"value": [0.71], "low": [0.6599], "high": [0.7601], "n": [1234]})
    assert texts(frame) == [["0.71 [0.66, 0.76]", "1,234"]]
    assert texts(frame, digits=3) == [["0.710 [0.660, 0.760]", "1,234"]]


def test_an_interval_named_after_its_column_goes_to_that_column():
    frame = pd.DataFrame({"insight": [0.5], "insight_low": [0.4], "insight_high": [0.6]})
    assert shown_table(frame).header == ("insight",)
    assert texts(frame) == [["0.50 [0.40, 0.60]"]]


def test_a_value_without_an_interval_stands_alone():
    frame = pd.DataFrame({"value": [0.5, None], "low": [None, None], "high": [None, None]})
    assert texts(frame.astype(float)) == [["0.50"], [""]]


def test_a_missing_value_is_a_gap_that_points_at_its_reason():
    frame = pd.DataFrame(
        {
            "study": ["a", "b", "c"],
            "value": [0.5, float("nan"), float("nan")],
            "why": ["", "no task was called infeasible", "no task was called infeasible"],
        }
    )
    shown = shown_table(frame)
    assert shown.header == ("study", "value")
    assert shown.notes == ("no task was called infeasible",)
    assert [row[1].kind for row in shown.rows] == [Kind.NUMBER, Kind.GAP, Kind.GAP]
    assert [row[1].note for row in shown.rows] == [None, 0, 0]
    assert not shown.has_unexplained_gap


def test_a_gap_that_nothing_explains_is_known_as_such():
    assert shown_table(pd.DataFrame({"value": [float("nan")]})).has_unexplained_gap
    assert not shown_table(pd.DataFrame({"value": [0.0]})).has_unexplained_gap


def test_a_note_on_a_row_without_gaps_goes_to_its_first_number():
    frame = pd.DataFrame({"value": [0.5], "other": [0.25], "why": ["counted on fewer than 5"]})
    assert [cell.note for cell in shown_table(frame).rows[0]] == [0, None]


def test_whole_numbers_stay_whole_where_some_are_missing():
    frame = pd.DataFrame({"n": pd.array([12000, None], dtype="Int64")})
    assert texts(frame) == [["12,000"], [""]]
    assert shown_table(frame).is_number == (True,)


def test_a_column_of_texts_is_no_column_of_numbers_even_when_they_look_like_it():
    frame = pd.DataFrame({"hash": ["12", "34"], "agrees": [True, False]})
    shown = shown_table(frame)
    assert shown.is_number == (False, False)
    assert texts(frame) == [["12", "yes"], ["34", "no"]]


def test_names_of_metrics_are_shown_in_words_and_other_text_as_it_is():
    frame = pd.DataFrame({"study": ["a_b"], "metric": ["harmonic_mean"], "value": [0.5]})
    assert texts(frame) == [["a_b", "harmonic mean", "0.50"]]


def test_what_is_written_with_a_capital_or_a_letter_of_its_own_is_shown_so():
    frame = pd.DataFrame({"auroc": [0.5], "brier_score": [0.2], "lambda": [1.5], "metric": "auroc"})
    assert shown_table(frame).header == ("AUROC", "Brier score", "λ", "metric")
    assert texts(frame) == [["0.50", "0.20", "1.50", "AUROC"]]


def test_values_that_read_the_same_are_equally_good():
    # 0.7142 and 0.7139 both read 0.71 with two digits; with four the first is higher.
    frame = pd.DataFrame({"accuracy": [0.7142, 0.7139, 0.5]})
    assert best_rows(frame, "accuracy", best={"accuracy": "max"}) == [0, 1]
    assert best_rows(frame, "accuracy", best={"accuracy": "max"}, digits=4) == [0]


@pytest.mark.parametrize(("which", "rows"), [("max", [2]), ("min", [0]), ("zero", [1])])
def test_the_best_is_what_the_caller_says(which, rows):
    frame = pd.DataFrame({"confidence_balance": [-0.5, -0.1, 0.3]})
    found = best_rows(frame, "confidence balance", best={"confidence_balance": which})
    assert found == rows


def test_each_metric_of_a_long_frame_is_compared_for_itself():
    frame = pd.DataFrame(
        {
            "study": ["a", "a", "b", "b"],
            "metric": ["accuracy", "insight", "accuracy", "insight"],
            "value": [0.5, 0.9, 0.6, 0.2],
        }
    )
    assert best_rows(frame, "value", best={"accuracy": "max", "insight": "max"}) == [1, 2]
    assert best_rows(frame, "value", best={"accuracy": "max"}) == [2]


def test_groups_are_compared_within_themselves():
    frame = pd.DataFrame({"type": ["x", "x", "y", "y"], "insight": [0.1, 0.2, 0.9, 0.8]})
    assert best_rows(frame, "insight", best={"insight": "max"}, best_within=["type"]) == [1, 2]


def test_nothing_is_best_where_there_is_nothing_to_compare_with():
    frame = pd.DataFrame({"insight": [0.9, float("nan")]})
    assert best_rows(frame, "insight", best={"insight": "max"}) == []
    assert best_rows(frame, "insight", best={"no_such_column": "max"}) == []


def test_a_table_without_rows_has_its_header():
    shown = shown_table(pd.DataFrame({"study": [], "value": []}))
    assert (shown.header, shown.rows) == (("study", "value"), ())


def test_a_p_value_has_three_decimals_whatever_the_others_have_and_is_never_0():
    frame = pd.DataFrame({"p": [0.0004, 0.0416], "p_adjusted": [0.0012, None], "b": [0.1, 0.2]})
    assert texts(frame) == [["< 0.001", "0.001", "0.10"], ["0.042", "", "0.20"]]
    assert texts(pd.DataFrame({"McNemar_p": [1.0, 1e-9]})) == [["1.000"], ["< 0.001"]]
    assert shown_table(frame).is_number == (True, True, True)
