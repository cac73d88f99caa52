"""Tables of a boundary study put together for reading: on screen, in print, on the command line."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.metrics.counts import Counts, read_counts
from core.metrics.metric_frames import metric_table
from core.metrics.paper_tables import SCORES, scores_by_type
from core.metrics.ranking import ranking_sentence
from core.protocols.asked import asked_of
from core.taxonomy import LINE_OF_DUTY, Taxonomy

FLAT_NAMES = ("study", "subject", "model", "prompts")
RATES = ("overconfidence", "conservatism")
_BEST = dict.fromkeys((*SCORES, "harmonic_mean"), "max") | dict.fromkeys(RATES, "min")
_BEST |= {"confidence_balance": "zero"}
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
    """A header and one row per study, classifying model and type, then per subject pooled.

    Metrics are out of the n tasks with a usable reply; drawn are those that were to have one, and
    are missing where the document has no `coverage`.
    """
    rows = []
    for one in document["studies"]:
        rows += _entry_rows(document, [one["study"]], one["prompt_set"], one)
    for one in document["pooled"]:
        if len(one["studies"]) > 1:
            rows += _entry_rows(document, one["studies"], "pooled", one)
    return [*FLAT_NAMES, "type", "drawn", "n", *FLAT_METRICS], rows


def _entry_rows(
    document: Mapping[str, Any], studies: list[str], prompts: str, entry: Mapping[str, Any]
) -> list[list[Any]]:
    names = [" + ".join(studies), entry["subject"], entry["model"], prompts]
    rows = []
    for kind, group in {"": entry, **entry["by_type"]}.items():
        part = "type" if kind else ""
        asked = asked_of(document, studies, entry["model"], part=part, name=kind)
        numbers = [asked["asked"] if asked else None, sum(group["cells"].values())]
        rows.append([*names, kind or "all", *numbers, *(group[one] for one in FLAT_METRICS)])
    return rows


def best_values(table: pd.DataFrame) -> dict[str, str]:
    """Which value of each metric is best: scores high, error rates low, the balance at zero.

    Example:
        >>> best_values(pd.DataFrame({"subject": ["m"], "vanilla accuracy": [0.7]}))
        {'vanilla accuracy': 'max'}
    """
    names = [*table.columns, *(table["metric"].unique() if "metric" in table else ())]
    ends = [(one.replace("_", " "), how) for one, how in _BEST.items()]
    return {name: how for name in names for end, how in ends if _words(name).endswith(end)}


def ranking_words(ranking: pd.DataFrame) -> list[str]:
    """One sentence for each subject and who classified its tasks."""
    found = []
    for (subject, model), part in ranking.groupby(["subject", "model"], sort=False):
        who = subject if subject == model else f"{subject}, classified by {model}"
        found.append(f"{who}: {ranking_sentence(part)}")
    return found


def _words(name: str) -> str:
    return str(name).replace("_", " ")
