"""Backup and restore: consistent, complete, and nothing is overwritten."""

import threading

import pytest

from core.errors import ConflictError, NotFoundError, StoreError
from core.store import Store, backup, restore, verify


def people(path):
    with Store.open(path) as store:
        return {row["person_id"] for row in store.rows("people_all")}


def test_a_backup_is_a_whole_sound_store_in_one_file(sound, tmp_path):
    path = backup(sound, tmp_path / "backups" / "b.duckdb")
    assert [file.name for file in path.parent.iterdir()] == ["b.duckdb"]
    with Store.open(path) as copy:
        assert verify(copy) == []
        assert copy.rows("task_by_id", task_id="t1") == sound.rows("task_by_id", task_id="t1")
        copy.append("person", [{"person_id": "x", "name": "X", "created_at": copy_time(copy)}])
    assert len(sound.rows("people_all")) == 1


def copy_time(store):
    return store.rows("studies_all")[0]["created_at"]


def test_a_backup_does_not_overwrite(store, tmp_path):
    path = tmp_path / "b.duckdb"
    path.write_text("mine")
    with pytest.raises(ConflictError, match=r"b.duckdb is there already"):
        backup(store, path)
    assert path.read_text() == "mine"


def test_backups_while_writing_never_split_what_was_written_together(store, rows, tmp_path):
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            key = f"k{number}"
            store.write([("person", [rows.person(key)]), ("study", [rows.study(key)])])
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        before = []
        for number in range(3):
            before.append({row["person_id"] for row in store.rows("people_all")})
            backup(store, tmp_path / f"b{number}.duckdb")
    finally:
        stop.set()
        writer.join()
    for number in range(3):
        with Store.open(tmp_path / f"b{number}.duckdb") as copy:
            found = {row["person_id"] for row in copy.rows("people_all")}
            assert found == {row["study_id"] for row in copy.rows("studies_all")}
            assert before[number] <= found


def test_restoring_puts_the_backup_in_place_and_keeps_what_was_there(tmp_path, rows):
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        store.append("person", [rows.person("old")])
        backup(store, tmp_path / "b.duckdb")
        store.append("person", [rows.person("new")])
    kept = restore(tmp_path / "b.duckdb", path)
    assert people(path) == {"old"}
    assert kept.name.startswith("s.duckdb.replaced-")
    assert people(kept) == {"old", "new"}
    assert people(tmp_path / "b.duckdb") == {"old"}


def test_restoring_where_there_is_no_store_keeps_nothing(store, rows, tmp_path):
    store.append("person", [rows.person("old")])
    backup(store, tmp_path / "b.duckdb")
    assert restore(tmp_path / "b.duckdb", tmp_path / "new" / "s.duckdb") is None
    assert people(tmp_path / "new" / "s.duckdb") == {"old"}


def test_restoring_over_a_damaged_store_takes_its_logs_out_of_the_way(store, rows, tmp_path):
    store.append("person", [rows.person("old")])
    backup(store, tmp_path / "b.duckdb")
    broken = tmp_path / "s.duckdb"
    for suffix in ("", ".wal", ".wal-copy"):
        broken.with_name(broken.name + suffix).write_text(f"broken{suffix}")
    kept = restore(tmp_path / "b.duckdb", broken)
    assert people(broken) == {"old"}
    assert kept.with_name(kept.name + ".wal").read_text() == "broken.wal"


def test_a_store_that_is_open_is_not_replaced(store, tmp_path):
    backup(store, tmp_path / "b.duckdb")
    with pytest.raises(StoreError, match="is open in this process"):
        restore(tmp_path / "b.duckdb", store.path)


def test_a_backup_that_does_not_verify_is_refused_and_changes_nothing(store, rows, tmp_path):
    store.append("review", [rows.review("v1", 1)])  # of a task that is not there
    backup(store, tmp_path / "b.duckdb")
    target = tmp_path / "s.duckdb"
    with pytest.raises(StoreError, match=r"does not verify: .*reviews of no task"):
        restore(tmp_path / "b.duckdb", target)
    assert not list(tmp_path.glob("s.duckdb*"))


def test_a_file_that_is_no_backup_is_refused(tmp_path):
    (tmp_path / "b.txt").write_text("hello")
    with pytest.raises(StoreError, match=r"backup .*b.txt does not open: .* not a DuckDB file"):
        restore(tmp_path / "b.txt", tmp_path / "s.duckdb")
    with pytest.raises(NotFoundError, match="there is no backup"):
        restore(tmp_path / "none", tmp_path / "s.duckdb")
    assert [file.name for file in tmp_path.iterdir()] == ["b.txt"]
