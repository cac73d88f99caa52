"""What the results of a training-data study are shown in, in reading order."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.protocols.shown import Exhibit, Results, Words

BECAME = {
    "kept": "kept as it is",
    "accepted": "rewritten and verified",
    "dropped": "dropped after five attempts",
    "removed": "rewritten, and removed by people",
    "left_out": "removed by people",
    "due": "rewrite failed, another is due",
    "open": "waits for its rewrite or a verdict",
}
WORDS = Words(
    task="problem",
    made="part",
    labelled="verdict",
    done="verified",
    by="Verified by",
    asked="verified",
    part="part",
    funnel="The way of the problems and their rewrites",
    answered="verified",
    no_results="rewrite and verify first",
)
WHY = {
    "unreadable": "no rewrite in the reply",
    "unchanged": "the original again",
    "judged_otherwise": "judged otherwise",
    "no_verdict": "no valid verdict",
}
"""What failed at the last attempt."""


def training_results() -> Results:
    """The tables of studies whose problems are rewritten for training."""
    return Results(
        exhibits=(
            Exhibit(
                key="problems",
                title="What became of the problems",
                reading=(
                    "Each problem is of one part: kept as it is, to be rewritten so that a "
                    "condition is missing, or so that it is too difficult. The rows of a study "
                    "add up to its problems, without those that people removed."
                ),
                table=problems_table,
                words=problem_words,
            ),
        ),
        tables=_tables,
        flat_rows=_flat_rows,
        counts="synthesis_counts",
        words=WORDS,
    )


def problems_table(counts: pd.DataFrame) -> pd.DataFrame:
    """Problems by study, part and what became of them.

    Returns:
        study, subject, part, became, why (of the dropped ones, else empty), n, share of the study's
        problems in [0, 1].
    """
    sizes = counts.groupby("study")["n"].transform("sum")
    return pd.DataFrame(
        {
            "study": counts["study"],
            "subject": counts["subject"],
            "part": counts["type"],
            "became": counts["label"].map(BECAME),
            "why": counts["why"].map(WHY).fillna(""),
            "n": counts["n"],
            "share": counts["n"] / sizes,
        }
    )


def problem_words(table: pd.DataFrame) -> list[str]:
    """One sentence for each study: how many problems are in the training data, and of which part.

    Example:
        >>> row = ("s", "m", "insufficient", BECAME["accepted"], "", 2, 1.0)
        >>> names = ["study", "subject", "part", "became", "why", "n", "share"]
        >>> problem_words(pd.DataFrame([row], columns=names))
        ['s: 2 of 2 problems are training data, 0 original, 2 insufficient and 0 difficult.']
    """
    usable = table[table["became"].isin([BECAME["kept"], BECAME["accepted"]])]
    said = []
    for study, part in table.groupby("study", sort=False):
        mine = usable[usable["study"] == study]
        n = mine.groupby("part")["n"].sum()
        parts = [f"{n.get(name, 0):,} {name}" for name in ("original", "insufficient", "difficult")]
        said.append(
            f"{study}: {mine['n'].sum():,} of {part['n'].sum():,} problems are training data, "
            f"{parts[0]}, {parts[1]} and {parts[2]}."
        )
    return said


def _tables(counts: pd.DataFrame) -> dict[str, Any]:
    table = problems_table(counts)
    return {
        "studies": [
            {"study": name, "problems": part.drop(columns="study").to_dict("records")}
            for name, part in table.groupby("study", sort=False)
        ]
    }


def _flat_rows(document: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    header = ["study", "subject", "part", "became", "why", "n", "share"]
    rows = [
        [one["study"], *(row[name] for name in header[1:])]
        for one in document["studies"]
        for row in one["problems"]
    ]
    return header, rows
