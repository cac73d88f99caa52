"""A run of in-advance confidence: chances stated, tasks attempted, programs run, metrics told."""

import json
from pathlib import Path

import pytest

from core.errors import InputError, SandboxError
from core.sandbox.outcomes import CheckStatus, SandboxOutcome
from core.store import verify
from core.workflows import sandbox_client
from core.workflows.code_task_import import import_code_tasks
from core.workflows.drilldown import TaskQuery, task_story, tasks_behind
from core.workflows.outcomes import step_outcomes
from core.workflows.plans import plan_step
from core.workflows.results import label_counts, tables_document
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.code_tasks import (
    NO_PROGRAM,
    SUBJECT,
    code_row,
    confidence_study,
    program,
    subject,
)

CHANCES = {
    "a": ["90%"],
    "b": ["It depends.", "80%"],
    "c": ["70 to 80%", "Hard to say", "40%"],
    "d": ["?", "??", "???"],
    "e": ["20%"],
    "f": ["60%"],
}
PROGRAMS = {
    "a": program("a", "n + 1"),
    "b": program("b", "n + 2"),
    "c": program("c", "n + 1"),
    "d": program("d", "n + 1"),
    "e": NO_PROGRAM,
    "f": "```python\ndef f(n):\n    while True:\n        pass\n```",
}
LOCAL = "sandbox/local"


def run(bench: Workbench, study: Study, step: str, **options: object) -> None:
    found = start_step(bench, study, step, **options)
    assert found is not None
    assert found.wait(120).detail == "completed"


@pytest.fixture
def asked(open_bench, tmp_path: Path) -> tuple[Workbench, Study]:
    """A study of six tasks, and the workbench with the subject that `CHANCES` describes."""
    bench = open_bench(subject(CHANCES, PROGRAMS))
    return bench, confidence_study(bench, tmp_path, list(CHANCES))


def test_a_chance_is_asked_for_at_most_three_times_in_one_run(asked) -> None:
    bench, study = asked
    run(bench, study, "predict")
    asks = [(one.context["ask"], one.messages) for one in bench.scripted.requests]
    assert [ask for ask, _ in asks] == ["0"] * 6 + ["1"] * 3 + ["2"] * 2
    assert len({messages[0].content.split("\n")[0] for _, messages in asks}) == 3
    counts = step_outcomes(bench.store, study, study.shape.step("predict"))
    assert [counts[name] for name in ("planned", "ok", "unparsable")] == [11, 5, 6]
    assert start_step(bench, study, "predict") is None
    rows = label_counts(bench.store, [study])
    assert sorted(rows["estimate"].dropna()) == [0.2, 0.4, 0.6, 0.8, 0.9]
    assert rows["estimate"].isna().sum() == 1
    assert verify(bench.store) == []


def test_a_run_that_was_stopped_between_asks_goes_on_with_the_next(open_bench, tmp_path) -> None:
    bench = open_bench(subject(CHANCES, PROGRAMS))
    study = confidence_study(bench, tmp_path, ["c", "d"])
    first = start_step(bench, study, "predict", concurrency=1)
    first.stop()
    first.wait(20)
    n_before = len(bench.scripted.requests)
    assert n_before < 6
    run(bench, study, "predict")
    asked = [(one.context["task_id"], one.context["ask"]) for one in bench.scripted.requests]
    assert len(asked) == len(set(asked)) == 6


