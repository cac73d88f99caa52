"""Tasks with decisions: what is written comes back whole, and a hand-made file is understood."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InputError, NotFoundError
from core.exchange.decided_tasks import (
    COLUMNS,
    FORMATS,
    DecidedTask,
    DecidedTaskRow,
    Decision,
    read_decided_tasks,
    write_decided_tasks,
)
from core.exchange.decisions import joined, speaking, standing
from core.exchange.rejects import write_reject_file
from core.exchange.row_file import raise_for_bad_rows
from core.exchange.rows import read_rows
from core.exchange.tasks import read_tasks
from core.taxonomy import TYPE_NAMES, TYPE_OF_REASON

REASONS = {
    "malformed": "Malformed",
    "wrong_language": "Not in the study's language",
    "other": "Other, see note",
}
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def decision(action="keep", **other):
    plain = {
        "decision_id": None,
        "person": "Ada",
        "action": action,
        "reason": "malformed" if action == "remove" else None,
        "note": "",
        "decided_at": None,
        "seconds_active": None,
        "undoes": None,
        "is_final": False,
    }
    return Decision(**plain | other)


def task(text="Fold a paper crane", *history, **other):
    plain = {
        "task_id": "t1",
        "text": text,
        "intent": "feasible",
        "type": "Functional Ceiling",
        "reason": None,
        "state": "pending",
        "removal_reason": None,
        "note": "",
        "decisions": history,
    }
    return DecidedTask(**plain | other)


def written(tmp_path, tasks, format):
    path = tmp_path / ("tasks.json" if format == "label-studio" else f"tasks.{format}")
    assert write_decided_tasks(iter(tasks), path, format=format) == len(tasks)
    return path


def read(path):
    return read_decided_tasks(path, reasons=REASONS)


def sense(row):
    return row.task_id, row.text, row.intent, row.type, row.reason, row.decisions


@pytest.fixture
def by_hand(tmp_path):
    """Writes lines below a header, and returns the file's path."""

    def write(header, *lines):
        path = tmp_path / "hand.csv"
        path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8", newline="")
        return path

    return write


def faults(path):
    return [str(bad) for bad in read(path).bad_rows]


# What is written comes back

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
    (row,) = read(written(tmp_path, [task(text, *history, state="removed")], format)).rows
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
    (row,) = read(written(tmp_path, [task("\ud835 x", *history)], format)).rows
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
    path = written(tmp_path, [task("Fold", *history, state="kept")], format)
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
    table = pq.read_table(written(tmp_path, [task("Fold", one, state="kept")], "parquet"))
    assert table.column("decided_at").to_pylist() == [NOON]
    assert table.column("seconds_active").to_pylist() == [2.5]


def test_times_are_utc_and_a_number_that_is_none_is_no_seconds(tmp_path):
    # 14:00 at two hours east of Greenwich is 12:00 UTC; a time without a zone counts as UTC.
    east = NOON.astimezone(timezone(timedelta(hours=2)))
    history = (
        decision(decided_at=east, seconds_active=float("nan")),
        decision(decided_at=NOON.replace(tzinfo=None)),
    )
    (row,) = read(written(tmp_path, [task("Fold", *history)], "csv")).rows
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


# What stands


def test_what_stands_is_each_persons_newest_decision_and_the_newest_final_one():
    history = (
        decision("keep", decision_id="a"),
        decision("remove", decision_id="b"),
        decision("keep", decision_id="c", person="Ben"),
        decision("keep", decision_id="d", is_final=True),
        decision("remove", decision_id="e", person="Ben", is_final=True),
        decision("skip", decision_id="f", person="Cy"),
        decision("undo", decision_id="g", person="Cy", undoes="f"),
    )
    assert [one.decision_id for one in standing(history)] == ["b", "c", "e"]
    assert speaking(history).decision_id == "e"


def test_an_undone_change_lets_the_decision_before_it_stand_again():
    history = (
        decision("keep", decision_id="a"),
        decision("remove", decision_id="b"),
        decision("undo", decision_id="c", undoes="b"),
    )
    assert [one.decision_id for one in standing(history)] == ["a"]


