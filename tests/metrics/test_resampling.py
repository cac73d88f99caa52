import random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.boundary import by_type_mean_of_prompts
from core.metrics.cells import METRIC_NAMES
from core.metrics.counts import COUNT_COLUMNS
from core.metrics.intervals import percentile_interval, wilson_interval
from core.metrics.metric_frames import metric_table
from core.metrics.replicates import CELL_NAMES, replicate_cells, replicate_metric
from core.metrics.resampling import (
    ALWAYS_THE_SAME,
    coverage_sentence,
    metric_intervals,
    prompt_mean_intervals,
)
from core.taxonomy import LINE_OF_DUTY

ETHICS, MALICE, OFFENCE = "Ethical Integrity", "Malicious Intent", "Offensive Topics"
CONTEXT, MISSING = "Contextual Awareness", "Missing Context"
BOTH = ("study", "type")


def ends(frame, metric, **where):
    for name, value in ({"metric": metric} | where).items():
        frame = frame[frame[name] == value]
    (row,) = frame.to_dict("records")
    return row["low"], row["high"]


DOUBTS = {
    "feasible": {"ff": 0.5, "fr": 0.5},
    "infeasible": {"rf": 0.5, "rr": 0.5, "rr_other": 0.25},
}


def task_lists(frame):
    """By side and type, the cell of every single task."""
    tasks = {side: {} for side in DOUBTS}
    for row in frame.itertuples():
        tasks[row.intent].setdefault(row.type, []).extend([cell_of(row)] * row.n)
    return tasks


def reweighted(tasks, rng):
    """The cells of one replicate, task by task: each task a random weight, each cell some doubt."""
    cells = {}
    for side, of_type in tasks.items():
        sums = dict.fromkeys(DOUBTS[side], 0.0)
        for mine in of_type.values():
            n = len(mine)
            weights = [rng.gammavariate((n - 2) / n, 1) for _ in mine]
            whole = sum(weights)
            for cell, weight in zip(mine, weights, strict=True):
                sums[cell] += n * weight / whole
        in_all = sum(map(len, of_type.values()))
        part = rng.betavariate(sum(DOUBTS[side].values()), in_all)
        doubts = {cell: rng.gammavariate(one, 1) for cell, one in DOUBTS[side].items()}
        for cell, doubt in doubts.items():
            cells[cell] = (1 - part) * sums[cell] + part * in_all * doubt / sum(doubts.values())
    return [cells[name] for name in CELL_NAMES]


def cell_of(row):
    if row.intent == "feasible":
        return "ff" if row.label == "feasible" else "fr"
    if row.label == "feasible":
        return "rf"
    return "rr" if row.reason == row.label_reason else "rr_other"


def test_counting_gives_the_intervals_of_weighing_every_single_task(one_type):
    counts = pd.concat([one_type(16, 4, 2, 15, 3), one_type(19, 1, 8, 10, 2, kind=CONTEXT)])
    rng = random.Random(11)
    tasks = task_lists(counts)
    slow = np.array([reweighted(tasks, rng) for _ in range(2000)])
    fast = replicate_cells(counts, by=("study",), replicates=20_000)[("demo",)]
    for metric in METRIC_NAMES:
        one, other = replicate_metric(slow, metric), replicate_metric(fast, metric)
        # A quantile's own error at 2.5 % of 2,000 replicates is about 0.06 standard deviations of
        # a bell curve; the tails of confidence balance are flatter.
        within = 0.2 * other.std()
        assert percentile_interval(one) == pytest.approx(percentile_interval(other), abs=within)


def test_drawing_tasks_with_replacement_gives_nearly_the_same_intervals(two_types):
    # The plain bootstrap, row by row; with 80 tasks a stratum the two differ little.
    rng = np.random.default_rng(3)
    rows = two_types.loc[two_types.index.repeat(two_types["n"])].reset_index(drop=True)
    cell = np.array([CELL_NAMES.index(cell_of(row)) for row in rows.itertuples()])
    strata = [np.array(at) for at in rows.groupby(["type", "intent"]).indices.values()]
    drawn = []
    for _ in range(3000):
        picked = np.concatenate([rng.choice(at, len(at)) for at in strata])
        drawn.append(np.bincount(cell[picked], minlength=5))
    frame = metric_intervals(two_types, by=("study",))
    assert set(frame["interval"]) == {"bootstrap"}
    for metric in METRIC_NAMES:
        plain = replicate_metric(np.array(drawn), metric)
        near = pytest.approx(percentile_interval(plain), abs=0.4 * plain.std())
        assert ends(frame, metric) == near


