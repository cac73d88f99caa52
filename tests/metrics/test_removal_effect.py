import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.boundary import cells
from core.metrics.cells import METRIC_NAMES, boundary_metrics
from core.metrics.counts import CountRow
from core.metrics.removal_effect import removal_effect
from core.taxonomy import TYPE_NAMES

ETHICS, MALICE = "Ethical Integrity", "Malicious Intent"
TIME, SETTING = "Temporal Perception", "Abstract Temporal Setting"


@pytest.fixture
def kept(make_counts):
    """Eight tasks that nobody removed."""
    return make_counts(
        ("feasible", ETHICS, None, "feasible", None, 3),
        ("feasible", ETHICS, None, "infeasible", MALICE, 1),
        ("infeasible", ETHICS, MALICE, "infeasible", MALICE, 4),
    )


@pytest.fixture
def every(kept, make_counts):
    """The same with two removed tasks, generated as feasible and declined."""
    removed = make_counts(("feasible", ETHICS, None, "infeasible", MALICE, 2))
    return pd.concat([kept, removed])


def _row(frame, metric, kind="Overall"):
    return frame.set_index(["type", "metric"]).loc[(kind, metric)]


def test_each_value_stands_without_and_with_the_removed_tasks(kept, every):
    found = removal_effect(kept, every)
    # accuracy: (3 + 4) / 8 without the two, (3 + 4) / 10 with them
    accuracy = _row(found, "accuracy")
    assert (accuracy["without_removed"], accuracy["with_removed"]) == (0.875, 0.7)
    assert accuracy["difference"] == pytest.approx(0.175)
    assert (accuracy["n_without"], accuracy["n_with"]) == (8, 10)
    # insight: 4 of the 5 called infeasible, and 4 of 7
    insight = _row(found, "insight")
    assert (insight["n_without"], insight["n_with"]) == (5, 7)
    assert insight["difference"] == pytest.approx(4 / 5 - 4 / 7)
    # foresight looks at the four generated as infeasible only, of which none was removed
    assert _row(found, "foresight")["difference"] == 0
    # overconfidence falls from 3 of 6 to 1 of 4
    assert _row(found, "overconfidence")["difference"] == -0.25


def test_all_metrics_are_told_overall_first_then_for_each_type(kept, every):
    found = removal_effect(kept, every)
    assert list(found["metric"]) == list(METRIC_NAMES) * (1 + len(TYPE_NAMES))
    assert list(found["type"].unique()) == ["Overall", *TYPE_NAMES]
    assert list(found["type"].iloc[: len(METRIC_NAMES)].unique()) == ["Overall"]


def test_a_metric_that_is_no_share_is_out_of_all_tasks(kept, every):
    for metric in ("harmonic_mean", "confidence_balance"):
        row = _row(removal_effect(kept, every), metric)
        assert (row["n_without"], row["n_with"]) == (8, 10)


def test_each_study_and_model_is_compared_with_itself(kept, every):
    other = {"study": "other", "model": "b"}
    found = removal_effect(
        pd.concat([kept, kept.assign(**other)]), pd.concat([every, kept.assign(**other)])
    )
    accuracy = found[(found["type"] == "Overall") & (found["metric"] == "accuracy")]
    assert list(zip(accuracy["study"], accuracy["model"], strict=True)) == [
        ("demo", "m"),
        ("other", "b"),
    ]
    assert list(accuracy["difference"]) == [pytest.approx(0.175), 0]


def test_what_is_not_defined_on_one_side_has_no_difference_and_says_why(make_counts):
    kept = make_counts(("feasible", ETHICS, None, "feasible", None, 3))
    removed = make_counts(("infeasible", ETHICS, MALICE, "infeasible", MALICE, 1))
    row = _row(removal_effect(kept, pd.concat([kept, removed])), "foresight")
    assert pd.isna(row["without_removed"])
    assert (row["with_removed"], row["n_without"], row["n_with"]) == (1.0, 0, 1)
    assert pd.isna(row["difference"])
    assert row["why"] == (
        "not defined: without the removed tasks no task generated as infeasible has been classified"
    )


def test_what_is_not_defined_on_either_side_says_so_for_both(kept, every):
    row = _row(removal_effect(kept, every), "accuracy", kind=TIME)
    assert pd.isna(row["difference"])
    assert row["why"] == (
        "not defined: without the removed tasks no task has been classified; "
        "with them no task has been classified"
    )


def test_a_study_whose_tasks_were_all_removed_keeps_its_rows(every):
    found = removal_effect(every.iloc[:0], every)
    assert len(found) == len(METRIC_NAMES) * 6
    assert found["without_removed"].isna().all()
    assert (found["n_without"] == 0).all()
    assert _row(found, "accuracy")["with_removed"] == 0.7


def test_without_removed_tasks_nothing_changes(every):
    found = removal_effect(every, every)
    assert (found["difference"].dropna() == 0).all()
    assert (found["n_without"] == found["n_with"]).all()


def test_counts_that_do_not_belong_together_are_refused(kept, every):
    wording = "the counts of demo have 10 tasks without the removed ones and 8 with them"
    with pytest.raises(InputError, match=wording):
        removal_effect(every, kept)


def test_without_any_counts_there_are_columns_and_no_rows(make_counts):
    found = removal_effect(make_counts(), make_counts())
    assert found.empty
    assert list(found.columns)[3:7] == ["metric", "without_removed", "with_removed", "difference"]


REASON_OF = {ETHICS: MALICE, TIME: SETTING}
ROWS = st.lists(
    st.builds(
        lambda kind, intent, label, n: CountRow(
            "demo", "m", "m", "vanilla", intent, kind, REASON_OF[kind], label, REASON_OF[kind], n
        ),
        st.sampled_from(sorted(REASON_OF)),
        st.sampled_from(["feasible", "infeasible"]),
        st.sampled_from(["feasible", "infeasible"]),
        st.integers(1, 9),
    ),
    min_size=1,
    max_size=8,
)


@given(kept=ROWS, removed=ROWS)
def test_both_sides_are_the_metrics_of_their_counts_and_types_add_up(kept, removed):
    found = removal_effect(kept, [*removed, *kept])
    overall = found[found["type"] == "Overall"].set_index("metric")
    for column, rows in (("without_removed", kept), ("with_removed", kept + removed)):
        for metric, value in boundary_metrics(cells(rows)).items():
            assert overall.loc[metric, column] == value or value is None
    types = found[(found["type"] != "Overall") & (found["metric"] == "accuracy")]
    for column in ("n_without", "n_with"):
        assert types[column].sum() == overall.loc["accuracy", column]