def test_the_newest_keep_or_remove_speaks_and_a_skip_only_where_nobody_decided():
    keep, skip = decision("keep"), decision("skip", person="Ben")
    remove = decision("remove", person="Cy")
    assert speaking([keep, skip]) == keep
    assert speaking([keep, remove, skip]) == remove
    assert speaking([skip]) == skip
    assert speaking([]) is None


def test_a_decision_met_again_is_not_added_and_a_second_like_it_is():
    keep = decision("keep", decision_id="a", seconds_active=1.5)
    again = decision("keep", seconds_active=1.5, person="Label Studio user 1")
    assert joined([keep], [again]) == (keep,)
    assert joined([keep], [again, again]) == (keep, again)


# Files made by hand

HEADER = "text,decision,removal_reason,note,decided_by,decided_at"


def test_a_plain_row_is_one_decision(by_hand):
    path = by_hand(HEADER, "Fold,remove,malformed,no verb,Ada,2026-03-01T14:00+02:00")
    assert read(path).rows == (
        DecidedTaskRow(
            2,
            None,
            "Fold",
            None,
            None,
            None,
            (decision("remove", note="no verb", decided_at=NOON),),
        ),
    )


@pytest.mark.parametrize("column", ["decision", "Action", "STATE"])
@pytest.mark.parametrize(
    ("word", "action"),
    [("keep", "keep"), ("Kept", "keep"), ("SKIP", "skip"), (" skipped ", "skip")],
)
def test_a_decision_is_understood_as_verb_or_state_in_any_case(by_hand, column, word, action):
    path = by_hand(f"text,{column},Person", f"Fold,{word},Ada")
    assert read(path).rows[0].decisions == (decision(action),)


@pytest.mark.parametrize(
    "reason",
    [
        "wrong_language",
        "Wrong Language",
        "Not in the study's language",
        "NOT IN THE STUDY’S LANGUAGE",
    ],
)
def test_a_removal_reason_is_understood_as_code_or_label(by_hand, reason):
    path = by_hand("text,decision,removal_reason,annotator", f"Fold,removed,{reason},Ada")
    assert read(path).rows[0].decisions == (decision("remove", reason="wrong_language"),)


def test_codes_alone_are_enough_to_read_by(by_hand):
    path = by_hand("text,decision,removal_reason,decided_by", "Fold,remove,other,Ada")
    (row,) = read_decided_tasks(path, reasons=("malformed", "other")).rows
    assert row.decisions == (decision("remove", reason="other"),)


@pytest.mark.parametrize("word", ["", "pending", "Pending", "disputed", "Decided by others"])
def test_a_row_without_a_decision_is_a_task_not_decided_yet(by_hand, word):
    assert read(by_hand(HEADER, f"Fold,{word},,,,")).rows[0].decisions == ()


def test_a_time_without_a_zone_counts_as_utc(by_hand):
    path = by_hand(HEADER, "Fold,keep,,,Ada,2026-03-01 12:00")
    assert read(path).rows[0].decisions == (decision(decided_at=NOON),)


