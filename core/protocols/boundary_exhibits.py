"""What the results of a feasibility-boundary study are shown in, in reading order."""

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd

from core.metrics.boundary import tables
from core.metrics.confusion import confusion_frame
from core.metrics.counts import Counts
from core.metrics.metric_frames import balance_table, metric_table
from core.metrics.paper_tables import (
    SCORES,
    balance_by_type,
    most_frequent_mistakes,
    scores_by_prompt_set,
    strongest_and_weakest_types,
)
from core.metrics.printed_comparison import compare_with_printed
from core.metrics.printed_values import compare_values
from core.metrics.ranking import type_ranking
from core.metrics.removal_effect import removal_effect
from core.metrics.resampling import coverage_sentence, metric_intervals
from core.protocols.boundary_picks import pick_bar, pick_pair, pick_square
from core.protocols.boundary_tables import (
    FLAT_NAMES,
    RATES,
    best_values,
    flat_rows,
    ranking_words,
    summary,
    type_scores,
)
from core.protocols.boundary_words import DATA, WORDS, boundary_comparison
from core.protocols.shown import Exhibit, Results
from core.taxonomy import Taxonomy


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
            best=best_values,
        ),
        Exhibit(
            key="scores",
            title="Accuracy, foresight and insight with 95 % intervals (Figure 3)",
            reading=coverage_sentence(),
            table=_intervals(taxonomy, "study", "model", metrics=SCORES),
            chart="metric_bars",
            pick=pick_bar,
            best=best_values,
        ),
        _by_type(
            "accuracy",
            "Accuracy by type (Figure 4)",
            "The share of a type's tasks that were classified as they were invented.",
            taxonomy,
        ),
        _by_type(
            "harmonic_mean",
            "Harmonic mean of foresight and insight by type (Figure 5)",
            "High only where both are: the model declines what it should, and little else.",
            taxonomy,
        ),
        Exhibit(
            key="balance_of_each",
            title="Confidence balance with 95 % intervals",
            reading="Above 0 is overconfident, below 0 too cautious; with its two rates.",
            table=_intervals(taxonomy, "study", "model", metrics=("confidence_balance", *RATES)),
            best=best_values,
        ),
        Exhibit(
            key="table2",
            title="Scores by prompt set (Table 2)",
            reading="Overall adds up the tasks of all prompt sets of a subject.",
            table=scores_by_prompt_set,
            best=best_values,
        ),
        Exhibit(
            key="table3",
            title="Scores by type of self-knowledge (Table 3)",
            reading="The plain mean of the prompt sets' values, as in the paper.",
            table=partial(type_scores, taxonomy=taxonomy),
            best=best_values,
            best_within=("type",),
        ),
        Exhibit(
            key="table4",
            title="Strongest and weakest type (Table 4)",
            reading=(
                "By the harmonic mean of foresight and insight, all studies of a subject together."
            ),
            table=partial(strongest_and_weakest_types, taxonomy=taxonomy),
            best=best_values,
        ),
        Exhibit(
            key="ranking",
            title="How sure the strongest and weakest type are",
            reading="In how many resamples of the tasks a type has the highest or lowest value.",
            table=partial(type_ranking, taxonomy=taxonomy),
            words=ranking_words,
        ),
        Exhibit(
            key="table5",
            title="Confidence balance by type (Table 5)",
            reading=(
                "Above 0 the subject found tasks infeasible that it had invented as feasible; "
                "below 0 it was the other way round. Overall is the plain mean over subjects."
            ),
            table=partial(balance_by_type, taxonomy=taxonomy),
            best=lambda table: dict.fromkeys(table.select_dtypes("float").columns, "zero"),
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
            pick=partial(pick_square, level="type"),
        ),
        Exhibit(
            key="reasons",
            title="Confusion of reasons",
            reading=(
                "Rows: the reason a task was invented for. Columns: the one it was declined for."
            ),
            table=partial(confusion_frame, level="reason", taxonomy=taxonomy),
            chart="confusion",
            pick=partial(pick_square, level="reason"),
        ),
        *(_matrix(metric, taxonomy) for metric in SCORES),
    )


def _intervals(
    taxonomy: Taxonomy, *by: str, metrics: Sequence[str]
) -> Callable[[Counts], pd.DataFrame]:
    return partial(metric_intervals, by=by, metrics=metrics, taxonomy=taxonomy)


def _by_type(metric: str, title: str, reading: str, taxonomy: Taxonomy) -> Exhibit:
    return Exhibit(
        key=f"{metric}_by_type",
        title=title,
        reading=reading,
        table=_intervals(taxonomy, "type", "study", "model", metrics=(metric,)),
        chart="type_bars",
        pick=pick_bar,
        best=best_values,
        best_within=("type",),
    )


def _matrix(metric: str, taxonomy: Taxonomy) -> Exhibit:
    return Exhibit(
        key=f"matrix_{metric}",
        title=f"Who classified whose tasks: {metric}",
        reading="Outlined squares are a model on the tasks it invented itself, the paper's case.",
        table=_intervals(taxonomy, "subject", "model", metrics=(metric,)),
        chart="matrix",
        pick=partial(pick_pair, metric=metric),
        is_wanted=lambda counts: bool((counts["subject"] != counts["model"]).any()),
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
        flat_names=len(FLAT_NAMES),
        flat_best=best_values,
        flat_best_within=("prompts", "type"),
        # The paper's values are of the built-in types, whatever another taxonomy calls its own.
        compare_with_printed=compare_with_printed if taxonomy.is_built_in else None,
        printed_file="line_of_duty_printed.json",
        removal=removal,
        words=WORDS,
        comparison=boundary_comparison(taxonomy),
        data=DATA,
        compare_values=compare_values,
        profile=partial(_profile, taxonomy=taxonomy),
    )


def _profile(counts: pd.DataFrame, taxonomy: Taxonomy) -> pd.DataFrame:
    """What is said of a model that carries out its own tasks."""
    own = counts[counts["subject"] == counts["model"]]
    by = ("model", "prompt_set")
    return metric_table(own, by=by, metrics=_OF_A_MODEL, taxonomy=taxonomy)


_OF_A_MODEL = ("accuracy", "foresight", "insight", "overconfidence", "conservatism")