def test_a_share_of_one_stratum_has_wilsons_interval(one_type):
    # Foresight: 60 of the 80 generated as infeasible; overconfidence 20, conservatism 8 of 80.
    frame = metric_intervals(one_type(60, 20, 8, 60, 12), by=BOTH)
    frame = frame[frame["type"] == ETHICS].set_index("metric")
    for metric, successes in (("foresight", 60), ("overconfidence", 20), ("conservatism", 8)):
        row = frame.loc[metric]
        assert (row["low"], row["high"]) == wilson_interval(successes, 80)
        assert (row["successes"], row["n"], row["interval"]) == (successes, 80, "wilson")
    for metric in ("accuracy", "insight", "harmonic_mean", "confidence_balance"):
        assert frame.loc[metric, "interval"] == "bootstrap"


def test_a_share_over_several_types_is_narrower_than_wilsons_formula(one_type):
    # Foresight is 0.95 in one type and 0.3 in the other: each type has its 80 tasks for sure.
    counts = pd.concat([one_type(60, 20, 2, 76, 2), one_type(60, 20, 28, 24, 28, kind=CONTEXT)])
    low, high = ends(metric_intervals(counts, by=("study",)), "foresight")
    wilson = wilson_interval(100, 160)
    # By hand: (0.95 · 0.05 + 0.3 · 0.7) / 79 / 4 is the variance of the mean of the two.
    by_hand = 2 * 1.96 * ((0.95 * 0.05 + 0.3 * 0.7) / 79 / 4) ** 0.5
    assert high - low == pytest.approx(by_hand, rel=0.06)
    assert high - low < wilson[1] - wilson[0]


def test_shares_over_strata_of_few_tasks_have_wilsons_interval(one_type):
    counts = pd.concat([one_type(3, 1, 1, 2, 1), one_type(2, 2, 0, 3, 1, kind=CONTEXT)])
    frame = metric_intervals(counts, by=("study",)).set_index("metric")
    # 10 of 16 as they were generated.
    assert (frame.loc["accuracy", "low"], frame.loc["accuracy", "high"]) == wilson_interval(10, 16)
    assert frame.loc["insight", "interval"] == "wilson"
    assert frame.loc["harmonic_mean", "interval"] == "bootstrap"


def test_values_and_sizes_are_those_of_the_point_table(two_types):
    shared = ["study", "type", "metric", "value", "successes", "n", "why"]
    points = metric_table(two_types, by=BOTH, metrics=METRIC_NAMES)
    pd.testing.assert_frame_equal(metric_intervals(two_types, by=BOTH)[shared], points[shared])


def test_a_hundred_times_the_tasks_narrow_the_interval_ten_times(one_type):
    def width(times, metric):
        counts = one_type(*(times * n for n in (60, 20, 8, 60, 12)))
        low, high = ends(metric_intervals(counts, by=("study",), replicates=20_000), metric)
        return high - low

    for metric in METRIC_NAMES:
        assert width(1, metric) / width(100, metric) == pytest.approx(10, rel=0.1)


