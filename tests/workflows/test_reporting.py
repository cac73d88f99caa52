"""The report: made from the store alone, whole, exact, and the same whenever it is made."""

import json
import re
from html import unescape

import pandas as pd
import pyarrow.parquet as pq
import pytest

from core.charts.pictures import exhibit_picture
from core.errors import ConflictError, InputError
from core.metrics.metric_frames import metric_table
from core.records import Reply, Request
from core.workflows.curation import decide
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.drawing import draw_tasks
from core.workflows.people import person_named
from core.workflows.reporting import ReportExhibit, report, save_report, sources
from core.workflows.results import coverage, label_counts
from core.workflows.results_data import results_data
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.tasks import queue

from .conftest import MODEL, obedient

HOSTILE = "Costs $5 <img src=x onerror=alert(1)> & __init__ :smile: 'x' \"y\""


class NoPicture:
    """Stands for a chart where a test looks at words only."""

    svg = "<svg></svg>"
    alt = "a chart"


def _no_picture(_kind: str, _table: pd.DataFrame) -> NoPicture:
    return NoPicture()


def _worked(bench: Workbench, study: Study) -> Study:
    """The study with one task removed before the draw and one after it: 18 of 20 count."""
    ada = person_named(bench.store, "Ada Lovelace")
    start_step(bench, study, "generate").wait(20)
    for reason in ("malformed", "wrong_type"):
        [task] = queue(bench.store, study, n=1)
        decide(bench.store, study, task.task_id, "remove", person=ada, reason=reason)
        if reason == "malformed":
            draw_tasks(bench.store, study)
            start_step(bench, study, "classify").wait(20)
    return study


def _words(page: str) -> str:
    """The page as text, cells parted by bars."""
    body = page[page.index("<body>") :]
    return unescape(re.sub(r"<[^>]+>", "|", body)).replace("||", "|")


def _row(page: str, *names: str) -> list[str]:
    """The cells of the first table row that begins with these."""
    for row in re.findall(r"<tr>(.*?)</tr>", page):
        cells = [
            unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)
        ]
        if tuple(cells[: len(names)]) == names:
            return cells
    raise AssertionError(f"no row {names}")


def test_the_report_tells_question_studies_and_every_exhibit(
    bench: Workbench, study: Study
) -> None:
    page = report(bench.store, [_worked(bench, study)], draw=exhibit_picture)
    shape = study.shape
    assert f"<title>{shape.title}: Small</title>" in page
    assert shape.question in _words(page)
    # A study whose model met its own tasks only has no matrix of models; all else is there.
    crossed = {"matrix_accuracy", "matrix_foresight", "matrix_insight"}
    assert crossed < {exhibit.key for exhibit in shape.results().exhibits}
    assert "exhibit-matrix" not in page
    exhibits = [one for one in shape.results().exhibits if one.key not in crossed]
    for exhibit in exhibits:
        assert f'<h3 id="exhibit-{exhibit.key}">' in page
        assert exhibit.reading in _words(page)
    # One table for each exhibit and its caption; one chart where there is one, and the funnel's.
    captions = re.findall(r"<caption>(.*?)</caption>", page)
    assert {exhibit.title for exhibit in exhibits} <= set(map(unescape, captions))
    assert page.count("<svg ") == 1 + sum(exhibit.chart is not None for exhibit in exhibits)


def test_the_denominators_are_those_of_the_screens(bench: Workbench, study: Study) -> None:
    page = report(bench.store, [_worked(bench, study)], draw=_no_picture)
    [covered] = coverage(bench.store, [study])
    numbers = [covered[key] for key in ("planned", "removed_since", "read", "unread", "open")]
    assert numbers == [19, 1, 18, 0, 0]
    assert _row(page, "Small", MODEL, "19")[2:] == ["19", "1", "18", "0", "0"]
    # The closed sums: planned, nine outcomes, pending.
    assert _row(page, "Small", "generate", "20")[2:] == ["20", "20", *["0"] * 9]
    assert _row(page, "Small", "classify", "19")[2:] == ["19", "19", *["0"] * 9]
    assert _row(page, "Removed")[1] == "2"
    assert _row(page, "Removed: Malformed")[1] == "1"


