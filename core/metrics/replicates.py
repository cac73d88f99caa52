"""Studies drawn again: the cells of the boundary in every replicate, and a metric of each.

Tasks are what was drawn by chance, within strata: so many of each type and side of a study. A
stratum is told in full by how often each cell occurred, so drawing its tasks again is one draw of
shares, whatever their number: a replicate of a study is a few numbers.

How a stratum is drawn, and the doubt that is added once per side of a group, is in
`core.metrics.redrawing`. The doubt is half a task in each cell; a quarter in rr_other, which no
metric is the share of: a full half there pulls means over several studies to the side. Without any,
confidence balance by type is covered 75 % of the time.

Each stratum has a stream of its own, spawned from the seed and its names, so no study's interval
depends on which others are there.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from core.errors import InputError
from core.metrics.boundary import groups_of
from core.metrics.cells import METRIC_NAMES
from core.metrics.counts import CountRow, Counts, in_order, read_counts
from core.metrics.redrawing import REPLICATES, add_doubt, check_chance, redrawn, stream
from core.taxonomy import FEASIBLE, INFEASIBLE, LINE_OF_DUTY, Taxonomy

CELL_NAMES = ("ff", "fr", "rf", "rr", "rr_other")

_GROUPED_BY = ("study", "subject", "model", "prompt_set", "type")
_COLUMNS = {FEASIBLE: slice(0, 2), INFEASIBLE: slice(2, 5)}
_DOUBT = np.array([0.5, 0.5, 0.5, 0.5, 0.25])

Group = tuple[str, ...]


def replicate_cells(
    counts: Counts,
    *,
    by: Sequence[str] = ("study", "model"),
    replicates: int = REPLICATES,
    seed: int = 0,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> dict[Group, np.ndarray]:
    """The cells of each group in every replicate, to make differences, ranks and means from.

    Replicate i of two groups of the same call may be set against each other. Groups that share
    tasks (a type and its study, from two calls of one seed) share their draws, up to the half task
    in each cell. Strata are drawn independently of each other, so two models that classified the
    same tasks are treated as if the tasks were different ones: counts do not tell the pairs.

    Args:
        counts: a counts frame.
        by: its columns that make the groups, of study, subject, model, prompt_set and type; with
            `type`, every group has all the types.
        replicates: how many, from 1 up.
        seed: from 0 up; the same seed gives the same replicates.
        taxonomy: the types of the studies.

    Returns:
        By the values of `by`, an array of shape (replicates, 5): tasks in ff, fr, rf, rr and
        rr_other, fractions of tasks among them. A row adds up to the tasks of the group, and so do
        its sides.

    Raises:
        InputError: counts, columns, replicates or seed are not as above.

    Example:
        >>> rows = [CountRow("s", "m", "m", "vanilla", "feasible", None, None, "feasible", None, 9)]
        >>> drawn = replicate_cells(rows, replicates=3)["s", "m"]
        >>> drawn.shape, drawn.sum(axis=1).round(9).tolist()
        ((3, 5), [9.0, 9.0, 9.0])
    """
    return {key: drawn for key, _, drawn in replicated(counts, by, replicates, seed, taxonomy)}


def replicate_metric(cells: np.ndarray, metric: str) -> np.ndarray:
    """A metric of every row of cells, NaN where it is not defined; formulas in `metrics.cells`.

    Args:
        cells: shape (replicates, 5), in the order of `CELL_NAMES`.
        metric: one of `METRIC_NAMES`.

    Raises:
        InputError: there is no metric of that name.

    Example:
        >>> replicate_metric(np.array([[8, 2, 1, 6, 3], [8, 0, 8, 0, 0]]), "insight").round(3)
        array([0.545,   nan])
    """
    if metric not in METRIC_NAMES:
        raise InputError(
            f"there is no metric {metric!r}", hint=f"the metrics are {', '.join(METRIC_NAMES)}"
        )
    ff, fr, rf, rr, rr_other = np.asarray(cells, dtype=float).T
    invented, declined = rf + rr + rr_other, fr + rr + rr_other
    if metric == "accuracy":
        return _ratio(ff + rr, ff + fr + invented)
    if metric == "foresight":
        return _ratio(rr, invented)
    if metric == "insight":
        return _ratio(rr, declined)
    if metric == "harmonic_mean":
        either_empty = (invented == 0) | (declined == 0)
        return np.where(either_empty, np.nan, _ratio(2 * rr, invented + declined))
    over, cons = _ratio(fr, ff + fr), _ratio(rf, invented)
    if metric == "overconfidence":
        return over
    if metric == "conservatism":
        return cons
    largest = np.maximum(over, cons)
    return np.where(largest == 0, 0.0, _ratio(over - cons, largest))


def replicated(
    counts: Counts, by: Sequence[str], replicates: int, seed: int, taxonomy: Taxonomy
) -> Iterator[tuple[Group, list[CountRow], np.ndarray]]:
    """Each group with its rows and its replicates, one after the other to hold one at a time.

    Args:
        counts, by, replicates, seed, taxonomy: as for `replicate_cells`.

    Raises:
        InputError: as there.
    """
    rows = read_counts(counts)
    _check_draw(by, replicates, seed)
    strata: dict[Group, np.ndarray] = {}
    same_side: dict[Group, np.ndarray] = {}
    for row in rows:
        stratum = stratum_of(row)
        for tally, key in ((strata, stratum), (same_side, _side(stratum))):
            tally.setdefault(key, np.zeros(len(CELL_NAMES)))[CELL_NAMES.index(row.cell)] += row.n
    for key, part in _groups(rows, by, taxonomy):
        drawn = np.zeros((replicates, len(CELL_NAMES)))
        for stratum in sorted({stratum_of(row) for row in part}):
            columns = _COLUMNS[stratum[-1]]
            tasks = strata[stratum][columns]
            alike = same_side[_side(stratum)][columns]
            drawn[:, columns] += redrawn(tasks, alike, replicates, stream(seed, *stratum))
        names = sorted(zip(by, key, strict=True))
        for side, columns in _COLUMNS.items():
            add_doubt(drawn[:, columns], _DOUBT[columns], stream(seed, side, names))
        yield key, part, drawn


def stratum_of(row: CountRow) -> Group:
    """The tasks that a row's were drawn from: those of one study, type and side."""
    return (row.study, row.subject, row.prompt_set, row.model, row.type or "", row.intent)


def _side(stratum: Group) -> Group:
    return (*stratum[:4], stratum[-1])


def _groups(
    rows: list[CountRow], by: Sequence[str], taxonomy: Taxonomy
) -> Iterator[tuple[Group, list[CountRow]]]:
    """Each group's values of the columns `by` with its rows; every type, in their order."""
    outer = [name for name in by if name != "type"]
    parts = groups_of(rows, lambda row: tuple(getattr(row, name) for name in outer))
    for key, part in parts.items():
        if "type" not in by:
            yield key, part
            continue
        kinds = groups_of(part, lambda row: row.type)
        for kind in in_order(kinds, taxonomy.type_names):
            values = dict(zip(outer, key, strict=True)) | {"type": kind}
            yield tuple(values[name] for name in by), kinds.get(kind, [])


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole != 0)


def _check_draw(by: Sequence[str], replicates: int, seed: int) -> None:
    for name in by:
        if name not in _GROUPED_BY:
            raise InputError(
                f"counts cannot be grouped by {name!r} here", hint=f"use {', '.join(_GROUPED_BY)}"
            )
    check_chance(replicates, seed)
