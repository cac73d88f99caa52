"""Questions come into a study: all or none, each once, with all that their results need."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.store import verify
from core.store.copies import backup, restore
from core.store.store import Store
from core.workflows.importing import import_tasks
from core.workflows.question_import import group_of_file, import_questions
from core.workflows.steps import start_step
from core.workflows.studies import Study, clone_study, create_study
from core.workflows.workbench import Workbench

PUBLISHED = Path(__file__).parents[3] / "shared" / "published" / "ua_bench"
QUESTIONS = [
    {"question": "Two and two?", "reference_answers": ["4", "four"], "should_abstain": False},
    {"question": "How old is he?", "reference_answers": None, "should_abstain": True},
    {"question": "A colour of the flag?", "reference_answers": ["red"], "should_abstain": False},
]


@pytest.fixture
def study(store: Store) -> Study:
    """A study of questions that has none yet."""
    return create_study(
        store, "Asked", protocol="uncertainty_attribution", subject="scripted/subject"
    )


@pytest.fixture
def written(tmp_path: Path):
    """Writes questions as a JSON list, and returns the file's path."""

    def write(questions: list[dict[str, Any]] = QUESTIONS, name: str = "own.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(questions))
        return path

    return write


def stored(store: Store, study: Study) -> list[dict[str, Any]]:
    return store.rows("export_tasks", study_id=study.study_id)


def added(store: Store, *paths: Path, **options: Any) -> list[int]:
    found = import_questions(store, paths, study_name="Asked", **options)
    return [one.n_added for one in found]


def test_a_question_is_a_task_with_its_side_file_answers_and_group(store, study, written) -> None:
    questions = [*QUESTIONS[:2], QUESTIONS[2] | {"group": "flags"}]
    [one] = import_questions(store, [written(questions)], study_name="asked")
    assert (one.file, one.study, one.n_rows, one.n_added) == ("own.json", "Asked", 3, 3)
    rows = stored(store, study)
    names = ("position", "text", "intent", "type", "group_name", "source_ref")
    assert [tuple(row[name] for name in names) for row in rows] == [
        (0, "Two and two?", "answerable", "own", None, "own.json#1"),
        (1, "How old is he?", "unanswerable", "own", None, "own.json#2"),
        (2, "A colour of the flag?", "answerable", "own", "flags", "own.json#3"),
    ]
    assert {(row["source"], row["state"]) for row in rows} == {("imported", "pending")}
    assert [row["references_json"] for row in rows] == ['["4","four"]', None, '["red"]']
    assert verify(store) == []


def test_the_same_file_adds_nothing_and_a_longer_one_what_is_new(store, study, written) -> None:
    path = written()
    assert added(store, path) == [3]
    assert added(store, path, path) == [0, 0]
    # The same question twice in one file is two questions, on every import the same two.
    longer = written([*QUESTIONS, QUESTIONS[0]])
    assert added(store, longer) == [1]
    assert added(store, longer) == [0]
    # In a file of another name it is another question.
    assert added(store, written(name="other.json")) == [3]
    positions = [row["position"] for row in stored(store, study)]
    assert positions == list(range(7))


def test_what_is_stored_is_never_said_otherwise(store, study, written) -> None:
    assert added(store, written()) == [3]
    corrected = written([QUESTIONS[0] | {"reference_answers": ["5"]}, *QUESTIONS[1:]])
    with pytest.raises(InputError) as caught:
        added(store, corrected)
    assert str(caught.value) == (
        "row 1 of own.json is in Asked already, with other reference answers or in another group; "
        "2 other rows are fine"
    )
    [one] = import_questions(store, [corrected], study_name="Asked", skip_bad_rows=True)
    assert (one.n_rows, one.n_added, len(one.bad_rows)) == (3, 0, 1)
    assert one.bad_rows[0].row["reference_answers"] == ["5"]
    assert len(stored(store, study)) == 3


def test_one_bad_row_stops_every_file_unless_it_is_skipped(store, study, written) -> None:
    bad = written([QUESTIONS[0] | {"reference_answers": []}, QUESTIONS[1]], name="bad.json")
    with pytest.raises(InputError, match=r"row 1 of bad\.json is to be answered and has no"):
        added(store, written(), bad)
    with pytest.raises(NotFoundError, match="no file"):
        added(store, written(), Path("missing.json"))
    assert stored(store, study) == []
    assert added(store, written(), bad, skip_bad_rows=True) == [3, 1]


def test_a_conflict_in_the_last_file_takes_the_first_one_back(store, study, written) -> None:
    added(store, written())
    other = [QUESTIONS[0] | {"reference_answers": ["5"]}]
    with pytest.raises(InputError, match="already"):
        added(store, written(name="new.json"), written(other))
    assert len(stored(store, study)) == 3


def test_each_kind_of_study_takes_its_own_kind_of_file(store, study, written) -> None:
    create_study(store, "Invents", protocol="feasibility_boundary", subject="scripted/subject")
    with pytest.raises(ConflictError, match="Invents is no study of questions"):
        import_questions(store, [written()], study_name="Invents")
    with pytest.raises(ConflictError, match="Asked is a study of questions") as caught:
        import_tasks(store, [written()], study_name="Asked")
    assert "selfbound import questions FILE --study Asked" in caught.value.hint


def test_half_a_character_in_an_answer_is_stored_as_the_text_is(store, study, tmp_path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(
        r'{"question": "\ud835 x?", "reference_answers": ["\ud835 y"], "should_abstain": false}'
    )
    assert (added(store, path), added(store, path)) == ([1], [0])
    [row] = stored(store, study)
    assert (row["text"], json.loads(row["references_json"])) == ("\ufffd x?", ["\ufffd y"])


def test_the_published_files_have_their_groups_whatever_the_spelling() -> None:
    knowledge = ["gaia", "GAIA", "musique_1000", "MuSiQue", "self-aware", "selfaware"]
    reasoning = ["olympiadbench-math", "OlympiadBench_all", "gsm8k_mip", "GSM8K-MIP", "math-mip"]
    assert {group_of_file(one) for one in knowledge} == {"knowledge-intensive"}
    assert {group_of_file(one) for one in reasoning} == {"reasoning-intensive"}
    assert {group_of_file(one) for one in ("own", "my-gaia", "math", "selfaware2")} == {None}


def test_a_group_of_the_row_counts_before_that_of_the_file(store, study, written) -> None:
    added(store, written([QUESTIONS[0], QUESTIONS[1] | {"group": "mine"}], name="gaia.json"))
    assert [row["group_name"] for row in stored(store, study)] == ["knowledge-intensive", "mine"]


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published files are not here")
def test_the_five_published_files_come_in_whole(store: Store, study: Study) -> None:
    paths = sorted(PUBLISHED.glob("*.json"))
    assert added(store, *paths) == [582, 52, 1000, 674, 1032]
    assert added(store, *paths) == [0] * 5
    rows = stored(store, study)
    assert Counter((row["group_name"], row["intent"]) for row in rows) == {
        ("knowledge-intensive", "answerable"): 1000,
        ("knowledge-intensive", "unanswerable"): 1032,
        ("reasoning-intensive", "answerable"): 674,
        ("reasoning-intensive", "unanswerable"): 582 + 52,
    }
    assert verify(store) == []


def test_a_study_of_questions_says_where_they_come_from(bench: Workbench, study: Study) -> None:
    with pytest.raises(ConflictError, match="Asked has no tasks to attempt") as caught:
        start_step(bench, study, "attempt")
    assert "selfbound import questions FILE --study Asked" in caught.value.hint


def test_a_number_of_tasks_per_type_means_nothing_for_questions(store: Store) -> None:
    with pytest.raises(InputError, match="means nothing in Uncertainty attribution"):
        create_study(store, "A", protocol="uncertainty_attribution", subject="a/b", per_type=3)


def test_a_backup_holds_the_questions_and_a_copy_of_the_study_takes_them_anew(
    store: Store, study: Study, written, tmp_path: Path
) -> None:
    added(store, written())
    copy = clone_study(store, study, "Copy")
    assert stored(store, copy) == []
    [one] = import_questions(store, [written()], study_name="Copy")
    assert one.n_added == 3
    file = backup(store, tmp_path / "backup.duckdb")
    restore(file, tmp_path / "restored.duckdb")
    with Store.open(tmp_path / "restored.duckdb") as restored:
        assert stored(restored, study) == stored(store, study)
        assert verify(restored) == []
