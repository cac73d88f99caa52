"""What the results of a feasibility-boundary study are shown in, in reading order."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from core.metrics.boundary import tables
from core.metrics.confusion import FEASIBLE_NAME, NO_REASON_NAME, confusion_frame
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
from core.metrics.resampling import coverage_sentence, metric_intervals
from core.protocols.base import Exhibit, Results
from core.taxonomy import FEASIBLE, INFEASIBLE, LINE_OF_DUTY, Taxonomy

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


def type_scores(counts: Counts, *, taxonomy: Taxonomy = LINE_OF_DUTY) -> pd.DataFrame:
    """Table 3 with a row per subject and type, which fits a screen; the paper prints it wide."""
    wide = scores_by_type(counts, taxonomy=taxonomy).set_index("subject")
    rows = [
        {"subject": subject, "type": kind} | {score: values[f"{kind} {score}"] for score in SCORES}
        for subject, values in wide.iterrows()
        for kind in taxonomy.type_names
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


def pick_bar(mark: Mapping[str, str]) -> dict[str, str]:
    """The tasks a bar is a share of: foresight those made as infeasible, insight those called so.

    Example:
        >>> pick_bar({"study": "S", "model": "m", "metric": "insight"})
        {'of_study': 'S', 'model': 'm', 'label': 'infeasible'}
    """
    named = (("of_study", "study"), ("model", "model"), ("type", "type"))
    query = {field: mark[name] for field, name in named if name in mark}
    side = {"foresight": {"intent": INFEASIBLE}, "insight": {"label": INFEASIBLE}}
    return query | side.get(mark.get("metric", ""), {})


def pick_types(mark: Mapping[str, str], *, taxonomy: Taxonomy = LINE_OF_DUTY) -> dict[str, str]:
    """The tasks in a square of the confusion of types."""
    made, called = mark["row"], mark["column"]
    query = _made_as(made) | ({"type": made} if made in taxonomy.type_names else {})
    reasons = [name for name, kind in taxonomy.type_of_reason.items() if kind == called]
    return query | _called_as(called) | ({"label_reasons": "|".join(reasons)} if reasons else {})


def pick_reasons(mark: Mapping[str, str]) -> dict[str, str]:
    """The tasks in a square of the confusion of reasons."""
    made, called = mark["row"], mark["column"]
    query = _made_as(made) | _called_as(called)
    query |= {"reason": made} if made not in (FEASIBLE_NAME, NO_REASON_NAME) else {}
    return query | (
        {"label_reasons": called} if called not in (FEASIBLE_NAME, NO_REASON_NAME) else {}
    )


def _made_as(name: str) -> dict[str, str]:
    return {"intent": FEASIBLE if name == FEASIBLE_NAME else INFEASIBLE}


def _called_as(name: str) -> dict[str, str]:
    return {"label": FEASIBLE if name == FEASIBLE_NAME else INFEASIBLE}


def exhibits(taxonomy: Taxonomy) -> tuple[Exhibit, ...]:
    """The tables and charts of studies with these types and reasons, in reading order."""
    return (
        Exhibit(
            key="summary",
            title="The boundary at a glance",
            reading=(
                "Accuracy counts a task as right when it was classified as it was invented, reason "
                "included. Foresight: of the tasks invented as infeasible, how many stayed so for "
                "the same reason. Insight: of the tasks called infeasible, how many were invented "
                "so for that reason. Confidence balance runs from -1, too cautious, to 1, "
                "overconfident."
            ),
            table=summary,
        ),
        Exhibit(
            key="scores",
            title="Accuracy, foresight and insight with 95 % intervals (Figure 3)",
            reading=coverage_sentence(),
            table=partial(
                metric_intervals, by=("study", "model"), metrics=SCORES, taxonomy=taxonomy
            ),
            chart="metric_bars",
            pick=pick_bar,
        ),
        Exhibit(
            key="accuracy_by_type",
            title="Accuracy by type (Figure 4)",
            reading="The share of a type's tasks that were classified as they were invented.",
            table=partial(
                metric_intervals,
                by=("type", "study", "model"),
                metrics=("accuracy",),
                taxonomy=taxonomy,
            ),
            chart="type_bars",
            pick=pick_bar,
        ),
        Exhibit(
            key="harmonic_mean_by_type",
            title="Harmonic mean of foresight and insight by type (Figure 5)",
            reading="High only where both are: the model declines what it should, and little else.",
            table=partial(
                metric_intervals,
                by=("type", "study", "model"),
                metrics=("harmonic_mean",),
                taxonomy=taxonomy,
            ),
            chart="type_bars",
            pick=pick_bar,
        ),
        Exhibit(
            key="balance_of_each",
            title="Confidence balance with 95 % intervals",
            reading="Above 0 is overconfident, below 0 too cautious; with its two rates.",
            table=partial(
                metric_intervals,
                by=("study", "model"),
                metrics=("confidence_balance", "overconfidence", "conservatism"),
                taxonomy=taxonomy,
            ),
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
            table=partial(type_scores, taxonomy=taxonomy),
        ),
        Exhibit(
            key="table4",
            title="Strongest and weakest type (Table 4)",
            reading=(
                "By the harmonic mean of foresight and insight, all studies of a subject together."
            ),
            table=partial(strongest_and_weakest_types, taxonomy=taxonomy),
        ),
        Exhibit(
            key="table5",
            title="Confidence balance by type (Table 5)",
            reading=(
                "Above 0 the subject found tasks infeasible that it had invented as feasible; "
                "below 0 it was the other way round. Overall is the plain mean over subjects."
            ),
            table=partial(balance_by_type, taxonomy=taxonomy),
        ),
        Exhibit(
            key="balance",
            title="Which way each type leans",
            reading="All tasks shown here together; a bar to the right is overconfidence.",
            table=partial(balance_table, taxonomy=taxonomy),
            chart="balance",
            pick=lambda mark: {"type": mark["label"]},
        ),
        Exhibit(
            key="table6",
            title="Most frequent mistakes (Table 6)",
            reading="Shares leave out classifications that named no reason.",
            table=partial(most_frequent_mistakes, taxonomy=taxonomy),
        ),
        Exhibit(
            key="types",
            title="Confusion of types",
            reading="Rows: what a task was invented as. Columns: what it was then taken for.",
            table=partial(confusion_frame, level="type", taxonomy=taxonomy),
            chart="confusion",
            pick=partial(pick_types, taxonomy=taxonomy),
        ),
        Exhibit(
            key="reasons",
            title="Confusion of reasons",
            reading=(
                "Rows: the reason a task was invented for. Columns: the one it was declined for."
            ),
            table=partial(confusion_frame, level="reason", taxonomy=taxonomy),
            chart="confusion",
            pick=pick_reasons,
        ),
    )


def boundary_results(taxonomy: Taxonomy) -> Results:
    """What the results of studies with these types and reasons are shown in."""
    removal = Exhibit(
        key="removal",
        title="What curation changed",
        reading=(
            "The same draw counted twice: without the tasks that people removed, as everywhere "
            "above, and with them. A difference above 0 means that removing tasks raised the "
            "value. Both values share most of their tasks, so the difference has no interval."
        ),
        table=partial(removal_effect, taxonomy=taxonomy),
    )
    return Results(
        exhibits=exhibits(taxonomy),
        tables=partial(tables, taxonomy=taxonomy),
        flat_rows=flat_rows,
        # The paper's values are of the built-in types, whatever another taxonomy calls its own.
        compare_with_printed=compare_with_printed if taxonomy.is_built_in else None,
        printed_file="line_of_duty_printed.json",
        removal=removal,
    )
