"""The store: what goes in comes out, one holder, faults in words."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.errors import StoreError
from core.store import Store, backup, restore

HOSTILE = {
    "lone surrogate": ("\ud835 x", "\ufffd x"),
    "nul": ("\x00", "\x00"),
    "both, with text": ("a\x00b\udc00c", "a\x00b\ufffdc"),
    "pair that came apart": ("\ud835" + "\udc00", "\U0001d400"),
    "empty": ("", ""),
    "line ends": ("a\r\nb\rc\n", "a\r\nb\rc\n"),
    "quotes": ('\'; DROP TABLE person; -- $name "x"', '\'; DROP TABLE person; -- $name "x"'),
    "right to left": ("\u202eשלום e\u0301 \ufeff", "\u202eשלום e\u0301 \ufeff"),
    "words for nothing": ("None NA null nan", "None NA null nan"),
    "long": ("x" * 100_000, "x" * 100_000),
}


@pytest.mark.parametrize("copies", [1, 10], ids=["alone", "many"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_any_text_is_stored_as_it_is_but_for_lone_surrogates(store, rows, kind, copies):
    text, expected = HOSTILE[kind]
    store.append("person", [rows.person(f"p{i}", text) for i in range(copies)])
    assert [row["name"] for row in store.rows("people_all")] == [expected] * copies
    assert list(store.frame("people_all")["name"]) == [expected] * copies


def test_a_parameter_is_cleaned_like_a_row(store, rows):
    store.append("person", [rows.person(name="\ud835 x")])
    assert len(store.rows("person_by_name", name="\ud835 x")) == 1


@pytest.mark.parametrize("copies", [1, 10], ids=["alone", "many"])
def test_a_time_comes_back_as_the_same_moment_in_utc(store, rows, copies):
    berlin = datetime(2026, 5, 4, 14, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=2)))
    store.append("study", [rows.study(created_at=berlin)] * copies)
    back = store.rows("studies_all")[0]["created_at"]
    assert back == berlin
    assert back.tzinfo is UTC
    assert store.frame("studies_all")["created_at"].iloc[0].isoformat() == back.isoformat()


def test_a_value_is_the_first_of_the_first_row_and_none_without_rows(store, rows):
    assert store.value("person_by_name", name="Ada") is None
    store.append("person", [rows.person()])
    assert store.value("person_by_name", name="Ada") == "ada"


def test_a_stream_gives_every_row_as_of_its_start_whatever_the_chunk(store, rows):
    store.append("person", [rows.person(f"p{i:03}", f"{i:03}") for i in range(250)])
    stream = store.stream("people_all", chunk=100)
    first = next(stream)["name"]
    store.append("person", [rows.person("late", "999")])
    assert [first, *(row["name"] for row in stream)] == [f"{i:03}" for i in range(250)]


def test_sequence_numbers_rise_also_over_a_reopening(tmp_path, rows):
    path = tmp_path / "s.duckdb"
    far = 9_000_000_000_000_000_000  # later than any clock
    with Store.open(path) as store:
        assert store.next_seq() < store.next_seq()
        store.append("review", [rows.review("v", far)])
    with Store.open(path) as store:
        assert store.next_seq() == far + 1


def test_the_data_version_rises_with_a_commit_and_not_with_a_failure(store, rows):
    before = store.data_version
    store.append("person", [rows.person()])
    after = store.data_version
    assert after > before
    with pytest.raises(StoreError):
        store.append("person", [rows.person(name=None)])
    assert store.data_version == after


def test_the_folder_is_made_and_nothing_is_left_beside_a_closed_store(tmp_path):
    path = tmp_path / "a" / "b" / "s.duckdb"
    with Store.open(path) as store:
        assert store.path == path
        assert store.notices == []
    assert [p.name for p in path.parent.iterdir()] == ["s.duckdb"]


@pytest.mark.parametrize("content", [b"", b"hi", b"PK\x03\x04" * 10_000])
def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"notes.txt is not a store: it is not a DuckDB file"):
        Store.open(path)
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(StoreError, match=r"cannot be opened: .*directory"):
        Store.open(tmp_path)


def test_a_second_opening_in_one_process_is_refused(store):
    with pytest.raises(StoreError, match="already open in this process"):
        Store.open(store.path)


OPEN_AND_HOLD = """
import sys
from core.store import Store, backup, restore
with Store.open(sys.argv[1]):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_told_who_holds_the_store_and_what_to_do(store, tmp_path):
    backup_path = backup(store, tmp_path / "b.duckdb")
    path = tmp_path / "s.duckdb"
    command = [sys.executable, "-c", OPEN_AND_HOLD, path]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(StoreError) as caught:
            Store.open(path)
        assert f"{path} is in use by process {holder.pid} (-c {path}, since 20" in str(caught.value)
        assert "stop that process" in caught.value.hint
        with pytest.raises(StoreError, match=f"is in use by process {holder.pid}"):
            restore(backup_path, path)
        holder.communicate("", timeout=20)
    with Store.open(path) as freed:
        assert freed.rows("people_all") == []


def test_outcomes_add_up_and_count_each_item_by_its_last_final_call(store, rows):
    items = [rows.planned(f"t{i}") for i in range(4)]
    ids = [item["item_id"] for item in items]
    store.write(
        [
            ("planned", items),
            (
                "call",
                [
                    # Tried twice in one run, then once more: ok.
                    rows.call("c1", ids[0], 1, "timed_out", final=False),
                    rows.call("c2", ids[0], 2, "provider_error"),
                    rows.call("c3", ids[0], 3, "ok"),
                    rows.call("c4", ids[1], 4, "refused"),
                    # Only a try that is not final: still pending.
                    rows.call("c5", ids[2], 5, "timed_out", final=False),
                ],
            ),
            ("label", [rows.label(ids[3], 6)]),  # imported: ok without a call
        ]
    )
    (found,) = store.rows("step_outcomes", study_id="s1")
    counted = {name: n for name, n in found.items() if n and name not in ("step", "model")}
    assert counted == {"planned": 4, "ok": 2, "refused": 1, "pending": 1}


def test_only_the_current_draw_counts_and_an_item_of_two_draws_counts_once(store, rows):
    draw = {"study_id": "s1", "kind": "all", "shortfalls_json": "[]", "drawn_at": rows.NOON}
    first, both = rows.planned("t1", draw_id="d1"), rows.planned("t2", draw_id="d1")
    store.write(
        [
            ("draw", [draw | {"draw_id": "d1", "seq": 1}, draw | {"draw_id": "d2", "seq": 2}]),
            ("planned", [first, both, both | {"draw_id": "d2"}]),
            ("call", [rows.call("c1", both["item_id"], 3)]),
        ]
    )
    (found,) = store.rows("step_outcomes", study_id="s1")
    assert (found["planned"], found["ok"], found["pending"]) == (1, 1, 0)


def test_the_decision_that_stands_is_the_last_that_nobody_took_back(store, rows):
    store.write(
        [
            ("task", [rows.task()]),
            (
                "review",
                [
                    rows.review("v1", 1, "keep"),
                    rows.review("v2", 2, "remove", reason="duplicate"),
                    rows.review("v3", 3, "note", note="hm"),
                    rows.review("v4", 4, "undo", undoes="v2"),
                ],
            ),
        ]
    )
    assert store.rows("tasks_short", study_id="s1")[0]["review_id"] == "v1"
