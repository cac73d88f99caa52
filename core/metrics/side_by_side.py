"""Two who answered tasks, compared metric by metric, whatever the metrics are.

Where both answered the same tasks, the comparison is over these tasks and paired, for what one
gets right the other is likely to get right as well. Where they share none, either side has chance
of its own. A few tasks are shared by accident, as models invent the same task twice: where they
are less than a tenth of the smaller side, a comparison on them alone would waste nearly all that
is known, so they are left out and the rest is compared as independent. No task that both answered
is ever counted as if it were two.

Plain shares have exact methods, in `core.metrics.share_differences`. The others are compared by
the bootstrap of `core.metrics.difference_bootstrap`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.errors import InputError
from core.metrics.difference_bootstrap import Resampling, bootstrap_difference
from core.metrics.redrawing import REPLICATES
from core.metrics.share_differences import independent_difference, paired_difference
from core.metrics.tallies import (
    Tally,
    TallyByType,
    add_up,
    margins,
    n_answered,
    n_apart,
    n_without_reply,
    with_reply,
    without,
)

OVERALL = "Overall"
FEW_SHARED = 0.1

_NUMBERS = ("a", "b", "difference", "low", "high", "p", "p_adjusted")
_SIZES = ("n_a", "n_b", "n_shared", "left_out_a", "left_out_b", "no_reply_a", "no_reply_b")
_COLUMNS = ["type", "metric", *_NUMBERS, "test", *_SIZES, "is_paired", "why"]


@dataclass(frozen=True)
class Measures:
    """What is measured of tasks by cell.

    Args:
        names: the metrics, in the order they are shown in.
        sides: by intent, how many cells there are for tasks with a reply.
        value: from a metric and the tasks of one side to its value, the tasks counted (None where
            it is no share of a fixed set of tasks), those it is out of, and why it has no value.
        counted: of plain shares whose tasks are the same for both, by intent the cell that counts.
        replicate: a metric of every row of cells, all intents in the order of `sides`.
        of_asked: the metrics that also count tasks without a usable reply.
    """

    names: tuple[str, ...]
    sides: Mapping[str, int]
    value: Callable[[str, Tally], tuple[float | None, int | None, int, str]]
    counted: Mapping[str, Mapping[str, int]]
    replicate: Callable[[np.ndarray, str], np.ndarray]
    of_asked: Collection[str] = ()


def compare_measures(
    measures: Measures,
    parts_a: TallyByType,
    parts_b: TallyByType,
    shared: TallyByType,
    *,
    metrics: Sequence[str],
    parts: Sequence[str] = (),
    replicates: int = REPLICATES,
    seed: int = 0,
) -> pd.DataFrame:
    """Each metric of two, with the difference b - a and what it is worth.

    Args:
        parts_a, parts_b: the tasks of each by cell, by the part they belong to.
        shared: the tasks of both by the pair of cells.
        metrics: names of metrics, in the order wanted.
        parts: those that have rows of their own after `Overall`, in order.
        replicates: resamples of the bootstrap, from 1 up.
        seed: of the bootstrap.

    Returns:
        type (`Overall`, or a part), metric, a, b, difference, low, high (95 % interval), p,
        p_adjusted (left open, NaN), test, n_a, n_b (tasks each value is out of), n_shared (tasks
        both answered), left_out_a, left_out_b (tasks only one of them answered where paired; shared
        tasks where not), no_reply_a, no_reply_b (tasks asked of it that got no usable reply; of the
        shared ones where paired), is_paired, why. NaN is "not defined", and why then says why; it
        is empty elsewhere.

    Raises:
        InputError: counts that do not belong together, an unknown metric, or fewer than one
            replicate.
    """
    _check(measures, metrics, replicates)
    whole = _Tasks(add_up(parts_a.values()), add_up(parts_b.values()), add_up(shared.values()))
    _check_fit(whole)
    smaller = min(n_answered(whole.a), n_answered(whole.b))
    is_paired = whole.n_shared > 0 and whole.n_shared >= FEW_SHARED * smaller
    groups = {OVERALL: whole}
    for part in parts:
        groups[part] = _Tasks(*(found.get(part, {}) for found in (parts_a, parts_b, shared)))
    rows = [
        (part, *row)
        for part, tasks in groups.items()
        for row in _rows(measures, tasks, metrics, is_paired, replicates, seed)
    ]
    return pd.DataFrame(rows, columns=_COLUMNS).astype(dict.fromkeys(_NUMBERS, float))


@dataclass(frozen=True)
class _Tasks:
    """All tasks of each by cell, and those of both by the pair of cells."""

    a: Tally
    b: Tally
    shared: Tally

    @property
    def n_shared(self) -> int:
        """Tasks that both answered."""
        return sum(int(table[:-1, :-1].sum()) for table in self.shared.values())


def _rows(
    measures: Measures,
    tasks: _Tasks,
    metrics: Sequence[str],
    is_paired: bool,
    replicates: int,
    seed: int,
) -> Iterator[tuple]:
    """The rows of one group of tasks, without its part."""
    down, across = margins(tasks.shared)
    if is_paired:
        left_out = [n_answered(side) - tasks.n_shared for side in (tasks.a, tasks.b)]
        asked = (down, across, tasks.shared)
        pairs = {intent: table[:-1, :-1] for intent, table in tasks.shared.items()}
        read = (*margins(pairs), pairs)
    else:
        left_out = [n_answered(down), n_answered(across)]
        asked = (without(tasks.a, down), without(tasks.b, across), None)
        read = (*(with_reply(side) for side in asked[:2]), None)
    sizes = (tasks.n_shared, *left_out, *(n_without_reply(side) for side in asked[:2]))

    resampling = Resampling(*read, replicates, measures.sides, measures.replicate, seed)
    for metric in metrics:
        basis = asked if metric in measures.of_asked else read
        yield metric, *_compared(measures, metric, *basis, resampling, sizes)


def _compared(
    measures: Measures,
    metric: str,
    a: Tally,
    b: Tally,
    pairs: Tally | None,
    resampling: Resampling,
    sizes: tuple[int, ...],
) -> tuple:
    """The rest of a row, after its metric."""
    (value_a, counted_a, n_a, why_a), (value_b, counted_b, n_b, why_b) = (
        measures.value(metric, side) for side in (a, b)
    )
    rest = (n_a, n_b, *sizes, pairs is not None)
    if why_a or why_b:
        causes = [f"for {name} {why}" for name, why in (("a", why_a), ("b", why_b)) if why]
        why = f"not defined: {'; '.join(causes)}"
        return value_a, value_b, *[None] * 5, "", *rest, why
    if pairs is None and counted_a is not None:
        found = independent_difference(counted_a, n_a, counted_b, n_b)
    elif places := measures.counted.get(metric):
        only_a = sum(n_apart(pairs[intent], place) for intent, place in places.items())
        only_b = sum(n_apart(pairs[intent].T, place) for intent, place in places.items())
        found = paired_difference(only_a, only_b, n_a)
    else:
        found = bootstrap_difference(metric, value_b - value_a, resampling)
    if isinstance(found, str):
        return value_a, value_b, value_b - value_a, *[None] * 4, "", *rest, found
    *numbers, test = found
    return value_a, value_b, *numbers, None, test, *rest, ""


def _check(measures: Measures, metrics: Sequence[str], replicates: int) -> None:
    for name in metrics:
        if name not in measures.names:
            raise InputError(
                f"there is no metric {name!r} to compare",
                hint=f"the metrics are {', '.join(measures.names)}",
            )
    if replicates < 1:
        raise InputError(
            f"{replicates} replicates are too few; wanted 1 or more", hint="give 2000, for instance"
        )


def _check_fit(whole: _Tasks) -> None:
    for name, side, axis in (("a", whole.a, 1), ("b", whole.b, 0)):
        for intent, table in whole.shared.items():
            together = table.sum(axis=axis)[:-1]
            if (together > side.get(intent, np.zeros(len(table)))[:-1]).any():
                raise InputError(
                    f"the joint counts have {int(together.sum()):,} {intent} tasks of {name} that "
                    "its own counts do not have",
                    hint="count both over the same tasks",
                )