def test_what_a_model_wrote_is_run_and_its_end_recorded(asked) -> None:
    bench, study = asked
    run(bench, study, "attempt")
    run(bench, study, "score", model=LOCAL)
    counts = step_outcomes(bench.store, study, study.shape.step("score"))
    assert (counts["planned"], counts["ok"]) == (5, 5)
    rows = label_counts(bench.store, [study])
    ended = rows.fillna({"ended": ""}).groupby(["result", "ended"])["n"].sum().to_dict()
    assert ended == {
        ("passed", ""): 3,
        ("no_program", ""): 1,
        ("failed", "failed"): 1,
        ("failed", "timed_out"): 1,
    }
    assert set(rows["sandbox"].dropna()) == {LOCAL}
    calls = bench.store.rows("export_calls", study_id=study.study_id)
    assert {one["error"] for one in calls if one["outcome"] == "ok"} == {""}
    assert [one["outcome"] for one in calls if one["error"]] == ["unparsable"]
    notes = {row["note"] for row in bench.store.rows("export_items", study_id=study.study_id)}
    assert any("limits of time, memory" in note for note in notes if note)
    run_in = {one["model_answered"] for one in calls if one["step"] == "score"}
    assert len(run_in) == 1 and "limits of time, memory" in run_in.pop()
    assert start_step(bench, study, "score", model="local") is None
    assert verify(bench.store) == []


def test_the_tables_are_those_worked_out_by_hand(asked) -> None:
    bench, study = asked
    for step, options in (("predict", {}), ("attempt", {}), ("score", {"model": LOCAL})):
        run(bench, study, step, **options)
    [entry] = tables_document(bench.store, [study])["studies"]
    # Passed: a 0.9, c 0.4 (d has no chance). Not: b 0.8, e 0.2 (no program), f 0.6 (time is up).
    metrics = {name: one["value"] for name, one in entry["metrics"].items()}
    assert metrics["predicted_success_rate"] == pytest.approx(2.9 / 5)
    assert metrics["true_success_rate"] == pytest.approx(2 / 5)
    assert metrics["overconfidence"] == pytest.approx(0.9 / 5)
    # Of the six pairs a beats b, e and f; c beats e only.
    assert metrics["auroc"] == pytest.approx(4 / 6)
    # 0.1² + 0.6² + 0.8² + 0.2² + 0.6²
    assert metrics["brier_score"] == pytest.approx(1.41 / 5)
    assert entry["tasks"] == {
        "planned": 6,
        "asked": 6,
        "estimates": 5,
        "no_estimate": 1,
        "attempted": 6,
        "passed": 3,
        "failed": 2,
        "no_program": 1,
        "not_run": 0,
        "both": 5,
        "success_of_attempted": 0.5,
        "success_of_programs": 0.6,
    }
    assert [(one["n"], one["success_rate"]) for one in entry["calibration"]] == [
        (1, 0.0),
        (1, 1.0),
        (1, 0.0),
        (1, 0.0),
        (1, 1.0),
    ]
    assert entry["metrics"]["auroc"]["caution"]


def test_printed_rows_tell_what_was_planned_and_what_came_of_it(asked, tmp_path: Path) -> None:
    bench, study = asked
    for step, options in (("predict", {}), ("attempt", {}), ("score", {"model": LOCAL})):
        run(bench, study, step, **options)
    (tmp_path / "more.jsonl").write_text(json.dumps(code_row("g")) + "\n")
    import_code_tasks(bench.store, [tmp_path / "more.jsonl"], study_name="Sure")
    # Of task g nothing is known but that it is to be attempted; of another model nothing at all.
    plan_step(bench.store, study, study.shape.step("attempt"), SUBJECT)
    plan_step(bench.store, study, study.shape.step("attempt"), "openai/silent")
    header, [row] = study.shape.results().flat_rows(tables_document(bench.store, [study]))
    told = dict(zip(header, row, strict=True))
    names = ("planned", "with_estimate", "unparsable", "with_outcome", "n", "trials")
    assert [told[name] for name in names] == [7, 5, 1, 6, 5, ""]
    [denominator] = [one for one in study.shape.results().exhibits if one.key == "denominators"]
    assert denominator.table(label_counts(bench.store, [study]))["planned"].tolist() == [7]


