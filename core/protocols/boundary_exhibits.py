"""What the results of a feasibility-boundary study are shown in, in reading order."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from core.metrics.boundary import tables
from core.metrics.confusion import confusion_frame
from core.metrics.counts import Counts, read_counts
from core.metrics.metric_frames import balance_table, metric_table
from core.metrics.paper_tables import (
    SCORES,
    balance_by_type,
    most_frequent_mistakes,
    scores_by_prompt_set,
    scores_by_type,
    strongest_and_weakest_types,
)
from core.metrics.printed_comparison import compare_with_printed
from core.metrics.removal_effect import removal_effect
from core.protocols.base import Exhibit, Results
from core.taxonomy import TYPE_NAMES

FLAT_METRICS = ("accuracy", "foresight", "insight", "harmonic_mean", "confidence_balance")


def summary(counts: Counts) -> pd.DataFrame:
    """One row per study and classifying model: n, the metrics, and what is not defined."""
    long = metric_table(
        counts,
        by=("study", "model"),
        metrics=(
            "accuracy",
            "foresight",
            "insight",
            "harmonic_mean",
            "overconfidence",
            "conservatism",
            "confidence_balance",
        ),
    )
    keys = ["study", "model"]
    wide = long.pivot(index=keys, columns="metric", values="value")[list(long["metric"].unique())]
    totals: dict[tuple[str, str], int] = {}
    for row in read_counts(counts):
        totals[row.study, row.model] = totals.get((row.study, row.model), 0) + row.n
    wide.insert(0, "n", [totals[key] for key in wide.index])
    return wide.reset_index()


def type_scores(counts: Counts) -> pd.DataFrame:
    """Table 3 with a row per subject and type, which fits a screen; the paper prints it wide."""
    wide = scores_by_type(counts).set_index("subject")
    rows = [
        {"subject": subject, "type": kind} | {score: values[f"{kind} {score}"] for score in SCORES}
        for subject, values in wide.iterrows()
        for kind in TYPE_NAMES
    ]
    return pd.DataFrame(rows, columns=["subject", "type", *SCORES])


def flat_rows(document: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """A header and one row per study and type, then per subject pooled."""
    header = ["study", "subject", "prompts", "type", "n", *FLAT_METRICS]
    rows = []
    for one in document["studies"]:
        rows += _entry_rows([one["study"], one["subject"], one["prompt_set"]], one)
    for one in document["pooled"]:
        if len(one["studies"]) > 1:
            rows += _entry_rows([" + ".join(one["studies"]), one["subject"], "pooled"], one)
    return header, rows


def _entry_rows(names: list[str], entry: Mapping[str, Any]) -> list[list[Any]]:
    groups = {"all": entry, **entry["by_type"]}
    return [
        [*names, name, sum(group["cells"].values()), *(group[metric] for metric in FLAT_METRICS)]
        for name, group in groups.items()
    ]


EXHIBITS: tuple[Exhibit, ...] = (
    Exhibit(
        key="summary",
        title="The boundary at a glance",
        reading=(
            "Accuracy counts a task as right when it was classified as it was invented, reason "
            "included. Foresight: of the tasks invented as infeasible, how many stayed so for the "
            "same reason. Insight: of the tasks called infeasible, how many were invented so for "
            "that reason. Confidence balance runs from -1, too cautious, to 1, overconfident."
        ),
        table=summary,
    ),
    Exhibit(
        key="scores",
        title="Accuracy, foresight and insight with 95 % intervals",
        reading=(
            "Wilson intervals: what chance alone would leave open if the tasks were a sample of "
            "all tasks the model could have invented. They say nothing about another prompt."
        ),
        table=partial(metric_table, by=("study", "model")),
        chart="metric_bars",
    ),
    Exhibit(
        key="table2",
        title="Scores by prompt set (Table 2)",
        reading="Overall adds up the tasks of all prompt sets of a subject.",
        table=scores_by_prompt_set,
    ),
    Exhibit(
        key="table3",
        title="Scores by type of self-knowledge (Table 3)",
        reading="The plain mean of the prompt sets' values, as in the paper.",
        table=type_scores,
    ),
    Exhibit(
        key="table4",
        title="Strongest and weakest type (Table 4)",
        reading="By the harmonic mean of foresight and insight, all studies of a subject together.",
        table=strongest_and_weakest_types,
    ),
    Exhibit(
        key="table5",
        title="Confidence balance by type (Table 5)",
        reading=(
            "Above 0 the subject found tasks infeasible that it had invented as feasible; below 0 "
            "it was the other way round. Overall is the plain mean over subjects."
        ),
        table=balance_by_type,
    ),
    Exhibit(
        key="balance",
        title="Which way each type leans",
        reading="All tasks shown here together; a bar to the right is overconfidence.",
        table=balance_table,
        chart="balance",
    ),
    Exhibit(
        key="table6",
        title="Most frequent mistakes (Table 6)",
        reading="Shares leave out classifications that named no reason.",
        table=most_frequent_mistakes,
    ),
    Exhibit(
        key="types",
        title="Confusion of types",
        reading="Rows: what a task was invented as. Columns: what it was then taken for.",
        table=partial(confusion_frame, level="type"),
        chart="confusion",
    ),
    Exhibit(
        key="reasons",
        title="Confusion of reasons",
        reading="Rows: the reason a task was invented for. Columns: the one it was declined for.",
        table=partial(confusion_frame, level="reason"),
        chart="confusion",
    ),
)

REMOVAL = Exhibit(
    key="removal",
    title="What curation changed",
    reading=(
        "The same draw counted twice: without the tasks that people removed, as everywhere above, "
        "and with them. A difference above 0 means that removing tasks raised the value. Both "
        "values share most of their tasks, so the difference has no interval."
    ),
    table=removal_effect,
)

RESULTS = Results(
    exhibits=EXHIBITS,
    tables=tables,
    flat_rows=flat_rows,
    compare_with_printed=compare_with_printed,
    printed_file="line_of_duty_printed.json",
    removal=REMOVAL,
)
