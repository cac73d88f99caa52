"""Tasks with decisions out of a store and into another: nothing lost, and nothing doubled."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from core.exchange.decided_tasks import FORMATS
from core.store.store import Store
from core.store.verify import verify
from core.workflows.desk import Desk
from core.workflows.importing import import_tasks
from core.workflows.people import person_named
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.decided_exchange import brought, exported, rows_of, states, stored, study_like
from tests.support.row_files import plain_rows

# There and back


@pytest.mark.parametrize("format", FORMATS)
def test_a_study_comes_back_from_a_fresh_store_with_its_states_and_whole_history(
    bench: Workbench, study: Study, worked: list[str], other: Store, tmp_path: Path, format: str
) -> None:
    path = exported(bench.store, study, tmp_path, format)
    there = study_like(other, "There")
    # 11 single decisions and one undo, 4 + 2 together, and 2 undos of those.
    n_decisions = len(stored(bench.store, study))
    assert brought(import_tasks(other, [path], study_name="There")) == [(20, n_decisions)]
    assert states(other, there) == states(bench.store, study)
    assert set(states(other, there).values()) == {
        "kept",
        "removed",
        "disputed",
        "skipped",
        "pending",
    }
    assert verify(other) == []
    back = exported(other, there, tmp_path, format, "back")
    for before, after in zip(rows_of(path), rows_of(back), strict=True):
        assert replace(after, task_id=before.task_id) == before
    people = {one.person for row in rows_of(back) for one in row.decisions}
    assert people == {"Ada", "=Zebulon, 'B.'"}


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_that_comes_in_again_adds_nothing_anywhere(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    path = exported(bench.store, study, tmp_path, format)
    before = stored(bench.store, study)
    assert brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 0)]
    copy = study_like(bench.store, "Copy")
    twice = import_tasks(bench.store, [path, path], study_name="Copy")
    assert brought(twice) == [(20, len(before)), (0, 0)]
    assert brought(import_tasks(bench.store, [path], study_name="Copy")) == [(0, 0)]
    assert states(bench.store, copy) == states(bench.store, study)
    assert stored(bench.store, study) == before
    # Ids and undos of the copy are its own: no decision stands for two.
    assert verify(bench.store) == []


def test_the_same_study_in_four_formats_is_the_same_study(
    bench: Workbench, study: Study, worked: list[str], other: Store, tmp_path: Path
) -> None:
    study_like(other, "There")
    paths = [exported(bench.store, study, tmp_path, format, format) for format in FORMATS]
    n_decisions = len(stored(bench.store, study))
    found = import_tasks(other, paths, study_name="There")
    assert brought(found) == [(20, n_decisions), (0, 0), (0, 0), (0, 0)]


# What is written


@pytest.mark.parametrize("format", FORMATS[:3])
def test_the_states_in_a_file_are_those_of_the_store_and_of_the_desk(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    rows = plain_rows(exported(bench.store, study, tmp_path, format))
    found: dict[tuple, Counter[str]] = {}
    for row in rows:
        found.setdefault((row["type"], row["intent"]), Counter())[row["state"]] += 1
    for cell in bench.store.rows("curation_cells", study_id=study.study_id):
        counts = found.pop((cell["type"], cell["intent"]))
        assert counts.total() == cell["n_tasks"]
        assert counts == {state: cell[state] for state in counts}
    assert found == {}
    desk = Desk(bench.store, study)
    totals = desk.progress(person_named(bench.store, "Ada")).totals
    # Of 12 tasks touched: 0 and 3 kept, 2 removed, 1 disputed, 4 and 5 skipped, the rest wait.
    assert Counter(row["state"] for row in rows) == totals
    assert totals == {"kept": 2, "removed": 1, "disputed": 1, "skipped": 2, "pending": 14}


def test_what_speaks_for_a_task_is_in_its_plain_columns(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path
) -> None:
    rows = plain_rows(exported(bench.store, study, tmp_path, "jsonl"))
    assert [row["task_id"] for row in rows] == worked
    assert (rows[2]["removal_reason"], rows[2]["note"], rows[2]["decided_by"]) == (
        *("duplicate", ""),
        "Ada",
    )
    assert (rows[0]["decided_by"], rows[0]["seconds_active"]) == ("=Zebulon, 'B.'", None)
    assert (rows[6]["state"], rows[6]["decided_by"]) == ("pending", None)
