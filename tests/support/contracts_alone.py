"""What contracts come to, worked out from an export alone and by other ways than the program's.

Nothing of `core` is used: pairs are counted one by one, intervals come from the distributions or
from their own equations, the fit of λ from Newton's steps in β and βλ. Answers are read from the
contracts of an export, as JSON lines, CSV or Parquet.
"""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta, norm, t

Z = float(norm.ppf(0.975))
Numbers = dict[str, tuple[float | None, float | None, float | None]]
"""By metric: value and both ends, None where there is none."""


@dataclass(frozen=True)
class Contract:
    """A contract that was answered, or not: then `p` and `yes` are None."""

    trial: int
    number: int
    won: bool
    p: float | None
    yes: bool | None
    asks: int
    outcome: str | None


def exported_contracts(folder: Path, form: str) -> list[Contract]:
    """The contracts in an export of one study and model."""
    path = folder / f"contracts.{form}"
    if form == "jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    elif form == "csv":
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows = [_from_text(row) for row in csv.DictReader(lines)]
    else:
        import pyarrow.parquet as pq

        rows = pq.read_table(path).to_pylist()
    return [
        Contract(
            int(row["trial"]),
            int(row["number"]),
            bool(row["is_solvable"]),
            row["estimate"] if row["outcome"] == "ok" else None,
            bool(row["is_accepted"]) if row["outcome"] == "ok" else None,
            int(row["n_asks"]),
            row["outcome"],
        )
        for row in rows
    ]


def _from_text(row: dict[str, str]) -> dict[str, Any]:
    truth = {"true": True, "false": False, "": None}
    known = {name: truth[row[name].lower()] for name in ("is_solvable", "is_accepted")}
    estimate = float(row["estimate"]) if row["estimate"] else None
    return row | known | {"estimate": estimate, "outcome": row["outcome"] or None}


def trials_by_state(contracts: Sequence[Contract]) -> dict[str, int]:
    """How many trials there are, by how they stand, and how many contracts are answered."""
    states = {"complete": 0, "unreadable": 0, "open": 0}
    by_trial: dict[int, list[Contract]] = {}
    for one in contracts:
        by_trial.setdefault(one.trial, []).append(one)
    for own in by_trial.values():
        ended = any(one.asks > 1 and one.outcome not in (None, "ok") for one in own)
        complete = all(one.p is not None for one in own)
        states["complete" if complete else "unreadable" if ended else "open"] += 1
    answered = sum(one.p is not None for one in contracts)
    return {"trials": len(by_trial), **states, "contracts": len(contracts), "answered": answered}


def numbers_at(contracts: Sequence[Contract]) -> Numbers:
    """Every metric of the contracts at one place, but for the interval of the best threshold."""
    own = [one for one in contracts if one.p is not None]
    won = np.array([one.won for one in own], dtype=bool)
    yes = np.array([one.yes for one in own], dtype=bool)
    p = np.array([one.p for one in own], dtype=float)
    best, threshold = _best(p, won)
    return {
        "auroc": _auroc(p[won], p[~won]),
        "acceptance_rate": _wilson(int(yes.sum()), len(own)),
        "predicted_success_rate": _student(p),
        "true_success_rate": _wilson(int(won.sum()), len(own)),
        "overconfidence": _agresti_min(p - won),
        "expected_profit": _profit(yes, won),
        "earned": _tango(int((yes & ~won).sum()), int((yes & won).sum()), len(own)),
        "direct_threshold_profit": _profit(p > 0.5, won),
        "best_threshold_profit": (best, None, None),
        "best_threshold": (threshold, None, None),
    }


def _auroc(won: np.ndarray, lost: np.ndarray) -> tuple[float | None, float | None, float | None]:
    if not len(won) or not len(lost):
        return None, None, None
    beats = (won[:, None] > lost) + 0.5 * (won[:, None] == lost)
    value, of_won, of_lost = float(beats.mean()), beats.mean(axis=1), beats.mean(axis=0)
    if min(len(won), len(lost)) > 1:
        variance = of_won.var(ddof=1) / len(won) + of_lost.var(ddof=1) / len(lost)
        if variance > 1e-18:
            half = Z * sqrt(variance)
            return value, max(0.0, value - half), min(1.0, value + half)
    return value, *_newcombe(value, len(won), len(lost))


def _newcombe(value: float, m: int, n: int) -> tuple[float, float]:
    def apart(end: float) -> float:
        k = (m + n) / 2 - 1
        shape = 1 + k * (1 - end) / (2 - end) + k * end / (1 + end)
        return (end - value) ** 2 - Z**2 * end * (1 - end) * shape / (m * n)

    low = brentq(apart, 0, min(value, 1 - 1e-12)) if value > 0 else 0.0
    high = brentq(apart, max(value, 1e-12), 1) if value < 1 else 1.0
    return low, high


def _wilson(k: int, n: int) -> tuple[float | None, float | None, float | None]:
    if not n:
        return None, None, None
    # The shares whose own score test finds k of n just 1.96 errors away.
    ends = np.roots([1 + Z**2 / n, -2 * k / n - Z**2 / n, (k / n) ** 2])
    return k / n, float(ends.real.min()), float(ends.real.max())


