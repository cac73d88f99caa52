"""What a change to the store may do inside its transaction."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb

from core.errors import StoreError
from core.store.cleaning import from_stored, to_stored
from core.store.queries import find_query

Row = Mapping[str, Any]
Columns = Mapping[str, Mapping[str, str]]
"""The type of each column of each table."""

_BULK = 4
"""Rows from which one insert through Arrow (about 3 ms) beats one insert each (1 ms)."""


class Transaction:
    """A change's hands: it reads, appends and runs named statements, all or nothing.

    Args:
        cursor: with a transaction under way.
        columns: the tables of the store.
        next_seq: gives the next sequence number.
    """

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        columns: Columns,
        next_seq: Callable[[], int],
    ) -> None:
        self._cursor = cursor
        self._columns = columns
        self.next_seq = next_seq

    def rows(self, query_name: str, **params: Any) -> list[dict[str, Any]]:
        """The rows of a named query, this change's own writes included."""
        return fetch_rows(self._cursor, query_name, params)

    def value(self, query_name: str, **params: Any) -> Any:
        """The first column of the first row of a named query; None when there is no row."""
        return fetch_value(self._cursor, query_name, params)

    def execute(self, statement_name: str, **params: Any) -> int:
        """How many rows a named statement changed."""
        run_query(self._cursor, statement_name, params)
        return self._cursor.rowcount

    def append(self, table: str, rows: Sequence[Row]) -> int:
        """How many rows were added to a table: all of them.

        Args:
            table: its name.
            rows: columns by name; a column left out is NULL.

        Raises:
            StoreError: no such table or column, a value of the wrong type, or NULL where the
                table has none.
        """
        if not rows:
            return 0
        types = self._columns.get(table)
        if types is None:
            raise StoreError(f"there is no table named {table}")
        named = dict.fromkeys(column for row in rows for column in row)
        unknown = sorted(named.keys() - types.keys())
        if unknown:
            raise StoreError(f"table {table} has no column {', '.join(unknown)}")
        columns = {column: types[column] for column in named}
        stored = [
            [_checked(table, c, kind, row.get(c)) for row in rows] for c, kind in columns.items()
        ]
        names = ", ".join(f'"{column}"' for column in columns)
        try:
            if len(rows) < _BULK:
                marks = ", ".join("?" * len(columns))
                for values in zip(*stored, strict=True):
                    self._cursor.execute(
                        f'INSERT INTO "{table}" ({names}) VALUES ({marks})', values
                    )
            else:
                self._append_many(table, names, columns, stored)
        except duckdb.Error as error:
            first_line = str(error).partition("\n")[0]
            raise StoreError(f"rows for table {table} were refused: {first_line}") from error
        return len(rows)

    def _append_many(
        self, table: str, names: str, columns: Mapping[str, str], stored: Sequence[Sequence[Any]]
    ) -> None:
        import pyarrow  # 0.3 s, and needed by the first bulk insert only

        arrow_types = {
            "VARCHAR": pyarrow.string(),
            "BIGINT": pyarrow.int64(),
            "INTEGER": pyarrow.int32(),
            "DOUBLE": pyarrow.float64(),
            "BOOLEAN": pyarrow.bool_(),
            "TIMESTAMP": pyarrow.timestamp("us"),
        }
        arrays = []
        for (column, kind), values in zip(columns.items(), stored, strict=True):
            try:
                arrays.append(pyarrow.array(values, type=arrow_types[kind]))
            except pyarrow.ArrowException as error:
                raise StoreError(f"column {table}.{column} ({kind}): {error}") from error
        self._cursor.register("appended", pyarrow.table(arrays, names=list(columns)))
        self._cursor.execute(f'INSERT INTO "{table}" ({names}) SELECT {names} FROM appended')
        # Not after a failure: the transaction is void then, and the next one replaces it.
        self._cursor.unregister("appended")


def run_query(
    cursor: duckdb.DuckDBPyConnection, query_name: str, params: Row
) -> duckdb.DuckDBPyConnection:
    """The cursor, with a named statement executed on it.

    Raises:
        StoreError: no such statement, parameters that do not fit, or DuckDB refused it.
    """
    query = find_query(query_name)
    bound = query.bind(params)
    try:
        return cursor.execute(query.sql, bound)
    except duckdb.Error as error:
        raise StoreError(f"query {query_name} failed: {error}") from error


def fetch_rows(
    cursor: duckdb.DuckDBPyConnection, query_name: str, params: Row
) -> list[dict[str, Any]]:
    """The rows of a named query as dicts; times carry UTC."""
    run_query(cursor, query_name, params)
    return as_dicts(cursor, cursor.fetchall())


def fetch_value(cursor: duckdb.DuckDBPyConnection, query_name: str, params: Row) -> Any:
    """The first column of the first row of a named query; None when there is no row."""
    row = run_query(cursor, query_name, params).fetchone()
    return None if row is None else from_stored(row[0])


def as_dicts(
    cursor: duckdb.DuckDBPyConnection, rows: Sequence[tuple[Any, ...]]
) -> list[dict[str, Any]]:
    """Fetched rows as dicts by column name; times carry UTC."""
    names = [column[0] for column in cursor.description]
    times = [at for at, column in enumerate(cursor.description) if column[1] == "TIMESTAMP"]
    found = [dict(zip(names, row, strict=True)) for row in rows]
    for at in times:
        for row in found:
            row[names[at]] = from_stored(row[names[at]])
    return found


def _checked(table: str, column: str, kind: str, value: Any) -> Any:
    # DuckDB would turn a number into text without a word when a row is inserted alone.
    if kind == "VARCHAR" and not isinstance(value, (str, type(None))):
        raise StoreError(f"column {table}.{column} takes text, not {value!r}")
    return to_stored(value)
