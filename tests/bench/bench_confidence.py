"""What the metrics of stated chances cost, and how often their intervals hold the true value.

Subjects are simulated whose true success rate, discrimination and risk attitude are known. The
numbers are those of the code that is used.
"""

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np
from sklearn.metrics import roc_auc_score

from core.metrics.auroc import auroc, auroc_difference
from core.metrics.brier import brier_score
from core.metrics.calibration import (
    calibration_curve,
    calibration_error,
    overconfidence,
    predicted_success_rate,
)
from core.metrics.confidence import Measured
from core.metrics.contract_totals import contract_totals
from core.metrics.contract_trials import ContractTrials
from core.metrics.contracts import contract_curves, expected_profit
from core.metrics.risk_attitude import risk_attitude
from core.metrics.risk_coverage import risk_coverage_area
from core.metrics.thresholds import best_threshold, best_threshold_profit

ROWS = 150_000
STUDIES = 1_000
FEWER = 300
SIZES = (25, 100, 164)
LARGE = 1_000_000
LOSS_WEIGHTS = (0.5, 1.0, 2.0, 4.0)

Tasks = tuple[np.ndarray, np.ndarray]


def useful(n: int, rng: np.random.Generator) -> Tasks:
    """Half succeed; estimates are too high, and somewhat higher for successes."""
    outcome = rng.random(n) < 0.5
    return outcome, _percent(0.65 + 0.1 * outcome + rng.normal(0, 0.15, n))


def telling_nothing(n: int, rng: np.random.Generator) -> Tasks:
    """Half succeed, whatever the estimate; a few round estimates that tie."""
    return rng.random(n) < 0.5, rng.choice([0.7, 0.8, 0.85, 0.9, 0.95], n)


def calibrated(n: int, rng: np.random.Generator) -> Tasks:
    """Each task succeeds with the chance that is stated."""
    estimate = _percent(rng.beta(2, 2, n))
    return rng.random(n) < estimate, estimate


def nearly_perfect(n: int, rng: np.random.Generator) -> Tasks:
    """Failures and successes are told apart but for a few."""
    outcome = rng.random(n) < 0.5
    return outcome, _percent(0.2 + 0.6 * outcome + rng.normal(0, 0.18, n))


def able_and_sure(n: int, rng: np.random.Generator) -> Tasks:
    """97 % succeed, and about that is stated."""
    return rng.random(n) < 0.97, _percent(rng.beta(60, 3, n))


SUBJECTS = (useful, telling_nothing, calibrated, nearly_perfect, able_and_sure)


def _percent(share: np.ndarray) -> np.ndarray:
    return np.clip(np.round(share, 2), 0.0, 1.0)


def _area(outcome: np.ndarray, estimate: np.ndarray, draws: int = 500) -> Measured:
    return risk_coverage_area(outcome, estimate, replicates=draws)


METRICS: dict[str, Callable[[np.ndarray, np.ndarray], Measured]] = {
    "predicted": lambda _, estimate: predicted_success_rate(estimate),
    "overconfidence": overconfidence,
    "auroc": auroc,
    "brier": brier_score,
    "risk-coverage area": _area,
}


def held(truth: float, found: Iterator[Measured]) -> tuple[float, int]:
    """Share of the intervals that hold the truth, and how many there are."""
    inside = [one.low <= truth <= one.high for one in found if one.low is not None]
    return float(np.mean(inside)) if inside else float("nan"), len(inside)


def print_coverage() -> None:
    """Print the coverage of the 95 % interval of each metric, by subject and number of tasks."""
    print(f"coverage of the 95 % interval, up to {STUDIES} studies each (and how many had one):")
    for subject in SUBJECTS:
        rng = np.random.default_rng(1)
        large = subject(LARGE, rng)
        truths = {name: of(*large).value for name, of in METRICS.items() if name[0] != "r"}
        truths["risk-coverage area"] = _area(*large, draws=1).value
        print(f"  {subject.__name__.replace('_', ' ')}: {subject.__doc__}")
        for name, of in METRICS.items():
            line = f"    {name:20} {truths[name]:7.3f} "
            for n in SIZES:
                studies = FEWER if name[0] == "r" else STUDIES
                share, there = held(truths[name], (of(*subject(n, rng)) for _ in range(studies)))
                line += f"   {n}: {share:6.1%} ({there})"
            print(line, flush=True)


def print_paired() -> None:
    """Print how often the paired difference holds the truth, and how often it sees none."""
    print(f"paired difference of two AUROCs, {STUDIES} studies each:")
    for lift in (0.0, 0.08):
        rng = np.random.default_rng(2)

        def two(n: int, lift: float = lift, rng: np.random.Generator = rng) -> tuple:
            outcome = rng.random(n) < 0.5
            base = 0.6 + 0.1 * outcome + rng.normal(0, 0.15, n)
            first, second = (base + rng.normal(0, 0.1, n) for _ in range(2))
            return outcome, _percent(first), _percent(second + lift * outcome)

        outcome, first, second = two(LARGE)
        truth = roc_auc_score(outcome, second) - roc_auc_score(outcome, first) if lift else 0.0
        for n in SIZES:
            found = [auroc_difference(*two(n)) for _ in range(STUDIES)]
            share, _ = held(truth, iter(found))
            seen = np.mean([one.p is not None and one.p < 0.05 for one in found])
            print(f"  true {truth:+.3f}, {n} tasks: held {share:.1%}, p below 0.05 in {seen:.1%}")


