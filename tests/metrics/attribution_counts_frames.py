"""Counts frames of uncertainty attribution, from count tables."""

from collections.abc import Mapping

import pandas as pd

from core.metrics.attribution_rows import ATTRIBUTION_COLUMNS

_NAMES = dict.fromkeys(ATTRIBUTION_COLUMNS[:7], "") | {"study": "S", "subject": "m", "model": "m"}


def rows_of(
    answerable: Mapping[str, int], unanswerable: Mapping[str, int], **names: str
) -> list[dict]:
    """Rows of a counts frame, as the published count tables name their outcomes."""
    names = _NAMES | {"type": "file", "group": "group", "judge": "j"} | names
    rows = []
    for outcome, n in answerable.items():
        verdict = {"correct": "yes", "wrong": "no", "invalid": "invalid"}.get(outcome)
        is_answer = verdict is not None or outcome == "owed"
        label = "ANSWERED" if is_answer else outcome
        rows.append(
            names
            | {"intent": "answerable", "label": label, "verdict": verdict, "match": None, "n": n}
        )
    rows += [
        names | {"intent": "unanswerable", "label": label, "verdict": None, "match": None, "n": n}
        for label, n in unanswerable.items()
    ]
    return [row for row in rows if row["n"]]


def frame_of(*parts: list[dict]) -> pd.DataFrame:
    """One counts frame of several parts."""
    return pd.DataFrame([row for part in parts for row in part], columns=ATTRIBUTION_COLUMNS)
