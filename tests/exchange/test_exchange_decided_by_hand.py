"""Tasks with decisions in files made by hand: what is understood, and what is wrong in words."""

import pytest

from core.errors import InputError, NotFoundError
from core.exchange.decided_tasks import DecidedTaskRow, read_decided_tasks
from core.exchange.rejects import write_reject_file
from core.exchange.row_file import raise_for_bad_rows
from core.exchange.tasks import read_tasks
from tests.support.decided_files import NOON, decision, faults, read

HEADER = "text,decision,removal_reason,note,decided_by,decided_at"


@pytest.fixture
def by_hand(tmp_path):
    """Writes lines below a header, and returns the file's path."""

    def write(header, *lines):
        path = tmp_path / "hand.csv"
        path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8", newline="")
        return path

    return write


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
