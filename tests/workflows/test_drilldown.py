"""Every number leads to exactly the tasks that it counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import NotFoundError
from core.store.store import Store
from core.workflows.curation import decide
from core.workflows.drilldown import TaskQuery, task_story, tasks_behind
from core.workflows.findings import refresh_findings
from core.workflows.funnel import curation_funnel
from core.workflows.people import person_named
from core.workflows.results import label_counts
from core.workflows.studies import Study
from tests.support.big_study import classify_all, make_big_study


@pytest.fixture(scope="module")
def classified(tmp_path_factory) -> Iterator[tuple[Store, Study]]:
    """A study of 300 tasks, all classified, of which 20 were decided before."""
    path: Path = tmp_path_factory.mktemp("drill") / "s.duckdb"
    with Store.open(path) as store:
        study = make_big_study(store, n_tasks=300, n_decided=20)
        classify_all(store, study)
        yield store, study


@pytest.mark.parametrize("key", ["types", "reasons"])
def test_a_square_leads_to_the_tasks_it_counts(classified, key: str) -> None:
    store, study = classified
    [exhibit] = [one for one in study.shape.results().exhibits if one.key == key]
    frame = exhibit.table(label_counts(store, [study]))
    assert frame["n"].sum() == 295  # five of the first twenty tasks were removed
    for row in frame.itertuples():
        query = TaskQuery(**exhibit.pick({"row": row.generated, "column": row.classified}))
        assert tasks_behind(store, [study], query)[1] == row.n, row


def test_a_bar_leads_to_the_tasks_its_share_is_of(classified) -> None:
    store, study = classified
    [exhibit] = [one for one in study.shape.results().exhibits if one.key == "scores"]
    for row in exhibit.table(label_counts(store, [study])).to_dict("records"):
        mark = {name: row[name] for name in ("study", "model", "metric")}
        query = TaskQuery(**exhibit.pick(mark))
        assert tasks_behind(store, [study], query)[1] == row["n"], row["metric"]


def test_every_stage_of_the_funnel_leads_to_its_tasks(classified) -> None:
    store, study = classified
    refresh_findings(store, study)
    ada = person_named(store, "Ada")
    ids = [row["task_id"] for row in store.rows("tasks_short", study_id=study.study_id)]
    decide(store, study, ids[40], "skip", person=ada)
    for row in curation_funnel(store, study).itertuples():
        query = TaskQuery(of_study=study.name, stage=row.stage)
        assert tasks_behind(store, [study], query)[1] == row.n, row.stage
    assert tasks_behind(store, [study], TaskQuery(of_study="Elsewhere", stage="kept")) == ([], 0)


def test_a_square_of_the_matrix_leads_to_the_tasks_of_its_inventor(classified) -> None:
    store, study = classified
    own = TaskQuery(subject=study.subject, model=study.subject)
    assert tasks_behind(store, [study], own)[1] == 295
    assert tasks_behind(store, [study], TaskQuery(subject="somebody/else"))[1] == 0


def test_what_agrees_and_what_does_not_add_up(classified) -> None:
    store, study = classified
    found = [tasks_behind(store, [study], TaskQuery(agrees=one))[1] for one in ("yes", "no")]
    assert sum(found) == tasks_behind(store, [study], TaskQuery())[1] == 295
    assert tasks_behind(store, [study], TaskQuery(), with_removed=True)[1] == 300


def test_pages_hold_every_task_once(classified) -> None:
    store, study = classified
    query, seen = TaskQuery(intent="feasible"), []
    total = tasks_behind(store, [study], query, n=1)[1]
    for first in range(0, 300, 40):
        rows, n_matching = tasks_behind(store, [study], query, first=first, n=40)
        seen += [row["task_id"] for row in rows]
        assert all(row["intent"] == "feasible" for row in rows)
        # A page behind the last has nothing to tell how many there are.
        assert n_matching in (total, 0 if not rows else total)
    assert len(seen) == len(set(seen)) == total


def test_a_task_tells_its_whole_story(classified) -> None:
    store, study = classified
    first = store.rows("tasks_short", study_id=study.study_id)[1]
    story = task_story(store, study, first["task_id"])
    assert story.task["text"] == first["text"]
    assert [(row["person"], row["after"]) for row in story.history] == [("Eve", "kept")]
    assert [answer["model"] for answer in story.answers] == [study.subject]
    with pytest.raises(NotFoundError, match="Big has no task 'zz'"):
        task_story(store, study, "zz")
