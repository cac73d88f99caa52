"""Tasks with decisions: what is written comes back whole, to the last character of any note."""

import json
from datetime import UTC, timedelta, timezone

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.exchange.decided_tasks import (
    COLUMNS,
    FORMATS,
    DecidedTask,
    Decision,
    write_decided_tasks,
)
from core.exchange.decisions import speaking
from core.exchange.rows import read_rows
from core.taxonomy import TYPE_NAMES, TYPE_OF_REASON
from tests.support.decided_files import NOON, REASONS, decision, read, task, written

# Any text that UTF-8 can hold, with the troublesome characters over-represented.
ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from(",;\t|\"'\r\n\0=+-@＝ \\[{\u2028\u2029\x85\ufeff\u200f\u202eא\u0301😀"),
        st.characters(exclude_categories=["Cs"]),
    ),
)
VISIBLE = ANY_TEXT.map(lambda text: text + "x") | ANY_TEXT.map(lambda text: "y" + text)
NAMES = st.sampled_from(["Ada", "Ben", "=Cy", "דנה", "Ann, Lee", "None"])
MEANINGS = st.one_of(
    st.just((None, None, None)),
    st.sampled_from(TYPE_NAMES).map(lambda kind: (None, kind, None)),
    st.sampled_from(TYPE_NAMES).map(lambda kind: ("feasible", kind, None)),
    st.sampled_from(sorted(TYPE_OF_REASON)).map(
        lambda reason: ("infeasible", TYPE_OF_REASON[reason], reason)
    ),
)


@st.composite
def histories(draw):
    history = []
    for number in range(draw(st.integers(0, 5))):
        earlier = [one.decision_id for one in history if one.action != "undo"]
        actions = ["keep", "remove", "skip"] + ["undo"] * bool(earlier)
        action = draw(st.sampled_from(actions))
        history.append(
            Decision(
                decision_id=f"d{number}",
                person=draw(NAMES),
                action=action,
                reason=draw(st.sampled_from(sorted(REASONS))) if action == "remove" else None,
                note=draw(ANY_TEXT),
                decided_at=draw(st.none() | st.datetimes(timezones=st.just(UTC))),
                seconds_active=draw(st.none() | st.floats(0, 1e9)),
                undoes=draw(st.sampled_from(earlier)) if action == "undo" else None,
                is_final=draw(st.booleans()),
            )
        )
    return tuple(history)


@st.composite
def decided_tasks(draw):
    intent, kind, reason = draw(MEANINGS)
    one = speaking(history := draw(histories()))
    words = {"keep": "kept", "remove": "removed", "skip": "skipped"}
    return DecidedTask(
        task_id=draw(st.none() | VISIBLE),
        text=draw(VISIBLE),
        intent=intent,
        type=kind,
        reason=reason,
        state=words[one.action] if one else "pending",
        removal_reason=one.reason if one else None,
        note=one.note if one else "",
        decisions=history,
    )


def sense(row):
    return row.task_id, row.text, row.intent, row.type, row.reason, row.decisions