def _student(values: np.ndarray) -> tuple[float | None, float | None, float | None]:
    if not len(values):
        return None, None, None
    value = float(values.mean())
    if len(values) == 1 or np.ptp(values) == 0:
        return value, None, None
    low, high = t.interval(
        0.95, len(values) - 1, loc=value, scale=values.std(ddof=1) / sqrt(len(values))
    )
    return value, max(0.0, float(low)), min(1.0, float(high))


def _agresti_min(apart: np.ndarray) -> tuple[float | None, float | None, float | None]:
    if not len(apart):
        return None, None, None
    # Half a contract of each of -1, 0, 0 and 1 is added, so that 2 in all weigh 1 in squares.
    values = np.concatenate([apart, [-1.0, 1.0, 0.0, 0.0]])
    weights = np.concatenate([np.ones(len(apart)), [0.5] * 4])
    centre = float(np.average(values, weights=weights))
    spread = float(np.average(values**2, weights=weights)) - centre**2
    half = Z * sqrt(spread / weights.sum())
    return float(apart.mean()), max(-1.0, centre - half), min(1.0, centre + half)


def clopper_pearson(k: int, n: int) -> tuple[float, float]:
    """The exact interval of k of n."""
    low = float(beta.ppf(0.025, k, n - k + 1)) if k else 0.0
    high = float(beta.ppf(0.975, k + 1, n - k)) if k < n else 1.0
    return low, high


def _profit(taken: np.ndarray, won: np.ndarray) -> tuple[float | None, float | None, float | None]:
    n_won, n_lost = int(won.sum()), int((~won).sum())
    if not n_won or not n_lost:
        return None, None, None
    right, wrong = int((taken & won).sum()), int((taken & ~won).sum())
    (tpr_low, tpr_high), (fpr_low, fpr_high) = (
        clopper_pearson(right, n_won),
        clopper_pearson(wrong, n_lost),
    )
    value = (right / n_won - wrong / n_lost) / 2
    return value, (tpr_low - fpr_high) / 2, (tpr_high - fpr_low) / 2


def _best(p: np.ndarray, won: np.ndarray) -> tuple[float | None, float | None]:
    if won.all() or not won.any():
        return None, None
    found = [(_profit(p >= cut, won)[0], cut) for cut in np.unique(p)]
    value, cut = max(found)
    return (value, float(cut)) if value > 0 else (0.0, None)


def _tango(lost: int, gained: int, n: int) -> tuple[float | None, float | None, float | None]:
    if not n:
        return None, None, None
    value = (gained - lost) / n

    def score(delta: float) -> float:
        # The likeliest share q of losses, given that gains are delta more, and its score.
        a, b = 2 * n, -gained - lost + (2 * n - gained + lost) * delta
        c = -lost * delta * (1 - delta)
        q = (sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
        error = sqrt(max(0.0, n * (2 * q + delta * (1 - delta))))
        apart = gained - lost - n * delta
        return apart / error if error > 1e-12 else float(np.sign(apart)) * 1e9

    low = brentq(lambda one: score(one) - Z, -1, value, xtol=1e-14) if value > -1 else -1.0
    high = brentq(lambda one: score(one) + Z, value, 1, xtol=1e-14) if value < 1 else 1.0
    return value, low, high


def loss_weight(contracts: Sequence[Contract]) -> tuple[float, float, int]:
    """λ and β at the maximum of the likelihood, and the decisions that the fit explains.

    Only for decisions that have such a maximum.
    """
    own = [one for one in contracts if one.p is not None]
    p, yes = np.array([one.p for one in own]), np.array([one.yes for one in own], dtype=float)
    design, parameters = np.column_stack([p, -(1 - p)]), np.zeros(2)  # β and βλ
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ parameters))
        curvature = design.T @ (design * (chance * (1 - chance))[:, None])
        parameters = parameters + np.linalg.solve(curvature, design.T @ (yes - chance))
    explained = int(((design @ parameters > 0) == (yes == 1)).sum())
    return float(parameters[1] / parameters[0]), float(parameters[0]), explained


def loss_weight_interval(contracts: Sequence[Contract]) -> tuple[float, float]:
    """About the interval of λ: from the variance of the fit with trials as clusters."""
    own = [one for one in contracts if one.p is not None]
    weight, slope, _ = loss_weight(own)
    p, yes = np.array([one.p for one in own]), np.array([one.yes for one in own], dtype=float)
    design = np.column_stack([p, -(1 - p)])
    chance = 1 / (1 + np.exp(-design @ np.array([slope, slope * weight])))
    bread = np.linalg.inv(design.T @ (design * (chance * (1 - chance))[:, None]))
    scores = design * (yes - chance)[:, None]
    trials = np.array([one.trial for one in own])
    sums = np.array([scores[trials == trial].sum(axis=0) for trial in np.unique(trials)])
    covariance = bread @ (sums.T @ sums) @ bread
    gradient = np.array([-weight / slope, 1 / slope])
    half = Z * sqrt(gradient @ covariance @ gradient)
    return weight - half, weight + half
