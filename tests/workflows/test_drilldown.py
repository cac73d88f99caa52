"""Every number leads to exactly the tasks that it counts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
import pytest

from core.errors import NotFoundError
from core.store.store import Store
from core.workflows.curation import decide
from core.workflows.drilldown import TaskQuery, task_story, tasks_behind
from core.workflows.findings import refresh_findings
from core.workflows.funnel import curation_funnel
from core.workflows.human_baseline import begin_attempts
from core.workflows.importing import import_line_of_duty
from core.workflows.people import person_named
from core.workflows.results import label_counts
from core.workflows.studies import Study
from core.workflows.study_overviews import list_studies
from tests.support.big_study import classify_all, make_big_study

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "published" / "line_of_duty"


@pytest.fixture(scope="module")
def classified(tmp_path_factory) -> Iterator[tuple[Store, Study]]:
    """A study of 300 tasks, all classified, of which 20 were decided before."""
    path: Path = tmp_path_factory.mktemp("drill") / "s.duckdb"
    with Store.open(path) as store:
        study = make_big_study(store, n_tasks=300, n_decided=20)
        classify_all(store, study)
        begin_attempts(store, study, person_named(store, "Ada"))
        yield store, study


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Iterator[tuple[Store, list[Study]]]:
    """The ten published studies."""
    if not PUBLISHED.is_dir():
        pytest.skip("the published files are not beside the project")
    with Store.open(tmp_path_factory.mktemp("published") / "s.duckdb") as store:
        import_line_of_duty(store, sorted(PUBLISHED.glob("*.xlsx")))
        yield store, [one.study for one in list_studies(store)]


def _leads_right(store: Store, studies: Sequence[Study], counts: pd.DataFrame) -> int:
    """How many marks were followed; each has to lead to as many tasks as it counts."""
    n_followed = 0
    for exhibit in studies[0].shape.results().exhibits:
        if exhibit.pick is None:
            continue
        for row in exhibit.table(counts).to_dict("records"):
            mark = _mark(exhibit.chart, row)
            found = tasks_behind(store, studies, TaskQuery(**exhibit.pick(mark)))[1]
            assert found == row["n"], (exhibit.key, mark)
            n_followed += 1
    return n_followed


def _mark(chart: str, row: dict) -> dict[str, str]:
    """What a click on the row's mark names."""
    columns = {
        "confusion": {"row": "generated", "column": "classified"},
        "matrix": {"row": "subject", "column": "model"},
        "balance": {"label": "type"},
    }
    own = {name: name for name in ("study", "model", "metric", "type") if name in row}
    return {name: row[column] for name, column in columns.get(chart, own).items()}


def test_every_mark_leads_to_the_tasks_it_counts(classified) -> None:
    store, study = classified
    # Five of the first twenty tasks were removed, and all wait for a person who has begun.
    counts = label_counts(store, [study])
    assert counts["n"].sum() == 295
    assert _leads_right(store, [study], counts) > 150


def test_every_mark_of_the_published_studies_leads_to_the_tasks_it_counts(published) -> None:
    # Among them are nineteen classifications that name no reason, and some that name a type only.
    store, studies = published
    assert _leads_right(store, studies, label_counts(store, studies)) > 300


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


def test_only_the_models_asked_for_are_counted(classified) -> None:
    store, study = classified
    own = TaskQuery(subject=study.subject, models=(study.subject, "person/Nobody"))
    assert tasks_behind(store, [study], own)[1] == 295
    assert tasks_behind(store, [study], TaskQuery(models=("person/Nobody",)))[1] == 0
    assert tasks_behind(store, [study], TaskQuery(subject="somebody/else"))[1] == 0


def test_pages_hold_every_task_once(classified) -> None:
    store, study = classified
    query, seen = TaskQuery(intent="feasible"), []
    total = tasks_behind(store, [study], query, n=1)[1]
    for first in range(0, 300, 40):
        rows, n_matching = tasks_behind(store, [study], query, first=first, n=40)
        seen += [row["task_id"] for row in rows]
        assert all(row["intent"] == "feasible" for row in rows)
        assert n_matching == (total if rows else 0)
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
