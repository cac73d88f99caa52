"""Tables 2 to 6 of "Line of Duty", laid out as in the paper, for any studies.

One row per subject, which counts only where it classified its own tasks; subjects in alphabetical
order; prompt sets as found, `vanilla` first. Frames hold unrounded values; NaN, or None where a
name is wanted, is "not defined".
"""

from collections.abc import Callable
from typing import Any

import pandas as pd

from core.metrics.boundary import (
    by_type_mean_of_prompts,
    cells,
    cells_by_type,
    groups_of,
    mean_of,
    most_frequent,
)
from core.metrics.cells import boundary_metrics, confidence_balance, harmonic_mean
from core.metrics.counts import CountRow, Counts, in_order, read_counts
from core.taxonomy import LINE_OF_DUTY, Taxonomy

OVERALL = "Overall"
SCORES = ("accuracy", "foresight", "insight")


def _subjects(counts: Counts) -> dict[str, list[CountRow]]:
    own = [row for row in read_counts(counts) if row.model == row.subject]
    return groups_of(own, lambda row: row.subject)


def _frame(
    counts: Counts, columns: list[str], row_of: Callable[..., dict[str, Any]]
) -> pd.DataFrame:
    rows = [{"subject": subject} | row_of(rows) for subject, rows in _subjects(counts).items()]
    return pd.DataFrame(rows, columns=["subject", *columns])


def _types(counts: Counts, taxonomy: Taxonomy) -> list[str]:
    return in_order([row.type for row in read_counts(counts)], taxonomy.type_names)


def prompt_sets_in(counts: Counts) -> list[str]:
    """The prompt sets of the counts: vanilla, the baseline, first; then alphabetically."""
    found = {row.prompt_set for row in read_counts(counts)}
    return sorted(found, key=lambda name: (name != "vanilla", name))


def scores_by_prompt_set(counts: Counts) -> pd.DataFrame:
    """Table 2: accuracy, foresight and insight under each prompt set and over all of them.

    Returns:
        subject, then per prompt set `<set> accuracy`, `<set> foresight`, `<set> insight`, then the
        same for `overall`: the cells of all the subject's studies added up.
    """
    sets = prompt_sets_in(counts)

    def row_of(rows: list[CountRow]) -> dict[str, Any]:
        parts = groups_of(rows, lambda row: row.prompt_set) | {"overall": rows}
        return {
            f"{name} {score}": boundary_metrics(cells(part))[score]
            for name, part in parts.items()
            for score in SCORES
        }

    columns = [f"{name} {score}" for name in (*sets, "overall") for score in SCORES]
    frame = _frame(counts, columns, row_of)
    return frame.astype(dict.fromkeys(columns, float))


def scores_by_type(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> pd.DataFrame:
    """Table 3: by type, the mean over the prompt sets of accuracy, foresight and insight.

    Returns:
        subject, then `<type> accuracy`, `<type> foresight`, `<type> insight` for each type.
    """

    def row_of(rows: list[CountRow]) -> dict[str, Any]:
        means = by_type_mean_of_prompts(rows, taxonomy=taxonomy)
        return {f"{kind} {score}": means[kind][score] for kind in means for score in SCORES}

    columns = [f"{kind} {score}" for kind in _types(counts, taxonomy) for score in SCORES]
    frame = _frame(counts, columns, row_of)
    return frame.astype(dict.fromkeys(columns, float))


def strongest_and_weakest_types(
    counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY
) -> pd.DataFrame:
    """Table 4: each subject's types of highest and lowest harmonic mean, all studies together.

    Of equal types the first in the taxonomy is named. Fewer than two types with a value leave
    nothing to rank.

    Returns:
        subject, strongest, strongest harmonic mean, weakest, weakest harmonic mean.
    """

    def row_of(rows: list[CountRow]) -> dict[str, Any]:
        types = cells_by_type(rows, taxonomy=taxonomy)
        means = {kind: harmonic_mean(found) for kind, found in types.items()}
        known = {kind: value for kind, value in means.items() if value is not None}
        if len(known) < 2:
            return {}
        best, worst = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
        return {
            "strongest": best,
            "strongest harmonic mean": known[best],
            "weakest": worst,
            "weakest harmonic mean": known[worst],
        }

    numbers = ["strongest harmonic mean", "weakest harmonic mean"]
    frame = _frame(counts, ["strongest", numbers[0], "weakest", numbers[1]], row_of)
    return frame.astype({**dict.fromkeys(numbers, float), "strongest": object, "weakest": object})


def balance_by_type(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> pd.DataFrame:
    """Table 5: confidence balance by type, all studies of a subject together.

    Returns:
        subject, then one column per type. The last row, `Overall`, is the plain mean over the
        subjects, not defined where it is not defined for one of them.
    """
    columns = _types(counts, taxonomy)

    def row_of(rows: list[CountRow]) -> dict[str, Any]:
        types = cells_by_type(rows, taxonomy=taxonomy)
        return {kind: confidence_balance(found) for kind, found in types.items()}

    frame = _frame(counts, columns, row_of).astype(dict.fromkeys(columns, float))
    if frame.empty:
        return frame
    means = {
        kind: mean_of([None if pd.isna(value) else value for value in frame[kind]])
        for kind in columns
    }
    overall = pd.DataFrame([{"subject": OVERALL} | means], columns=frame.columns)
    overall = overall.astype(dict.fromkeys(columns, float))
    return pd.concat([frame, overall], ignore_index=True)


_MOST_FREQUENT = {
    "most overconfident reason": "classified_reason_among_overconfident",
    "most conservative reason": "generated_reason_among_conservative",
    "most common type confusion": "type_confusion_generated_to_classified",
    "most common reason confusion": "reason_confusion_generated_to_classified",
}


def most_frequent_mistakes(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> pd.DataFrame:
    """Table 6: what goes wrong most often, all studies of a subject together.

    As in the paper, a row that names no reason is left out of every share, so the type confusions
    here leave out a few rows that `boundary.most_frequent` counts.

    Returns:
        subject, then four names, each followed by its share: most overconfident reason (as
        classified), most conservative reason (as generated), most common type confusion, most
        common reason confusion.
    """

    def row_of(rows: list[CountRow]) -> dict[str, Any]:
        named = [row._replace(label_type=None) for row in rows]
        found = most_frequent(named, taxonomy=taxonomy)
        row = {}
        for column, key in _MOST_FREQUENT.items():
            row |= {column: found[key]["value"], f"{column}: share": found[key]["share"]}
        return row

    numbers = [f"{column}: share" for column in _MOST_FREQUENT]
    columns = [name for column in _MOST_FREQUENT for name in (column, f"{column}: share")]
    return _frame(counts, columns, row_of).astype(dict.fromkeys(numbers, float))


def paper_tables(counts: Counts) -> dict[str, pd.DataFrame]:
    """The five frames by the paper's numbering: "Table 2" to "Table 6"."""
    rows = read_counts(counts)
    return {
        "Table 2": scores_by_prompt_set(rows),
        "Table 3": scores_by_type(rows),
        "Table 4": strongest_and_weakest_types(rows),
        "Table 5": balance_by_type(rows),
        "Table 6": most_frequent_mistakes(rows),
    }
