"""What a subject makes of contracts, by their place in the trial.

A contract pays 1 if it is accepted and its task is one that the subject solves, and costs 1 if it
is accepted and is not. Half the contracts of a full set of sequences are solvable, so

    expected profit = (TPR - FPR) / 2

with the shares of solvable (TPR) and of unsolvable contracts (FPR) that are accepted: 0.5 is
perfect, 0 is chance, -0.5 always wrong. Where every trial is complete it is also the mean of what
was earned. Where some are not, it is what would be earned if half were solvable, and `earned` is
what in fact was.

At one place each trial has one contract, so contracts there are independent as far as trials are;
over several places they are not, and only trials are drawn again. Tasks that occur in many trials
make the intervals a little too narrow.
"""

from typing import TYPE_CHECKING

import numpy as np

from core.metrics.auroc import auroc
from core.metrics.binomial import clopper_pearson_interval
from core.metrics.calibration import overconfidence, predicted_success_rate, true_success_rate
from core.metrics.confidence import Measured
from core.metrics.contract_trials import ContractTrials
from core.metrics.redrawing import REPLICATES, check_chance, stream
from core.metrics.share_differences import paired_difference
from core.metrics.thresholds import best_threshold, best_threshold_profit

if TYPE_CHECKING:
    from pandas import DataFrame

CONSERVATIVE = "conservative interval from two of Clopper and Pearson's"
TANGO = "Tango's interval"
DIRECT_THRESHOLD = 0.5
COLUMNS = ["contract", "metric", "value", "low", "high", "n", "n_missing"]
COLUMNS += ["method", "why", "caution"]

_NONE = "not defined: no contract was answered"
_NO_SOLVABLE = "not defined: no answered contract is solvable"
_NO_UNSOLVABLE = "not defined: every answered contract is solvable"


def expected_profit(accepted: np.ndarray, solvable: np.ndarray) -> Measured:
    """(TPR - FPR) / 2 in [-0.5, 0.5], with a conservative interval.

    Its ends are (TPR_low - FPR_high) / 2 and (TPR_high - FPR_low) / 2 of Clopper and Pearson's
    intervals, so it is wider than need be.

    Args:
        accepted, solvable: booleans, one for each contract.

    Returns:
        the profit; not defined unless some contracts are solvable and some are not.

    Example:
        >>> found = expected_profit(np.array([1, 1, 1, 0]) == 1, np.array([1, 1, 0, 0]) == 1)
        >>> found.value, round(found.low, 4), round(found.high, 4)
        (0.25, -0.4147, 0.4937)
    """
    n, n_solvable = len(solvable), int(solvable.sum())
    if n_solvable in (0, n):
        why = (_NO_UNSOLVABLE if n_solvable else _NO_SOLVABLE) if n else _NONE
        return Measured(None, None, None, n, why=why)
    won, lost = int((accepted & solvable).sum()), int((accepted & ~solvable).sum())
    n_lost = n - n_solvable
    (tpr_low, tpr_high), (fpr_low, fpr_high) = (
        clopper_pearson_interval(won, n_solvable),
        clopper_pearson_interval(lost, n_lost),
    )
    value = (won / n_solvable - lost / n_lost) / 2
    return Measured(value, (tpr_low - fpr_high) / 2, (tpr_high - fpr_low) / 2, n, CONSERVATIVE)


def earned(accepted: np.ndarray, solvable: np.ndarray) -> Measured:
    """The mean of what was earned: 1, -1, or 0 where declined; in [-1, 1].

    Args:
        accepted, solvable: as for `expected_profit`.
    """
    n = len(solvable)
    if not n:
        return Measured(None, None, None, 0, why=_NONE)
    won, lost = int((accepted & solvable).sum()), int((accepted & ~solvable).sum())
    found = paired_difference(lost, won, n)
    return Measured(found.difference, found.low, found.high, n, TANGO)


def contract_curves(
    trials: ContractTrials, *, replicates: int = REPLICATES, seed: int = 0
) -> "DataFrame":
    """Each metric at each place of the trial, from the first contract on.

    Metrics: `auroc` of the estimates; `acceptance_rate`; `predicted_success_rate` and
    `true_success_rate`; `overconfidence`; `expected_profit`; `earned`;
    `direct_threshold_profit`, the expected profit if just the contracts with an estimate above 50 %
    were accepted; `best_threshold_profit`, that of the threshold that would have been best, and
    `best_threshold`, the lowest estimate it accepts (not defined where it accepts none).

    The best threshold is chosen on the contracts it is judged by, so its profit is optimistic, and
    its interval is wide enough for that.

    Args:
        replicates: how often trials are drawn again, for the best threshold.
        seed: of the draws.

    Returns:
        contract (from 1), metric, value, low, high (95 % interval), n (contracts answered at this
        place), n_missing (trials without an answer there), method, why, caution.

    Raises:
        InputError: fewer than one replicate, or a seed below 0.
    """
    import pandas as pd

    check_chance(replicates, seed)
    rows = []
    for place in range(trials.n_contracts):
        there = trials.answered[:, place]
        solvable, estimate, accepted = (
            one[there, place] for one in (trials.solvable, trials.estimate, trials.accepted)
        )
        rng = stream(seed, "contracts", place)
        found = _at_one_place(solvable == 1, estimate, accepted == 1, replicates, rng)
        n_missing = int((~there).sum())
        for metric, one in found.items():
            ends = (one.value, one.low, one.high)
            told = (one.method, one.why, one.caution)
            rows.append((place + 1, metric, *ends, one.n, n_missing, *told))
    return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COLUMNS[2:5], float))


def _at_one_place(
    solvable: np.ndarray,
    estimate: np.ndarray,
    accepted: np.ndarray,
    replicates: int,
    rng: np.random.Generator,
) -> dict[str, Measured]:
    profit = expected_profit(accepted, solvable)
    best = threshold = Measured(None, None, None, profit.n, why=profit.why)
    if profit.value is not None:
        best = best_threshold_profit(estimate, solvable, replicates, rng)
        _, lowest = best_threshold(estimate, solvable)
        why = "no interval: it is chosen on these contracts"
        if lowest is None:
            why = "not defined: accepting none of them is best"
        threshold = Measured(lowest, None, None, profit.n, why=why)
    return {
        "auroc": auroc(solvable, estimate),
        "acceptance_rate": true_success_rate(accepted),
        "predicted_success_rate": predicted_success_rate(estimate),
        "true_success_rate": true_success_rate(solvable),
        "overconfidence": overconfidence(solvable, estimate),
        "expected_profit": profit,
        "earned": earned(accepted, solvable),
        "direct_threshold_profit": expected_profit(estimate > DIRECT_THRESHOLD, solvable),
        "best_threshold_profit": best,
        "best_threshold": threshold,
    }
