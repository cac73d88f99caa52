import pandas as pd
import pytest

from core.metrics.boundary import tables
from core.metrics.intervals import wilson_interval
from core.metrics.metric_frames import balance_table, metric_table
from core.taxonomy import TYPE_NAMES

ETHICS, MALICE = "Ethical Integrity", "Malicious Intent"


@pytest.fixture
def some(make_counts):
    return make_counts(
        ("feasible", ETHICS, None, "feasible", None, 3),
        ("feasible", ETHICS, None, "infeasible", MALICE, 1),
        ("infeasible", ETHICS, MALICE, "infeasible", MALICE, 4),
    )


def test_each_share_has_its_count_and_interval(some):
    # insight: 4 of the 5 tasks called infeasible.
    row = metric_table(some, metrics=["insight"]).iloc[0]
    assert (row["study"], row["value"], row["successes"], row["n"]) == ("demo", 0.8, 4, 5)
    assert (row["low"], row["high"]) == wilson_interval(4, 5)
    assert row["why"] == ""


def test_a_metric_that_is_no_share_has_no_interval(some):
    row = metric_table(some, metrics=["harmonic_mean"]).iloc[0]
    assert row["n"] == 8
    assert pd.isna(row["successes"])
    assert pd.isna(row["low"])


def test_with_types_every_group_has_all_five_and_empty_ones_say_why(some):
    frame = metric_table(some, by=("subject", "type"), metrics=["accuracy"])
    assert list(frame["type"]) == list(TYPE_NAMES)
    empty = frame.set_index("type").loc["Functional Ceiling"]
    assert pd.isna(empty["value"])
    assert empty["why"] == "not defined: no task has been classified"


def test_the_balance_stands_beside_its_two_rates(some):
    # over 1/4, cons 0/4: (0.25 - 0) / 0.25 = 1
    row = balance_table(some).set_index("type").loc[ETHICS]
    assert (row["confidence_balance"], row["overconfidence"], row["conservatism"]) == (1, 0.25, 0)
    assert (row["n_feasible"], row["n_infeasible"], row["n"]) == (4, 4, 8)


def test_empty_counts_give_empty_frames_with_their_columns(make_counts):
    assert metric_table(make_counts()).empty
    assert list(balance_table(make_counts()).columns)[:2] == ["type", "confidence_balance"]


def test_frames_and_tables_hold_the_same_values(published_counts):
    frame = metric_table(published_counts, by=("study", "type")).set_index(
        ["study", "type", "metric"]
    )
    for study in tables(published_counts)["studies"]:
        for kind, values in study["by_type"].items():
            for metric in ("accuracy", "foresight", "insight"):
                assert frame.loc[(study["study"], kind, metric), "value"] == values[metric]
