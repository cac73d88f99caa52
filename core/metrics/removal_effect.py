"""What curation changed: every metric of the boundary with and without the removed tasks.

The two values share all the tasks that were not removed, so their difference says what removing
did to this very sample; it is no estimate, and has no interval.
"""

import pandas as pd

from core.errors import InputError
from core.metrics.boundary import cells, cells_by_type, groups_of
from core.metrics.cells import METRIC_NAMES, Cells, boundary_metrics, shares, why_not_defined
from core.metrics.counts import Counts, read_counts
from core.metrics.paper_tables import OVERALL
from core.taxonomy import LINE_OF_DUTY, Taxonomy

_NUMBERS = ("without_removed", "with_removed", "difference")
_COLUMNS = ["study", "model", "type", "metric", *_NUMBERS, "n_without", "n_with", "why"]


def removal_effect(
    counts_without: Counts, counts_with: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY
) -> pd.DataFrame:
    """Each metric of each study and model without the removed tasks, with them, and what changed.

    A difference above 0 means that removing tasks raised the value.

    Args:
        counts_without: a counts frame without the removed tasks.
        counts_with: the counts of the same studies, the removed tasks among them.
        taxonomy: the types of the studies.

    Returns:
        study, model, type (`Overall`, or the type that tasks were generated for), metric,
        without_removed, with_removed, difference (without - with), n_without, n_with (the tasks
        each value is out of), why. `Overall` comes first, then each type. NaN is "not defined",
        a difference too where one of the values is; why then says so, and is empty elsewhere.

    Raises:
        InputError: one is no counts frame, or a study has more tasks without the removed ones
            than with them.
    """
    every, rest = _cells_of(counts_with, taxonomy), _cells_of(counts_without, taxonomy)
    for key, found in rest.items():
        n_with = every.get(key, Cells()).total
        if found.total > n_with:
            raise InputError(
                f"the counts of {key[1]} have {found.total:,} tasks without the removed ones and "
                f"{n_with:,} with them",
                hint="count both over the same draw",
            )
    rows = [
        (study, model, kind, metric, *_compared(metric, rest.get(key, Cells()), found))
        for key, found in every.items()
        for _, study, model, kind in [key]
        for metric in METRIC_NAMES
    ]
    return pd.DataFrame(rows, columns=_COLUMNS).astype(dict.fromkeys(_NUMBERS, float))


Key = tuple[int, str, str, str]
"""Place, study, model, and type or `Overall`."""


def _cells_of(counts: Counts, taxonomy: Taxonomy) -> dict[Key, Cells]:
    """The cells of each study and model: first over all tasks, then by type."""
    parts = groups_of(read_counts(counts), lambda row: (row.study, row.model))
    overall = {(0, *names, OVERALL): cells(part) for names, part in parts.items()}
    types = {
        (1, *names, kind): found
        for names, part in parts.items()
        for kind, found in cells_by_type(part, taxonomy=taxonomy).items()
    }
    return overall | types


def _compared(metric: str, rest: Cells, every: Cells) -> tuple[object, ...]:
    without, with_them = boundary_metrics(rest)[metric], boundary_metrics(every)[metric]
    known = without is not None and with_them is not None
    causes = {
        name: why.removeprefix("not defined: ")
        for name, found in (("without the removed tasks", rest), ("with them", every))
        if (why := why_not_defined(metric, found))
    }
    said = "; ".join(f"{name} {why}" for name, why in causes.items())
    return (
        without,
        with_them,
        without - with_them if known else None,
        _size(metric, rest),
        _size(metric, every),
        f"not defined: {said}" if said else "",
    )


def _size(metric: str, found: Cells) -> int:
    """The tasks a value is out of: all of them where the metric is no plain share."""
    return shares(found).get(metric, (0, found.total))[1]
