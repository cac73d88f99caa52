"""Label Studio's exports as JSON-MIN and as CSV: a row is an annotation."""

import pytest

from tests.support.decided_files import NOON, task
from tests.support.label_studio import decision, decisions, faults, items_written, read

MIN = {
    "id": 5,
    "text": "Fold",
    "annotator": "ada@example.org",
    "annotation_id": 71,
    "created_at": "2026-03-01T11:00:00Z",
    "updated_at": "2026-03-01T12:00:00Z",
    "lead_time": 4.25,
}


def test_rows_of_json_min_are_read_one_annotation_each(exported):
    keep = MIN | {"decision": "keep", "selfbound_task_id": "t1"}
    remove = MIN | {"decision": "remove", "removal_reason": "other", "note": "so", "annotator": 2}
    found = read(exported(keep, remove, {"id": 6, "text": "Draw"}))
    assert [(row.task_id, row.text) for row in found.rows] == [
        ("t1", "Fold"),
        ("Label Studio task 5", "Fold"),
        ("Label Studio task 6", "Draw"),
    ]
    took = {"decided_at": NOON, "seconds_active": 4.25}
    assert [row.decisions for row in found.rows] == [
        (decision("keep", **took),),
        (decision("remove", reason="other", note="so", person="Label Studio user 2", **took),),
        (),
    ]
    assert found.findings == ("1 row repeats the text of an earlier row exactly",)


def test_a_history_travels_through_json_min_too(tmp_path, exported):
    sent = decision("keep", decision_id="a", person="Ada", is_final=True, seconds_active=4.25)
    (item,) = items_written(tmp_path, task(sent))
    known = MIN | item["data"] | {"decision": "keep"}
    assert decisions(exported(known)) == (sent,)
    new = known | {"decision": "remove", "removal_reason": "other"}
    assert [one.action for one in decisions(exported(new))] == ["keep", "remove"]


def test_a_csv_export_is_read_with_its_lines_of_notes(tmp_path):
    path = tmp_path / "project.csv"
    path.write_text(
        "annotation_id,annotator,created_at,decision,id,lead_time,note,text,updated_at\n"
        "71,1,2026-03-01T11:00:00Z,keep,5,4.25,so,Fold,2026-03-01T12:00:00Z\n"
    )
    assert decisions(path) == (
        decision(note="so", person="Label Studio user 1", decided_at=NOON, seconds_active=4.25),
    )


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"decision": {"choices": ["keep", "skip"]}}, "has the unknown decision"),
        ({"decision": "remove"}, "removes the task and has no removal reason"),
        ({"decision": "keep", "annotator": None}, "does not say who decided"),
    ],
)
def test_each_fault_of_json_min_is_told(exported, cells, why):
    (fault,) = faults(exported({"text": "Draw"}, MIN | cells))
    assert fault.startswith(f"row 2 of project.json {why}")
