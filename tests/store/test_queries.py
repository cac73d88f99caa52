"""Named statements: found by name, strict about parameters."""

import pytest

from core.errors import StoreError
from core.store.queries import all_queries, find_query, read_blocks


def test_a_parameter_inside_a_comment_or_a_text_is_none():
    block = "-- name: one\n-- Uses $nothing; truly.\nSELECT '$no; $text' AS a, $yes AS b;\n"
    assert read_blocks({"a.sql": block})["one"].parameters == {"yes"}


def test_a_missing_parameter_is_named(store):
    with pytest.raises(StoreError, match="query draw_now lacks its parameter study_id"):
        store.rows("draw_now")


def test_an_unused_parameter_is_named(store):
    with pytest.raises(StoreError, match="query draw_now has no parameter colour"):
        store.rows("draw_now", study_id="s", colour="red")


def test_an_unknown_query_is_named():
    with pytest.raises(StoreError, match="there is no query named no_such_thing"):
        find_query("no_such_thing")


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        ({"a.sql": "SELECT 1;"}, "a.sql has text before its first '-- name:' line"),
        (
            {"a.sql": "-- name: x\nSELECT 1;", "b.sql": "-- name: x\nSELECT 2;"},
            "b.sql names the query x, and that name is taken",
        ),
        ({"a.sql": "-- name: x\nSELECT 1; SELECT 2;"}, "query x of a.sql has 2 statements"),
        ({"a.sql": "-- name: x\n-- Nothing.\n"}, "query x of a.sql has 0 statements"),
        ({"a.sql": "-- name: x\nSELECT FROM WHERE;"}, "query x of a.sql cannot be read"),
    ],
)
def test_a_faulty_file_is_refused_by_name(texts, fault):
    with pytest.raises(StoreError, match=fault):
        read_blocks(texts)


def test_every_shipped_query_is_understood_by_the_store(store):
    with store._cursor() as cursor:
        for query in all_queries().values():
            cursor.execute(f"EXPLAIN {query.sql}", dict.fromkeys(query.parameters))
