"""Which type of self-knowledge is a model's strongest, which its weakest, and how sure that is.

Every resample of the tasks ranks the types anew. The share of resamples in which a type comes out
first, or last, is how sure its place is; resamples that tie share it out evenly.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError
from core.metrics.counts import Counts, read_counts
from core.metrics.replicates import REPLICATES, replicate_cells, replicate_metric
from core.metrics.resampling import metric_intervals
from core.taxonomy import LINE_OF_DUTY, Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

RANKED_METRICS = ("harmonic_mean", "accuracy", "foresight", "insight")
"""The metrics of which more is better; of the others, no type is strongest."""

SURE = 0.95
_GROUP = ("subject", "model")
_SHARES = ("share_strongest", "share_weakest")
_MARKS = ("is_strongest", "is_weakest")


def type_ranking(
    counts: Counts,
    *,
    metric: str = "harmonic_mean",
    replicates: int = REPLICATES,
    seed: int = 0,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> "DataFrame":
    """Each type of each subject and model with its value, and how often it ranks first and last.

    All studies of a subject are taken together, as in the paper's Table 4.

    Args:
        counts: a counts frame.
        metric: one of `RANKED_METRICS`.
        replicates: resamples, from 1 up.
        seed: of the resamples.
        taxonomy: the types of the studies.

    Returns:
        subject, model, type, value, low, high (95 % interval), n (tasks the value is out of),
        is_strongest, is_weakest (the observed values, equal ones alike), share_strongest,
        share_weakest (each adds up to 1 over a model's types), why. A type without a value has no
        rank, NaN shares and why; with fewer than two others, nothing is ranked.

    Raises:
        InputError: no counts frame, a metric that is not ranked, or fewer than one replicate.

    Source: "Line of Duty", Table 4, for the strongest and weakest types.
    """
    import pandas as pd

    if metric not in RANKED_METRICS:
        raise InputError(
            f"types cannot be ranked by {metric!r}", hint=f"use {', '.join(RANKED_METRICS)}"
        )
    rows, by = read_counts(counts), (*_GROUP, "type")
    options = {"by": by, "replicates": replicates, "seed": seed, "taxonomy": taxonomy}
    frame = metric_intervals(rows, metrics=[metric], **options)
    frame = frame[[*by, "value", "low", "high", "n", "why"]]
    cells = replicate_cells(rows, **options)
    parts = [
        part.assign(
            **_ranks(
                part["value"].to_numpy(),
                [
                    replicate_metric(cells[key], metric)
                    for key in part[list(by)].itertuples(index=False, name=None)
                ],
            )
        )
        for _, part in frame.groupby(list(_GROUP), sort=False)
    ]
    empty = frame.assign(**dict.fromkeys(_MARKS, False), **dict.fromkeys(_SHARES, np.nan))
    found = pd.concat(parts, ignore_index=True) if parts else empty
    return found[[*by, "value", "low", "high", "n", *_MARKS, *_SHARES, "why"]]


def ranking_sentence(ranking: "DataFrame") -> str:
    """How sure it is which type is strongest and which weakest, for one subject and model.

    A place is called sure when a type has it in 95 % of the resamples or more; otherwise the types
    that share it are named, the likeliest first, until they make up 95 %.

    Args:
        ranking: the rows of one subject and model of a frame that `type_ranking` returned.
    """
    known = ranking[ranking["share_strongest"].notna()]
    if known.empty:
        return "Fewer than two types have a value, so there is nothing to rank."
    return " ".join(
        _place(word, known["type"].tolist(), known[f"share_{word}"].to_numpy())
        for word in ("strongest", "weakest")
    )


def _ranks(values: np.ndarray, replicates: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Marks and shares of types, by their values and their replicates."""
    known = ~np.isnan(values)
    nothing = np.zeros(len(values), dtype=bool)
    ranks = dict.fromkeys(_MARKS, nothing) | dict.fromkeys(_SHARES, np.full(len(values), np.nan))
    if known.sum() < 2:
        return ranks
    drawn = np.array(replicates)[known]
    drawn = drawn[:, ~np.isnan(drawn).all(axis=0)]
    for mark, share, best in (
        ("is_strongest", "share_strongest", np.nanmax),
        ("is_weakest", "share_weakest", np.nanmin),
    ):
        ranks[mark] = values == best(values)
        first = drawn == best(drawn, axis=0)
        ranks[share] = np.full(len(values), np.nan)
        ranks[share][known] = (first / first.sum(axis=0)).mean(axis=1)
    return ranks


def _place(word: str, types: list[str], shares: np.ndarray) -> str:
    order = np.argsort(-shares, kind="stable")
    if shares[order[0]] >= SURE:
        return f"{types[order[0]]} is {word} in {_percent(shares[order[0]])} of resamples."
    n_named = int(np.searchsorted(np.cumsum(shares[order]), SURE)) + 1
    *others, last = (f"{types[place]} in {_percent(shares[place])}" for place in order[:n_named])
    return f"Which type is {word} is not settled: {', '.join(others)} and {last} of resamples."


def _percent(share: float) -> str:
    return "more than 99 %" if share > 0.99 else f"{100 * share:.0f} %"
