"""Write rows to a file: all of it or nothing, and readable again to the last character.

* JSONL: UTF-8; NUL and lone surrogates as JSON escapes, so the file is valid.
* CSV: UTF-8, commas, CRLF line ends (RFC 4180). An empty text and a missing value are both an
  empty cell. Text that a spreadsheet would run as a formula is guarded (`spreadsheet_guard`);
  numbers are not.
* Parquet: typed columns, Zstandard.

Times are UTC everywhere (a time without a zone counts as UTC): ISO 8601 in text, a UTC timestamp
in Parquet. A NaN is written as a missing value. Neither CSV nor Parquet can hold a lone surrogate:
it is written there as its six-character escape, `\\ud835`.
"""

import csv
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from core.exchange.spreadsheet_guard import guarded
from core.exchange.times import in_utc, moment_text

if TYPE_CHECKING:
    import pandas as pd

Format = Literal["jsonl", "csv", "parquet"]
Columns = Mapping[str, type]
"""Column names in order, each with its type: str, int, float, bool or datetime."""

_BATCH = 10_000
"""Rows of a Parquet row group, and so the rows held in memory at once."""


def write_table(
    rows: "Iterable[Mapping[str, Any]] | pd.DataFrame",
    path: Path | str,
    *,
    columns: Columns,
    format: Format,
) -> int:
    """The number of rows written to `path`, which is replaced only once all are written.

    Args:
        rows: mappings with exactly the names in `columns`, or a frame with at least those.
        path: the file; its folder exists.
        columns: the columns in order, with their types.

    Raises:
        ValueError: a row has other names than `columns`; nothing is written.
        OSError: the disk refuses; nothing is left behind.
    """
    write = {"jsonl": _write_jsonl, "csv": _write_csv, "parquet": _write_parquet}[format]
    with replacing(Path(path)) as part:
        return write(_values(rows, columns), part, columns)


def columns_of(frame: "pd.DataFrame") -> dict[str, type]:
    """The columns of a frame with their types, as `write_table` wants them.

    Anything that is not a whole number, a number, a truth value or a time counts as text.
    """
    kinds = {"i": int, "u": int, "f": float, "b": bool, "M": datetime}
    return {str(name): kinds.get(dtype.kind, str) for name, dtype in frame.dtypes.items()}


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to, whose file takes the place of `path` when all went well, or vanishes."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _values(rows: Any, columns: Columns) -> Iterator[tuple[Any, ...]]:
    if hasattr(rows, "dtypes"):
        return zip(*(_frame_values(rows[name]) for name in columns), strict=True)
    return _mapping_values(rows, columns)


def _frame_values(series: "pd.Series") -> list[Any]:
    values = series.astype(object)
    return values.where(values.notna(), None).tolist()


def _mapping_values(rows: Iterable[Mapping[str, Any]], columns: Columns) -> Iterator[tuple]:
    names = tuple(columns)
    for number, row in enumerate(rows, start=1):
        if row.keys() != columns.keys():
            odd = sorted(row.keys() ^ columns.keys())
            raise ValueError(f"row {number} does not have the columns wanted; they differ in {odd}")
        yield tuple(row[name] for name in names)


def _write_jsonl(rows: Iterable[tuple], part: Path, columns: Columns) -> int:
    names, n = tuple(columns), 0
    with part.open("wb") as file:
        for row in rows:
            cells = dict(zip(names, map(_plain, row), strict=True))
            line = json.dumps(cells, ensure_ascii=False, allow_nan=False)
            # A lone surrogate's Python escape is its JSON escape too.
            file.write(line.encode("utf-8", "backslashreplace") + b"\n")
            n += 1
    return n


def _write_csv(rows: Iterable[tuple], part: Path, columns: Columns) -> int:
    n = 0
    with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([guarded(name) for name in columns])
        for row in rows:
            writer.writerow([_csv_cell(value) for value in row])
            n += 1
    return n


def _write_parquet(rows: Iterable[tuple], part: Path, columns: Columns) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        str: (pa.string(), _parquet_text),
        int: (pa.int64(), _present),
        float: (pa.float64(), _present),
        bool: (pa.bool_(), _present),
        datetime: (pa.timestamp("us", tz="UTC"), _parquet_time),
    }
    kinds = [types[kind] for kind in columns.values()]
    schema = pa.schema(list(zip(columns, (kind for kind, _ in kinds), strict=True)))
    n, source = 0, iter(rows)
    with pq.ParquetWriter(part, schema, compression="zstd") as writer:
        while batch := list(islice(source, _BATCH)):
            cells = zip(kinds, zip(*batch, strict=True), strict=True)
            arrays = [pa.array([cell(v) for v in values], kind) for (kind, cell), values in cells]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
            n += len(batch)
    return n


def _present(value: Any) -> Any:
    return None if value != value else value


def _plain(value: Any) -> Any:
    return moment_text(value) if isinstance(value, datetime) else _present(value)


def _csv_cell(value: Any) -> Any:
    if isinstance(value, str):
        return guarded(value)
    if isinstance(value, bool):
        return str(value).lower()
    return _plain(value)


def _parquet_text(value: str | None) -> str | None:
    return None if value is None else value.encode("utf-8", "backslashreplace").decode()


def _parquet_time(value: datetime | None) -> datetime | None:
    return None if value is None else in_utc(value)
