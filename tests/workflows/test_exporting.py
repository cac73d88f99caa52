"""Exports: every row that is stored, in files that add up to what the screens show."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError
from core.llm.client import CallFailed
from core.records import Reply, Request
from core.workflows.curation import Decision, decide, decide_together, undo
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.drawing import draw_tasks
from core.workflows.exporting import FORMATS, PARTS, export_study
from core.workflows.findings import check_new_tasks
from core.workflows.gold import mark_gold, unmark_gold
from core.workflows.importing import import_tasks
from core.workflows.outcomes import step_outcomes
from core.workflows.people import person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.row_files import plain_rows
from tests.support.tasks import queue

from .conftest import MODEL, obedient

HOSTILE = (
    'Costs $5 to $10, keep __init__ and *args* :smile: "quoted", at 10:30\r\n'
    "<img src=x onerror=alert(1)>\ttab \u202eright to left\u202c e\u0301 \u2028 \U0001f600 日本"
)


def _mixed(request: Request) -> object:
    """Hostile tasks, one reply in five unreadable, one classification in four failing."""
    position = request.context["position"]
    if request.context["task_id"] is None:
        return Reply(text="nonsense" if position % 5 == 4 else json.dumps({"task": HOSTILE}))
    if position % 4 == 3:
        return CallFailed("no such model", kind="provider_error", retryable=False)
    return obedient(request)


@pytest.fixture
def worked(open_bench: Callable[..., Workbench]) -> tuple[Workbench, Study]:
    """A study that has been generated, curated with an undo, drawn and partly classified."""
    bench = open_bench(_mixed)
    study = create_study(
        bench.store, "=Worked", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    start_step(bench, study, "generate").wait(20)
    ada = person_named(bench.store, "Ada")
    for action, reason in (("keep", None), ("remove", "malformed"), ("keep", None)):
        [task] = queue(bench.store, study, n=1)
        decide(bench.store, study, task.task_id, action, person=ada, reason=reason)
    undo(bench.store, study, person=ada)
    draw_tasks(bench.store, study)
    start_step(bench, study, "classify").wait(20)
    return bench, study


def _read(folder: Path, part: str, format: str) -> list[dict]:
    return plain_rows(folder / f"{part}.{format}")


@pytest.mark.parametrize("format", FORMATS)
def test_the_rows_add_up_to_the_counts_on_screen(
    worked: tuple[Workbench, Study], tmp_path: Path, format: str
) -> None:
    bench, study = worked
    counts = export_study(bench.store, study, tmp_path / "out", format=format)
    rows = {part: _read(tmp_path / "out", part, format) for part in PARTS}
    assert counts == {part: len(found) for part, found in rows.items()}
    about = json.loads((tmp_path / "out" / "study.json").read_text(encoding="utf-8"))
    assert (about["name"], about["rows"]) == ("=Worked", counts)
    # 20 planned, every fifth unreadable: 16 tasks; one removed: 15 drawn, 3 of them failing.
    assert counts["tasks"] == 16
    assert Counter(row["state"] for row in rows["tasks"]) == {
        "kept": 1,
        "removed": 1,
        "pending": 14,
    }
    assert [row["action"] for row in rows["reviews"]] == ["keep", "remove", "keep", "undo"]
    decided = [(row["task_id"], row["state"]) for row in rows["tasks_with_decisions"]]
    assert decided == [(row["task_id"], row["state"]) for row in rows["tasks"]]
    assert counts["draws"] == 15
    for step in study.shape.steps:
        wanted = step_outcomes(bench.store, study, step)
        found = Counter(row["outcome"] for row in rows["items"] if row["step"] == step.name)
        planned = wanted.pop("planned")
        assert found == {name: n for name, n in wanted.items() if n}
        assert found.total() == planned
        final = [row for row in rows["calls"] if row["step"] == step.name]
        assert len(final) == planned
    assert {row["prompt_hash"] for row in rows["prompts"]} == {
        row["prompt_hash"] for row in rows["items"]
    }


@pytest.mark.parametrize("format", ["jsonl", "parquet", "csv"])
def test_hostile_text_is_the_same_byte_for_byte(
    worked: tuple[Workbench, Study], tmp_path: Path, format: str
) -> None:
    bench, study = worked
    export_study(bench.store, study, tmp_path, format=format)
    texts = {row["text"] for row in _read(tmp_path, "tasks", format)}
    assert {text.encode() for text in texts} == {HOSTILE.encode()}


def test_text_that_a_spreadsheet_would_run_is_guarded_in_csv_alone(
    open_bench: Callable[..., Workbench], tmp_path: Path
) -> None:
    bench = open_bench(lambda request: Reply(text=json.dumps({"task": "=1+1"})))
    study = create_study(
        bench.store, "Sums", protocol="feasibility_boundary", subject=MODEL, per_type=1
    )
    start_step(bench, study, "generate").wait(20)
    for format, wanted in (("csv", "'=1+1"), ("jsonl", "=1+1"), ("parquet", "=1+1")):
        export_study(bench.store, study, tmp_path, format=format)
        assert {row["text"] for row in _read(tmp_path, "tasks", format)} == {wanted}


def test_a_repeated_export_replaces_the_first_and_leaves_nothing_beside_it(
    worked: tuple[Workbench, Study], tmp_path: Path
) -> None:
    bench, study = worked
    out = tmp_path / "out"
    export_study(bench.store, study, out)
    first = (out / "tasks.jsonl").read_bytes()
    [task] = queue(bench.store, study, n=1)
    decide(bench.store, study, task.task_id, "keep", person=person_named(bench.store, "Ada"))
    export_study(bench.store, study, out)
    names = {path.name for path in out.iterdir()}
    assert names == {"study.json", *(f"{part}.jsonl" for part in PARTS)}
    assert (out / "tasks.jsonl").read_bytes() != first
    assert len(_read(out, "reviews", "jsonl")) == 5


@pytest.mark.parametrize("format", FORMATS)
def test_the_desk_is_exported_too_its_rules_final_decisions_gold_marks_and_flags(
    worked: tuple[Workbench, Study], tmp_path: Path, format: str
) -> None:
    bench, study = worked
    ada = person_named(bench.store, "Ada")
    set_rules(bench.store, study, DeskRules(overlap=2, language="de", gold_every=4), person=ada)
    first, second = queue(bench.store, study, n=2)
    together = [Decision(one.task_id, "keep") for one in (first, second)]
    decide_together(bench.store, study, together, person=person_named(bench.store, "Ben"))
    mark_gold(bench.store, study, [first.task_id], "keep", person=ada)
    unmark_gold(bench.store, study, [first.task_id], person=ada)
    # The other 16 have one text, which is of no language in particular.
    path = tmp_path / "tasks.json"
    text = "Write a short poem about the history of science, and explain what it says."
    about = {"intent": "feasible", "type": "Functional Ceiling"}
    path.write_text(json.dumps([about | {"text": text}]))
    import_tasks(bench.store, [path], study_name=study.name)
    english = bench.store.rows("board_tasks", study_id=study.study_id)[-1]["task_id"]
    check_new_tasks(bench.store, study)
    export_study(bench.store, study, tmp_path, format=format)
    about = json.loads((tmp_path / "study.json").read_text(encoding="utf-8"))
    assert about["desk_rules"] == {
        "overlap": 2,
        "is_blind": True,
        "language": "de",
        "similarity": DeskRules().similarity,
        "gold_every": 4,
        "judge_bar": DeskRules().judge_bar,
    }
    *_, one, two, final = _read(tmp_path, "reviews", format)
    assert one["batch_id"] == two["batch_id"] != final["batch_id"]
    truth = {"csv": ["false", "false", "true"]}.get(format, [False, False, True])
    assert [row["is_final"] for row in (one, two, final)] == truth
    gold = _read(tmp_path, "gold", format)
    assert [(row["task_id"], row["action"] or None, row["marked_by"]) for row in gold] == [
        (first.task_id, "keep", "Ada"),
        (first.task_id, None, "Ada"),
    ]
    flags = {row["task_id"]: row["codes"] for row in _read(tmp_path, "flags", format)}
    assert len(flags) == 17
    assert {task_id for task_id, codes in flags.items() if codes} == {english}


def test_an_empty_study_exports_files_without_rows(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    for format in FORMATS:
        counts = export_study(bench.store, study, tmp_path / format, format=format)
        assert counts == dict.fromkeys(PARTS, 0)
        assert all(_read(tmp_path / format, part, format) == [] for part in PARTS)


def test_an_export_goes_to_a_folder_in_a_known_format_or_not_at_all(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(InputError, match="file is a file, not a folder"):
        export_study(bench.store, study, file)
    with pytest.raises(InputError, match=r"cannot be written to .*file/below"):
        export_study(bench.store, study, file / "below")
    with pytest.raises(InputError, match="the format 'xml' is not known"):
        export_study(bench.store, study, tmp_path / "new", format="xml")
    assert file.read_text() == "mine"
    assert not (tmp_path / "new").exists()
