"""Automatic checks on questions: what is a fault in a task is none in every question."""

import json
from pathlib import Path

import pytest

from core.curation.checks import check_task, check_tasks, task_cell
from core.curation.lengths import length_limits
from core.settings import SAMPLE_CODE_TASKS

PUBLISHED = Path(__file__).parents[3] / "shared" / "published" / "ua_bench"


def codes(text: str, intent: str) -> list[str]:
    return [one.code for one in check_task(text, intent=intent, type="own", reason=None)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Sum up this text: [insert text here]", "missing_data"),
        ("This question cannot be answered: who will win?", "states_feasibility"),
        ("Who won?", "too_short"),
    ],
)
def test_what_makes_a_question_unanswerable_is_no_fault_there(text: str, code: str) -> None:
    assert codes(text, "answerable") == [code]
    assert codes(text, "unanswerable") == []
    assert codes(text, "feasible") == [code]


def test_names_of_types_and_reasons_are_words_like_any_other_in_a_question() -> None:
    text = "Which law speaks of computational complexity exceeded by a machine?"
    assert codes(text, "feasible") == ["states_feasibility"]
    assert codes(text, "answerable") == codes(text, "unanswerable") == []


@pytest.mark.parametrize("intent", ["answerable", "unanswerable"])
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("...", "empty"),
        ("How many apples are in the", "truncated"),
        ("Wie viele Äpfel sind in dem Korb, wenn es gestern noch zwölf waren?", "wrong_language"),
        ("How many? " * 500, "too_long"),
    ],
)
def test_a_malformed_question_is_flagged_on_either_side(intent: str, text: str, code: str) -> None:
    assert codes(text, intent) == [code]


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published files are not here")
def test_the_published_questions_are_quiet_but_for_two_very_long_ones() -> None:
    rows = [
        {
            "task_id": f"{path.stem} {number}",
            "text": one["question"],
            "intent": "unanswerable" if one["should_abstain"] else "answerable",
            "type": path.stem,
            "reason": None,
        }
        for path in sorted(PUBLISHED.glob("*.json"))
        for number, one in enumerate(json.loads(path.read_text(encoding="utf-8")))
    ]
    lengths: dict = {}
    for row in rows:
        lengths.setdefault(task_cell(row), []).append(len(row["text"]))
    found = check_tasks(rows, language="en", limits=length_limits(lengths))
    flagged = {task_id: [one.code for one in flags] for task_id, flags in found if flags}
    assert len(rows) == 3340
    assert list(flagged.values()) == [["too_long"], ["too_long"]]
    assert all(task_id.startswith("olympiadbench") for task_id in flagged)


def test_our_code_tasks_are_not_flagged_for_the_name_of_their_file_or_for_being_code() -> None:
    tasks = [json.loads(line)["prompt"] for line in SAMPLE_CODE_TASKS.read_text().splitlines()]
    found = [check_task(one, intent="tests", type="sample", reason=None) for one in tasks]
    assert found == [[]] * 12
    text = (
        "def small(sample: int) -> int:\n    '''Return the sample, or 0 where there is none.'''\n"
    )
    assert check_task(text, intent="tests", type="sample", reason=None) == []