@pytest.mark.parametrize("format", FORMATS)
@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(tasks=st.lists(decided_tasks(), min_size=1, max_size=4))
def test_tasks_come_back_with_their_whole_history(tmp_path, format, tasks):
    found = read(written(tmp_path, tasks, format))
    assert found.bad_rows == ()
    assert list(map(sense, found.rows)) == list(map(sense, tasks))
    assert not any("counts" in finding for finding in found.findings)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "text",
    [
        'Say "a, b", then ""',
        "one\r\ntwo\nthree\rfour\r\n",
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\tindented",
        "'=1+1",
        "''tis so",
        "None",
        "NaN",
        "nul\0 inside",
        "שלום \u202eעולם\u202c",
        "x" * 100_000,
        "  spaces around  ",
        "[{not json",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_odd_text_comes_back_byte_for_byte(tmp_path, format, text):
    history = (decision("remove", note=text, person="Ada"),)
    (row,) = read(written(tmp_path, [task(*history, text=text, state="removed")], format)).rows
    assert row.text == text
    assert row.decisions == history


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("jsonl", "\ud835 x"),
        ("label-studio", "\ud835 x"),
        ("csv", "\\ud835 x"),
        ("parquet", "\\ud835 x"),
    ],
)
def test_a_lone_surrogate_in_the_text_is_an_escape_where_the_format_cannot_hold_it(
    tmp_path, format, text
):
    history = (decision(note="\ud835 \\ud835"),)
    (row,) = read(written(tmp_path, [task(*history, text="\ud835 x")], format)).rows
    assert row.text == text
    # In the history it is a JSON escape, so it comes back as it was in every format.
    assert row.decisions == history


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_the_flat_formats_share_their_columns_and_say_first_what_stands(tmp_path, format):
    history = (
        decision("remove", decision_id="a", decided_at=NOON, seconds_active=2.5, note="odd"),
        decision("undo", decision_id="b", undoes="a", decided_at=NOON + timedelta(minutes=1)),
        decision("keep", decision_id="c", person="Ben", decided_at=NOON + timedelta(minutes=2)),
    )
    path = written(tmp_path, [task(*history, state="kept")], format)
    file = read_rows(path)
    assert file.columns == tuple(COLUMNS)
    ((_, cells),) = file.rows
    assert (cells["state"], cells["decided_by"], cells["seconds_active"]) == ("kept", "Ben", None)
    assert cells["decided_at"].startswith("2026-03-01T12:02:00")
    assert [one["action"] for one in json.loads(cells["decisions_json"])] == [
        "remove",
        "undo",
        "keep",
    ]


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("state", ["pending", "disputed", "decided by others"])
def test_where_nobody_decided_no_cell_of_a_decision_holds_anything(tmp_path, format, state):
    path = written(tmp_path, [task(state=state)], format)
    ((_, cells),) = read_rows(path).rows
    empty = ("removal_reason", "decided_by", "decided_at", "seconds_active", "decisions_json")
    assert {name: cells[name] or None for name in empty} == dict.fromkeys(empty)
    assert [row.decisions for row in read(path).rows] == [()]


def test_parquet_holds_times_and_seconds_as_such(tmp_path):
    one = decision(decided_at=NOON, seconds_active=2.5)
    table = pq.read_table(written(tmp_path, [task(one, state="kept")], "parquet"))
    assert table.column("decided_at").to_pylist() == [NOON]
    assert table.column("seconds_active").to_pylist() == [2.5]


def test_times_are_utc_and_a_number_that_is_none_is_no_seconds(tmp_path):
    # 14:00 at two hours east of Greenwich is 12:00 UTC; a time without a zone counts as UTC.
    east = NOON.astimezone(timezone(timedelta(hours=2)))
    history = (
        decision(decided_at=east, seconds_active=float("nan")),
        decision(decided_at=NOON.replace(tzinfo=None)),
    )
    (row,) = read(written(tmp_path, [task(*history)], "csv")).rows
    assert [one.decided_at for one in row.decisions] == [NOON, NOON]
    assert row.decisions[0].decided_at.tzinfo is UTC
    assert row.decisions[0].seconds_active is None


@pytest.mark.parametrize("format", FORMATS)
def test_a_failure_half_way_leaves_the_old_file_and_nothing_else(tmp_path, format):
    path = tmp_path / "tasks.out"
    path.write_text("the old file")

    def tasks():
        yield task()
        raise OSError("the source broke")

    with pytest.raises(OSError, match="the source broke"):
        write_decided_tasks(tasks(), path, format=format)
    assert path.read_text() == "the old file"
    assert list(tmp_path.iterdir()) == [path]


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(InputError, match="the format 'xlsx' is not known") as caught:
        write_decided_tasks([], tmp_path / "tasks.xlsx", format="xlsx")
    assert caught.value.hint == "one of jsonl, csv, parquet, label-studio"
