"""The store: one DuckDB file, one writer thread, readers with a cursor per call.

Everything outside this package goes through `Store`; no other module imports duckdb or holds SQL.
"""

from core.store.copies import backup, restore
from core.store.store import Store
from core.store.verify import verify

__all__ = ["Store", "backup", "restore", "verify"]
