"""Whole histories in a file: every decision is checked, and the history counts, not the row."""

import json

import pytest

from tests.support.decided_files import decision, faults, read, task, written

KEEP = {"person": "Ada", "action": "keep"}


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
    path = written(tmp_path, [task(decision(decision_id="a"), state="kept")], "csv")
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(",Draw,,,,removed,Malformed,,Ben,,,\r\n")
    assert [row.decisions for row in read(path).rows] == [
        (decision(decision_id="a"),),
        (decision("remove", person="Ben"),),
    ]
