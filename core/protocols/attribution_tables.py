"""The document and the rows that `selfbound tables` prints of uncertainty attribution."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.metrics.attribution_frames import metric_intervals
from core.metrics.attribution_replicates import METRICS
from core.metrics.attribution_rows import Group, counts_by
from core.metrics.attribution_tables import counts_document
from core.protocols.asked import asked_of

HEADER = ["study", "model", "prompts", "questions", "answerable", "unparsable", "unanswerable"]
HEADER += ["unjudged", "no_reply"]
_NAMES = ("study", "subject", "prompt_set", "model", "judge")
_POOLED_BY = ("model", "prompt_set", "judge")
_CALLED = {"group": "group", "type": "file"}


def tables(counts: pd.DataFrame) -> dict[str, Any]:
    """Everything measured, for each study and model, and for each model and prompt mode.

    Args:
        counts: a counts frame of one judge per study.

    Returns:
        `studies`, sorted by name: study, subject, prompt_set, model, judge, outcomes (a number
        each), n_answerable, n_not_correct (M), n_unanswerable (N), unjudged, accuracy,
        accuracy_bounds, released and balanced (each with du_f1 and mu_f1), not_defined (why, by
        metric), intervals (95 %, by metric), by_group and by_type (the file), each with the same
        but for the intervals. `pooled`, the same of all studies of a model, prompt set and judge
        together, with their names in `studies`.
    """
    pooled = []
    for key, entry in _entries(counts, _POOLED_BY):
        own = counts
        for name, value in zip(_POOLED_BY, key, strict=True):
            own = own[own[name] == value]
        names = {"studies": sorted(own["study"].unique())}
        pooled.append(dict(zip(_POOLED_BY, key, strict=True)) | names | entry)
    studies = [dict(zip(_NAMES, key, strict=True)) | one for key, one in _entries(counts, _NAMES)]
    return {"studies": studies, "pooled": pooled}


def flat_rows(document: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """A header and one row per study, then its groups and files, then all studies of a model.

    answerable, unanswerable, unjudged and no_reply add up to the questions asked; unparsable are
    those of the answerable whose reply cannot be used. no_reply is missing where the document has
    no `coverage`.
    """
    rows = []
    for one in document["studies"]:
        rows += _entry_rows(document, [one["study"]], one)
    for one in document["pooled"]:
        if len(one["studies"]) > 1:
            rows += _entry_rows(document, one["studies"], one)
    return [*HEADER, *METRICS], rows


def best_values(table: pd.DataFrame) -> dict[str, str]:
    """Every metric is best where it is highest.

    Example:
        >>> best_values(pd.DataFrame({"study": ["s"], "ACC": [0.5]}))
        {'ACC': 'max'}
    """
    names = {*map(str, table.columns), *table.get("metric", ())}
    return {name: "max" for name in (*METRICS, "ACC_of_all", "ACC_of_usable") if name in names}


def _entries(counts: pd.DataFrame, by: tuple[str, ...]) -> list[tuple[Group, dict[str, Any]]]:
    ends: dict[Group, dict[str, list[float]]] = {}
    for row in metric_intervals(counts, by=by).itertuples(index=False):
        if row.interval:
            ends.setdefault(tuple(row[: len(by)]), {})[row.metric] = [row.low, row.high]
    parts = {part: counts_by(counts, (*by, part)) for part in ("group", "type")}
    found = []
    for key, counted in counts_by(counts, by).items():
        entry = counts_document(counted) | {"intervals": ends.get(key, {})}
        for part, every in parts.items():
            entry[f"by_{part}"] = {
                names[-1]: counts_document(one) for names, one in every.items() if names[:-1] == key
            }
        found.append((key, entry))
    return found


def _entry_rows(
    document: Mapping[str, Any], studies: list[str], entry: Mapping[str, Any]
) -> list[list[Any]]:
    names = [" + ".join(studies), entry["model"], entry["prompt_set"]]
    parts = [("", "all", entry)]
    parts += [(by, name, one) for by in _CALLED for name, one in entry[f"by_{by}"].items()]
    # A group and a file may have one name, and either may be called all.
    called = Counter(name for _, name, _ in parts)
    rows = []
    for by, name, one in parts:
        asked = asked_of(document, studies, entry["model"], part=by, name=name)
        rows.append(
            [
                *names,
                f"{name} ({_CALLED[by]})" if by and called[name] > 1 else name,
                one["n_answerable"],
                one["outcomes"]["answerable_unparsable"],
                one["n_unanswerable"],
                one["unjudged"],
                asked["asked"] - asked["answered"] if asked else None,
                one["accuracy"],
                *(one[form][f1] for f1 in ("du_f1", "mu_f1") for form in ("released", "balanced")),
            ]
        )
    return rows
