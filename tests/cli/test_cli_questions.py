"""A study of questions from the command line: made, filled, answered by nobody yet, exported."""

import json
from pathlib import Path

import pytest

from core.settings import SAMPLE_QUESTIONS

from .conftest import Cli

NEW = ("--protocol", "uncertainty_attribution", "--subject", "openai/subject")


@pytest.fixture
def asked(cli: Cli) -> Cli:
    """Commands on a store with the empty study of questions `Asked`."""
    assert cli.run("new", "Asked", *NEW, "--judge", "rule/match").code == 0
    return cli


@pytest.mark.parametrize("prompt_set", ["attribution", "answer_only", "abstain_only"])
def test_each_way_of_asking_can_be_chosen(cli: Cli, prompt_set: str) -> None:
    done = cli.run("new", "A", *NEW, "--judge", "openai/judge", "--prompt-set", prompt_set)
    assert done.code == 0
    [study] = cli.run("studies", "--json").document
    assert (study["prompt_set"], study["judge"]) == (prompt_set, "openai/judge")


def test_a_number_of_tasks_per_type_is_refused_in_a_sentence(cli: Cli) -> None:
    told = cli.run("new", "A", *NEW, "--per-type", "3").problem()
    assert "a number of tasks per type means nothing in Uncertainty attribution" in told


def test_questions_come_in_once_and_are_told_as_one_document(asked: Cli) -> None:
    command = ("import", "questions", str(SAMPLE_QUESTIONS), "--study", "Asked")
    for added in (24, 0):
        done = asked.run(*command, "--json")
        assert f"sample.jsonl: 24 rows, {added} added to Asked" in done.err
        [entry] = done.document
        assert (entry["file"], entry["study"], entry["rows"]) == ("sample.jsonl", "Asked", 24)
        assert (entry["added"], entry["left_out"]) == (added, [])
    assert asked.run("verify").code == 0


def test_a_bad_row_is_named_or_left_out(asked: Cli, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("question,reference_answers,should_abstain\nWhy?,So.,no\nWho?,Me,yes\n")
    command = ("import", "questions", str(file))
    assert "questions need a study to go into" in asked.run(*command).problem()
    command += ("--study", "Asked")
    told = asked.run(*command).problem()
    assert "row 3 of own.csv is not to be answered and yet has the reference answer 'Me'" in told
    assert "1 other row is fine" in told
    [entry] = asked.run(*command, "--skip-bad-rows", "--json").document
    assert (entry["rows"], entry["added"], len(entry["left_out"])) == (2, 1, 1)


def test_what_a_study_of_questions_has_no_use_for_is_refused(asked: Cli, tmp_path: Path) -> None:
    asked.run("import", "questions", str(SAMPLE_QUESTIONS), "--study", "Asked")
    for format in ("tasks", "label-studio"):
        told = asked.run("import", format, str(SAMPLE_QUESTIONS), "--study", "Asked").problem()
        assert "Asked is a study of questions" in told
    told = asked.run("draw", "Asked").problem()
    assert "nothing is drawn in Asked, since Uncertainty attribution takes every task" in told
    made = asked.run("new", "Other", "--protocol", "feasibility_boundary", "--subject", "openai/a")
    assert made.code == 0
    told = asked.run("import", "questions", str(SAMPLE_QUESTIONS), "--study", "Other").problem()
    assert "Other is no study of questions" in told


def test_what_was_imported_is_exported_with_its_answers(asked: Cli, tmp_path: Path) -> None:
    asked.run("import", "questions", str(SAMPLE_QUESTIONS), "--study", "Asked")
    out = tmp_path / "out"
    assert asked.run("export", "Asked", "--to", str(out)).code == 0
    rows = [json.loads(line) for line in (out / "tasks.jsonl").read_text().splitlines()]
    sample = [json.loads(line) for line in SAMPLE_QUESTIONS.read_text().splitlines()]
    assert [json.loads(row["references_json"] or "null") for row in rows] == [
        one["reference_answers"] for one in sample
    ]
