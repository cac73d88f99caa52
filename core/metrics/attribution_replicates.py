"""Questions drawn again: the metrics of uncertainty attribution in every replicate.

Questions are what was drawn by chance, within strata: so many answerable and so many unanswerable
ones of each file of a study. A stratum is told in full by how often each outcome occurred, so
drawing it again is one draw of shares, as `core.metrics.redrawing` makes it. Of the outcomes only
those are told apart that a metric tells apart: right, DATA, MODEL and the rest of the answerable
questions; DATA, MODEL and the rest of the unanswerable ones. Half a question is added to each, once
per side of a group.

An answer without a verdict is in no metric, and is not drawn.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError
from core.metrics.attribution_counts import ANSWERABLE, UNANSWERABLE, AttributionCounts
from core.metrics.attribution_rows import Group, counts_by
from core.metrics.redrawing import REPLICATES, add_doubt, check_chance, redrawn, stream

if TYPE_CHECKING:
    from pandas import DataFrame

OUTCOMES = {
    ANSWERABLE: ("correct", "data", "model", "other"),
    UNANSWERABLE: ("data", "model", "other"),
}
"""The outcomes that metrics tell apart, by side, in the order of the columns of a replicate."""

METRICS = ("ACC", "DU-F1 released", "DU-F1 balanced", "MU-F1 released", "MU-F1 balanced")
"""The metrics in the order they are shown in; of an F1 its form is a part of its name."""

_COLUMNS = {ANSWERABLE: slice(0, 4), UNANSWERABLE: slice(4, 7)}
_DOUBT = 0.5
_STRATUM = ("study", "model", "judge", "type")


def outcome_cells(counts: AttributionCounts) -> np.ndarray:
    """Questions by `OUTCOMES`, the answerable ones first: seven numbers.

    Example:
        >>> outcome_cells(AttributionCounts(correct=3, wrong=1, unanswerable_data=2)).tolist()
        [3, 0, 0, 1, 2, 0, 0]
    """
    found = counts
    return np.array(
        [
            found.correct,
            found.answerable_data,
            found.answerable_model,
            found.wrong + found.answerable_unparsable,
            found.unanswerable_data,
            found.unanswerable_model,
            found.unanswerable_answered + found.unanswerable_unparsable,
        ]
    )


def attribution_metric(cells: np.ndarray, metric: str) -> np.ndarray:
    """A metric of every row of cells, NaN where it is not defined; see `core.metrics.attribution`.

    Args:
        cells: shape (replicates, 7), in the order of `outcome_cells`.
        metric: one of `METRICS`.

    Raises:
        InputError: there is no metric of that name.

    Example:
        >>> attribution_metric(np.array([[5, 1, 0, 4, 6, 0, 4]]), "DU-F1 balanced").round(4)
        array([0.6667])
    """
    if metric not in METRICS:
        raise InputError(
            f"there is no metric {metric!r}", hint=f"the metrics are {', '.join(METRICS)}"
        )
    correct, data, model, other, u_data, u_model, u_other = np.asarray(cells, dtype=float).T
    n_not_correct, n_unanswerable = data + model + other, u_data + u_model + u_other
    if metric == "ACC":
        return _ratio(correct, correct + n_not_correct)
    if metric.startswith("DU"):
        own, n_own, strayed, n_other = u_data, n_unanswerable, data, n_not_correct
    else:
        own, n_own, strayed, n_other = model, n_not_correct, u_model, n_unanswerable
    recall = _ratio(own, n_own)
    missed = _ratio(n_own - own, n_other if metric.endswith("released") else n_own)
    found = _ratio(2 * recall, 2 * recall + _ratio(strayed, n_other) + missed)
    return np.where((n_own == 0) | (n_other == 0), np.nan, found)


def replicated(
    frame: "DataFrame",
    by: Sequence[str],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Iterator[tuple[Group, AttributionCounts, np.ndarray, int]]:
    """Each group with its counts, its replicates, and the number of its answerable strata.

    Replicates have the shape (replicates, 7); the sides of each add up to those of the group.
    Groups of one call that share questions share their draws, so that a group and its study move
    together; two models are drawn as if their questions were different ones.

    Args:
        frame: a counts frame of one judge per study, or with `judge` in `by`.
        by: columns of it that make the groups.

    Raises:
        InputError: as `counts_by`; fewer than one replicate; a seed below 0.
    """
    check_chance(replicates, seed)
    strata: dict[Group, dict[Group, np.ndarray]] = {}
    alike: dict[Group, Any] = {}
    named = frame.assign(type=frame["type"].fillna("")) if len(frame) else frame
    for key, found in counts_by(named, (*by, *_STRATUM)).items():
        group, stratum = key[: len(by)], key[len(by) :]
        strata.setdefault(group, {})[stratum] = outcome_cells(found)
        alike[stratum[:-1]] = alike.get(stratum[:-1], 0) + outcome_cells(found)
    for key, counts in counts_by(frame, by).items():
        drawn = np.zeros((replicates, 7))
        n_answerable = 0
        for stratum, cells in strata[key].items():
            for side, columns in _COLUMNS.items():
                if not cells[columns].sum():
                    continue
                n_answerable += side == ANSWERABLE
                rng = stream(seed, *stratum, side)
                others = alike[stratum[:-1]][columns]
                drawn[:, columns] += redrawn(cells[columns], others, replicates, rng)
        for side, columns in _COLUMNS.items():
            doubt = np.full(len(OUTCOMES[side]), _DOUBT)
            add_doubt(drawn[:, columns], doubt, stream(seed, side, [*map(str, key)]))
        yield key, counts, drawn, n_answerable


def _ratio(part: Any, whole: Any) -> np.ndarray:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole != 0)
