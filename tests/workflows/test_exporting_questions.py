"""A study of questions is exported whole: answers, groups, and what each verdict is about."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.records import Reply, Request
from core.settings import SAMPLE_QUESTIONS
from core.store import verify
from core.workflows.exporting import FORMATS, PARTS, export_study
from core.workflows.outcomes import step_outcomes
from core.workflows.people import person_named
from core.workflows.question_import import import_questions
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.row_files import plain_rows

SUBJECT, JUDGE, OTHER = "scripted/subject", "scripted/judge", "scripted/other"


def reply(request: Request) -> Reply:
    """Subjects answer by the length of the question, and every fourth one not at all."""
    if request.model == JUDGE:
        return Reply(text="Yes" if request.context["match"] != "none" else "No", model=JUDGE)
    position = request.context["position"]
    return Reply(text="no box" if position % 4 == 3 else rf"\boxed{{{position}}}")


@pytest.fixture
def judged(open_bench) -> tuple[Workbench, Study]:
    """The sample, answered by two models and judged."""
    bench = open_bench(reply)
    study = create_study(
        bench.store, "Asked", protocol="uncertainty_attribution", subject=SUBJECT, judge=JUDGE
    )
    import_questions(bench.store, [SAMPLE_QUESTIONS], study_name="Asked")
    for step, model in (("attempt", None), ("attempt", OTHER), ("judge", None)):
        start_step(bench, study, step, model=model).wait(20)
    return bench, study


def written(folder: Path, part: str, format: str) -> list[dict]:
    rows = plain_rows(folder / f"{part}.{format}")
    return [{name: value or None for name, value in row.items()} for row in rows]


@pytest.mark.parametrize("format", FORMATS)
def test_the_parts_add_up_to_what_the_file_and_the_runs_hold(judged, tmp_path, format) -> None:
    bench, study = judged
    counts = export_study(bench.store, study, tmp_path, format=format)
    assert set(counts) == set(PARTS)
    sample = [json.loads(line) for line in SAMPLE_QUESTIONS.read_text().splitlines()]
    tasks = written(tmp_path, "tasks", format)
    assert [(row["text"], row["group_name"]) for row in tasks] == [
        (one["question"], one["group"]) for one in sample
    ]
    assert [json.loads(row["references_json"] or "null") for row in tasks] == [
        one["reference_answers"] for one in sample
    ]
    assert Counter(row["intent"] for row in tasks) == {"answerable": 12, "unanswerable": 12}
    items = written(tmp_path, "items", format)
    for step in study.shape.steps:
        outcomes = step_outcomes(bench.store, study, step)
        found = Counter(row["outcome"] for row in items if row["step"] == step.name)
        assert found == {name: n for name, n in outcomes.items() if n and name != "planned"}
    # 24 questions and two models; answers to the 12 answerable ones stand at even places.
    assert Counter(row["step"] for row in items) == {"attempt": 48, "judge": 24}
    assert counts["calls"] == len(items) == 72


@pytest.mark.parametrize("format", FORMATS)
def test_a_verdict_names_the_answer_it_is_about(judged, tmp_path, format) -> None:
    bench, study = judged
    export_study(bench.store, study, tmp_path, format=format)
    items = written(tmp_path, "items", format)
    answers = {row["item_id"]: row for row in items if row["step"] == "attempt"}
    verdicts = [row for row in items if row["step"] == "judge"]
    assert not any(row["answer_item"] for row in answers.values())
    assert len({row["answer_item"] for row in verdicts}) == len(verdicts) == 24
    for row in verdicts:
        about = answers[row["answer_item"]]
        assert about["task_id"] == row["task_id"]
        assert about["label"] == "ANSWERED"
    assert Counter(answers[row["answer_item"]]["model"] for row in verdicts) == {
        SUBJECT: 12,
        OTHER: 12,
    }


def test_what_the_protocol_does_not_have_is_not_told(judged, tmp_path: Path) -> None:
    bench, study = judged
    export_study(bench.store, study, tmp_path)
    about = json.loads((tmp_path / "study.json").read_text())
    assert (about["protocol"], about["judge"]) == ("uncertainty_attribution", JUDGE)
    assert "taxonomy" not in about
    assert verify(bench.store) == []


@pytest.mark.parametrize("format", FORMATS)
def test_who_accepted_a_judge_and_took_it_back_is_exported_in_order(
    judged, tmp_path, format
) -> None:
    bench, study = judged
    ada = person_named(bench.store, "Ada")
    about = {"study_id": study.study_id, "step": "judge", "judge": JUDGE, "prompt_hash": "h"}
    about |= {"person_id": ada.person_id, "bar": 0.8, "decided_at": datetime.now(UTC)}
    low = {"sensitivity_low": 0.875, "specificity_low": 0.8125}
    said = [
        about | low | {"is_accepted": is_accepted, "seq": bench.store.next_seq()}
        for is_accepted in (True, False)
    ]
    bench.store.append("judge_acceptance", said[::-1])
    assert export_study(bench.store, study, tmp_path, format=format)["judge_acceptances"] == 2
    rows = plain_rows(tmp_path / f"judge_acceptances.{format}")
    assert [str(row["is_accepted"]).lower() for row in rows] == ["true", "false"]
    for row in rows:
        assert (row["judge"], row["decided_by"]) == (JUDGE, "Ada")
        numbers = [row[name] for name in ("bar", "sensitivity_low", "specificity_low")]
        assert list(map(float, numbers)) == [0.8, 0.875, 0.8125]