def print_contracts() -> None:
    """Print the coverage of the profits at one place of the trial."""
    print(f"profits at one place, {FEWER} studies each:")
    for subject in (useful, telling_nothing, nearly_perfect):
        rng = np.random.default_rng(3)
        outcome, estimate = subject(LARGE, rng)
        direct = expected_profit(estimate > 0.5, outcome).value
        # Chance leaves a little even in a million contracts whose estimates tell nothing.
        best = 0.0 if subject is telling_nothing else best_threshold(estimate, outcome)[0]
        for n in (30, 128, 512):
            drawn = [subject(n, rng) for _ in range(FEWER)]
            profit = (expected_profit(stated > 0.5, won) for won, stated in drawn)
            band = (best_threshold_profit(stated, won, 300, rng) for won, stated in drawn)
            print(
                f"  {subject.__name__.replace('_', ' '):16} {n:4} trials: direct {direct:.3f} held "
                f"{held(direct, profit)[0]:.1%}, best {best:.3f} held {held(best, band)[0]:.1%}",
                flush=True,
            )


def decisions(
    loss_weight: float, n_trials: int, rng: np.random.Generator, mood: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accepted, estimates and trials of a subject with this λ and β of 8, nine contracts each."""
    estimate = _percent(rng.beta(3, 2, (n_trials, 9)))
    utility = 8 * (estimate - (1 - estimate) * loss_weight) + rng.normal(0, mood, (n_trials, 1))
    accepted = rng.random((n_trials, 9)) < 1 / (1 + np.exp(-utility))
    return accepted.ravel(), estimate.ravel(), np.repeat(np.arange(n_trials), 9)


def print_risk_attitude() -> None:
    """Print how often the interval of λ holds the true one."""
    print(f"λ, {FEWER} studies each:")
    for n_trials in (30, 128, 512):
        for loss_weight in LOSS_WEIGHTS:
            rng = np.random.default_rng(4)
            found = []
            for _ in range(FEWER):
                accepted, estimate, trials = decisions(loss_weight, n_trials, rng)
                found.append(risk_attitude(accepted, estimate, trials=trials, replicates=500))
            share, there = held(loss_weight, iter(found))
            print(f"  λ {loss_weight}, {n_trials} trials: held {share:.1%} ({there})", flush=True)


def print_cost() -> None:
    """Print what a large table costs, and what AUROC costs beside sorting its scores."""
    rng = np.random.default_rng(0)
    outcome, estimate = useful(ROWS, rng)
    fine = estimate + rng.normal(0, 1e-3, ROWS)
    n_trials = ROWS // 9
    shape = (n_trials, 9)
    won, stated = outcome[: n_trials * 9].reshape(shape), estimate[: n_trials * 9].reshape(shape)
    trials = ContractTrials(won, stated, stated > 0.7)
    accepted, chance, of_trial = decisions(2.0, n_trials, rng)
    jobs: dict[str, Callable[[], object]] = {
        "sorting the scores": lambda: np.sort(fine),
        "auroc": lambda: auroc(outcome, fine),
        "auroc of percent": lambda: auroc(outcome, estimate),
        "scikit-learn's auroc, no interval": lambda: roc_auc_score(outcome, fine),
        "paired difference": lambda: auroc_difference(outcome, estimate, fine),
        "overconfidence": lambda: overconfidence(outcome, estimate),
        "brier score": lambda: brier_score(outcome, estimate),
        "calibration curve": lambda: calibration_curve(outcome, estimate),
        "calibration error": lambda: calibration_error(outcome, estimate),
        "risk-coverage area": lambda: risk_coverage_area(outcome, estimate),
        "contracts by place": lambda: contract_curves(trials),
        "contract totals": lambda: contract_totals(trials),
        "risk attitude": lambda: risk_attitude(accepted, chance, trials=of_trial),
    }
    print(f"{ROWS} rows, best of 3; bootstraps draw 2,000 times:")
    unit = None
    for name, job in jobs.items():
        times = []
        for _ in range(3):
            started = perf_counter()
            job()
            times.append(perf_counter() - started)
        unit = unit or min(times)
        print(f"  {name:34} {min(times):7.3f} s, {min(times) / unit:7.1f} sorts", flush=True)


def main() -> None:
    """Print the cost, then the coverage."""
    print_cost()
    print_coverage()
    print_paired()
    print_contracts()
    print_risk_attitude()


if __name__ == "__main__":
    main()
