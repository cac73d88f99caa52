"""The feasibility boundary from counts: cells, types, reasons, and the tables of whole studies.

Every function takes a counts frame (`core.metrics.counts`), raises InputError when it is not one,
and does not depend on the order of its rows. Values are unrounded; None is "not defined". Which
types and reasons there are, and in what order, the `taxonomy` of the studies says.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from core.metrics.cells import Cells, boundary_metrics
from core.metrics.counts import CountRow, Counts, in_order, read_counts
from core.taxonomy import LINE_OF_DUTY, Taxonomy

ARROW = " -> "
"""Stands between the generated and the classified name of a confusion."""


def cells(counts: Counts) -> Cells:
    """The cells of all rows together."""
    return _cells(read_counts(counts))


def _cells(rows: Iterable[CountRow]) -> Cells:
    tally: Counter[str] = Counter()
    for row in rows:
        tally[row.cell] += row.n
    return Cells(**tally)


def groups_of(
    rows: Iterable[CountRow], key: Callable[[CountRow], Hashable]
) -> dict[Any, list[CountRow]]:
    """The rows by their key, keys sorted; rows whose key is None belong to no group."""
    groups: dict[Any, list[CountRow]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    groups.pop(None, None)
    return {name: groups[name] for name in sorted(groups)}


def _summary(found: Cells) -> dict[str, Any]:
    return {"cells": asdict(found), **boundary_metrics(found)}


def cells_by_type(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> dict[str, Cells]:
    """The cells by the type that tasks were generated for; every type is always there."""
    groups = groups_of(read_counts(counts), lambda row: row.type)
    return {kind: _cells(groups.get(kind, [])) for kind in in_order(groups, taxonomy.type_names)}


def by_type(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> dict[str, dict[str, Any]]:
    """Cells and metrics by the type that tasks were generated for, in the taxonomy's order."""
    found = cells_by_type(counts, taxonomy=taxonomy)
    return {kind: _summary(cells) for kind, cells in found.items()}


