"""Two models or prompt modes of uncertainty attribution, compared on the questions of both.

How, and when question by question, is in `core.metrics.side_by_side`. ACC is a plain share of the
answerable questions and has McNemar's test. The F1s depend on how many questions each left
unanswered (M), and are compared by the bootstrap. An answer without a verdict is no outcome: its
question counts for neither side of a pair.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.errors import InputError
from core.metrics.attribution_counts import ANSWERABLE, UNANSWERABLE, AttributionCounts
from core.metrics.attribution_frames import named_metrics
from core.metrics.attribution_replicates import METRICS, OUTCOMES, attribution_metric
from core.metrics.attribution_rows import plain_columns
from core.metrics.many_comparisons import correct_for_many
from core.metrics.redrawing import REPLICATES
from core.metrics.side_by_side import Measures, compare_measures
from core.metrics.tallies import Tally, TallyByType

OWN_COLUMNS = ("part", "intent", "outcome", "n")
SHARED_COLUMNS = ("part", "intent", "outcome_a", "outcome_b", "n")

_CELL = {
    "correct": "correct",
    "wrong": "other",
    "unparsable": "other",
    "ANSWERED": "other",
    "DATA_UNCERTAIN": "data",
    "MODEL_UNCERTAIN": "model",
}


def compare_attribution(
    counts_a: pd.DataFrame,
    counts_b: pd.DataFrame,
    joint: pd.DataFrame,
    *,
    metrics: Sequence[str] = METRICS,
    by_type: bool = False,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> pd.DataFrame:
    """Each metric of two, with the difference b - a and what it is worth.

    Args:
        counts_a, counts_b: what became of the questions of each: part (the group, or the file where
            there is none), intent, outcome, n. outcome is correct, wrong, or a label; missing for
            an answer without a verdict.
        joint: part, intent, outcome_a, outcome_b, n of the questions of both.
        by_type: whether each part has rows of its own after `Overall`.

    Returns:
        The frame of `core.metrics.side_by_side.compare_measures`, its p_adjusted by Holm over the
        frame; type holds the part, and no_reply_a and no_reply_b count answers without a verdict.

    Raises:
        InputError: frames that are none or do not belong together, an unknown metric or outcome, or
            fewer than one replicate.
    """
    own_a, own_b = (_tallies(frame, OWN_COLUMNS) for frame in (counts_a, counts_b))
    parts = sorted({part for part in (*own_a, *own_b) if part is not None}) if by_type else []
    frame = compare_measures(
        ATTRIBUTION_MEASURES,
        own_a,
        own_b,
        _tallies(joint, SHARED_COLUMNS),
        metrics=metrics,
        parts=parts,
        replicates=replicates,
        seed=seed,
    )
    return frame.assign(p_adjusted=correct_for_many(frame["p"]))


def _tallies(frame: pd.DataFrame, columns: Sequence[str]) -> TallyByType:
    """By part, the questions by cell, along one axis or two; the last cell has no outcome."""
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise InputError(
            f"the counts have no column {missing[0]!r}", hint=f"wanted {', '.join(columns)}"
        )
    found: TallyByType = {}
    if frame.empty:
        return found
    for part, intent, *outcomes, n in zip(*plain_columns(frame, columns), strict=True):
        tally = found.setdefault(part, _empty(len(outcomes)))
        if intent not in tally:
            raise InputError(f"there is no intent {intent!r} to count", hint="count questions")
        tally[intent][tuple(_place(intent, outcome) for outcome in outcomes)] += int(n)
    return found


def _empty(n_axes: int) -> Tally:
    return {
        side: np.zeros((len(names) + 1,) * n_axes, dtype=np.int64)
        for side, names in OUTCOMES.items()
    }


def _place(intent: str, outcome: str | None) -> int:
    if outcome is None:
        return len(OUTCOMES[intent])
    cell = _CELL.get(outcome)
    if cell not in OUTCOMES[intent]:
        raise InputError(
            f"{outcome!r} is no outcome of an {intent} question",
            hint=f"wanted {', '.join(_CELL)}",
        )
    return OUTCOMES[intent].index(cell)


def _value(metric: str, tasks: Tally) -> tuple[float | None, int | None, int, str]:
    found = named_metrics(_counts(tasks))[metric]
    counted = int(tasks[ANSWERABLE][0]) if metric == "ACC" and tasks else None
    return found.value, counted, found.n, found.why.removeprefix("not defined: ")


def _counts(tasks: Tally) -> AttributionCounts:
    if not tasks:
        return AttributionCounts()
    correct, data, model, other = (int(n) for n in tasks[ANSWERABLE][:4])
    u_data, u_model, u_other = (int(n) for n in tasks[UNANSWERABLE][:3])
    return AttributionCounts(
        correct=correct,
        wrong=other,
        answerable_data=data,
        answerable_model=model,
        unanswerable_data=u_data,
        unanswerable_model=u_model,
        unanswerable_answered=u_other,
    )


ATTRIBUTION_MEASURES = Measures(
    names=METRICS,
    sides={side: len(names) for side, names in OUTCOMES.items()},
    value=_value,
    counted={"ACC": {ANSWERABLE: 0}},
    replicate=attribution_metric,
)
