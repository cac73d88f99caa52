"""Metric frames of uncertainty attribution: against the oracle, and intervals that hold."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.attribution import attribution_metrics
from core.metrics.attribution_counts import AttributionCounts
from core.metrics.attribution_frames import glance, metric_intervals, named_metrics, removal_effect
from core.metrics.attribution_replicates import METRICS, attribution_metric, outcome_cells
from core.metrics.attribution_rows import counts_by, outcome_of
from core.metrics.intervals import wilson_interval
from tests.metrics.attribution_counts_frames import frame_of, rows_of

ORACLE = Path(__file__).parents[3] / "shared" / "reference" / "attribution.json"
HAND = rows_of(
    {"correct": 5, "wrong": 3, "DATA_UNCERTAIN": 1, "MODEL_UNCERTAIN": 1},
    {"DATA_UNCERTAIN": 6, "MODEL_UNCERTAIN": 1, "ANSWERED": 3},
)
# ACC 5/10. N = 10, M = 5. DU: tp 6/10, fp 1/5, fn 4/5 released and 4/10 balanced:
# 1.2/(1.2 + .2 + .8), 1.2/(1.2 + .2 + .4). MU: tp 1/5, fp 1/10, fn 4/10 released, 4/5 balanced:
# .4/(.4 + .1 + .4), .4/(.4 + .1 + .8).
BY_HAND = dict(zip(METRICS, (0.5, 6 / 11, 2 / 3, 4 / 9, 4 / 13), strict=True))

counts_strategy = st.builds(
    AttributionCounts, **{name: st.integers(0, 30) for name in AttributionCounts().__dict__}
)


def test_the_metrics_are_those_worked_out_by_hand() -> None:
    found = metric_intervals(frame_of(HAND)).set_index("metric")["value"].to_dict()
    assert found == pytest.approx(BY_HAND)


@pytest.mark.skipif(not ORACLE.exists(), reason="the reference tables are not here")
def test_the_twelve_reference_tables_give_the_reference_values() -> None:
    cases = json.loads(ORACLE.read_text(encoding="utf-8"))["cases"]
    assert len(cases) == 12
    for case in cases:
        frame = frame_of(rows_of(case["answerable"], case["unanswerable"]))
        found = metric_intervals(frame, replicates=50).set_index("metric")["value"]
        wanted = {"ACC": case["accuracy"]} | {
            f"{name} {form}": case[form][key]
            for form in ("released", "balanced")
            for name, key in (("DU-F1", "du_f1"), ("MU-F1", "mu_f1"))
        }
        for name, value in wanted.items():
            if value is None:
                assert np.isnan(found[name])
            else:
                assert found[name] == pytest.approx(value, abs=1e-12), name


@given(counts_strategy)
@settings(max_examples=200, deadline=None)
def test_the_metrics_of_replicates_are_those_of_counts(counts: AttributionCounts) -> None:
    cells = outcome_cells(counts)[None]
    for one in attribution_metrics(counts):
        name = f"{one.name} {one.form}".strip()
        [value] = attribution_metric(cells, name)
        assert np.isnan(value) if one.value is None else value == pytest.approx(one.value)


@given(counts_strategy)
@settings(max_examples=60, deadline=None)
def test_intervals_hold_the_value_within_0_and_1_and_are_never_of_width_zero(counts) -> None:
    answerable = {
        "correct": counts.correct,
        "wrong": counts.wrong,
        "DATA_UNCERTAIN": counts.answerable_data,
        "MODEL_UNCERTAIN": counts.answerable_model,
    }
    unanswerable = {
        "DATA_UNCERTAIN": counts.unanswerable_data,
        "MODEL_UNCERTAIN": counts.unanswerable_model,
        "ANSWERED": counts.unanswerable_answered,
    }
    frame = frame_of(rows_of(answerable, unanswerable))
    for row in metric_intervals(frame, replicates=200).itertuples():
        if np.isnan(row.value):
            assert row.why.startswith("not defined: ")
        elif row.interval:
            assert 0 <= row.low <= row.value <= row.high <= 1
            assert row.low < row.high
        else:
            assert row.why_no_interval


def test_the_bootstrap_agrees_with_the_closed_intervals_where_both_hold() -> None:
    # With many questions of one file the two say the same, but for DU-F1 released, whose closed
    # form takes M, the questions not answered correctly, as fixed.
    counts = AttributionCounts(
        correct=500, wrong=300, answerable_data=100, answerable_model=100,
        unanswerable_data=500, unanswerable_model=200, unanswerable_answered=300,
    )  # fmt: skip
    frame = frame_of(
        rows_of(
            {"correct": 500, "wrong": 300, "DATA_UNCERTAIN": 100, "MODEL_UNCERTAIN": 100},
            {"DATA_UNCERTAIN": 500, "MODEL_UNCERTAIN": 200, "ANSWERED": 300},
        )
    )
    closed = named_metrics(counts)
    for row in metric_intervals(frame).itertuples():
        if row.metric != "DU-F1 released":
            assert row.low == pytest.approx(closed[row.metric].low, abs=0.006), row.metric
            assert row.high == pytest.approx(closed[row.metric].high, abs=0.006), row.metric


def test_accuracy_over_files_varies_less_than_over_one_file_of_as_many_questions() -> None:
    easy = rows_of({"correct": 95, "wrong": 5}, {}, type="easy")
    hard = rows_of({"correct": 5, "wrong": 95}, {}, type="hard")
    [row] = metric_intervals(frame_of(easy, hard), metrics=["ACC"]).itertuples()
    low, high = wilson_interval(100, 200)
    assert (row.value, row.interval) == (0.5, "bootstrap")
    assert row.high - row.low < 0.6 * (high - low)
    [alone] = metric_intervals(frame_of(easy), metrics=["ACC"]).itertuples()
    assert (alone.low, alone.high) == pytest.approx(wilson_interval(95, 100))


def test_the_same_seed_gives_the_same_interval_whatever_other_studies_are_there() -> None:
    other = rows_of({"correct": 3, "wrong": 9}, {"ANSWERED": 7}, study="T")
    alone = metric_intervals(frame_of(HAND), seed=3)
    both = metric_intervals(frame_of(other, HAND[::-1]), seed=3)
    pd.testing.assert_frame_equal(alone, both[both["study"] == "S"].reset_index(drop=True))
    moved = metric_intervals(frame_of(HAND), seed=4)
    assert not moved["low"].equals(alone["low"])


def test_an_answer_without_a_verdict_is_in_no_metric_and_is_counted() -> None:
    more = rows_of({"invalid": 4, "owed": 2}, {})
    [row] = glance(frame_of(HAND, more)).to_dict("records")
    assert {name: row[name] for name in METRICS} == pytest.approx(BY_HAND)
    assert (row["answerable"], row["unanswerable"], row["unjudged"]) == (10, 10, 6)


def test_what_is_not_defined_says_why() -> None:
    found = metric_intervals(frame_of(rows_of({"correct": 4}, {}))).set_index("metric")
    assert found.loc["ACC", "value"] == 1
    assert found.loc["DU-F1 balanced", "why"] == (
        "not defined: there is no unanswerable question and every answerable question was "
        "answered correctly"
    )
    assert metric_intervals(frame_of()).empty


def test_removing_is_told_metric_by_metric() -> None:
    gone = rows_of({"wrong": 10}, {})
    found = removal_effect(frame_of(HAND), frame_of(HAND, gone)).set_index("metric")
    acc = found.loc["ACC"]
    assert (acc.without_removed, acc.with_removed, acc.difference) == (0.5, 0.25, 0.25)
    assert (acc.n_without, acc.n_with) == (10, 20)
    everything = removal_effect(frame_of(), frame_of(HAND)).set_index("metric")
    assert np.isnan(everything.loc["ACC", "difference"])
    assert everything.loc["ACC", "why"] == (
        "not defined: without the removed questions no answerable question has an outcome"
    )


def test_groups_add_up_and_rows_without_a_name_are_in_none() -> None:
    nameless = [row | {"group": None} for row in HAND]
    found = counts_by(frame_of(HAND, nameless), ("group",))
    assert list(found) == [("group",)]
    assert found["group",].n_answerable == 10
    assert counts_by(frame_of(HAND, nameless))[()].n_answerable == 20


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("maybe", "ANSWERED", None), "intent 'maybe'"),
        (("answerable", "ANSWERED", "perhaps"), "verdict 'perhaps'"),
        (("answerable", "DONE", None), "label 'DONE'"),
    ],
)
def test_an_unknown_word_is_refused(row, said) -> None:
    with pytest.raises(InputError, match=said):
        outcome_of(*row)
    with pytest.raises(InputError, match="no column 'verdict'"):
        counts_by(frame_of(HAND).drop(columns="verdict"))
