"""Brings a store to the tables this program works with: migrations/NNNN_name.sql, in order.

Migrations are append-only. The table `migration` holds the number, name and hash of each one
applied; a file that was changed or removed afterwards is an error, not a guess.

Each statement commits on its own, because DuckDB wants one DDL statement per transaction. So a
migration can be cut short by a kill; it then runs again from its first statement, and every
statement is written so that it can (`IF NOT EXISTS`, `OR REPLACE`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files

import duckdb

from core.errors import StoreError

_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")

_CREATE_RECEIPTS = """
CREATE TABLE IF NOT EXISTS migration (
    number INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL
)
"""


@dataclass(frozen=True)
class Migration:
    """One migration file: its number, name and SQL."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        """The hash of the SQL, the same whatever line ends a checkout gave it."""
        return sha256(self.sql.encode()).hexdigest()


def shipped_migrations() -> list[Migration]:
    """The migrations this program ships, in order.

    Raises:
        StoreError: a file is not named NNNN_name.sql, or the numbers do not run 1, 2, 3 ...
    """
    found = []
    for path in (files("core.store") / "migrations").iterdir():
        match = _FILE_NAME.fullmatch(path.name)
        if match is None:
            raise StoreError(f"migrations/{path.name} is not named NNNN_name.sql")
        found.append(Migration(int(match[1]), match[2], path.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    numbers = [migration.number for migration in found]
    if numbers != list(range(1, len(found) + 1)):
        raise StoreError(f"migrations are numbered {numbers} and should run from 1 without a gap")
    return found


def migrate(
    connection: duckdb.DuckDBPyConnection, migrations: Sequence[Migration], *, path: str
) -> None:
    """Nothing; the store behind the connection now has every migration, and is checkpointed.

    Args:
        connection: the open store.
        migrations: what the program ships, in order.
        path: the store's file, for messages.

    Raises:
        StoreError: the file holds another program's tables, was written by a newer Selfbound, or
            a migration it has had was changed or removed.
    """
    _refuse_foreign(connection, path)
    connection.execute(_CREATE_RECEIPTS)
    applied = connection.execute(
        "SELECT number, name, sha256 FROM migration ORDER BY number"
    ).fetchall()
    _check_applied(applied, migrations, path)
    for migration in migrations[len(applied) :]:
        for statement in connection.extract_statements(migration.sql):
            connection.execute(statement)
        now = datetime.now(UTC).replace(tzinfo=None)
        connection.execute(
            "INSERT INTO migration (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)",
            [migration.number, migration.name, migration.sha256, now],
        )
    connection.execute("CHECKPOINT")


def _refuse_foreign(connection: duckdb.DuckDBPyConnection, path: str) -> None:
    tables = {
        name
        for (name,) in connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"
        ).fetchall()
    }
    if tables and "migration" not in tables:
        raise StoreError(
            f"{path} is a DuckDB file of another program: it has tables ({min(tables)} ...) "
            "and no record of Selfbound's migrations",
            hint="name another file with --store or SELFBOUND_STORE",
        )


def _check_applied(
    applied: Sequence[tuple[int, str, str]], migrations: Sequence[Migration], path: str
) -> None:
    shipped = {migration.number: migration for migration in migrations}
    newest = max(shipped, default=0)
    for number, name, digest in applied:
        if number > newest:
            raise StoreError(
                f"{path} was written by a newer Selfbound: it has migration {number} ({name}) "
                f"and this program knows {newest}",
                hint="update Selfbound, or name another store",
            )
        if number not in shipped:
            raise StoreError(
                f"migration {number} ({name}) was applied to {path} and its file is gone",
                hint=f"bring back core/store/migrations/{number:04}_{name}.sql",
            )
        if shipped[number].sha256 != digest:
            raise StoreError(
                f"migration {number} ({name}) was changed after it was applied to {path}",
                hint="restore the file as it was, and put the change into a new migration",
            )
