import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

from core.metrics.confidence_table import confidence_table


def test_every_metric_is_there_with_an_interval_or_why_not():
    rng = np.random.default_rng(2)
    estimates = rng.integers(0, 101, 164) / 100
    outcomes = rng.random(164) < estimates
    found = confidence_table(outcomes, estimates, replicates=200).set_index("metric")
    assert found.loc["auroc", "value"] == pytest.approx(roc_auc_score(outcomes, estimates))
    assert found.loc["brier_score", "value"] == pytest.approx(brier_score_loss(outcomes, estimates))
    predicted, true = found.loc[["predicted_success_rate", "true_success_rate"], "value"]
    assert found.loc["overconfidence", "value"] == pytest.approx(predicted - true)
    assert (found["n"] == 164).all()
    assert found.index[found["low"].isna()].tolist() == ["calibration_error"]
    assert "by chance alone" in found.loc["calibration_error", "caution"]


def test_nothing_and_a_single_task_are_told_in_sentences():
    assert confidence_table([], [])["why"].str.startswith("not defined").all()
    lone = confidence_table([1], [0.75]).set_index("metric")
    assert lone.loc["auroc", "why"] == "not defined: every task succeeded"
    assert lone.loc["predicted_success_rate", "why"].startswith("no interval: a single value")
    assert (lone["method"].eq("") == lone["low"].isna()).all()
