"""Blind files of decided tasks: nothing is told that a person may not see, and work comes back."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.errors import InputError
from core.exchange.decided_tasks import FORMATS, LABEL_STUDIO
from core.store.store import Store
from core.workflows.curation import decide, undo
from core.workflows.desk import Desk
from core.workflows.desk_table import TaskFilter, table_page
from core.workflows.exporting import export_decided_tasks
from core.workflows.importing import import_tasks
from core.workflows.people import person_named
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.decided_exchange import brought, rows_of, stored, study_like
from tests.support.decided_files import path_for
from tests.support.row_files import plain_rows


def _all_said(path: Path, format: str) -> bytes:
    """The file's bytes, and for Parquet, which is compressed, its cells as well."""
    data = path.read_bytes()
    if format == "parquet":
        data += json.dumps(pq.read_table(path).to_pylist(), default=str).encode()
    return data


def _told(data: bytes, words: Sequence[str]) -> list[str]:
    return [word for word in words if word.encode() in data]


def _secrets(bench: Workbench, study: Study) -> list[str]:
    """All that a blind file must not tell of the tasks of `worked`."""
    tasks = bench.store.rows("tasks_to_match", study_id=study.study_id)
    meant = {row[name] for row in tasks for name in ("intent", "reason")} - {None}
    removed = ("malformed", "duplicate", "wrong_type", "unsafe", "wrong_language")
    return [*sorted(meant), *removed, "Ada", "Zebulon", "own words", "too long"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_blind_file_for_somebody_who_decided_nothing_tells_nothing(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    open_path, blind_path = path_for(tmp_path, format, "open"), path_for(tmp_path, format, "blind")
    export_decided_tasks(bench.store, study, open_path, format=format)
    # All of it is there to be told, or the rest of this test could not fail.
    secrets = _secrets(bench, study)
    assert len(secrets) > 15
    assert _told(_all_said(open_path, format), secrets) == secrets
    for person in (None, person_named(bench.store, "Cem")):
        export_decided_tasks(
            bench.store, study, blind_path, format=format, person=person, is_blind=True
        )
        assert _told(_all_said(blind_path, format), [*secrets, "disputed"]) == []
        assert len(rows_of(blind_path)) == 20


@pytest.mark.parametrize("format", FORMATS)
def test_a_blind_file_tells_of_others_only_on_tasks_the_person_has_decided(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    ada, path = person_named(bench.store, "Ada"), path_for(tmp_path, format)
    export_decided_tasks(bench.store, study, path, format=format, person=ada, is_blind=True)
    rows = {row.task_id: row for row in rows_of(path)}
    # Ada decided tasks 0 to 3, skipped 4, and took her decisions on 8 and 9 back.
    for at, task_id in enumerate(worked):
        is_seen = at < 4
        assert (rows[task_id].intent is not None) == is_seen
        assert rows[task_id].type is not None
        others = [one for one in rows[task_id].decisions if one.person != "Ada"]
        assert bool(others) == is_seen
    own = [[one.action for one in rows[worked[at]].decisions] for at in (4, 8, 10)]
    assert own == [["skip"], ["remove", "undo"], []]
    # Ben's removal of task 7; and what was said on tasks that Ada may see.
    said = _all_said(path, format)
    assert _told(said, ["unsafe", "own words", "too long"]) == ["own words", "too long"]


@pytest.mark.parametrize("format", FORMATS[:3])
@pytest.mark.parametrize("name", ["Ada", "=Zebulon, 'B.'", "Cem"])
def test_a_blind_file_says_of_each_task_what_the_table_on_screen_says(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str, name: str
) -> None:
    person, path = person_named(bench.store, name), path_for(tmp_path, format)
    export_decided_tasks(bench.store, study, path, format=format, person=person, is_blind=True)
    written = plain_rows(path)
    page = table_page(Desk(bench.store, study), person, TaskFilter())
    assert [row["task_id"] for row in page.rows] == [row["task_id"] for row in written]
    for shown, row in zip(page.rows, written, strict=True):
        for key in ("type", "intent", "reason", "state", "removal_reason"):
            assert (row[key] or None) == shown[key]


def test_a_blind_file_holds_no_final_decision_on_a_task_that_is_not_seen_nor_its_undo(
    bench: Workbench, study: Study, ids: list[str], tmp_path: Path
) -> None:
    ada = person_named(bench.store, "Ada")
    decide(bench.store, study, ids[0], "keep", person=ada, is_final=True)
    undo(bench.store, study, person=ada)
    path = tmp_path / "tasks.jsonl"
    export_decided_tasks(bench.store, study, path, format="jsonl", person=ada, is_blind=True)
    assert rows_of(path)[0].decisions == ()


@pytest.mark.parametrize("is_blind", [False, True])
def test_a_pending_task_is_decided_in_a_spreadsheet_by_its_plain_columns(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, is_blind: bool
) -> None:
    path, before = tmp_path / "tasks.csv", len(stored(bench.store, study))
    export_decided_tasks(bench.store, study, path, format="csv", is_blind=is_blind)
    rows = plain_rows(path)
    assert rows[13]["state"] == "pending"
    rows[13] |= {"state": "removed", "removal_reason": "malformed", "decided_by": "Ada"}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 1)]
    assert len(stored(bench.store, study)) == before + 1
    [review] = bench.store.rows("reviews_of_task", task_id=worked[13])
    assert (review["person"], review["action"], review["reason"]) == ("Ada", "remove", "malformed")


def test_a_task_that_others_decided_is_decided_in_a_blind_spreadsheet(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "tasks.csv"
    export_decided_tasks(bench.store, study, path, format="csv", is_blind=True)
    text = path.read_text(encoding="utf-8")
    assert text.count("decided by others") == 4  # two are kept, one removed, one disputed
    path.write_text(text.replace("decided by others,,,,", "kept,,,Cem,", 1), encoding="utf-8")
    assert brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 1)]
    newest = bench.store.rows("reviews_of_task", task_id=worked[0])[-1]
    assert (newest["person"], newest["action"]) == ("Cem", "keep")


def test_a_blind_file_that_was_decided_in_label_studio_comes_back(
    bench: Workbench, study: Study, ids: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "tasks.json"
    export_decided_tasks(bench.store, study, path, format=LABEL_STUDIO, is_blind=True)
    items = json.loads(path.read_text(encoding="utf-8"))
    choice = {"from_name": "decision", "type": "choices", "value": {"choices": ["keep"]}}
    items[3]["annotations"] = [{"completed_by": {"email": "cem@x.org"}, "result": [choice]}]
    path.write_text(json.dumps(items), encoding="utf-8")
    assert brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 1)]
    [review] = bench.store.rows("reviews_of_task", task_id=ids[3])
    assert (review["person"], review["action"]) == ("cem@x.org", "keep")


def test_a_blind_row_of_a_task_that_the_study_does_not_have_cannot_be_used(
    bench: Workbench, study: Study, ids: list[str], other: Store, tmp_path: Path
) -> None:
    path = tmp_path / "tasks.csv"
    export_decided_tasks(bench.store, study, path, format="csv", is_blind=True)
    study_like(other, "There")
    with pytest.raises(InputError) as caught:
        import_tasks(other, [path], study_name="There")
    assert str(caught.value) == (
        f"row 2 of tasks.csv has no intent, and There has no task '{ids[0]}'; "
        "19 more rows have faults; no other row is fine"
    )
    assert caught.value.hint == "fix the rows (feasible, infeasible)"
    with pytest.raises(InputError, match="no other row is fine"):
        import_tasks(other, [path], study_name="There", skip_bad_rows=True)
