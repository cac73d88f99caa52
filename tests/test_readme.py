"""The README stays true: its commands run, and what it names is there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli import app
from core.errors import ModelError
from core.llm.weights import weights_path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.model
def test_the_study_by_hand_runs_as_it_is_written(tmp_path: Path) -> None:
    try:
        weights_path()
    except ModelError as error:
        pytest.skip(f"{error}; make install fetches it")
    [block] = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    command = tmp_path / "selfbound"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{ENTRY}" "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SELFBOUND_STORE": str(tmp_path / "store.duckdb"),
    }
    done = subprocess.run(
        ["sh", "-eu", "-c", block],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert "study,subject,model,prompts,type,drawn,n,accuracy" in done.stdout
    assert (tmp_path / "exports/first-try/tasks.parquet").exists()
    assert (tmp_path / "first-try-backup.duckdb").exists()


ENTRY = "from core.cli import main; main()"


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert pictures
    assert [path for path in pictures if not (ROOT / path).exists()] == []


def test_every_command_and_target_it_names_exists() -> None:
    commands = {
        command.name or command.callback.__name__.replace("_", "-")
        for command in app.registered_commands
    }
    named = set(re.findall(r"(?<![\w/-])selfbound (?!COMMAND)([a-z-]+)", README))
    assert named <= commands
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"(?m)(?:^|`)make ([a-z-]+)", README)):
        assert re.search(rf"(?m)^{target}:", makefile), target


def test_every_folder_of_the_layout_exists() -> None:
    layout = README.split("## How it is laid out")[1].split("```")[1]
    folders = re.findall(r"(?<![\w/])([a-z]+)/(?=\s)", layout)
    assert {"workflows", "prompts"} <= set(folders)
    missing = [f for f in folders if not (ROOT / f).is_dir() and not (ROOT / "core" / f).is_dir()]
    assert missing == []