def test_a_broken_sandbox_is_owed_anew_and_fails_nobody(asked, monkeypatch) -> None:
    bench, study = asked
    run(bench, study, "attempt")
    broken = [True]

    async def run_checks(program: object, **_: object) -> SandboxOutcome:
        if broken[0]:
            raise SandboxError("the walls could not be put up")
        return SandboxOutcome(CheckStatus.PASSED, "", 0.1, "local: as told")

    monkeypatch.setattr(sandbox_client, "run_checks", run_checks)
    monkeypatch.setattr("core.runs.failures.FIRST_BACKOFF_S", 0.01)
    first = start_step(bench, study, "score", model=LOCAL)
    assert "walls" in first.wait(60).newest_error
    counts = step_outcomes(bench.store, study, study.shape.step("score"))
    assert (counts["ok"], counts["provider_error"]) == (0, 5)
    assert label_counts(bench.store, [study])["result"].dropna().tolist() == ["no_program"]
    broken[0] = False
    run(bench, study, "score", model=LOCAL)
    assert set(label_counts(bench.store, [study])["result"]) == {"passed", "no_program"}
    assert verify(bench.store) == []


def test_what_a_task_needs_and_is_missing_fails_nobody_and_ends_no_run(open_bench, tmp_path):
    names = "abcdefgh"
    bench = open_bench(subject({}, {name: program(name, "n + 1") for name in names}))
    study = create_study(bench.store, "Sure", protocol="in_advance_confidence", subject=SUBJECT)
    rows = [code_row(name) for name in names]
    for row in rows[:6]:
        row["test"] = f"import no_such_library\n{row['test']}"
    file = tmp_path / "own.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_code_tasks(bench.store, [file], study_name="Sure")
    run(bench, study, "attempt")
    run(bench, study, "score", model=LOCAL)
    counts = step_outcomes(bench.store, study, study.shape.step("score"))
    assert (counts["planned"], counts["ok"], counts["provider_error"]) == (8, 2, 6)
    calls = bench.store.rows("export_calls", study_id=study.study_id)
    told = [one["error"] for one in calls if one["outcome"] == "provider_error"]
    assert told == ["the sandbox lacks no_such_library, which the task needs"] * 6
    assert set(label_counts(bench.store, [study])["result"].dropna()) == {"passed"}


def test_a_sandbox_has_to_be_one_and_local_to_be_asked_for(asked, monkeypatch) -> None:
    bench, study = asked
    monkeypatch.setattr("core.sandbox.choose.docker_problem", lambda: "no engine runs here")
    with pytest.raises(InputError, match="no sandbox is to be had") as told:
        start_step(bench, study, "score")
    assert "ask by name" in told.value.hint
    with pytest.raises(InputError, match="there is no sandbox openai/gpt-4o"):
        start_step(bench, study, "score", model="openai/gpt-4o")


def test_the_story_of_a_task_tells_chance_program_and_how_it_ended(asked) -> None:
    bench, study = asked
    for step, options in (("predict", {}), ("attempt", {}), ("score", {"model": LOCAL})):
        run(bench, study, step, **options)
    query = TaskQuery(of_study="Sure", least="0.5", most="0.9", outcomes=("failed",))
    rows, n = tasks_behind(bench.store, [study], query)
    assert (n, [row["chance"] for row in rows]) == (2, ["80 %", "60 %"])
    assert [row["label_reason"] for row in rows] == ["failed", "timed_out"]
    all_of_them = TaskQuery(of_study="Sure", least="0.0", most="1.0")
    assert tasks_behind(bench.store, [study], all_of_them)[1] == 5
    story = task_story(bench.store, study, rows[0]["task_id"])
    told = [(one["model"], one["label"], one["value"]) for one in story.answers]
    assert told == [(SUBJECT, None, 0.8), (SUBJECT, None, None), (LOCAL, "failed", None)]
    assert "return n + 2" in story.answers[1]["answer"]
    assert "AssertionError" in story.answers[2]["answer"]
    assert [one["by_model"] for one in story.answers] == [None, None, SUBJECT]
    assert [one["reply"] for one in story.unread] == ["It depends."]