def test_a_file_of_plain_tasks_reads_as_tasks_not_decided(by_hand):
    path = by_hand(
        "prompt,intent,type,reason,note",
        "Fold,feasible,Functional Ceiling,,x",
        "Settle it,infeasible,,no scientific consensus,",
    )
    found, plain = read(path), read_tasks(path)
    assert [(r.line, r.text, r.intent, r.type, r.reason) for r in found.rows] == [
        (r.line, r.text, r.intent, r.type, r.reason) for r in plain.rows
    ]
    assert all(row.decisions == () for row in found.rows)
    assert found.findings == plain.findings == ("1 column is not used: 'note'",)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (",keep,,,Ada,", "has no task text"),
        ("Fold,maybe,,,Ada,", "has the unknown decision 'maybe'"),
        ("Fold,undo,,,Ada,", "has the unknown decision 'undo'"),
        ("Fold,remove,,,Ada,", "removes the task and has no removal reason"),
        ("Fold,remove,ugly,,Ada,", "has the unknown removal reason 'ugly'"),
        (
            "Fold,keep,malformed,,Ada,",
            "does not remove the task and yet has the removal reason 'malformed'",
        ),
        ("Fold,,malformed,,,", "has the removal reason 'malformed' and no decision"),
        ("Fold,keep,,,,", "does not say who decided"),
        ("Fold,keep,,, ,", "does not say who decided"),
        ("Fold,keep,,,Ada,yesterday", "has 'yesterday' for the time of the decision"),
        (
            "Fold,keep,,,Ada,0001-01-01T00:00+01:00",
            "has '0001-01-01T00:00+01:00' for the time of the decision",
        ),
        ("Fold,keep", "has 2 cells where the header has 6"),
    ],
)
def test_each_fault_of_a_row_is_told_in_words_and_spoils_no_other_row(by_hand, line, why):
    path = by_hand(HEADER, "Draw,keep,,,Ada,", line, "Name,,,,,")
    assert faults(path) == [f"row 3 of hand.csv {why}"]
    assert [row.text for row in read(path).rows] == ["Draw", "Name"]


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "long", "1e999"])
def test_seconds_are_a_number_from_0_up(by_hand, seconds):
    path = by_hand(
        "text,decision,person,seconds_active", "Draw,keep,Ada,0", f"A,keep,Ada,{seconds}"
    )
    assert faults(path) == [f"row 3 of hand.csv has {seconds!r} for the seconds it took"]
    assert read(path).rows[0].decisions == (decision(seconds_active=0.0),)


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (",,Missing Context", "has no intent"),
        (",Ceiling,", "has the unknown type 'Ceiling'"),
        ("feasible,,", "is feasible and has no type"),
        ("infeasible,,", "is infeasible and has no reason"),
    ],
)
def test_intent_type_and_reason_follow_the_rules_of_plain_tasks_unless_how_it_was_meant_is_hidden(
    by_hand, cells, why
):
    path = by_hand("text,intent,type,reason", "Draw,,,", f"Fold,{cells}")
    assert faults(path) == [f"row 3 of hand.csv {why}"]


def test_a_type_may_stand_alone(by_hand):
    path = by_hand("text,intent,type,reason", "Draw,,,", "Fold,,functional ceiling,")
    found = [(row.intent, row.type, row.reason) for row in read(path).rows]
    assert found == [(None, None, None), (None, "Functional Ceiling", None)]


def test_a_refusal_says_what_was_wanted(by_hand):
    path = by_hand(HEADER, "Draw,keep,,,Ada,", "Fold,remove,,,Ada,")
    with pytest.raises(InputError) as caught:
        raise_for_bad_rows(read(path))
    assert str(caught.value) == (
        "row 3 of hand.csv removes the task and has no removal reason; 1 other row is fine"
    )
    assert caught.value.hint == (
        "fix the row (known reasons: malformed, wrong_language, other), "
        "or import with bad rows skipped"
    )


def test_a_file_without_text_or_without_a_good_row_or_not_there_is_refused(by_hand, tmp_path):
    with pytest.raises(InputError, match="has no column text; it has 'decision'"):
        read(by_hand("decision", "keep"))
    with pytest.raises(InputError, match="no other row is fine"):
        read(by_hand("text,decision", "Fold,keep"))
    with pytest.raises(InputError, match="2 columns for decision: 'action', 'state'"):
        read(by_hand("text,action,state", "Fold,keep,kept"))
    with pytest.raises(NotFoundError):
        read(tmp_path / "none.csv")


def test_a_note_without_a_decision_is_a_finding(by_hand):
    path = by_hand(HEADER, "Draw,keep,,fine,Ada,", "Fold,,,look again,,")
    assert read(path).findings == (
        "1 row has a note and no decision, and it is not used; the first is row 3",
    )


def test_a_mended_reject_file_can_be_imported_as_it_is(by_hand, tmp_path):
    rejects = tmp_path / "rejects.csv"
    path = by_hand(HEADER, "Draw,keep,,,Ada,", '"=1+1\r\n",keep,,,,')
    assert write_reject_file(read(path).bad_rows, rejects) == 1
    rejects.write_bytes(rejects.read_bytes().replace(b",keep,,,,", b",keep,,,Ada,"))
    (row,) = read(rejects).rows
    assert (row.text, row.decisions) == ("=1+1\r\n", (decision(),))
    assert "not used" not in " ".join(read(rejects).findings)


