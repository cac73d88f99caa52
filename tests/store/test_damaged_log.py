"""A damaged write-ahead log: the store opens, says so, and loses nothing acknowledged."""

import random
import subprocess
import sys

import pytest

from core.store import Store
from core.store.log_copy import log_copy_path, log_path, read_copy

WRITE_AND_DIE = """
import os, signal, sys
from datetime import UTC, datetime
from core.store import Store

store = Store.open(sys.argv[1])
for number in range(int(sys.argv[2])):
    key = f"{number:04}"
    store.append("person", [{"person_id": key, "name": key * 10, "created_at": datetime.now(UTC)}])
if "checkpoint" in sys.argv:
    with store._cursor() as cursor:
        cursor.execute("CHECKPOINT")
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed_store(folder, n=40, *how):
    path = folder / "s.duckdb"
    subprocess.run([sys.executable, "-c", WRITE_AND_DIE, path, str(n), *how], check=False)
    return path


def flipped(data, at):
    return data[:at] + bytes(byte ^ 0x5A for byte in data[at : at + 7]) + data[at + 7 :]


DAMAGE = {
    "seven bytes of the first entry": lambda log: flipped(log, 5),
    "seven bytes of the checkpoint's number": lambda log: flipped(log, 30),
    "seven bytes in the middle": lambda log: flipped(log, len(log) // 2),
    "seven bytes at the end": lambda log: flipped(log, len(log) - 7),
    "the last seven bytes cut off": lambda log: log[:-7],
    "half of it cut off": lambda log: log[: len(log) // 2],
    "emptied": lambda log: b"",
    "overwritten": lambda log: b"garbage",
}


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The files of a store that was killed with 40 acknowledged rows in its log."""
    path = killed_store(tmp_path_factory.mktemp("killed"))
    return {
        "": path.read_bytes(),
        ".wal": log_path(path).read_bytes(),
        ".wal-copy": log_copy_path(path).read_bytes(),
    }


def put(folder, files):
    for suffix, content in files.items():
        (folder / f"s.duckdb{suffix}").write_bytes(content)
    return folder / "s.duckdb"


def n_people(store):
    return len(store.rows("people_all"))


@pytest.mark.parametrize("damage", DAMAGE)
def test_nothing_acknowledged_is_lost_and_the_damaged_log_is_kept(tmp_path, killed, damage):
    damaged = DAMAGE[damage](killed[".wal"])
    path = put(tmp_path, killed | {".wal": damaged})
    with Store.open(path) as store:
        assert n_people(store) == 40
        (notice,) = store.notices
    assert "was damaged or missing and was rebuilt from its second copy" in notice
    assert "nothing acknowledged was lost" in notice
    kept = [file.read_bytes() for file in tmp_path.glob("*.damaged-*")]
    assert kept == ([damaged] if damaged else [])


def test_a_log_that_is_gone_is_rebuilt(tmp_path, killed):
    path = put(tmp_path, {name: killed[name] for name in ("", ".wal-copy")})
    with Store.open(path) as store:
        assert n_people(store) == 40
        assert len(store.notices) == 1


def test_bytes_after_the_last_commit_are_no_damage(tmp_path, killed):
    # So it looks when the kill came between the log and its acknowledgement.
    path = put(tmp_path, killed | {".wal": killed[".wal"] + b"\x13\x00\x00"})
    with Store.open(path) as store:
        assert n_people(store) == 40
        assert store.notices == []


def test_a_damaged_copy_beside_a_sound_log_is_no_loss(tmp_path, killed):
    at = len(killed[".wal-copy"]) // 2
    path = put(tmp_path, killed | {".wal-copy": flipped(killed[".wal-copy"], at)})
    with Store.open(path) as store:
        assert n_people(store) == 40
        assert store.notices == []


def middle_entry(log):
    """Where the entry that holds row 20 begins: 16 bytes, of which 8 are its length, and data."""
    return log.index(b"0020" * 10)


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (lambda log: flipped(log, middle_entry(log)), "is damaged at byte"),
        (lambda log: log[: middle_entry(log)], "cannot be read and there is no second copy"),
    ],
    ids=["flipped", "cut off"],
)
def test_without_a_copy_all_before_the_damage_is_kept_and_the_rest_told(
    tmp_path, killed, damage, fault
):
    damaged = damage(killed[".wal"])
    path = put(tmp_path, {"": killed[""], ".wal": damaged})
    with Store.open(path) as store:
        assert n_people(store) == 20  # rows 0 to 19
        (notice,) = store.notices
    assert fault in notice
    assert "may be missing" in notice
    assert [file.read_bytes() for file in tmp_path.glob("*.damaged-*")] == [damaged]


def test_without_a_copy_a_sound_log_is_no_matter(tmp_path, killed):
    path = put(tmp_path, {"": killed[""], ".wal": killed[".wal"]})
    with Store.open(path) as store:
        assert n_people(store) == 40
        assert store.notices == []


def test_a_copy_from_before_a_checkpoint_is_not_replayed(tmp_path, killed):
    # The kill came after the checkpoint and before the copy was begun anew.
    path = killed_store(tmp_path, 40, "checkpoint")
    assert not log_path(path).exists()
    assert read_copy(log_copy_path(path)) != b""
    with Store.open(path) as store:
        assert n_people(store) == 40
        assert store.notices == []


def test_a_copy_of_another_store_is_not_replayed(tmp_path, killed):
    path = tmp_path / "s.duckdb"
    Store.open(path).close()
    log_copy_path(path).write_bytes(killed[".wal-copy"])
    with Store.open(path) as store:
        assert n_people(store) == 0
        assert store.notices == []


def log_and_copy(store):
    """What the log and its copy hold now; a log just checkpointed may be gone."""
    log = log_path(store.path)
    return log.read_bytes() if log.exists() else b"", read_copy(log_copy_path(store.path))


def test_the_copy_equals_the_log_also_after_checkpoints(store, rows):
    for round_number in range(3):
        for number in range(5):
            store.append("person", [rows.person(f"{round_number}-{number}")])
            log, copy = log_and_copy(store)
            assert log == copy != b""
        with store._cursor() as cursor:
            cursor.execute("CHECKPOINT")


def test_the_copy_follows_a_commit_whose_rows_go_into_the_file_itself(store, rows):
    store.append("person", [rows.person(name="x" * 200)] * 120_000)
    log, copy = log_and_copy(store)
    assert log == copy
    store.append("person", [rows.person("last")])
    log, copy = log_and_copy(store)
    assert log == copy


def test_the_copy_follows_a_log_that_a_commit_itself_checkpointed(store, rows):
    # 20 commits of 1 MB of text that does not compress; DuckDB checkpoints at 16 MiB.
    sizes = []
    for number in range(20):
        text = random.Random(number).randbytes(500_000).hex()
        store.append("person", [rows.person(f"p{number}", text)])
        log, copy = log_and_copy(store)
        assert log == copy
        sizes.append(len(log))
    assert sizes != sorted(sizes)  # it did start anew
