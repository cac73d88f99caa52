"""Risk attitude through a whole study: recovered where it is known, and told apart from none."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.protocols.contract_exhibits import attitude_words
from core.records import Reply, Request
from core.workflows.contract_draw import draw_contracts
from core.workflows.results import label_counts, tables_document
from core.workflows.steps import start_step
from tests.support.code_tasks import SUBJECT, task_name
from tests.support.contracts import offer, settled_study

SOLVED, FAILED = [f"s{at}" for at in "abcdefg"], [f"f{at}" for at in "abcdefg"]
Mind = Callable[[np.random.Generator, bool], tuple[int, bool]]
"""From chance, and whether the contract can be won, to a likelihood in percent and a decision."""


def _offered(open_bench, folder: Path, mind: Mind, n_contracts: int) -> tuple[dict, str]:
    """What the tables say of a subject with such a mind, and the sentence on its attitude."""

    def reply(request: Request) -> Reply:
        place = [int(request.context[key]) for key in ("trial", "contract")]
        percent, accepts = mind(np.random.default_rng(place), task_name(request) in SOLVED)
        return Reply(text=offer(percent, "YES" if accepts else "NO"), model=SUBJECT)

    bench = open_bench(reply)
    study = settled_study(bench.store, folder, solved=SOLVED, failed=FAILED)
    draw_contracts(bench.store, study, n_contracts=n_contracts)
    assert start_step(bench, study, "contract").wait(120).detail == "completed"
    [entry] = tables_document(bench.store, [study])["contracts"]
    json.dumps(entry, allow_nan=False)
    shown = study.shape.results().exhibits
    table = next(one.table for one in shown if one.key == "contracts_attitude")
    [sentence] = attitude_words(table(label_counts(bench.store, [study])))
    return entry, sentence


@pytest.mark.parametrize("loss_weight", [0.5, 1.0, 2.0, 4.0])
def test_a_known_loss_weight_lies_in_the_interval_of_its_study(
    open_bench, tmp_path: Path, loss_weight: float
) -> None:
    def mind(rng: np.random.Generator, is_solved: bool) -> tuple[int, bool]:
        percent = int(np.clip(round(rng.normal(65 if is_solved else 50, 20)), 0, 100))
        utility = percent / 100 - (1 - percent / 100) * loss_weight
        return percent, bool(rng.random() < 1 / (1 + math.exp(-8 * utility)))

    entry, sentence = _offered(open_bench, tmp_path, mind, 6)
    found = entry["risk_attitude"]
    assert (found["n"], found["n_trials"]) == (64 * 6, 64)
    assert found["low"] < loss_weight < found["high"]
    assert found["low"] < found["lambda"] < found["high"] < 2.5 * loss_weight
    assert found["threshold"] == pytest.approx(found["lambda"] / (1 + found["lambda"]))
    assert found["n_explained"] > found["n_by_majority"]
    assert f"λ = {found['lambda']:.2f} [" in sentence


@pytest.mark.parametrize(
    ("mind", "why"),
    [
        (lambda rng, _: (int(rng.integers(101)), True), "every contract was accepted"),
        (lambda rng, _: (int(rng.integers(101)), False), "every contract was declined"),
        (lambda rng, _: (70, bool(rng.random() < 0.5)), "all estimates are the same"),
        (lambda rng, won: (90, True) if won else (20, False), "a threshold between 20 % and 90 %"),
        (
            lambda rng, won: (0, True) if won else (100, False),
            "it accepts only below some estimate",
        ),
        (lambda rng, won: (100, True) if won else (0, False), "λ can be anything from 0.00 up"),
    ],
    ids=["all", "none", "constant", "parted", "upside down", "certain"],
)
def test_where_there_is_no_loss_weight_the_study_says_why(
    open_bench, tmp_path: Path, mind: Mind, why: str
) -> None:
    entry, sentence = _offered(open_bench, tmp_path, mind, 3)
    found = entry["risk_attitude"]
    assert [found[name] for name in ("lambda", "low", "high", "beta", "threshold")] == [None] * 5
    assert found["why"].startswith("not defined: ") and why in found["why"]
    assert "λ is not defined: " in sentence and why in sentence
    for row in (*entry["curves"], *entry["totals"].values()):
        assert row["value"] is not None or row["why"].startswith("not defined: ")
        ends = [row[end] for end in ("low", "high") if row[end] is not None]
        assert all(-1 <= end <= 1 for end in ends)
