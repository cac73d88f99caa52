"""The store as the rest of the program sees it: named queries, changes, one file.

Reading takes a cursor of its own per call and may happen in any thread. Writing goes through one
thread; a change is *acknowledged* only after its commit, and what is acknowledged is still there
after a kill.
"""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb

from core.errors import StoreError
from core.store.log_copy import LogCopy
from core.store.opening import close_file, open_file
from core.store.transaction import Columns, Row, as_dicts, fetch_rows, fetch_value, run_query
from core.store.writer import Change, Writer

if TYPE_CHECKING:
    import pandas


class Store:
    """An open store; make one with `Store.open` and close it, or use it in a `with` block.

    Attributes:
        path: the store's file, absolute.
        notices: what was found and put right while opening, in sentences for people.
    """

    def __init__(
        self, path: Path, connection: duckdb.DuckDBPyConnection, notices: list[str]
    ) -> None:
        self.path = path
        self.notices = notices
        self._connection = connection
        self._lock = threading.Lock()
        self._closed = False
        columns = _read_columns(connection)
        self._last_seq = _highest_seq(connection, columns)
        self._data_version = time.time_ns()
        self._log_copy: LogCopy | None = LogCopy(path)
        self._writer = Writer(connection.cursor(), columns, self.next_seq, self._after_commit)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """The store in a file, which is made with its folder when it is not there.

        Raises:
            StoreError: somebody has it open (the message says who), it is no store, or it cannot
                be read.
        """
        absolute = Path(path).expanduser().resolve()
        connection, notices = open_file(absolute)
        try:
            return cls(absolute, connection, notices)
        except BaseException:
            close_file(absolute, connection)
            raise

    def close(self) -> None:
        """Nothing; what was submitted is written and the file is free. Closing twice is fine."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._writer.close()
        try:
            close_file(self.path, self._connection)
        finally:
            if self._log_copy is not None:
                self._log_copy.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def data_version(self) -> int:
        """A number that rises with every commit, also over a reopening: a key for caches."""
        return self._data_version

    def rows(self, query_name: str, **params: Any) -> list[dict[str, Any]]:
        """The rows of a named query as dicts; times carry UTC.

        Raises:
            StoreError: no such query, or parameters that do not fit it.
        """
        with closing(self._cursor()) as cursor:
            return fetch_rows(cursor, query_name, params)

    def value(self, query_name: str, **params: Any) -> Any:
        """The first column of the first row of a named query; None when there is no row."""
        with closing(self._cursor()) as cursor:
            return fetch_value(cursor, query_name, params)

    def frame(self, query_name: str, **params: Any) -> "pandas.DataFrame":
        """The rows of a named query as a frame; columns of times carry UTC."""
        with closing(self._cursor()) as cursor:
            found = run_query(cursor, query_name, params).df()
        for name in found.select_dtypes("datetime").columns:
            found[name] = found[name].dt.tz_localize("UTC")
        return found

    def stream(
        self, query_name: str, *, chunk: int = 1000, **params: Any
    ) -> Iterator[dict[str, Any]]:
        """The rows of a named query one by one, as they were when the first was asked for.

        Memory holds `chunk` rows at a time, whatever the number of rows.
        """
        with closing(self._cursor()) as cursor:
            run_query(cursor, query_name, params)
            while rows := cursor.fetchmany(chunk):
                yield from as_dicts(cursor, rows)

    def submit(self, change: Change) -> Future[Any]:
        """A future that resolves once the change is committed, to what the change returned.

        Args:
            change: (table, rows) pairs to append together, or a function of a Transaction that
                reads, decides and writes; a function can run twice and must act on nothing else.
        """
        return self._writer.submit(change)

    def write(self, change: Change) -> Any:
        """What the change returned, after its commit. A change that raises leaves no trace."""
        return self._writer.write(change)

    def append(self, table: str, rows: Sequence[Row]) -> int:
        """How many rows were added to a table, after their commit: all of them, or an error."""
        return self.write([(table, rows)])

    def copy_into(self, path: Path) -> None:
        """Nothing; a new file holds the store as it was when this began. Writing goes on.

        Raises:
            duckdb.Error: the file cannot be written.
        """
        name = f"copy_{self.next_seq()}"
        quoted_path = str(path).replace("'", "''")
        with closing(self._cursor()) as cursor:
            source = cursor.execute("SELECT current_database()").fetchone()[0].replace('"', '""')
            cursor.execute(f"ATTACH '{quoted_path}' AS {name}")
            try:
                cursor.execute(f'COPY FROM DATABASE "{source}" TO {name}')
            finally:
                cursor.execute(f"DETACH {name}")

    def next_seq(self) -> int:
        """A number above every `seq` given before, in this process or an earlier one."""
        with self._lock:
            self._last_seq = max(self._last_seq + 1, time.time_ns())
            return self._last_seq

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed", hint="open it again")
            return self._connection.cursor()

    def _after_commit(self) -> None:
        self._data_version = max(self._data_version + 1, time.time_ns())
        if self._log_copy is None:
            return
        try:
            self._log_copy.follow()
        except OSError as error:
            # The commit itself is safe; only the second copy of the log is not to be had.
            self._log_copy = None
            self.notices.append(f"the second copy of the write-ahead log cannot be kept: {error}")


def _read_columns(connection: duckdb.DuckDBPyConnection) -> Columns:
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in connection.execute(
        """
        SELECT table_name, column_name, data_type
        FROM duckdb_columns()
        WHERE database_name = current_database() AND NOT internal
            AND table_name IN (
                SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()
            )
        ORDER BY table_name, column_index
        """
    ).fetchall():
        columns.setdefault(table, {})[column] = kind
    return columns


def _highest_seq(connection: duckdb.DuckDBPyConnection, columns: Columns) -> int:
    tables = [table for table, kinds in columns.items() if "seq" in kinds]
    return max(
        connection.execute(f'SELECT coalesce(max(seq), 0) FROM "{table}"').fetchone()[0]
        for table in tables
    )
