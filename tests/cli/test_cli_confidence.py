"""A study of in-advance confidence from the command line: code tasks in, programs run."""

import gzip
import json
from pathlib import Path

import pytest

from core.settings import SAMPLE_CODE_TASKS
from tests.support.code_tasks import code_row

from .conftest import Cli

NEW = ("--protocol", "in_advance_confidence", "--subject", "openai/subject")


@pytest.fixture
def sure(cli: Cli) -> Cli:
    """Commands on a store with the empty study `Sure`."""
    assert cli.run("new", "Sure", *NEW).code == 0
    return cli


def test_code_tasks_come_in_once_also_packed(sure: Cli, tmp_path: Path) -> None:
    packed = tmp_path / "sample.jsonl.gz"
    packed.write_bytes(gzip.compress(SAMPLE_CODE_TASKS.read_bytes()))
    for file, added in ((SAMPLE_CODE_TASKS, 12), (SAMPLE_CODE_TASKS, 0), (packed, 0)):
        done = sure.run("import", "code-tasks", str(file), "--study", "Sure", "--json")
        [entry] = done.document
        assert (entry["rows"], entry["added"], entry["left_out"]) == (12, added, [])
    assert sure.run("verify").code == 0


def test_a_task_that_says_something_else_is_named(sure: Cli, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(code_row("a")) + "\n")
    command = ("import", "code-tasks", str(file), "--study", "Sure")
    assert sure.run(*command).code == 0
    rows = [code_row("a", "n + 2"), code_row("b")]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = sure.run(*command).problem()
    assert "row 1 of own.jsonl has the task id 'own/a', which is in Sure already" in told
    [entry] = sure.run(*command, "--skip-bad-rows", "--json").document
    assert (entry["added"], len(entry["left_out"])) == (1, 1)


def test_each_kind_of_study_takes_its_own(sure: Cli) -> None:
    sample = str(SAMPLE_CODE_TASKS)
    assert "code tasks need a study" in sure.run("import", "code-tasks", sample).problem()
    told = sure.run("import", "questions", sample, "--study", "Sure").problem()
    assert "Sure is no study of questions, but of code tasks" in told
    told = sure.run("import", "tasks", sample, "--study", "Sure").problem()
    assert "Sure is a study of code tasks" in told
    asked = ("--protocol", "uncertainty_attribution", "--subject", "openai/a")
    assert sure.run("new", "Asked", *asked).code == 0
    told = sure.run("import", "code-tasks", sample, "--study", "Asked").problem()
    assert "Asked takes no code tasks" in told
    assert "selfbound import code-tasks FILE" in sure.run("predict", "Sure").problem()


def test_only_what_runs_programs_takes_a_sandbox(sure: Cli) -> None:
    sure.run("import", "code-tasks", str(SAMPLE_CODE_TASKS), "--study", "Sure")
    told = sure.run("attempt", "Sure", "--sandbox", "local").problem()
    assert "attempt runs no programs" in told
    told = sure.run("score", "Sure", "--sandbox", "elsewhere").problem()
    assert "there is no sandbox elsewhere" in told
    told = sure.run("score", "Sure", "--sandbox", "local").problem()
    assert "Sure has no programs to run yet" in told and "selfbound attempt Sure" in told


def test_tables_of_a_study_that_has_nothing_yet_name_both_steps(sure: Cli) -> None:
    sure.run("import", "code-tasks", str(SAMPLE_CODE_TASKS), "--study", "Sure")
    told = sure.run("tables", "Sure").problem()
    assert "there are no attempted tasks in Sure" in told
    assert "(predict)" in told and "(attempt)" in told
