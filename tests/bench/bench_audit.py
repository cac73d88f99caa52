"""How often intervals that an audit corrected hold the truth, and those of the judge's numbers.

Studies are simulated whose true outcome rates are known: questions are drawn, answered, judged by a
judge of known sensitivity and specificity, and some of its verdicts audited. The numbers are those
of the code that is used.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.metrics.attribution import attribution_metrics
from core.metrics.attribution_counts import AttributionCounts
from core.metrics.audit_shares import AuditedPair
from core.metrics.corrected_attribution import corrected_attribution
from core.metrics.corrected_rate import rate_by_truth, stratified_ppi_rate
from core.metrics.true_rates import Judged

STUDIES = 2_000
DRAWS = 1_000
HOW = ("raw", "corrected", "rogan_gladen")


@dataclass(frozen=True)
class Regime:
    """Rates that a simulated study is drawn from.

    Args:
        n_answerable, n_unanswerable: questions of either kind.
        own: of the answerable ones, shares answered, DATA, MODEL and unparsable.
        other: of the unanswerable ones, shares answered, DATA, MODEL and unparsable.
        right: of the answers to answerable ones, the share that is right.
        sensitivity, specificity: of the judge.
        audited: verdicts audited of its yes and of its no, or in all where it is one number.
    """

    n_answerable: int
    n_unanswerable: int
    own: tuple[float, float, float, float]
    other: tuple[float, float, float, float]
    right: float
    sensitivity: float
    specificity: float
    audited: tuple[int, int] | int


REGIMES = {
    "lenient judge": Regime(
        1000, 500, (0.70, 0.05, 0.20, 0.05), (0.27, 0.60, 0.10, 0.03), 0.6, 0.97, 0.80, (60, 60)
    ),
    "strict judge": Regime(
        1000, 500, (0.80, 0.05, 0.10, 0.05), (0.35, 0.40, 0.20, 0.05), 0.7, 0.85, 0.97, (60, 60)
    ),
    "small study": Regime(
        200, 100, (0.60, 0.10, 0.25, 0.05), (0.25, 0.50, 0.20, 0.05), 0.5, 0.97, 0.70, (50, 50)
    ),
    "able subject": Regime(
        600, 300, (0.90, 0.02, 0.06, 0.02), (0.20, 0.70, 0.05, 0.05), 0.9, 0.97, 0.70, (80, 40)
    ),
    "weak subject": Regime(
        600, 600, (0.50, 0.10, 0.35, 0.05), (0.25, 0.30, 0.40, 0.05), 0.2, 0.95, 0.85, (50, 50)
    ),
    "drawn evenly": Regime(
        1000, 500, (0.70, 0.05, 0.20, 0.05), (0.27, 0.60, 0.10, 0.03), 0.6, 0.97, 0.80, 100
    ),
}


class Study(NamedTuple):
    """One simulated study; `n_right` of its judged answers are right by the truth."""

    counts: AttributionCounts
    pairs: list[AuditedPair]
    n_right: int


def simulated(regime: Regime, rng: np.random.Generator) -> Study:
    """A study drawn from the rates of a regime."""
    answered, *rest = regime.own
    right = answered * regime.right
    wrong = answered - right
    of_answers = (
        right * regime.sensitivity,
        wrong * (1 - regime.specificity),
        right * (1 - regime.sensitivity),
        wrong * regime.specificity,
    )
    own = rng.multinomial(regime.n_answerable, (*of_answers, *rest))
    other = rng.multinomial(regime.n_unanswerable, regime.other)
    counts = AttributionCounts(
        *(int(n) for n in (own[0] + own[1], own[2] + own[3], *own[4:], *other))
    )
    return Study(counts, _audited(regime, own[:4], rng), int(own[0] + own[2]))


def true_metrics(regime: Regime) -> list[float]:
    """ACC and the F1s of the true rates, in the order of `attribution_metrics`."""
    scale = 10**9  # Whole numbers that are as good as the rates.
    own = [round(scale * share) for share in regime.own]
    right = round(own[0] * regime.right)
    times = scale * regime.n_unanswerable / regime.n_answerable
    other = [round(times * share) for share in regime.other]
    counts = AttributionCounts(right, own[0] - right, *own[1:], *other)
    return [one.value for one in attribution_metrics(counts)]


def right_by_verdict(regime: Regime) -> tuple[float, float]:
    """Of the answers that the judge calls right, and of the others, the share that is right."""
    right, wrong = regime.right, 1 - regime.right
    found, missed = right * regime.sensitivity, right * (1 - regime.sensitivity)
    strayed = wrong * (1 - regime.specificity)
    return found / (found + strayed), missed / (missed + wrong - strayed)


def coverage(regime: Regime, studies: int, seed: int) -> pd.DataFrame:
    """Share of studies whose interval holds the truth, by metric, and mean width of it.

    `rate` is that of right answers, given how many verdicts of each kind there are: what it is on
    the average over answers judged like these. `rate, these` is that among the very answers of the
    study; the interval is wide for it where most verdicts of a kind were audited, for it takes
    audits as drawn with replacement. `rate, new` is that of the regime, as ACC and the F1s are.

    Returns:
        metric, then for each of `HOW` the coverage, and its mean width in `<how>_width`.
    """
    rng = np.random.default_rng(seed)
    truths = true_metrics(regime)
    of_yes, of_no = right_by_verdict(regime)
    rows = []
    for at in range(studies):
        study = simulated(regime, rng)
        judged = Judged(study.counts.correct, study.counts.wrong)
        rate = rate_by_truth(judged, study.pairs)
        truth = study.n_right / judged.n
        of_new = stratified_ppi_rate(judged, study.pairs, of_new_tasks=True)
        given = (judged.n_yes * of_yes + judged.n_no * of_no) / judged.n
        found = [
            ("rate", given, (rate.raw, rate.corrected, rate.rogan_gladen)),
            ("rate, these", truth, (rate.raw, rate.corrected, rate.rogan_gladen)),
            ("rate, new", regime.right, (rate.raw, of_new, rate.rogan_gladen)),
        ]
        metrics = corrected_attribution(study.counts, study.pairs, draws=DRAWS, seed=at)
        for one, true in zip(metrics, truths, strict=True):
            name = f"{one.judged.name} {one.judged.form}".strip()
            found.append((name, true, (one.judged, one.corrected, one.rogan_gladen)))
        for name, true, values in found:
            holds = [value.low <= true <= value.high for value in values]
            rows.append((name, *holds, *(value.high - value.low for value in values)))
    columns = ["metric", *HOW, *(f"{how}_width" for how in HOW)]
    return pd.DataFrame(rows, columns=columns).groupby("metric", sort=False).mean().reset_index()


def _audited(regime: Regime, cells: np.ndarray, rng: np.random.Generator) -> list[AuditedPair]:
    """Verdicts drawn for the audit, weighted where they were drawn by verdict."""
    if isinstance(regime.audited, int):
        drawn, weights = rng.multivariate_hypergeometric(cells, regime.audited), (1.0, 1.0)
    else:
        given = cells[0] + cells[1], cells[2] + cells[3]
        n = [min(wanted, m) for wanted, m in zip(regime.audited, given, strict=True)]
        of_yes = rng.multivariate_hypergeometric(cells[:2], n[0])
        of_no = rng.multivariate_hypergeometric(cells[2:], n[1])
        drawn, weights = (*of_yes, *of_no), tuple(m / k for m, k in zip(given, n, strict=True))
    kinds = (("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no"))
    return [
        AuditedPair(*pair, weights[pair[0] == "no"])
        for pair, k in zip(kinds, drawn, strict=True)
        for _ in range(k)
    ]


def main() -> None:
    """Print the coverage of each regime, corrected and not."""
    print(f"coverage of the 95 % interval (mean width), {STUDIES:,} studies of each regime:")
    for seed, (name, regime) in enumerate(REGIMES.items()):
        print(f"  {name}:")
        for row in coverage(regime, STUDIES, seed).itertuples():
            parts = [
                f"{how} {getattr(row, how):6.1%} ({getattr(row, f'{how}_width'):.3f})"
                for how in HOW
            ]
            print(f"    {row.metric:15} {'   '.join(parts)}", flush=True)


if __name__ == "__main__":
    main()
