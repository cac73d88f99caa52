"""Two classifiers compared, metric by metric: the difference, its interval, and its p-value.

Where both classified the same tasks, the comparison is over these tasks and paired, for what one
gets right the other is likely to get right as well. Where they share none, either side has chance
of its own. A few tasks are shared by accident, as models invent the same task twice: where they
are less than a tenth of the smaller side, a comparison on them alone would waste nearly all that
is known, so they are left out and the rest is compared as independent. No task that both
classified is ever counted as if it were two.

Plain shares have exact methods, in `core.metrics.share_differences`. The others are compared by
the bootstrap of `core.metrics.difference_bootstrap`: harmonic mean and confidence balance are no
shares, and insight on shared tasks is out of those that each classifier called infeasible.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.errors import InputError
from core.metrics.cells import METRIC_NAMES, boundary_metrics, shares, why_not_defined
from core.metrics.comparison_words import ASKED
from core.metrics.counts import Counts, in_order
from core.metrics.difference_bootstrap import Resampling, bootstrap_difference
from core.metrics.joint_cells import (
    Tally,
    TallyByType,
    add_up,
    as_cells,
    joint_tallies,
    margins,
    n_apart,
    n_classified,
    n_without_reply,
    tallies,
    with_reply,
    without,
)
from core.metrics.many_comparisons import correct_for_many
from core.metrics.paper_tables import OVERALL
from core.metrics.redrawing import REPLICATES
from core.metrics.share_differences import independent_difference, paired_difference
from core.taxonomy import FEASIBLE, INFEASIBLE, LINE_OF_DUTY, Taxonomy

COMPARED_METRICS: tuple[str, ...] = (METRIC_NAMES[0], ASKED, *METRIC_NAMES[1:])
"""The metrics of the boundary, and accuracy out of all tasks that each was asked."""

FEW_SHARED = 0.1

# What counts in a plain share whose tasks are the same for both: the cell's place on each side.
_COUNTED = {
    "accuracy": {FEASIBLE: 0, INFEASIBLE: 1},
    ASKED: {FEASIBLE: 0, INFEASIBLE: 1},
    "foresight": {INFEASIBLE: 1},
    "overconfidence": {FEASIBLE: 1},
    "conservatism": {INFEASIBLE: 0},
}
_NUMBERS = ("a", "b", "difference", "low", "high", "p", "p_adjusted")
_SIZES = ("n_a", "n_b", "n_shared", "left_out_a", "left_out_b", "no_reply_a", "no_reply_b")
_COLUMNS = ["type", "metric", *_NUMBERS, "test", *_SIZES, "is_paired", "why"]


def compare(
    counts_a: Counts,
    counts_b: Counts,
    joint: pd.DataFrame,
    *,
    metrics: Sequence[str] = COMPARED_METRICS,
    by_type: bool = False,
    replicates: int = REPLICATES,
    seed: int = 0,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> pd.DataFrame:
    """Each metric of two classifiers, with the difference b - a and what it is worth.

    Args:
        counts_a, counts_b: the counts frame of each, its study and model alone. A missing label
            is a task without a usable reply, which only `accuracy_of_asked` counts.
        joint: how often each combination of labels occurred on the tasks of both.
        metrics: names of metrics, in the order wanted.
        by_type: whether each type has rows of its own after `Overall`.
        replicates: resamples of the bootstrap, from 1 up.
        seed: of the bootstrap.
        taxonomy: the types of the studies.

    Returns:
        type (`Overall`, or the type that tasks were generated for), metric, a, b, difference,
        low, high (95 % interval), p, p_adjusted (Holm's, over the rows of the frame; correct over
        all frames that are shown together), test, n_a, n_b (tasks each value is out of), n_shared
        (tasks both classified), left_out_a, left_out_b (tasks only one of them classified where
        paired; shared tasks where not), no_reply_a, no_reply_b (tasks asked of it that got no
        usable reply; of the shared ones where paired), is_paired, why. NaN is "not defined", and
        why then says why; it is empty elsewhere.

    Raises:
        InputError: counts or joint counts that are none or do not belong together, an unknown
            metric, or fewer than one replicate.
    """
    frame = compare_tallies(
        tallies(counts_a),
        tallies(counts_b),
        joint_tallies(joint),
        metrics=metrics,
        by_type=by_type,
        replicates=replicates,
        seed=seed,
        taxonomy=taxonomy,
    )
    return frame.assign(p_adjusted=correct_for_many(frame["p"]))


def compare_tallies(
    parts_a: TallyByType,
    parts_b: TallyByType,
    shared: TallyByType,
    *,
    metrics: Sequence[str] = COMPARED_METRICS,
    by_type: bool = False,
    replicates: int = REPLICATES,
    seed: int = 0,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> pd.DataFrame:
    """As `compare`, of counts read before, for many pairs; p_adjusted is left open (NaN).

    Args:
        parts_a, parts_b: what `tallies` made of the counts of each.
        shared: what `joint_tallies` made of the joint counts.
    """
    _check(metrics, replicates)
    whole = _Tasks(add_up(parts_a.values()), add_up(parts_b.values()), add_up(shared.values()))
    _check_fit(whole)
    smaller = min(n_classified(whole.a), n_classified(whole.b))
    is_paired = whole.n_shared > 0 and whole.n_shared >= FEW_SHARED * smaller
    groups = {OVERALL: whole}
    if by_type:
        for kind in in_order([*parts_a, *parts_b], taxonomy.type_names):
            groups[kind] = _Tasks(*(found.get(kind, {}) for found in (parts_a, parts_b, shared)))
    rows = [
        (kind, *row)
        for kind, tasks in groups.items()
        for row in _rows(tasks, metrics, is_paired, replicates, seed)
    ]
    return pd.DataFrame(rows, columns=_COLUMNS).astype(dict.fromkeys(_NUMBERS, float))


@dataclass(frozen=True)
class _Tasks:
    """All tasks of each classifier by cell, and those of both by the pair of cells."""

    a: Tally
    b: Tally
    shared: Tally

    @property
    def n_shared(self) -> int:
        """Tasks that both classified."""
        return sum(int(table[:-1, :-1].sum()) for table in self.shared.values())


def _rows(
    tasks: _Tasks, metrics: Sequence[str], is_paired: bool, replicates: int, seed: int
) -> Iterator[tuple]:
    """The rows of one group of tasks, without its type."""
    down, across = margins(tasks.shared)
    if is_paired:
        left_out = [n_classified(side) - tasks.n_shared for side in (tasks.a, tasks.b)]
        asked = (down, across, tasks.shared)
        pairs = {intent: table[:-1, :-1] for intent, table in tasks.shared.items()}
        read = (*margins(pairs), pairs)
    else:
        left_out = [n_classified(down), n_classified(across)]
        asked = (without(tasks.a, down), without(tasks.b, across), None)
        read = (*(with_reply(side) for side in asked[:2]), None)
    sizes = (tasks.n_shared, *left_out, *(n_without_reply(side) for side in asked[:2]))

    resampling = Resampling(*read, replicates, seed)
    for metric in metrics:
        yield metric, *_compared(metric, *(asked if metric == ASKED else read), resampling, sizes)


def _compared(
    metric: str,
    a: Tally,
    b: Tally,
    pairs: Tally | None,
    resampling: Resampling,
    sizes: tuple[int, ...],
) -> tuple:
    """The rest of a row, after its metric."""
    (value_a, counted_a, n_a, why_a), (value_b, counted_b, n_b, why_b) = (
        _measured(metric, side) for side in (a, b)
    )
    rest = (n_a, n_b, *sizes, pairs is not None)
    if why_a or why_b:
        causes = [f"for {name} {why}" for name, why in (("a", why_a), ("b", why_b)) if why]
        why = f"not defined: {'; '.join(causes)}"
        return value_a, value_b, *[None] * 5, "", *rest, why
    if pairs is None and counted_a is not None:
        found = independent_difference(counted_a, n_a, counted_b, n_b)
    elif places := _COUNTED.get(metric):
        only_a = sum(n_apart(pairs[intent], place) for intent, place in places.items())
        only_b = sum(n_apart(pairs[intent].T, place) for intent, place in places.items())
        found = paired_difference(only_a, only_b, n_a)
    else:
        found = bootstrap_difference(metric, value_b - value_a, resampling)
    if isinstance(found, str):
        return value_a, value_b, value_b - value_a, *[None] * 4, "", *rest, found
    *numbers, test = found
    return value_a, value_b, *numbers, None, test, *rest, ""


def _measured(metric: str, tasks: Tally) -> tuple[float | None, int | None, int, str]:
    """The value of one side, the tasks counted and what they are out of, and why it has none."""
    if metric == ASKED:
        n = sum(int(numbers.sum()) for numbers in tasks.values())
        right = sum(int(numbers[_COUNTED[ASKED][intent]]) for intent, numbers in tasks.items())
        return (right / n, right, n, "") if n else (None, None, 0, "no task has been answered")
    found = as_cells(tasks)
    counted, n = shares(found).get(metric, (None, found.total))
    why = (why_not_defined(metric, found) or "").removeprefix("not defined: ")
    return boundary_metrics(found)[metric], counted, n, why


def _check(metrics: Sequence[str], replicates: int) -> None:
    for name in metrics:
        if name not in COMPARED_METRICS:
            raise InputError(
                f"there is no metric {name!r} to compare",
                hint=f"the metrics are {', '.join(COMPARED_METRICS)}",
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
                    hint="count both over the same draw",
                )