def test_what_a_provider_answered_and_dropped_is_told(open_bench) -> None:
    def replies(request: Request) -> Reply:
        if request.context["task_id"] is None:
            return obedient(request)
        honoured = {"temperature": 0.5, "schema": "not sent", "dropped": ["seed"]}
        answered = "answers/a" if request.context["intent"] == "feasible" else None
        return Reply(text=obedient(request).text, model=answered, honoured=honoured)

    bench = open_bench(replies)
    study = create_study(
        bench.store, "Small", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    page = report(bench.store, [_worked(bench, study)], draw=_no_picture)
    told = ("Small", "classify", MODEL)
    asked = study.shape.step("classify").parameters["temperature"]
    assert _row(page, *told, "seed")[4:] == ["one for each call", "dropped", "19"]
    assert _row(page, *told, "temperature")[4:] == [str(asked), "0.5", "19"]
    assert _row(page, *told, "schema")[4:] == ["true", "not sent", "19"]
    assert _row(page, "Small", "generate", MODEL, "seed")[5] == "not told"
    n_feasible = int(_row(page, *told, "answers/a")[4])
    assert _row(page, *told, "did not say")[4] == str(19 - n_feasible)


def test_prompts_are_named_with_version_and_whole_hash(bench: Workbench, study: Study) -> None:
    page = report(bench.store, [_worked(bench, study)], draw=_no_picture)
    stored = bench.store.rows("export_prompts", study_id=study.study_id)
    assert len(stored) > 1
    for prompt in stored:
        step = "classify" if "classify" in prompt["name"] else "generate"
        cells = _row(page, "Small", step, prompt["name"])
        assert cells[3:5] == [str(prompt["version"]), prompt["prompt_hash"]]


def test_curation_is_told_by_number_and_without_names(bench: Workbench, study: Study) -> None:
    ada, ben = (person_named(bench.store, name) for name in ("Ada Lovelace", "Ben"))
    set_rules(bench.store, study, DeskRules(overlap=2), person=ada)
    start_step(bench, study, "generate").wait(20)
    for task in queue(bench.store, study, n=4):
        for person in (ada, ben):
            decide(bench.store, study, task.task_id, "keep", person=person)
    draw_tasks(bench.store, study)
    start_step(bench, study, "classify").wait(20)
    page = report(bench.store, [study], draw=_no_picture)
    assert _row(page, "Small", "2")[1:] == ["2", "yes", "en", "never", "2", "4", "0"]
    assert "Small: Percent agreement is 100 %" in _words(page)
    assert "Lovelace" not in page


def test_a_demo_and_a_stand_in_for_people_are_marked(bench: Workbench) -> None:
    from core.workflows.demo import stand_in_for_curator

    study = create_study(
        bench.store,
        "Shown",
        protocol="feasibility_boundary",
        subject=MODEL,
        per_type=2,
        is_demo=True,
    )
    start_step(bench, study, "generate").wait(20)
    n_kept, n_removed = stand_in_for_curator(bench.store, study)
    draw_tasks(bench.store, study, with_removed=True)
    start_step(bench, study, "classify").wait(20)
    page = report(bench.store, [study], draw=_no_picture)
    words = _words(page)
    assert "Shown: a demo on a very small model." in words
    assert "Automatic checks stood in for people" in words
    assert n_kept + n_removed == 20
    assert _row(page, "Shown", "1")[1:] == ["1", "yes", "en", "never", "0", "20", "20"]


def test_hostile_names_are_shown_exactly(bench: Workbench) -> None:
    study = create_study(
        bench.store, HOSTILE, protocol="feasibility_boundary", subject="a/<b>&c", per_type=2
    )
    page = report(bench.store, [_worked(bench, study)], draw=exhibit_picture)
    assert "<img" not in page
    assert "onerror=alert(1)>" not in page
    assert _row(page, HOSTILE)[1] == "a/<b>&c"


def test_the_same_store_gives_the_same_report_also_after_opening_it_again(
    open_bench, bench: Workbench, study: Study
) -> None:
    second = create_study(
        bench.store, "Another", protocol="feasibility_boundary", subject="a/b", per_type=2
    )
    studies = [_worked(bench, study), _worked(bench, second)]
    first = report(bench.store, studies, draw=exhibit_picture)
    # The order in which studies are named, and how often, changes nothing.
    assert report(bench.store, [*studies[::-1], study], draw=exhibit_picture) == first
    again = open_bench()
    assert report(again.store, studies, draw=exhibit_picture) == first


def test_the_report_names_no_time_path_or_host(bench: Workbench, study: Study) -> None:
    import getpass
    import socket

    page = report(bench.store, [_worked(bench, study)], draw=_no_picture)
    assert str(bench.store.path.parent) not in page
    assert str(study.created_at.year) + "-" not in page
    for name in (socket.gethostname(), study.study_id):
        assert name not in page
    assert f"/{getpass.getuser()}/" not in page


def test_what_is_not_defined_says_why(bench: Workbench, study: Study, open_bench) -> None:
    def declines_nothing(request: Request) -> Reply:
        if request.context["task_id"] is None:
            return obedient(request)
        return Reply(text=json.dumps({"task_class": "feasible", "answer": "x", "reason": ""}))

    bench = open_bench(declines_nothing)
    page = report(bench.store, [_worked(bench, study)], draw=_no_picture)
    assert _row(page, "Small", MODEL, "insight")[3] == "not defineda"
    counts = label_counts(bench.store, [study])
    [why] = [
        row["why"]
        for row in metric_table(counts, by=("study", "model")).to_dict("records")
        if row["metric"] == "insight"
    ]
    assert why
    assert f'<p class="notes"><sup>a</sup> {why}</p>' in page


def test_exhibits_of_the_caller_are_shown_after_those_of_the_protocol(
    bench: Workbench, study: Study
) -> None:
    extra = ReportExhibit(
        "pairs", "Pair by pair", "Read it so.", pd.DataFrame({"a": ["x"], "value": [0.5]})
    )
    page = report(bench.store, [_worked(bench, study)], draw=_no_picture, extra=[extra])
    assert page.index("exhibit-pairs") > page.index("exhibit-reasons")
    assert "Read it so." in page


def test_studies_without_results_or_of_two_protocols_give_no_report(
    bench: Workbench, study: Study
) -> None:
    with pytest.raises(ConflictError, match="there are no classified tasks in Small"):
        report(bench.store, [study], draw=_no_picture)
    with pytest.raises(ConflictError, match="the studies follow 0 protocols"):
        report(bench.store, [], draw=_no_picture)


def test_a_report_replaces_a_file_whole_or_not_at_all(
    bench: Workbench, study: Study, tmp_path
) -> None:
    _worked(bench, study)
    path = tmp_path / "r.html"
    n_bytes = save_report(bench.store, [study], path, draw=_no_picture)
    assert path.read_bytes() == report(bench.store, [study], draw=_no_picture).encode()
    assert n_bytes == path.stat().st_size
    with pytest.raises(InputError, match="the report cannot be written to"):
        save_report(bench.store, [study], tmp_path / "none" / "r.html", draw=_no_picture)
    assert [one.name for one in tmp_path.glob("*.html")] == ["r.html"]


def test_the_data_have_a_row_for_each_drawn_task_that_adds_up_to_the_tables(
    bench: Workbench, study: Study, tmp_path
) -> None:
    _worked(bench, study)
    path = tmp_path / "data.parquet"
    assert results_data(bench.store, [study], path) == 19
    frame = pq.read_table(path).to_pandas()
    assert list(frame.columns) == [
        *("study", "subject", "model", "prompt_set", "task_id", "intent", "type", "reason"),
        *("label", "label_reason", "outcome", "removed", "draw", "draw_number"),
    ]
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"
    assert frame["removed"].sum() == 1
    counted = frame[~frame["removed"] & (frame["outcome"] == "ok")]
    keys = ["intent", "type", "reason", "label", "label_reason"]
    ours = counted.groupby(keys, dropna=False).size()
    theirs = label_counts(bench.store, [study]).groupby(keys, dropna=False)["n"].sum()
    assert ours.to_dict() == theirs.to_dict()
    assert frame["task_id"].is_unique


def test_sources_name_studies_and_seeds_and_no_date(bench: Workbench, study: Study) -> None:
    head, line = sources([study])
    assert re.fullmatch(r"Made with Selfbound \S+ from the studies", head)
    assert line == f"Small: {MODEL}, prompts vanilla, seed 0"