def test_the_interval_depends_on_the_seed_and_on_nothing_else_by_chance(two_types):
    one, same, other = (metric_intervals(two_types, seed=seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(one, same)
    assert (one["low"] != other["low"]).all()
    assert (one["value"] == other["value"]).all()


def test_the_order_and_the_splitting_of_rows_do_not_matter(two_types):
    shuffled = two_types.sample(frac=1, random_state=1)
    halves = pd.concat([shuffled.assign(n=shuffled["n"] - 1), shuffled.assign(n=1)])
    expected = metric_intervals(two_types, by=BOTH)
    pd.testing.assert_frame_equal(metric_intervals(shuffled, by=BOTH), expected)
    pd.testing.assert_frame_equal(metric_intervals(halves, by=BOTH), expected)


def test_studies_pooled_by_subject_are_drawn_each_for_itself(one_type):
    # Twice a study of 0 or 80 overconfident tasks: no study varies, so their mean hardly does.
    apart = pd.concat([one_type(80, 0, 0, 80, 0), one_type(0, 80, 0, 80, 0, study="other")])
    low, high = ends(metric_intervals(apart, by=("subject",)), "overconfidence")
    wilson = wilson_interval(80, 160)
    assert low < 0.5 < high
    assert 0 < high - low < 0.3 * (wilson[1] - wilson[0])


few = st.integers(0, 4)


@settings(deadline=None)
@given(few, few, few, few, few, st.sampled_from([1, 30]))
def test_wherever_there_is_a_value_its_interval_holds_it_and_has_a_width(ff, fr, rf, rr, ro, times):
    names = ("demo", "m", "m", "vanilla")
    rows = [
        (*names, "feasible", ETHICS, None, "feasible", None, ff * times),
        (*names, "feasible", ETHICS, None, "infeasible", MALICE, fr * times),
        (*names, "infeasible", ETHICS, MALICE, "feasible", None, rf * times),
        (*names, "infeasible", ETHICS, MALICE, "infeasible", MALICE, rr * times),
        (*names, "infeasible", ETHICS, MALICE, "infeasible", OFFENCE, ro * times),
    ]
    frame = metric_intervals(pd.DataFrame(rows, columns=COUNT_COLUMNS), replicates=200)
    for row in frame.to_dict("records"):
        if row["why"]:
            assert np.isnan(row["value"])
            assert np.isnan(row["low"])
            assert (row["interval"], row["why_no_interval"]) == ("", row["why"])
        elif row["metric"] == "insight" and not rf + rr + ro:
            assert (row["value"], row["why_no_interval"]) == (0, ALWAYS_THE_SAME)
        else:
            lowest = -1 if row["metric"] == "confidence_balance" else 0
            assert lowest <= row["low"] <= row["value"] <= row["high"] <= 1
            assert row["low"] < row["high"]
            assert (row["interval"] != "", row["why_no_interval"]) == (True, "")


def test_a_study_without_a_mistake_has_one_sided_intervals(one_type):
    frame = metric_intervals(one_type(80, 0, 0, 80, 0))
    for metric in ("accuracy", "foresight", "insight", "harmonic_mean"):
        low, high = ends(frame, metric)
        assert 0.9 < low < high == 1
    # Nothing went wrong on either side, so either side may be the worse one.
    low, high = ends(frame, "confidence_balance")
    assert low < -0.9 < 0.9 < high


def test_a_side_never_met_leaves_the_balance_at_its_end_with_a_width(one_type):
    # 25 feasible tasks of which 6 were declined, 25 infeasible ones of which none was tried.
    low, high = ends(metric_intervals(one_type(19, 6, 0, 20, 5)), "confidence_balance")
    assert 0 < low < high == 1


def test_a_model_that_never_declines_has_no_insight_and_says_why(one_type):
    frame = metric_intervals(one_type(40, 0, 40, 0, 0)).set_index("metric")
    for metric in ("insight", "harmonic_mean"):
        row = frame.loc[metric]
        assert np.isnan(row["low"])
        assert row["why"] == row["why_no_interval"]
        assert row["why"] == "not defined: no task was classified as infeasible"
    low, high = ends(frame.reset_index(), "foresight")
    assert (low, high) == wilson_interval(0, 40)


def test_without_infeasible_tasks_insight_is_zero_by_design_and_has_no_interval(one_type):
    for fr in (2, 30):
        row = metric_intervals(one_type(2, fr, 0, 0, 0)).set_index("metric").loc["insight"]
        assert (row["value"], row["interval"]) == (0, "")
        assert np.isnan(row["low"])
        assert row["why_no_interval"] == ALWAYS_THE_SAME


def test_a_type_that_is_missing_is_there_without_an_interval(one_type):
    frame = metric_intervals(one_type(8, 2, 1, 8, 1), by=BOTH)
    assert list(frame["type"].unique()) == list(LINE_OF_DUTY.type_names)
    empty = frame[frame["type"] == CONTEXT]
    assert empty["low"].isna().all()
    assert (empty["why_no_interval"] != "").all()


def test_the_mean_of_prompt_sets_has_the_interval_of_a_mean(one_type):
    cells = (60, 20, 8, 60, 12)
    other = one_type(*cells, study="other", prompt_set="challenge_qap")
    counts = pd.concat([one_type(*cells), other])
    means = prompt_mean_intervals(counts, metrics=("accuracy", "harmonic_mean"))
    single = metric_intervals(one_type(*cells), by=BOTH)
    for metric in ("accuracy", "harmonic_mean"):
        low, high = ends(means, metric, type=ETHICS)
        one_low, one_high = ends(single, metric, type=ETHICS)
        # The mean of two equal and independent values has 1 / √2 of their spread.
        assert (high - low) / (one_high - one_low) == pytest.approx(2**-0.5, rel=0.1)
    assert means.set_index(["type", "metric"]).loc[(ETHICS, "accuracy"), "n"] == 320


def test_the_mean_is_not_defined_where_it_is_not_under_one_prompt_set(one_type):
    # Under the other prompt set the model never declines.
    other = one_type(40, 0, 40, 0, 0, study="other", prompt_set="challenge_qap")
    frame = prompt_mean_intervals(pd.concat([one_type(30, 10, 4, 30, 6), other]))
    row = frame.set_index(["type", "metric"]).loc[(ETHICS, "insight")]
    assert np.isnan(row["value"])
    assert np.isnan(row["low"])
    assert row["why"] == row["why_no_interval"]
    assert row["why"] == "not defined: no task was classified as infeasible"


def test_means_of_the_published_studies_are_those_of_the_tables(published_counts):
    frame = prompt_mean_intervals(published_counts).set_index(["subject", "type", "metric"])
    for subject, part in published_counts.groupby("subject"):
        for kind, means in by_type_mean_of_prompts(part).items():
            for metric, value in means.items():
                row = frame.loc[(subject, kind, metric)]
                assert row["value"] == pytest.approx(value, abs=1e-12)
                assert row["low"] < value < row["high"]


def test_every_published_metric_has_an_interval(published_counts):
    for by in (("study", "model"), ("study", "model", "type")):
        frame = metric_intervals(published_counts, by=by)
        assert (frame["why_no_interval"] == "").all()
        assert (frame["low"] < frame["high"]).all()
        assert frame["value"].between(frame["low"], frame["high"]).all()


def test_a_higher_level_is_wider(two_types):
    narrow, wide = (metric_intervals(two_types, by=BOTH, level=level) for level in (0.8, 0.95))
    there = narrow["low"].notna()
    assert there.any()
    assert (narrow["low"] >= wide["low"])[there].all()
    assert (narrow["high"] <= wide["high"])[there].all()


def test_empty_counts_give_an_empty_frame_with_its_columns(make_counts):
    assert replicate_cells(make_counts()) == {}
    frame = metric_intervals(make_counts())
    assert frame.empty
    assert list(frame.columns)[-5:] == ["low", "high", "interval", "why", "why_no_interval"]
    assert prompt_mean_intervals(make_counts()).empty


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "cannot have the level 95"),
        ({"replicates": 39}, "39 replicates are too few for an interval of level 0.95; wanted 40"),
        ({"seed": -1}, "a seed cannot be -1; wanted 0 or more"),
        ({"by": ("study", "reason")}, "counts cannot be grouped by 'reason' here"),
        ({"metrics": ("precision",)}, "there is no metric 'precision'"),
    ],
)
def test_options_that_cannot_be_are_refused(two_types, options, message):
    with pytest.raises(InputError, match=message) as caught:
        metric_intervals(two_types, **options)
    assert caught.value.hint


def test_the_screen_is_told_in_one_sentence_what_the_interval_leaves_out():
    said = coverage_sentence()
    assert said.endswith(".")
    assert ". " not in said
    for left_out in ("wording", "temperature", "model version", "curator"):
        assert left_out in said.partition("does not")[2]
