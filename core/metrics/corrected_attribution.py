"""ACC, DU-F1 and MU-F1 as judged, and as they are once an audit has told how the judge errs.

Of the answers that were judged, the judge calls some correct. An audit says how many of them are:
their rate by the truth, `core.metrics.corrected_rate` or Rogan and Gladen's, times the number of
judged answers, takes the place of the correct ones. M, the answerable questions not answered
correctly, is the rest of the answerable ones, and moves with it; so ACC and both F1 do. What the
subject declined or garbled needs no judge and stays.

An answer without a valid verdict (unjudged) is in no metric, corrected or not, and not among the
answers that the corrected rate is multiplied with.

Two things are known by chance only: which questions were asked, and which verdicts were audited.
The interval carries both. Each draw of a Bayesian bootstrap takes the shares of the outcomes among
the answerable and among the unanswerable questions, and the share of each verdict that is right,
from their posterior by Jeffreys' prior, and works the metrics out of them; how many questions of
either kind there are is fixed. The middle 95 % of the draws are the interval. This is the posterior
of double sampling: all answers judged, some audited at random within each verdict.

Coverage of the 95 % interval in simulated studies, `tests/bench/bench_audit.py`: 94 to 96 % for
every metric, where the one of the judge's numbers is at 0 to 95 %.

Source: A. Tenenbein, "A double sampling scheme for estimating from binomial data with
misclassifications", 1970; D. B. Rubin, 1981, doi:10.1214/aos/1176345338, for the Bayesian
bootstrap.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from core.metrics.attribution import AttributionMetric, attribution_metrics
from core.metrics.attribution_counts import AttributionCounts
from core.metrics.attribution_replicates import METRICS, attribution_metric, outcome_cells
from core.metrics.audit_shares import NO, NONE_DECIDED, YES, AuditCells, AuditedPair, weighted_share
from core.metrics.corrected_rate import corrected_rate
from core.metrics.intervals import TOO_OFTEN_UNDEFINED, percentile_interval
from core.metrics.rogan_gladen import rogan_gladen_rate
from core.metrics.true_rates import Judged, TrueRate, audited_cells

DRAWS = 4_000

_JEFFREYS = 0.5
_NO_N = "not defined: there is no unanswerable question"
_NO_M = "not defined: by the corrected rate every answerable question was answered correctly"
_NOT_JUDGED = "not defined: no answer has a verdict"


@dataclass(frozen=True)
class CorrectedValue:
    """A metric in [0, 1] with its 95 % interval, corrected by an audit.

    Args:
        value: None where not defined.
        low: lower end of the interval, None where there is none.
        high: upper end.
        n_audited: audited verdicts it rests on, votes of unsure left out.
        method: how the rate of correct answers was corrected.
        why: why there is no value, or a value and no interval; else empty.
        clipped: whether the corrected rate led outside [0, 1] and was put at its end.
    """

    value: float | None
    low: float | None
    high: float | None
    n_audited: int
    method: str
    why: str = ""
    clipped: bool = False


@dataclass(frozen=True)
class CorrectedMetric:
    """One metric as judged, beside what it is by prediction-powered inference (the default) and by
    Rogan and Gladen's correction."""

    judged: AttributionMetric
    corrected: CorrectedValue
    rogan_gladen: CorrectedValue


