"""The named statements of queries/*.sql, read once and checked.

A block is a line `-- name: studies_all`, a sentence in comments, and one statement. Parameters
are written `$study_id` and are strict: one that is missing or not used is an error.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import duckdb

from core.errors import StoreError
from core.store.cleaning import to_stored

_NAME_LINE = re.compile(r"^-- name: *(\S+) *$", re.MULTILINE)


@dataclass(frozen=True)
class Query:
    """One named statement: its SQL and the names of its parameters."""

    name: str
    sql: str
    parameters: frozenset[str]

    def bind(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as DuckDB takes them.

        Raises:
            StoreError: one is missing, or the statement does not use it.
        """
        missing = sorted(self.parameters - params.keys())
        unused = sorted(params.keys() - self.parameters)
        if missing:
            raise StoreError(f"query {self.name} lacks its parameter {', '.join(missing)}")
        if unused:
            raise StoreError(f"query {self.name} has no parameter {', '.join(unused)}")
        return {name: to_stored(value) for name, value in params.items()}


def find_query(name: str) -> Query:
    """The statement of that name.

    Raises:
        StoreError: there is none.
    """
    query = all_queries().get(name)
    if query is None:
        raise StoreError(f"there is no query named {name} in core/store/queries")
    return query


@cache
def all_queries() -> Mapping[str, Query]:
    """Every named statement by its name, in the order of files and blocks."""
    folder = files("core.store") / "queries"
    paths = sorted((p for p in folder.iterdir() if p.name.endswith(".sql")), key=lambda p: p.name)
    return read_blocks({path.name: path.read_text(encoding="utf-8") for path in paths})


def read_blocks(texts: Mapping[str, str]) -> dict[str, Query]:
    """The statements in the given files, by name.

    Args:
        texts: the text of each file by the file's name.

    Raises:
        StoreError: text before the first block, a name used twice, a block that is not exactly
            one statement, or one that DuckDB cannot read.
    """
    found: dict[str, Query] = {}
    with duckdb.connect() as parser:
        for file, text in texts.items():
            before, *pieces = _NAME_LINE.split(text)
            if before.strip():
                raise StoreError(f"{file} has text before its first '-- name:' line")
            for name, body in zip(pieces[::2], pieces[1::2], strict=True):
                if name in found:
                    raise StoreError(f"{file} names the query {name}, and that name is taken")
                found[name] = _parse(parser, file, name, body)
    return found


def _parse(parser: duckdb.DuckDBPyConnection, file: str, name: str, body: str) -> Query:
    try:
        statements = parser.extract_statements(body)
    except duckdb.Error as error:
        raise StoreError(f"query {name} of {file} cannot be read: {error}") from error
    if len(statements) != 1:
        raise StoreError(f"query {name} of {file} has {len(statements)} statements and needs one")
    return Query(name, statements[0].query, frozenset(statements[0].named_parameters))
