"""The rows of an exported file as a plain reader of its format finds them."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq


def plain_rows(path: Path) -> list[dict[str, Any]]:
    """Every row of a JSONL, Parquet or CSV file, which its name tells apart."""
    if path.suffix == ".jsonl":
        # Not splitlines(): U+2028 may stand inside a string.
        return [json.loads(line) for line in path.read_bytes().decode().split("\n") if line]
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
