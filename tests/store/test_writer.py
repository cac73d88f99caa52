"""The writer: grouped commits, one bad change alone fails, acknowledged means committed."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import ConflictError, StoreError


def held_back(store):
    """A change that keeps the writer busy until released, so that the next ones form a group."""
    running, release = threading.Event(), threading.Event()

    def hold(tx):
        running.set()
        release.wait(10)

    store.submit(hold)
    running.wait(10)
    return release


def names(store):
    return {row["name"] for row in store.rows("people_all")}


def test_only_the_bad_change_of_a_group_fails(store, rows):
    release = held_back(store)
    good = [store.submit([("person", [rows.person(f"p{i}", f"P{i}")])]) for i in range(5)]
    bad = store.submit([("person", [rows.person("bad", None)])])
    more = [store.submit([("person", [rows.person(f"q{i}", f"Q{i}")])]) for i in range(5)]
    release.set()
    assert [future.result(10) for future in good + more] == [1] * 10
    with pytest.raises(StoreError, match=r"rows for table person were refused: .*name"):
        bad.result(10)
    assert names(store) == {f"P{i}" for i in range(5)} | {f"Q{i}" for i in range(5)}


def test_a_group_is_one_commit(store, rows):
    release = held_back(store)
    versions = []
    futures = [store.submit([("person", [rows.person(f"p{i}", f"P{i}")])]) for i in range(50)]
    for future in futures:
        future.add_done_callback(lambda _: versions.append(store.data_version))
    release.set()
    assert futures[-1].result(10) == 1
    assert len(set(versions)) == 1


def test_a_change_sees_what_was_submitted_before_it(store, rows):
    release = held_back(store)
    store.submit([("person", [rows.person()])])
    seen = store.submit(lambda tx: len(tx.rows("people_all")))
    release.set()
    assert seen.result(10) == 1


def test_a_change_that_raises_leaves_no_trace_and_its_error_comes_back(store, rows):
    def add_then_refuse(tx):
        tx.append("person", [rows.person()])
        raise ConflictError("no")

    with pytest.raises(ConflictError, match="no"):
        store.write(add_then_refuse)
    assert names(store) == set()


def test_rows_of_two_tables_go_in_together_or_not_at_all(store, rows):
    with pytest.raises(StoreError):
        store.write([("person", [rows.person()]), ("study", [rows.study(name=None)])])
    assert names(store) == set()


def test_a_decision_by_twenty_threads_is_taken_once(store, rows):
    def add_if_absent(tx):
        if tx.rows("people_all"):
            return False
        return bool(tx.append("person", [rows.person()]))

    with ThreadPoolExecutor(20) as pool:
        added = list(pool.map(lambda _: store.write(add_if_absent), range(200)))
    assert added.count(True) == 1
    assert len(names(store)) == 1


def test_twenty_threads_write_and_read_and_nothing_is_lost(store, rows):
    def work(thread):
        for number in range(10):
            key = f"{thread}-{number}"
            store.append("person", [rows.person(key, key)])
            assert key in names(store)

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(work, range(20)))
    assert len(names(store)) == 200


def test_a_cancelled_change_is_not_written(store, rows):
    release = held_back(store)
    future = store.submit([("person", [rows.person()])])
    assert future.cancel()
    release.set()
    store.write([])
    assert names(store) == set()


def test_closing_writes_what_was_submitted_and_refuses_more(store, rows):
    futures = [store.submit([("person", [rows.person(f"p{i}")])]) for i in range(20)]
    store.close()
    assert all(future.result(0) == 1 for future in futures)
    with pytest.raises(StoreError, match="the store is closed"):
        store.submit([])
    with pytest.raises(StoreError, match="the store is closed"):
        store.rows("people_all")


def test_a_change_that_waits_for_another_is_refused_instead_of_waiting_for_ever(store, rows):
    with pytest.raises(StoreError, match="may not wait for another change"):
        store.write(lambda tx: store.append("person", [rows.person()]))


@pytest.mark.parametrize("n", [1, 50])
@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"colour": "red"}, "table person has no column colour"),
        ({"name": 7}, "column person.name takes text, not 7"),
        ({"name": None}, "rows for table person were refused: .*NOT NULL"),
        ({"created_at": "soon"}, "person"),
    ],
)
def test_a_row_that_does_not_fit_is_refused_by_name(store, rows, n, given, fault):
    with pytest.raises(StoreError, match=fault):
        store.append("person", [rows.person() | given] * n)
    assert names(store) == set()


def test_a_table_that_is_not_there_is_refused_by_name(store):
    with pytest.raises(StoreError, match="there is no table named nothing"):
        store.append("nothing", [{"a": 1}])
