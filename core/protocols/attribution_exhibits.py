"""What the results of an uncertainty-attribution study are shown in, in reading order."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.protocols.base import Results


def attribution_results() -> Results:
    """The tables and charts of studies whose subjects may say who is uncertain."""
    return Results(exhibits=(), tables=_tables, flat_rows=_flat_rows, counts="attribution_counts")


def _tables(_counts: pd.DataFrame) -> dict[str, Any]:
    return {"studies": []}


def _flat_rows(_document: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    return ["study"], []
