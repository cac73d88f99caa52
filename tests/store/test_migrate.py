"""Migrations: in order, once, unchanged ever after."""

import duckdb
import pytest

from core.errors import StoreError
from core.store import Store
from core.store.migrate import Migration, migrate, shipped_migrations

ONE = Migration(
    1, "things", "-- a comment; with a semicolon\nCREATE TABLE IF NOT EXISTS a (i INT);"
)
TWO = Migration(2, "view", "CREATE OR REPLACE VIEW b AS SELECT i, ';' AS s FROM a;")


@pytest.fixture
def connection(tmp_path):
    with duckdb.connect(tmp_path / "m.duckdb") as opened:
        yield opened


def applied(connection):
    return connection.execute("SELECT number, name FROM migration ORDER BY number").fetchall()


def test_each_migration_is_applied_once_and_leaves_a_receipt(connection):
    migrate(connection, [ONE], path="x")
    migrate(connection, [ONE, TWO], path="x")
    migrate(connection, [ONE, TWO], path="x")
    assert applied(connection) == [(1, "things"), (2, "view")]
    assert connection.execute("SELECT * FROM b").fetchall() == []


def test_a_changed_migration_is_refused(connection):
    migrate(connection, [ONE], path="x.duckdb")
    changed = Migration(1, "things", ONE.sql + "-- now different")
    with pytest.raises(StoreError, match=r"migration 1 \(things\) was changed after it was"):
        migrate(connection, [changed], path="x.duckdb")


def test_a_removed_migration_is_refused(connection):
    migrate(connection, [ONE, TWO], path="x.duckdb")
    with pytest.raises(StoreError, match=r"migration 1 \(things\) was applied to x.duckdb and its"):
        migrate(connection, [TWO], path="x.duckdb")


def test_a_store_of_a_newer_program_is_refused(connection):
    migrate(connection, [ONE, TWO], path="x.duckdb")
    with pytest.raises(StoreError, match=r"newer Selfbound: it has migration 2 .* knows 1"):
        migrate(connection, [ONE], path="x.duckdb")


def test_another_programs_file_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "other.duckdb"
    with duckdb.connect(path) as other:
        other.execute("CREATE TABLE invoices (i INT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"another program: it has tables \(invoices"):
        Store.open(path)
    assert path.read_bytes() == before


def test_every_shipped_migration_can_run_again_after_being_cut_short(connection):
    for migration in shipped_migrations():
        for statement in connection.extract_statements(migration.sql):
            connection.execute(statement)
            connection.execute(statement)


def test_the_hash_of_a_migration_does_not_depend_on_line_ends():
    # Files are read in text mode, so a checkout with CRLF gives the same text.
    assert all("\r" not in migration.sql for migration in shipped_migrations())
