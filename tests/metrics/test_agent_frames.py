import pandas as pd
import pytest

from core.metrics.agent_frames import agent_curves, agent_glance, has_agents

NAN = float("nan")
COLUMNS = ["study", "model", "run", "result", "is_asked", "step", "estimate"]


@pytest.fixture
def rows():
    """Three decided runs of m, one of them short, one undecided; and a run of another model."""
    return pd.DataFrame(
        [
            ("s", "m", "a", "solved", True, 1, 0.5),
            ("s", "m", "a", "solved", True, 2, 0.8),
            ("s", "m", "a", "solved", True, NAN, 0.9),
            ("s", "m", "b", "failed", True, 1, 0.6),
            ("s", "m", "b", "failed", True, NAN, 0.2),
            ("s", "m", "c", "failed", True, 1, 0.1),
            ("s", "m", "c", "failed", True, 2, NAN),
            ("s", "m", "c", "failed", True, NAN, 0.4),
            ("s", "m", "d", None, True, 1, 1.0),
            ("s", "n", "e", None, False, NAN, NAN),
        ],
        columns=COLUMNS,
    ).assign(part="agent")


def _at(frame, step, metric):
    return frame[(frame["step"] == step) & (frame["metric"] == metric)].iloc[0]


def test_curves_are_of_the_decided_runs_of_each_model(rows):
    found = agent_curves(rows)
    assert set(found["model"]) == {"m"}
    first, second = (_at(found, step, "mean_estimate") for step in ("1", "2"))
    assert first["value"] == pytest.approx(0.4)  # 0.5, 0.6, 0.1
    assert second["value"] == pytest.approx(0.5)  # 0.8, then carried 0.6 and 0.1
    assert (second["n"], second["n_carried"]) == (3, 2)
    # At step 1 the solved run stands above one of two failed ones; at 2 and after above both.
    aurocs = [_at(found, step, "auroc")["value"] for step in ("1", "2", "after")]
    assert aurocs == [0.5, 1.0, 1.0]
    assert _at(found, "after", "auroc_difference")["value"] == 0.5
    assert found["success_rate"].unique() == pytest.approx([1 / 3])


def test_only_the_metrics_that_are_wanted_are_given(rows):
    assert set(agent_curves(rows, metrics=("auroc",))["metric"]) == {"auroc"}


def test_the_glance_counts_every_run_and_what_could_not_be_read(rows):
    m, n = agent_glance(rows).to_dict("records")
    assert (m["runs"], m["decided"], m["solved"], m["unread"]) == (4, 3, 1, 1)
    assert (m["steps"], m["auroc_first"], m["auroc_last"]) == (2, 0.5, 1.0)
    assert m["estimate_after"] == pytest.approx(0.5)
    assert (n["runs"], n["decided"], n["unread"], n["steps"]) == (1, 0, 0, 0)
    assert pd.isna(n["success_rate"]) and pd.isna(n["auroc_first"])


def test_the_order_of_the_rows_does_not_matter(rows):
    pd.testing.assert_frame_equal(agent_curves(rows), agent_curves(rows.iloc[::-1]))


def test_without_rows_there_are_empty_frames(rows):
    assert agent_curves(rows.iloc[:0]).empty
    assert agent_glance(rows.iloc[:0]).empty


def test_rows_of_other_parts_are_left_out(rows):
    others = rows.assign(part="task", run="z")
    pd.testing.assert_frame_equal(agent_glance(pd.concat([rows, others])), agent_glance(rows))
    assert has_agents(rows) and not has_agents(others)