# Histories


@pytest.fixture
def history_file(tmp_path):
    """Writes a JSONL file of tasks with these cells for decisions_json, and returns its path."""

    def write(*cells, **other):
        path = tmp_path / "tasks.jsonl"
        rows = [
            {"text": f"Task {n}", "decisions_json": cell} | other for n, cell in enumerate(cells)
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


KEEP = {"person": "Ada", "action": "keep"}


def test_a_history_may_be_json_text_or_the_list_itself_and_leave_out_what_is_empty(history_file):
    as_list = [KEEP | {"seconds_active": 1.5, "is_final": True}]
    found = read(history_file(json.dumps(as_list), as_list, "[]", None))
    one = decision("keep", seconds_active=1.5, is_final=True)
    assert [row.decisions for row in found.rows] == [(one,), (one,), (), ()]


@pytest.mark.parametrize(
    ("history", "why"),
    [
        ("keep", "has 'keep' where its decisions belong"),
        ('{"a": 1}', "has '{\"a\": 1}' where its decisions belong"),
        (["keep"], "holds a decision (1 of 1) that is 'keep' and no object"),
        ([KEEP, KEEP | {"action": "maybe"}], "(2 of 2) that has the unknown decision 'maybe'"),
        ([KEEP | {"action": "kept"}], "(1 of 1) that has the unknown decision 'kept'"),
        ([{"action": "keep"}], "(1 of 1) that does not say who decided"),
        ([KEEP | {"reasn": "x"}], "(1 of 1) that has the unknown field 'reasn'"),
        ([KEEP | {"action": "remove"}], "that removes the task and has no removal reason"),
        (
            [KEEP | {"action": "remove", "reason": "Malformed"}],
            "that has the unknown removal reason 'Malformed'",
        ),
        ([KEEP | {"reason": "malformed"}], "yet has the removal reason 'malformed'"),
        ([KEEP | {"note": ["a"]}], "that has \"['a']\" for note where text was wanted"),
        ([KEEP | {"decided_at": "noon"}], "that has 'noon' for the time of the decision"),
        ([KEEP | {"seconds_active": -2}], "that has '-2' for the seconds it took"),
        ([KEEP | {"is_final": "yes"}], "that has 'yes' for is_final"),
        ([KEEP | {"undoes": "a"}], "that has the action 'keep' and undoes 'a'"),
        ([KEEP | {"action": "undo"}], "that has the action 'undo' and undoes 'None'"),
        (
            [KEEP | {"action": "undo", "undoes": "a"}],
            "that takes back 'a', which is no earlier decision",
        ),
        (
            [KEEP | {"decision_id": "a"}, KEEP | {"decision_id": "a"}],
            "(2 of 2) that has the decision_id 'a' once more",
        ),
    ],
)
def test_each_decision_of_a_history_is_checked(history_file, history, why):
    (fault,) = faults(history_file([KEEP], history))
    assert fault.startswith("row 2 of tasks.jsonl ")
    assert fault.endswith(why)


def test_the_history_counts_and_a_plain_cell_that_says_otherwise_is_a_finding(history_file):
    path = history_file([KEEP], [KEEP], state="removed", removal_reason="malformed")
    found = read(path)
    assert [row.decisions for row in found.rows] == [(decision(),), (decision(),)]
    assert found.findings == (
        "2 rows say in state what decisions_json does not, which counts; the first is row 1",
    )


@pytest.mark.parametrize("state", ["kept", "pending", "disputed", "decided by others", None])
def test_a_state_that_fits_or_that_is_no_decision_is_no_finding(history_file, state):
    assert read(history_file([KEEP], state=state)).findings == ()


def test_a_row_added_by_hand_to_a_written_file_is_read_by_its_plain_cells(tmp_path):
    path = written(tmp_path, [task("Fold", decision(decision_id="a"), state="kept")], "csv")
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(",Draw,,,,removed,Malformed,,Ben,,,\r\n")
    assert [row.decisions for row in read(path).rows] == [
        (decision(decision_id="a"),),
        (decision("remove", person="Ben"),),
    ]
