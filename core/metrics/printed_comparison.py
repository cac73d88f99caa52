"""The paper's printed Tables 2 to 6 beside the same tables from counts, difference by difference.

Two decimals are printed, so a value agrees to the printed digit when it is at most 0.005 away, and
roughly when it is at most 0.01 away.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.metrics.counts import Counts, read_counts
from core.metrics.paper_tables import OVERALL, paper_tables

ROUNDING = 1e-9
COLUMNS = ("table", "row", "column", "ours", "printed", "difference", "agrees", "verdict")

Value = str | float | None


def compare_with_printed(counts: Counts, printed: Mapping[str, Any]) -> pd.DataFrame:
    """Every printed value of the models in the counts, beside ours, with a verdict in words.

    Only studies of the printed models under the printed prompt sets enter, each model as the
    classifier of its own tasks.

    Args:
        counts: a counts frame.
        printed: `models` (model id to printed row name), `prompt_sets`, and `tables` ("Table 2" to
            "Table 6": row name to column to value, columns named as in `paper_tables`).

    Returns:
        table, row, column; ours and printed as text; difference (ours - printed; NaN for names
        and where nothing is compared); agrees (within 0.01, or the same name; <NA> where nothing
        is compared); verdict. Rows in printed order.
    """
    models, prompt_sets = printed["models"], printed["prompt_sets"]
    rows = [
        row
        for row in read_counts(counts)
        if row.subject in models and row.model == row.subject and row.prompt_set in prompt_sets
    ]
    sets_of: dict[str, set[str]] = {}
    for row in rows:
        sets_of.setdefault(models[row.subject], set()).add(row.prompt_set)
    if len(sets_of) == len(models):
        sets_of[OVERALL] = set.intersection(*sets_of.values())
    found = {name: _by_row(frame, models) for name, frame in paper_tables(rows).items()}
    lines = [
        _line(table, row, column, found[table].get(row, {}), wanted, missing)
        for table, printed_rows in printed["tables"].items()
        for row, wanted in printed_rows.items()
        if row in sets_of or (row == OVERALL and sets_of)
        for missing in [[name for name in prompt_sets if name not in sets_of.get(row, ())]]
        for column in wanted
    ]
    frame = pd.DataFrame(lines, columns=list(COLUMNS))
    return frame.astype({"difference": float, "agrees": "boolean"})


def _by_row(frame: pd.DataFrame, models: Mapping[str, str]) -> dict[str, dict[str, Value]]:
    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return {models.get(record["subject"], record["subject"]): record for record in records}


def _line(
    table: str,
    row: str,
    column: str,
    ours: Mapping[str, Value],
    wanted: Mapping[str, Value],
    missing: list[str],
) -> tuple:
    value, target = ours.get(column), wanted[column]
    head = (table, row, column, _text(value, digits=4), _text(target, digits=2))
    needed = [name for name in missing if _needs(table, column, name)]
    if needed and row == OVERALL:
        return (*head, None, None, "not compared: it takes all the models under every prompt set")
    if needed:
        return (*head, None, None, f"not compared: there is no study under {', '.join(needed)}")
    if value is None:
        return (*head, None, None, "not compared: not defined here")
    difference = value - target if isinstance(target, float | int) else None
    agrees = _agree(value, target)
    return (*head, difference, agrees, _verdict(column, ours, wanted))


def _needs(table: str, column: str, prompt_set: str) -> bool:
    """Whether a value is made of this prompt set: all are, but Table 2's columns of another."""
    return table != "Table 2" or column.startswith((f"{prompt_set} ", "overall "))


def _text(value: Value, *, digits: int) -> str:
    if value is None:
        return "not defined"
    return value if isinstance(value, str) else f"{value:.{digits}f}"


def _agree(ours: Value, printed: Value, within: float = 0.01) -> bool:
    if isinstance(ours, str) or isinstance(printed, str) or ours is None or printed is None:
        return ours == printed
    return abs(ours - printed) <= within + ROUNDING


def _verdict(column: str, ours: Mapping[str, Value], wanted: Mapping[str, Value]) -> str:
    value, target = ours[column], wanted[column]
    if isinstance(target, str):
        if value == target:
            return "agrees"
    elif _agree(value, target, 0.005):
        return "agrees to the printed digit"
    elif _agree(value, target):
        return "agrees within 0.01"
    # The two columns hold each other's values: they were swapped, here or there.
    for other in wanted:
        if other != column and _agree(value, wanted[other]) and _agree(ours.get(other), target):
            return f"equals the printed value of the other column, “{other}”"
    if isinstance(target, str):
        return f"differs: printed is {target}"
    return f"differs by {abs(value - target):.2f}"
