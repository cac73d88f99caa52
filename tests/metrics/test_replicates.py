import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.cells import METRIC_NAMES, Cells, boundary_metrics
from core.metrics.replicates import replicate_cells, replicate_metric

ETHICS, CONTEXT = "Ethical Integrity", "Contextual Awareness"
BOTH = ("study", "type")


def test_another_study_or_classifier_changes_no_interval(two_types):
    alone = replicate_cells(two_types)
    beside = [two_types.assign(study="another"), two_types.assign(model="other model")]
    together = replicate_cells(pd.concat([*beside, two_types]))
    assert len(together) == 3
    np.testing.assert_array_equal(together["demo", "m"], alone["demo", "m"])


def test_equal_studies_have_replicates_of_their_own(two_types):
    twice = pd.concat([two_types, two_types.assign(study="another")])
    one, other = replicate_cells(twice, by=("study",)).values()
    accuracies = np.corrcoef(replicate_metric(one, "accuracy"), replicate_metric(other, "accuracy"))
    assert abs(accuracies[0, 1]) < 0.1  # 2,000 independent pairs: standard error 0.022


def test_a_study_and_its_types_share_their_draws(two_types):
    of_study = replicate_cells(two_types, by=("study",))[("demo",)]
    of_types = replicate_cells(two_types, by=BOTH)
    added = of_types["demo", ETHICS] + of_types["demo", CONTEXT]
    for cell in range(5):
        assert np.corrcoef(of_study[:, cell], added[:, cell])[0, 1] > 0.9


def test_every_replicate_keeps_the_tasks_of_each_side(two_types):
    drawn = replicate_cells(two_types, by=("study",), replicates=500)[("demo",)]
    assert drawn.shape == (500, 5)
    assert (drawn > 0).all()
    np.testing.assert_allclose(drawn[:, :2].sum(axis=1), 160)
    np.testing.assert_allclose(drawn[:, 2:].sum(axis=1), 160)


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 5), min_size=1, max_size=5))
def test_metrics_of_replicates_equal_those_of_cells(cells):
    for metric in METRIC_NAMES:
        expected = [boundary_metrics(Cells(*one))[metric] for one in cells]
        wanted = [np.nan if value is None else value for value in expected]
        np.testing.assert_allclose(replicate_metric(np.array(cells), metric), wanted, atol=1e-12)


def test_a_stratum_of_one_task_is_drawn_from_its_side_of_the_study(one_type):
    # Alone, the task could only be what it was; among 30 and 10 it is declined a quarter of the
    # time: (10 + 1) / (40 + 1) of the side it belongs to.
    counts = pd.concat([one_type(30, 10, 0, 40, 0), one_type(0, 1, 0, 1, 0, kind=CONTEXT)])
    found = replicate_cells(counts, by=BOTH, replicates=20_000)["demo", CONTEXT]
    # One task and one of doubt in all: half of what is drawn, on the average, is doubt.
    assert found[:, 1].mean() == pytest.approx(0.5 * 11 / 41 + 0.5 * 0.5, abs=0.02)


def test_two_tasks_are_drawn_with_the_variance_of_two(one_type):
    # p = 0.5 of n = 2: p(1 - p) / (n - 1) = 0.25, before the doubt; with it, weights of
    # beta(2, 1) for the draw and beta(1, 2) for the doubt: E w² = 1/2 and 1/6,
    # 0.25 / 2 + var of beta(½, ½) (0.125) / 6 = 0.1458.
    drawn = replicate_cells(one_type(1, 1, 1, 1, 0), replicates=40_000)["demo", "m"]
    assert (drawn[:, 1] / 2).var() == pytest.approx(0.1458, rel=0.03)


def test_tasks_without_a_type_count_in_the_study(one_type):
    counts = pd.concat([one_type(40, 10, 5, 40, 5), one_type(9, 1, 1, 8, 1, kind=None)])
    assert replicate_cells(counts)["demo", "m"][0].sum() == pytest.approx(120)
    by_type = replicate_cells(counts, by=BOTH)
    assert sum(drawn[0].sum() for drawn in by_type.values()) == pytest.approx(100)


def test_no_replicate_is_refused(two_types):
    with pytest.raises(InputError, match="0 replicates are too few; wanted 1 or more"):
        replicate_cells(two_types, replicates=0)


def test_an_unknown_metric_of_replicates_is_refused():
    with pytest.raises(InputError, match="there is no metric 'precision'"):
        replicate_metric(np.ones((2, 5)), "precision")
