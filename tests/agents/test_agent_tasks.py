"""The small tasks: each is unsolved as it is given, and solved by a solution."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.settings import PROJECT_ROOT
from tests.support.agents import BEYOND, SOLUTIONS

TASKS = PROJECT_ROOT / "data" / "agent_tasks"
NAMES = sorted(path.parent.name for path in TASKS.glob("*/check.py"))


def _passes(folder: Path, name: str) -> bool:
    check = (TASKS / name / "check.py").read_text("utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-c", check], cwd=folder, capture_output=True, timeout=30
    )
    return done.returncode == 0


def test_every_task_has_a_solution_but_the_one_beyond_anybody():
    assert sorted([*SOLUTIONS, BEYOND]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_task_says_what_to_do_and_is_not_solved_yet(name, tmp_path):
    shutil.copytree(TASKS / name / "files", tmp_path, dirs_exist_ok=True)
    assert (TASKS / name / "instruction.md").read_text("utf-8").strip()
    assert not _passes(tmp_path, name)


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_solution_passes_the_check(name, tmp_path):
    shutil.copytree(TASKS / name / "files", tmp_path, dirs_exist_ok=True)
    subprocess.run(["bash", "-c", SOLUTIONS[name]], cwd=tmp_path, check=True, timeout=60)
    assert _passes(tmp_path, name)


def test_a_file_that_was_changed_along_the_way_does_not_pass(tmp_path):
    shutil.copytree(TASKS / "rename_reports" / "files", tmp_path, dirs_exist_ok=True)
    subprocess.run(["bash", "-c", SOLUTIONS["rename_reports"]], cwd=tmp_path, check=True)
    (tmp_path / "reports" / "readme.txt").write_text("changed")
    assert not _passes(tmp_path, "rename_reports")
