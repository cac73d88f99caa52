"""Frames of in-advance confidence: who counts, what is left out, sizes read off names."""

import pandas as pd
import pytest

from core.metrics.confidence_frames import denominators, glance, metric_intervals, pairs
from core.metrics.contract_frames import attitudes, curves, has_contracts, totals, trial_counts
from core.metrics.size_trend import has_sizes, size_in_name, size_trends


def _row(model: str, estimate: float | None, result: str | None, n: int = 1, **more) -> dict:
    asked = {"is_predicted": True, "is_attempted": result is not None}
    row = {"study": f"S {model}", "model": model, "part": "task", "type": "t", "n": n}
    return row | asked | {"estimate": estimate, "result": result} | more


COUNTS = pd.DataFrame(
    [
        _row("a-1b", 0.8, "passed", 2),
        _row("a-1b", 0.6, "no_program", 1),
        _row("a-1b", 0.5, None, 3),
        _row("a-1b", None, "failed", 4),
        _row("a-1b", 0.1, None, 5, is_attempted=True),
    ]
)


def test_only_tasks_with_both_count_and_no_program_has_failed() -> None:
    outcomes, estimates = pairs(COUNTS)
    assert (outcomes.tolist(), estimates.tolist()) == ([1, 1, 0], [0.8, 0.8, 0.6])
    [row] = glance(COUNTS).to_dict("records")
    assert row["n"] == 3
    assert row["overconfidence"] == pytest.approx(2.2 / 3 - 2 / 3)


def test_the_denominators_are_a_closed_sum() -> None:
    [row] = denominators(COUNTS).to_dict("records")
    assert (row["asked"], row["estimates"], row["no_estimate"]) == (15, 11, 4)
    ends = [row[name] for name in ("passed", "failed", "no_program", "not_run")]
    assert ends == [2, 4, 1, 5] and row["attempted"] == sum(ends)
    assert row["both"] == 3
    assert row["success_of_attempted"] == pytest.approx(2 / 7)
    assert row["success_of_programs"] == pytest.approx(2 / 6)


def test_nothing_gives_frames_without_rows() -> None:
    none = COUNTS.iloc[:0]
    assert glance(none).empty and metric_intervals(none).empty and denominators(none).empty
    assert attitudes(none).empty and trial_counts(none).empty and not has_contracts(none)


@pytest.mark.parametrize(
    ("model", "size"),
    [
        ("ollama/llama3.1:70b", 70_000.0),
        ("org/Model-1.5B-Instruct", 1500.0),
        ("embedded/smollm2-135m-instruct", 135.0),
        ("openai/gpt-4o", None),
        ("org/8x7b", None),
        ("org/draft-1b-for-70b", None),
        ("org/v2beta", None),
    ],
)
def test_a_size_is_read_only_where_the_name_tells_one(model: str, size: float | None) -> None:
    assert size_in_name(model) == size


def test_a_trend_over_sizes_follows_the_order_of_the_models() -> None:
    rows = []
    for model, wrong in (("x-1b", 4), ("x-7b", 3), ("x-70b", 1)):
        rows += [_row(model, 0.9, "passed", 5), _row(model, 0.8, "failed", wrong)]
    counts = pd.DataFrame(rows)
    assert has_sizes(counts) and not has_sizes(COUNTS)
    found = size_trends(counts).set_index("metric")
    assert found.loc["true_success_rate", "value"] == pytest.approx(1.0)
    assert found.loc["overconfidence", "value"] == pytest.approx(-1.0)
    assert found.loc["true_success_rate", "n"] == 3


def test_trials_add_up_by_how_they_ended() -> None:
    rows = [
        {"study": "S", "model": "m", "part": "contract", "trial": trial, "contract": contract}
        | {"solvable": contract % 2, "trial_state": state, "n": 1}
        | {"estimate": 0.5 if contract <= answered else None}
        | {"accepted": 1 if contract <= answered else None}
        for trial, answered, state in ((1, 2, "complete"), (2, 1, "unreadable"), (3, 0, "open"))
        for contract in (1, 2)
    ]
    [row] = trial_counts(pd.DataFrame(rows)).to_dict("records")
    assert [row[name] for name in ("trials", "complete", "unreadable", "open")] == [3, 1, 1, 1]
    assert (row["contracts"], row["answered"]) == (6, 3)


def test_a_trial_that_ended_at_its_first_contract_is_incomplete_and_one_not_begun_is_not() -> None:
    rows = [
        {"study": "S", "model": "m", "part": "contract", "trial": trial, "contract": contract}
        | {"solvable": contract % 2, "trial_state": state, "n": 1}
        | {"estimate": 0.5 if is_answered else None, "accepted": 1 if is_answered else None}
        for trial, is_answered, state in (
            *((1, True, "complete"), (2, False, "unreadable"), (3, False, "open")),
        )
        for contract in (1, 2)
    ]
    counts = pd.DataFrame(rows)
    told = totals(counts).set_index("metric").loc["acceptance_rate"]
    assert (told["n"], told["n_trials"], told["n_incomplete"]) == (2, 2, 1)
    assert set(curves(counts)["n_missing"]) == {1}
    ended = counts[counts["trial"] == 2]
    assert not has_contracts(ended)
    assert curves(ended)["value"].isna().all() and curves(ended)["why"].str.len().gt(0).all()
    assert attitudes(ended)["why"].tolist() == ["not defined: there is no decision"]