def by_reason(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> dict[str, dict[str, Any]]:
    """Cells, foresight and insight by reason; every reason is always there.

    The cells of a reason: `rf`, `rr` and `rr_other` of the tasks generated for it; `fr`, tasks
    generated as feasible and declined for it; `other_r`, tasks generated for another reason and
    declined for it. So foresight is rr / (rf + rr + rr_other), and insight
    rr / (fr + rr + other_r).
    """
    made: Counter[tuple[str | None, str]] = Counter()
    called: Counter[tuple[str | None, str]] = Counter()
    for row in read_counts(counts):
        made[row.made_reason, row.cell] += row.n
        called[row.called_reason, row.cell] += row.n
    reasons = in_order([reason for reason, _ in (*made, *called)], taxonomy.reason_names)
    return {reason: _reason_summary(reason, made, called) for reason in reasons}


def _reason_summary(reason: str, made: Counter, called: Counter) -> dict[str, Any]:
    fr, other_r = called[reason, "fr"], called[reason, "rr_other"]
    rf, rr, rr_other = made[reason, "rf"], made[reason, "rr"], made[reason, "rr_other"]
    invented, declined = rf + rr + rr_other, fr + rr + other_r
    return {
        "cells": {"fr": fr, "rf": rf, "rr": rr, "rr_other": rr_other, "other_r": other_r},
        "foresight": rr / invented if invented else None,
        "insight": rr / declined if declined else None,
    }


def most_frequent(
    counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY
) -> dict[str, dict[str, Any]]:
    """What goes wrong most often, four ways, each with its count, of how many, and the share.

    A row that does not name the reason in question is left out of the count and of `of`. A type
    confusion needs a classified type only, so a row that names a type and no reason
    (`label_type`) counts there. Of equally frequent ones, the first in the alphabet is taken.

    Returns:
        The keys classified_reason_among_overconfident, generated_reason_among_conservative,
        type_confusion_generated_to_classified and reason_confusion_generated_to_classified, each
        with value, count, of and share; value and share are None where nothing went wrong.
    """
    over, cautious, types, reasons = Counter(), Counter(), Counter(), Counter()
    for row in read_counts(counts):
        if row.cell == "fr" and row.called_reason:
            over[row.called_reason] += row.n
        elif row.cell == "rf" and row.made_reason:
            cautious[row.made_reason] += row.n
        elif row.cell == "rr_other":
            called_type = row.called_type(taxonomy)
            if row.type and called_type and row.type != called_type:
                types[row.type + ARROW + called_type] += row.n
            if row.made_reason and row.called_reason:
                reasons[row.made_reason + ARROW + row.called_reason] += row.n
    return {
        "classified_reason_among_overconfident": _commonest(over),
        "generated_reason_among_conservative": _commonest(cautious),
        "type_confusion_generated_to_classified": _commonest(types),
        "reason_confusion_generated_to_classified": _commonest(reasons),
    }


def _commonest(tally: Counter[str]) -> dict[str, Any]:
    of = tally.total()
    if not of:
        return {"value": None, "count": 0, "of": 0, "share": None}
    value = min(tally, key=lambda name: (-tally[name], name))
    return {"value": value, "count": tally[value], "of": of, "share": tally[value] / of}


def mean_of(values: Sequence[float | None]) -> float | None:
    """The plain mean; None when one of the values is None, or there are none.

    A mean over the values that happen to be defined would be a different quantity.

    Example:
        >>> mean_of([0.5, 1.0]), mean_of([0.5, None]), mean_of([])
        (0.75, None, None)
    """
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def by_type_mean_of_prompts(
    counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY
) -> dict[str, dict[str, float | None]]:
    """By type, the plain mean over the prompt sets of accuracy, foresight and insight."""
    rows = read_counts(counts)
    kinds = cells_by_type(rows, taxonomy=taxonomy)
    per_set = [
        cells_by_type(part, taxonomy=taxonomy)
        for part in groups_of(rows, lambda row: row.prompt_set).values()
    ]
    means = {}
    for kind in kinds:
        found = [boundary_metrics(cells_of.get(kind, Cells())) for cells_of in per_set]
        means[kind] = {
            metric: mean_of([values[metric] for values in found])
            for metric in ("accuracy", "foresight", "insight")
        }
    return means


def _details(rows: list[CountRow], taxonomy: Taxonomy) -> dict[str, Any]:
    return {
        **_summary(_cells(rows)),
        "by_type": by_type(rows, taxonomy=taxonomy),
        "by_reason": by_reason(rows, taxonomy=taxonomy),
        "most_frequent": most_frequent(rows, taxonomy=taxonomy),
    }


def tables(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> dict[str, list[dict[str, Any]]]:
    """Everything measured, for each study and for each subject over all its studies.

    Returns:
        `studies`, sorted by name: study, subject, prompt_set, model (who classified), cells, the
        metrics, by_type, by_reason and most_frequent. `pooled`, sorted by subject: subject, model,
        studies (names), the same over all of them, and by_type_mean_of_prompts. A study that
        several models classified has an entry for each, its own subject's first.
    """
    rows = read_counts(counts)
    by_study = groups_of(
        rows,
        lambda row: (row.study, row.subject, row.prompt_set, row.model != row.subject, row.model),
    )
    by_subject = groups_of(rows, lambda row: (row.subject, row.model != row.subject, row.model))
    studies = [
        {"study": study, "subject": subject, "prompt_set": prompt_set, "model": model}
        | _details(part, taxonomy)
        for (study, subject, prompt_set, _, model), part in by_study.items()
    ]
    pooled = [
        {"subject": subject, "model": model, "studies": sorted({row.study for row in part})}
        | _details(part, taxonomy)
        | {"by_type_mean_of_prompts": by_type_mean_of_prompts(part, taxonomy=taxonomy)}
        for (subject, _, model), part in by_subject.items()
    ]
    return {"studies": studies, "pooled": pooled}
