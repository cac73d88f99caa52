"""Speed of the store, as ratios to what DuckDB takes for the bare work.

Run it with `python -m tests.bench.bench_store`, or with all others by `make bench`.
"""

import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pandas as pd

from core.store import Store

N_CALLS = 1_000_000
N_ROWS = 100_000
N_WRITES = 200

# One study of a million answered calls, made inside DuckDB.
_MILLION_CALLS = f"""
INSERT INTO call
SELECT printf('%024x', i), 'r', 's', 'classify', md5(i::VARCHAR)[:24], i, 1, true,
    CASE i % 10 WHEN 0 THEN 'refused' ELSE 'ok' END, TIMESTAMP '2026-01-01', 1.0, 'm', 'm',
    '{{}}', '{{}}', 1, 0, 3, 0.1, 'stop', 'text ' || i, '{{}}', ''
FROM range({N_CALLS}) AS numbers(i)
"""
_MILLION_ITEMS = f"""
INSERT INTO planned
SELECT 's', 'classify', md5(i::VARCHAR)[:24], NULL, i, NULL, 0, 'm', '', '{{}}', '{{}}',
    TIMESTAMP '2026-01-01'
FROM range({N_CALLS}) AS numbers(i)
"""


def run() -> list[tuple[str, float, str]]:
    """Each measure: what it is, the ratio, and what it is a ratio to."""
    with tempfile.TemporaryDirectory() as folder:
        return [
            *_writing(Path(folder)),
            *_reading(Path(folder)),
        ]


def main() -> None:
    """Print every measure."""
    for what, ratio, reference in run():
        print(f"{ratio:8.2f} x  {what}, to {reference}")


def _writing(folder: Path) -> list[tuple[str, float, str]]:
    now = datetime.now(UTC)
    rows = [{"person_id": f"p{i}", "name": "x" * 100, "created_at": now} for i in range(N_ROWS)]
    with duckdb.connect(folder / "bare.duckdb") as bare:
        bare.execute("CREATE TABLE person (person_id VARCHAR, name VARCHAR, created_at TIMESTAMP)")
        insert = "INSERT INTO person VALUES (?, ?, ?)"
        naive = now.replace(tzinfo=None)
        bare_one = _seconds(
            lambda: [bare.execute(insert, [f"p{i}", "x" * 100, naive]) for i in range(N_WRITES)]
        )
        frame = pd.DataFrame(rows)
        frame["created_at"] = frame["created_at"].dt.tz_localize(None)
        bare_many = _seconds(lambda: bare.append("person", frame))
    with Store.open(folder / "store.duckdb") as store:
        one = _seconds(lambda: [store.append("person", [row]) for row in rows[:N_WRITES]])
        grouped = _seconds(
            lambda: [
                future.result()
                for future in [store.submit([("person", [row])]) for row in rows[:N_WRITES]]
            ]
        )
        many = _seconds(lambda: store.append("person", rows))
    return [
        ("one acknowledged row after the other", one / bare_one, "a bare commit each"),
        ("acknowledged rows waiting together", grouped / bare_one, "a bare commit each"),
        (f"{N_ROWS:,} rows as dicts", many / bare_many, "appending them as a frame"),
    ]


def _reading(folder: Path) -> list[tuple[str, float, str]]:
    path = folder / "large.duckdb"
    Store.open(path).close()
    with duckdb.connect(path) as bare:
        bare.execute(_MILLION_CALLS)
        bare.execute(_MILLION_ITEMS)
        scan = _best(
            lambda: bare.execute("SELECT outcome, count(*) FROM call GROUP BY outcome").fetchall()
        )
        view = _best(
            lambda: bare.execute(
                "SELECT outcome, count(*) FROM item_outcome GROUP BY outcome"
            ).fetchall()
        )
    with Store.open(path) as store:
        outcomes = _best(lambda: store.rows("step_outcomes", study_id="s"))
    return [
        (f"item_outcome over {N_CALLS:,} calls", view / scan, f"a scan of them ({scan:.3f} s)"),
        (f"step_outcomes of {N_CALLS:,} items", outcomes / scan, "the same scan"),
    ]


def _best(work: Callable[[], object]) -> float:
    return min(_seconds(work) for _ in range(5))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
