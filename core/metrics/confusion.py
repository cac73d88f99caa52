"""Confusions: what tasks were generated as, against what they were classified as."""

from collections import Counter
from typing import Literal

import pandas as pd

from core.metrics.counts import Counts, in_order, read_counts
from core.taxonomy import FEASIBLE, LINE_OF_DUTY, Taxonomy

FEASIBLE_NAME = "Feasible"
NO_REASON_NAME = "(no reason given)"


def confusion_frame(
    counts: Counts,
    level: Literal["type", "reason"] = "type",
    *,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> pd.DataFrame:
    """Every pair of generated and classified name, with how many tasks it holds.

    Tasks generated as feasible are one row of the square, those classified as feasible one
    column, so all confusions are seen. Infeasible tasks that name nothing at this level are under
    "(no reason given)", a row or column that is there only when it is needed.

    Args:
        counts: a counts frame.
        level: what infeasible tasks are told apart by.
        taxonomy: the types and reasons of the studies.

    Returns:
        generated, classified, n, row_total and share (n / row_total, NaN for a row without
        tasks): one row per cell, zeros included, in the order of the taxonomy; no rows at all
        when the counts have none.
    """
    tally: Counter[tuple[str, str]] = Counter()
    for row in read_counts(counts):
        made, called = (
            (row.type, row.called_type(taxonomy))
            if level == "type"
            else (row.reason, row.called_reason)
        )
        generated = FEASIBLE_NAME if row.intent == FEASIBLE else made or NO_REASON_NAME
        classified = FEASIBLE_NAME if row.label == FEASIBLE else called or NO_REASON_NAME
        tally[generated, classified] += row.n
    row_totals: Counter[str] = Counter()
    for (generated, _), n in tally.items():
        row_totals[generated] += n
    names = taxonomy.type_names if level == "type" else taxonomy.reason_names
    known = (FEASIBLE_NAME, *names)
    down = in_order([generated for generated, _ in tally], known) if tally else []
    across = in_order([classified for _, classified in tally], known) if tally else []
    cells = [
        (generated, classified, tally[generated, classified], row_totals[generated])
        for generated in down
        for classified in across
    ]
    frame = pd.DataFrame(cells, columns=["generated", "classified", "n", "row_total"])
    frame["share"] = frame["n"].astype(float) / frame["row_total"].where(frame["row_total"] > 0)
    return frame