def corrected_attribution(
    counts: AttributionCounts,
    pairs: Iterable[AuditedPair],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[CorrectedMetric]:
    """ACC, then DU-F1 and MU-F1, released and balanced, each as judged and as corrected.

    Args:
        counts: what became of the questions, by the judge. A "yes" of it is a correct answer.
        pairs: audited verdicts on these answers, drawn at random within each verdict, or weighted.
        draws: of the bootstrap.
        seed: of the draws.

    Returns:
        the metrics in the order of `attribution_metrics`. A corrected value is not defined where
        the rate is not (see `corrected_rate` and `rogan_gladen_rate`), nor where the metric is 0/0
        with it. One whose draws are not defined in more than 5 % has no interval.

    Raises:
        InputError: more pairs of a verdict are audited than answers were given it.

    Example:
        >>> counts = AttributionCounts(correct=60, wrong=20, answerable_model=20,
        ...                            unanswerable_data=30, unanswerable_answered=20)
        >>> pairs = [AuditedPair("yes", "yes")] * 18 + [AuditedPair("yes", "no")] * 2
        >>> pairs += [AuditedPair("no", "no")] * 15 + [AuditedPair("no", "yes")] * 5
        >>> acc = corrected_attribution(counts, pairs)[0]
        >>> acc.judged.value, round(acc.corrected.value, 4)  # 60·0.9 + 20·0.25 = 59 of 100
        (0.6, 0.59)
    """
    pairs = list(pairs)
    judged = Judged(counts.correct, counts.wrong)
    cells = audited_cells(judged, pairs)
    rng = np.random.default_rng(seed)
    drawn = _drawn(counts, draws, rng)
    by_ppi = corrected_rate(judged, pairs) if judged.n else None
    by_rg = rogan_gladen_rate(judged, pairs) if judged.n else None
    return [
        CorrectedMetric(one, ppi, rogan_gladen)
        for one, ppi, rogan_gladen in zip(
            attribution_metrics(counts),
            _corrected(counts, by_ppi, lambda: _ppi_draws(cells, drawn, rng), drawn),
            _corrected(counts, by_rg, lambda: _rogan_gladen_draws(cells, drawn, rng), drawn),
            strict=True,
        )
    ]


@dataclass(frozen=True)
class _Questions:
    """Questions by outcome, one number or one a draw: what the metrics are made from."""

    yes: np.ndarray
    no: np.ndarray
    data: np.ndarray
    model: np.ndarray
    unparsable: np.ndarray
    unanswerable: np.ndarray

    def metrics(self, correct: np.ndarray) -> list[np.ndarray]:
        """In the order of `METRICS`, NaN for 0/0, where so many of the answers are correct."""
        wrong = self.yes + self.no - correct
        # What rounding leaves is no question.
        rest = np.where(np.abs(wrong) < 1e-9, 0.0, wrong) + self.unparsable
        cells = np.column_stack([correct, self.data, self.model, rest, self.unanswerable])
        return [attribution_metric(cells, name) for name in METRICS]


def _counted(counts: AttributionCounts) -> _Questions:
    own, other = _cells(counts)
    return _Questions(*own.reshape(-1, 1), other.reshape(1, -1))


def _drawn(counts: AttributionCounts, draws: int, rng: np.random.Generator) -> _Questions:
    own, other = (cells.sum() * rng.dirichlet(cells + _JEFFREYS, draws) for cells in _cells(counts))
    return _Questions(*own.T, other)


def _cells(counts: AttributionCounts) -> tuple[np.ndarray, np.ndarray]:
    """The answerable questions: correct, wrong, DATA, MODEL and unparsable; the others as in
    `outcome_cells`."""
    judged = [counts.correct, counts.wrong]
    rest = [counts.answerable_data, counts.answerable_model, counts.answerable_unparsable]
    return np.array(judged + rest), outcome_cells(counts)[4:]


def _corrected(
    counts: AttributionCounts,
    rate: TrueRate | None,
    draw_correct: Callable[[], np.ndarray],
    drawn: _Questions,
) -> list[CorrectedValue]:
    if rate is None or rate.value is None:
        why = _NOT_JUDGED if rate is None else rate.why
        n, method = (0, "") if rate is None else (rate.n, rate.method)
        return [CorrectedValue(None, None, None, n, method, why)] * 5
    counted = _counted(counts)
    values = counted.metrics(rate.value * (counted.yes + counted.no))
    found = []
    for (value,), replicates in zip(values, drawn.metrics(draw_correct()), strict=True):
        about = {"n_audited": rate.n, "method": rate.method, "clipped": rate.clipped}
        if np.isnan(value):
            why = _NO_N if not counts.n_unanswerable else _NO_M
            found.append(CorrectedValue(None, None, None, why=why, **about))
            continue
        ends = percentile_interval(replicates, value=float(value))
        low, high = ends or (None, None)
        why = "" if ends else TOO_OFTEN_UNDEFINED
        found.append(CorrectedValue(float(value), low, high, why=why, **about))
    return found


def _ppi_draws(cells: AuditCells, drawn: _Questions, rng: np.random.Generator) -> np.ndarray:
    """Correct answers: of each verdict as many as a draw of the share that is right."""
    of_yes, of_no = (_share_right(cells, verdict, len(drawn.yes), rng) for verdict in (YES, NO))
    return drawn.yes * of_yes + drawn.no * of_no


def _share_right(
    cells: AuditCells, verdict: str, draws: int, rng: np.random.Generator
) -> np.ndarray:
    """Draws of the share of yes by the truth among the answers with a verdict."""
    inside = Counter({cell: n for cell, n in cells.items() if cell[0] == verdict})
    found = weighted_share(inside, lambda _, auditor: auditor == YES, empty=NONE_DECIDED)
    right = min(found.value, 1.0) * found.effective_n
    return rng.beta(right + _JEFFREYS, found.effective_n - right + _JEFFREYS, draws)


def _rogan_gladen_draws(
    cells: AuditCells, drawn: _Questions, rng: np.random.Generator
) -> np.ndarray:
    """Correct answers by the judge's drawn rate, sensitivity and specificity; NaN below chance."""
    n = len(drawn.yes)
    verdicts = {(judge, auditor): np.zeros(n) for judge in (YES, NO) for auditor in (YES, NO)}
    if len({weight for _, _, weight in cells}) == 1:
        # Drawn evenly: the four cells are one draw, and so are how many of them are yes.
        numbers = [
            sum(m for (*pair, _), m in cells.items() if (*pair,) == cell) for cell in verdicts
        ]
        tasks = dict(zip(verdicts, rng.dirichlet(np.add(numbers, _JEFFREYS), n).T, strict=True))
    else:
        # Drawn by verdict: as many of each as there are verdicts in the draw of the questions.
        for judge, given in ((YES, drawn.yes), (NO, drawn.no)):
            share = _share_right(cells, judge, n, rng)
            verdicts[judge, YES], verdicts[judge, NO] = given * share, given * (1 - share)
        tasks = verdicts
    sensitivity = tasks[YES, YES] / (tasks[YES, YES] + tasks[NO, YES])
    specificity = tasks[NO, NO] / (tasks[NO, NO] + tasks[YES, NO])
    judged = drawn.yes + drawn.no
    slope = sensitivity + specificity - 1
    rate = (drawn.yes / judged + specificity - 1) / np.where(slope > 0, slope, np.nan)
    return judged * np.clip(rate, 0.0, 1.0)
