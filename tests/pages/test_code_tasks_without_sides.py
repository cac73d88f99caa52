"""Tests decide about every code task alike, so no table has a column that tells its side."""

from pathlib import Path

import pytest

from core.store.store import Store
from core.workflows.curation import decide
from core.workflows.people import person_named
from tests.support.contracts import settled_study, state_chances
from tests.support.curation_screen import sound


@pytest.fixture
def settled(store_path: Path, tmp_path: Path) -> None:
    with Store.open(store_path) as store:
        study = settled_study(store, tmp_path, solved=("sa", "sb"), failed=("fa", "fb"))
        state_chances(store, study, [0.9, 0.8, 0.3, 0.7])
        task = store.rows("code_tasks_of", study_id=study.study_id)[0]["task_id"]
        decide(store, study, task, "keep", person=person_named(store, "Ada"))


def test_the_table_of_curation_has_neither_side_nor_reason(settled, sit_down) -> None:
    page = sit_down(view="table")
    columns = list(page.dataframe[0].value.columns)
    assert columns == ["task", "type", "state", "removed as", "flags", "decided by"]
    assert "side" not in [one.key for one in page.selectbox]


def test_the_tasks_behind_a_number_are_not_told_to_be_decided_by_tests(settled, sit_down) -> None:
    page = sit_down().switch_page("pages/results.py")
    page.query_params["least"], page.query_params["most"] = "0", "1"
    page = sound(page.run())
    [frame] = [one.value for one in page.dataframe if "curation" in one.value]
    assert list(frame.columns) == ["task", "attempt came out as", "chance stated", "curation"]
