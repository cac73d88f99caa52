"""Decisions that come in with their tasks: whose, when, in which order, and each only once."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import InputError
from core.exchange.decided_tasks import LABEL_STUDIO
from core.store.verify import verify
from core.workflows.desk import Desk
from core.workflows.importing import import_tasks
from core.workflows.people import person_named
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.decided_exchange import PRIME, brought, exported, states, stored
from tests.support.decided_files import NOON


def test_decisions_without_ids_are_added_once_and_equal_ones_are_counted(
    bench: Workbench, study: Study, by_hand
) -> None:
    row = PRIME | {"task_id": "theirs 1", "decision": "keep", "decided_by": "Ada"}
    row |= {"decided_at": NOON.isoformat()}
    path = by_hand(row, row, row | {"decided_by": "Ben"}, row | {"task_id": "theirs 2"})
    # Rows that name one task are one task; here two annotators, and Ada twice.
    for wanted in [(2, 4), (0, 0)]:
        assert brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
    assert verify(bench.store) == []


def test_people_are_known_by_name_whatever_the_spaces(
    bench: Workbench, study: Study, by_hand
) -> None:
    ada = person_named(bench.store, "Ada Old")
    row = PRIME | {"decision": "keep"}
    path = by_hand(row | {"decided_by": " Ada  Old"}, row | {"decided_by": "Ben"})
    import_tasks(bench.store, [path], study_name="Small")
    people = {row["name"]: row["person_id"] for row in bench.store.rows("people_all")}
    assert people.keys() == {"Ada Old", "Ben"}
    assert people["Ada Old"] == ada.person_id


def test_decisions_count_in_the_order_of_their_times_and_a_desk_at_work_follows(
    bench: Workbench, study: Study, ids: list[str], by_hand
) -> None:
    desk = Desk(bench.store, study)
    ada = person_named(bench.store, "Ada")
    assert desk.progress(ada).totals == {"pending": 20}
    row = {"task_id": ids[0], "text": "Task 0 of its cell.", "decided_by": "Ben"}
    path = by_hand(
        row | {"decision": "keep", "decided_at": (NOON + timedelta(hours=1)).isoformat()},
        row
        | {"decision": "remove", "removal_reason": "unsafe", "decided_at": NOON.isoformat()}
        | {"note": "at first"},
        row | {"decision": "keep", "decided_by": "Ada", "decided_at": NOON.isoformat()},
    )
    import_tasks(bench.store, [path], study_name="Small")
    assert [row[:2] for row in stored(bench.store, study)] == [
        ("Ben", "remove"),
        ("Ada", "keep"),
        ("Ben", "keep"),
    ]
    assert desk.progress(ada).totals == {"kept": 1, "pending": 19}
    assert desk.board().state(ids[0]) == "kept"
    # An undo on the desk takes back what the file brought.
    assert desk.undo(ada) == [ids[0]]
    assert desk.board().state(ids[0]) == "pending"


def test_a_history_keeps_its_order_where_a_clock_was_set_back(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    about = {"person": "Ada", "action": "keep"}
    history = [
        about | {"decision_id": "a", "decided_at": "2026-03-01T12:00:00Z"},
        about | {"decision_id": "b", "action": "skip", "decided_at": "2026-03-01T11:00:00Z"},
        about | {"action": "undo", "undoes": "b", "decided_at": "2026-03-01T10:00:00Z"},
    ]
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(PRIME | {"decisions_json": history}))
    assert brought(import_tasks(bench.store, [path], study_name="Small")) == [(1, 3)]
    assert [row[1] for row in stored(bench.store, study)] == ["keep", "skip", "undo"]
    assert set(states(bench.store, study).values()) == {"kept"}
    assert brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 0)]


def test_a_decision_without_a_time_gets_that_of_the_import_and_a_finding_says_so(
    bench: Workbench, study: Study, by_hand
) -> None:
    start = datetime.now(UTC)
    path = by_hand(PRIME | {"decision": "keep", "decided_by": "Ada"})
    [found] = import_tasks(bench.store, [path], study_name="Small")
    assert "1 decision has no time, and that of the import counts" in found.findings
    [row] = bench.store.frame("export_reviews", study_id=study.study_id).to_dict("records")
    assert start <= row["decided_at"] <= datetime.now(UTC)


def test_what_was_annotated_in_label_studio_comes_after_the_history_and_only_once(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path
) -> None:
    path = exported(bench.store, study, tmp_path, LABEL_STUDIO)
    items = json.loads(path.read_text(encoding="utf-8"))
    results = [
        {"from_name": "decision", "type": "choices", "value": {"choices": ["remove"]}},
        {
            "from_name": "removal_reason",
            "type": "choices",
            "value": {"choices": ["Unsafe to show"]},
        },
    ]
    items[7]["annotations"].append(
        {
            "completed_by": {"email": "eve@x.org"},
            "created_at": "2099-03-01T12:00:00.000000Z",
            "lead_time": 12.5,
            "result": results,
        }
    )
    path.write_text(json.dumps(items), encoding="utf-8")
    for wanted in [(0, 1), (0, 0)]:
        assert brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
    newest = bench.store.rows("reviews_of_task", task_id=worked[7])[-1]
    assert (newest["person"], newest["action"], newest["reason"]) == (
        *("eve@x.org", "remove"),
        "unsafe",
    )
    assert newest["seconds_active"] == 12.5
    # Two people agree on it now.
    rows = {
        row["task_id"]: row["state"]
        for row in bench.store.rows("tasks_short", study_id=study.study_id)
    }
    assert rows[worked[7]] == "removed"


def test_annotators_of_one_task_in_json_min_decide_one_task(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    min_row = PRIME | {"annotation_id": 1, "created_at": NOON.isoformat(), "decision": "keep"}
    rows = [
        min_row | {"id": number, "annotator": annotator}
        for number, annotator in [(5, "ada@x.org"), (5, "ben@x.org"), (6, "ada@x.org")]
    ]
    path = tmp_path / "project.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    # Task 6 says the same as task 5 and is another one.
    for wanted in [(2, 3), (0, 0)]:
        assert brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
    decided = bench.store.frame("export_reviews", study_id=study.study_id).groupby("task_id")
    assert sorted(map(sorted, decided["person"].agg(list))) == [
        ["ada@x.org"],
        ["ada@x.org", "ben@x.org"],
    ]


def test_a_lone_surrogate_is_the_same_task_and_decision_when_it_comes_in_again(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    decided = {"decision_id": "a", "person": "Ada\ud835", "action": "keep", "note": "\ud835"}
    path = tmp_path / "tasks.jsonl"
    row = PRIME | {"text": "Half \ud835", "decisions_json": [decided]}
    path.write_text(json.dumps(row))
    with pytest.raises(InputError, match="names the person"):
        import_tasks(bench.store, [path], study_name="Small")
    path.write_text(json.dumps(row | {"decisions_json": [decided | {"person": "Ada"}]}))
    for wanted in [(1, 1), (0, 0)]:
        assert brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
