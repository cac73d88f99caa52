"""Tables beside the metrics of uncertainty attribution: closed sums, worked by hand."""

import numpy as np
import pytest

from core.metrics.attribution_frames import glance
from core.metrics.attribution_tables import (
    by_part,
    denominators,
    judges_side_by_side,
    outcome_matrix,
    what_judges_add,
)
from tests.metrics.attribution_counts_frames import frame_of, rows_of

ROWS = rows_of(
    {"correct": 6, "wrong": 2, "invalid": 1, "owed": 1, "MODEL_UNCERTAIN": 1, "unparsable": 3},
    {"DATA_UNCERTAIN": 4, "ANSWERED": 1, "unparsable": 1},
)


def test_both_denominators_of_acc_stand_side_by_side() -> None:
    [row] = denominators(frame_of(ROWS)).to_dict("records")
    # 14 answerable questions, 12 of them with an outcome; of these 9 have a usable reply.
    assert (row["answerable"], row["unparsable"], row["unjudged"], row["invalid"]) == (14, 3, 2, 1)
    assert row["ACC_of_all"] == 6 / 12
    assert (row["usable"], row["ACC_of_usable"]) == (9, 6 / 9)
    assert (row["ACC_lowest"], row["ACC_highest"]) == (6 / 14, 8 / 14)


def test_every_question_is_in_one_cell_of_the_matrix() -> None:
    frame = outcome_matrix(frame_of(ROWS))
    assert frame["n"].sum() == 20
    found = frame.set_index(["question", "outcome"])["n"].to_dict()
    assert {key: n for key, n in found.items() if n} == {
        ("answerable", "answered right"): 6,
        ("answerable", "answered wrong"): 2,
        ("answerable", "unjudged"): 2,
        ("answerable", "MODEL_UNCERTAIN"): 1,
        ("answerable", "unparsable"): 3,
        ("unanswerable", "answered"): 1,
        ("unanswerable", "DATA_UNCERTAIN"): 4,
        ("unanswerable", "unparsable"): 1,
    }
    assert frame.groupby("question")["share"].sum().to_dict() == pytest.approx(
        {"answerable": 1, "unanswerable": 1}
    )
    assert outcome_matrix(frame_of()).empty


def test_a_file_of_one_side_has_no_f1_and_still_its_shares() -> None:
    other = rows_of({}, {"DATA_UNCERTAIN": 3, "ANSWERED": 1}, type="open")
    found = by_part(frame_of(ROWS, other), "type").set_index("type")
    assert found.loc["open", "DATA_share"] == 0.75
    assert np.isnan(found.loc["open", "DU-F1 balanced"])
    assert "not defined" in found.loc["open", "why"]
    assert found.loc["file", "MODEL_share"] == 1 / 18
    assert found.loc["file", "ACC"] == 0.5


def test_each_judge_has_its_own_accuracy_of_the_same_answers() -> None:
    strict = rows_of({"correct": 2, "wrong": 6, "invalid": 2}, {"ANSWERED": 6}, judge="strict")
    mild = rows_of({"correct": 7, "wrong": 1, "owed": 2}, {"ANSWERED": 6}, judge="mild")
    found = judges_side_by_side(frame_of(strict, mild)).set_index("judge")
    assert found.loc["strict", ["yes", "no", "invalid", "open"]].tolist() == [2, 6, 2, 0]
    assert found.loc["mild", ["yes", "no", "invalid", "open"]].tolist() == [7, 1, 0, 2]
    assert found["ACC"].to_dict() == {"strict": 0.25, "mild": 0.875}


def test_what_a_judge_adds_is_what_matches_nothing_and_is_right() -> None:
    said = [("yes", "exact", 5), ("yes", "normalised", 3), ("yes", "none", 2), ("no", "none", 8)]
    said += [("no", "normalised", 2), ("invalid", "exact", 9)]
    base = ROWS[0]
    rows = [base | {"verdict": verdict, "match": match, "n": n} for verdict, match, n in said]
    [row] = what_judges_add(frame_of(rows)).to_dict("records")
    counted = [row[key] for key in ("exact", "normalised", "judge_only", "wrong")]
    assert counted == [5, 3, 2, 10]
    assert row["judged"] == sum(counted) == 20
    assert row["matches_rejected"] == 2
    assert [row[key] for key in ("share_exact", "share_matched", "share_judged")] == [
        0.25,
        0.5,
        0.5,
    ]


def test_questions_without_a_reply_are_told_and_in_no_metric() -> None:
    silent = {"label": None, "verdict": None}
    rows = rows_of({"correct": 3, "wrong": 1}, {"DATA_UNCERTAIN": 2}, type="told")
    more = [rows[0] | silent | {"n": 5}, rows[-1] | silent | {"n": 7}]
    more += [one | {"type": "silent"} for one in more]
    frame = frame_of(rows, more)
    [row] = denominators(frame).to_dict("records")
    assert (row["answerable"], row["ACC_of_all"], row["no_reply"]) == (4, 0.75, 10)
    [row] = glance(frame).to_dict("records")
    assert (row["unanswerable"], row["no_reply"]) == (2, 24)
    assert row["ACC_low"] == glance(frame_of(rows))["ACC_low"].item()
    files = by_part(frame, "type").set_index("type")
    assert files["no_reply"].to_dict() == {"silent": 12, "told": 12}
    assert files.loc["silent", "answerable"] == 0 and "not defined" in files.loc["silent", "why"]
