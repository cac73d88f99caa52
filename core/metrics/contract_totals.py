"""What a subject makes of all its contracts, wherever they stand in their trials.

Contracts of one trial are not independent, so every interval draws whole trials again.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.confidence import Measured
from core.metrics.contract_trials import ContractTrials
from core.metrics.contracts import DIRECT_THRESHOLD
from core.metrics.intervals import TOO_OFTEN_UNDEFINED, percentile_interval
from core.metrics.redrawing import REPLICATES, check_chance, stream
from core.metrics.trial_resampling import BOOTSTRAP, redraw_trials

if TYPE_CHECKING:
    from pandas import DataFrame

_ALWAYS_THE_SAME = "no interval: with these trials no other value can come about"
_NONE = "not defined: no contract was answered"
_ONE_KIND = "not defined: the answered contracts are all solvable, or none is"


def contract_totals(
    trials: ContractTrials, *, replicates: int = REPLICATES, seed: int = 0
) -> "DataFrame":
    """Each metric over all answered contracts, with intervals from trials drawn again.

    Metrics as in `core.metrics.contracts.contract_curves`, but for the best threshold.

    Args:
        replicates: how often trials are drawn again.
        seed: of the draws.

    Returns:
        metric, value, low, high (95 % interval), n (answered contracts), n_trials, n_incomplete
        (trials with a contract that was not answered), method, why.

    Raises:
        InputError: fewer than one replicate, or a seed below 0.
    """
    import pandas as pd

    check_chance(replicates, seed)
    there = trials.answered
    n = int(there.sum())
    distinct, numbers = np.unique(trials.estimate[there], return_inverse=True)
    # A cell for each estimate, decision and kind of contract: four in a row for each estimate.
    cells = (4 * numbers + 2 * trials.accepted[there] + trials.solvable[there]).astype(int)
    trial_of = np.nonzero(there)[0]
    counted = np.bincount(cells, minlength=4 * len(distinct))[None]
    values = {name: of(distinct, _parts(counted))[0] for name, of in _METRICS.items() if n}
    drawn: dict[str, list[np.ndarray]] = {name: [] for name in _METRICS}
    if n:
        rng = stream(seed, "contract totals")
        for counts in redraw_trials(trial_of, cells, 4 * len(distinct), replicates, rng):
            for name, of in _METRICS.items():
                drawn[name].append(of(distinct, _parts(counts)))
    rows = []
    for name in _METRICS:
        one = _measured(values.get(name, np.nan), drawn[name], n)
        of_all = (one.n, trials.n_trials, trials.n_incomplete)
        rows.append((name, one.value, one.low, one.high, *of_all, one.method, one.why))
    columns = ["metric", "value", "low", "high", "n", "n_trials", "n_incomplete", "method", "why"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:4], float))


def _measured(value: float, drawn: list[np.ndarray], n: int) -> Measured:
    if np.isnan(value):
        return Measured(None, None, None, n, why=_ONE_KIND if n else _NONE)
    value = float(value)
    ends = percentile_interval(np.concatenate(drawn), value=value)
    if ends is None or ends[0] == ends[1]:
        why = TOO_OFTEN_UNDEFINED if ends is None else _ALWAYS_THE_SAME
        return Measured(value, None, None, n, why=why)
    return Measured(value, *ends, n, BOOTSTRAP)


def _parts(counts: np.ndarray) -> np.ndarray:
    """Counts as (draws, estimates, declined and accepted, unsolvable and solvable)."""
    return counts.reshape(len(counts), -1, 2, 2)


def _share(of: np.ndarray, out_of: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return of / out_of


def _profit(accepted: np.ndarray, offered: np.ndarray) -> np.ndarray:
    """(TPR - FPR) / 2 from (draws, unsolvable and solvable) accepted and offered."""
    shares = _share(accepted, offered)
    return (shares[:, 1] - shares[:, 0]) / 2


def _acceptance(_: np.ndarray, parts: np.ndarray) -> np.ndarray:
    return _share(parts[:, :, 1].sum(axis=(1, 2)), parts.sum(axis=(1, 2, 3)))


def _predicted(distinct: np.ndarray, parts: np.ndarray) -> np.ndarray:
    return _share(parts.sum(axis=(2, 3)) @ distinct, parts.sum(axis=(1, 2, 3)))


def _true(_: np.ndarray, parts: np.ndarray) -> np.ndarray:
    return _share(parts[..., 1].sum(axis=(1, 2)), parts.sum(axis=(1, 2, 3)))


def _earned(_: np.ndarray, parts: np.ndarray) -> np.ndarray:
    by_kind = parts[:, :, 1].sum(axis=1)
    return _share(by_kind[:, 1] - by_kind[:, 0], parts.sum(axis=(1, 2, 3)))


def _auroc(_: np.ndarray, parts: np.ndarray) -> np.ndarray:
    failures, successes = (parts[..., kind].sum(axis=2) for kind in (0, 1))
    below = failures.cumsum(axis=1) - failures / 2
    pairs = successes.sum(axis=1) * failures.sum(axis=1)
    return _share((successes * below).sum(axis=1), pairs)


_METRICS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "auroc": _auroc,
    "acceptance_rate": _acceptance,
    "predicted_success_rate": _predicted,
    "true_success_rate": _true,
    "overconfidence": lambda p, parts: _predicted(p, parts) - _true(p, parts),
    "expected_profit": lambda _, parts: _profit(parts[:, :, 1].sum(axis=1), parts.sum(axis=(1, 2))),
    "earned": _earned,
    "direct_threshold_profit": lambda p, parts: _profit(
        parts[:, p > DIRECT_THRESHOLD].sum(axis=(1, 2)), parts.sum(axis=(1, 2))
    ),
}
