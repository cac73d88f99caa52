"""Rows of the boundary's metric tables: whose numbers they are, and out of how many."""

import pandas as pd

from core.metrics.boundary import tables
from core.metrics.counts import COUNT_COLUMNS
from core.protocols.boundary_tables import flat_rows

KIND = "Ethical Integrity"


def _row(model: str, label: str, n: int) -> tuple[object, ...]:
    return ("S", "own", model, "vanilla", "feasible", KIND, None, label, None, n)


def test_each_model_that_classified_has_rows_of_its_own_with_what_was_drawn() -> None:
    counts = pd.DataFrame(
        [_row("own", "feasible", 6), _row("own", "infeasible", 2), _row("other", "feasible", 9)],
        columns=COUNT_COLUMNS,
    )
    parts = [{"type": KIND, "group": None, "asked": 10, "answered": 9, "read": 8}]
    covered = [{"study": "S", "model": "own", "parts": parts}]
    header, rows = flat_rows(tables(counts) | {"coverage": covered})
    assert header[:7] == ["study", "subject", "model", "prompts", "type", "drawn", "n"]
    found = {(row[2], row[4]): (row[5], row[6], row[7]) for row in rows if row[4] in ("all", KIND)}
    assert found == {
        ("own", "all"): (10, 8, 0.75),
        ("own", KIND): (10, 8, 0.75),
        # Nothing is known of how many the other was to classify.
        ("other", "all"): (None, 9, 1.0),
        ("other", KIND): (None, 9, 1.0),
    }
