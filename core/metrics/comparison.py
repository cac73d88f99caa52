"""Two classifiers compared, metric by metric: the difference, its interval, and its p-value.

How, and when task by task, is in `core.metrics.side_by_side`. Of the boundary's metrics harmonic
mean and confidence balance are no shares, and insight on shared tasks is out of those that each
classifier called infeasible: these three are compared by the bootstrap.
"""

from collections.abc import Sequence

import pandas as pd

from core.metrics.cells import METRIC_NAMES, boundary_metrics, shares, why_not_defined
from core.metrics.comparison_words import ASKED
from core.metrics.counts import Counts, in_order
from core.metrics.joint_cells import CELLS_OF, as_cells, joint_tallies, tallies
from core.metrics.many_comparisons import correct_for_many
from core.metrics.redrawing import REPLICATES
from core.metrics.replicates import replicate_metric
from core.metrics.side_by_side import Measures, compare_measures
from core.metrics.tallies import Tally, TallyByType
from core.taxonomy import FEASIBLE, INFEASIBLE, LINE_OF_DUTY, Taxonomy

COMPARED_METRICS: tuple[str, ...] = (METRIC_NAMES[0], ASKED, *METRIC_NAMES[1:])
"""The metrics of the boundary, and accuracy out of all tasks that each was asked."""

# What counts in a plain share whose tasks are the same for both: the cell's place on each side.
_COUNTED = {
    "accuracy": {FEASIBLE: 0, INFEASIBLE: 1},
    ASKED: {FEASIBLE: 0, INFEASIBLE: 1},
    "foresight": {INFEASIBLE: 1},
    "overconfidence": {FEASIBLE: 1},
    "conservatism": {INFEASIBLE: 0},
}


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
    kinds = in_order([*parts_a, *parts_b], taxonomy.type_names) if by_type else []
    return compare_measures(
        BOUNDARY_MEASURES,
        parts_a,
        parts_b,
        shared,
        metrics=metrics,
        parts=kinds,
        replicates=replicates,
        seed=seed,
    )


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


BOUNDARY_MEASURES = Measures(
    names=COMPARED_METRICS,
    sides={intent: len(names) - 1 for intent, names in CELLS_OF.items()},
    value=_measured,
    counted=_COUNTED,
    replicate=replicate_metric,
    of_asked=(ASKED,),
)
