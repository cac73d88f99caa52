"""Tasks with decisions through the command line: out of one store and into another."""

import json
from pathlib import Path

import pytest

from .conftest import MODEL, Cli

PARTS = (
    *("tasks", "reviews", "gold", "flags", "draws", "items", "calls", "attempts", "prompts"),
    *("audits", "audit_votes", "judge_acceptances", "contracts", "agent_runs", "agent_estimates"),
)


@pytest.fixture
def other(tmp_path: Path) -> Cli:
    """Commands on another store, with the empty study `There`."""
    cli = Cli(tmp_path / "other.duckdb", tmp_path)
    made = cli.run("new", "There", "--protocol", "feasibility_boundary", "--subject", MODEL)
    assert made.code == 0, made
    return cli


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_an_export_holds_one_file_that_another_store_imports_with_its_decisions(
    worked: Cli, other: Cli, tmp_path: Path, format: str
) -> None:
    out = tmp_path / "out"
    done = worked.run("export", "Small", "--to", str(out), "--format", format)
    assert (done.code, done.out) == (0, "")
    assert "tasks_with_decisions: 20 rows" in done.err
    names = {f"{part}.{format}" for part in (*PARTS, "tasks_with_decisions")}
    assert {path.name for path in out.iterdir()} == {"study.json", *names}
    file = out / f"tasks_with_decisions.{format}"
    for added, decisions in [(20, 1), (0, 0)]:
        found = other.run("import", "tasks", str(file), "--study", "There", "--json")
        [entry] = found.document
        assert (entry["rows"], entry["added"], entry["decisions"]) == (20, added, decisions)
        assert (", and 1 decisions" in found.err) == bool(decisions)
    [study] = other.run("studies", "--json").document
    assert (study["tasks"]["n_tasks"], study["tasks"]["removed"]) == (20, 1)


def test_an_export_for_label_studio_is_tasks_and_configuration_and_comes_back(
    worked: Cli, other: Cli, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = worked.run("export", "Small", "--to", str(out), "--format", "label-studio")
    assert (done.code, done.out) == (0, "")
    assert "tasks-label-studio.json: 20 rows" in done.err
    assert {path.name for path in out.iterdir()} == {
        "tasks-label-studio.json",
        "labeling_config.xml",
    }
    assert '<Choice value="Duplicate" alias="duplicate"/>' in (
        out / "labeling_config.xml"
    ).read_text(encoding="utf-8")
    items = json.loads((out / "tasks-label-studio.json").read_text(encoding="utf-8"))
    assert sum(len(item["annotations"]) for item in items) == 1
    command = ("import", "label-studio", str(out / "tasks-label-studio.json"), "--study")
    [entry] = other.run(*command, "There", "--json").document
    assert (entry["added"], entry["decisions"]) == (20, 1)
    # In the store it came from there is nothing new in it.
    [entry] = worked.run(*command, "Small", "--json").document
    assert (entry["added"], entry["decisions"]) == (0, 0)


def test_what_cannot_be_imported_is_told_in_a_sentence_and_can_be_left_out(
    other: Cli, tmp_path: Path
) -> None:
    file = tmp_path / "tasks.json"
    tasks = [
        {"data": {"text": "Name a prime.", "intent": "feasible", "type": "Functional Ceiling"}},
        {"data": {"text": "Name a colour."}},
    ]
    file.write_text(json.dumps(tasks))
    command = ("import", "label-studio", str(file))
    assert "tasks need a study to go into" in other.run(*command).problem()
    command += ("--study", "There")
    told = other.run(*command).problem()
    assert told.startswith("error: row 2 of tasks.json has no intent; 1 other row is fine\n")
    [entry] = other.run(*command, "--skip-bad-rows", "--json").document
    assert (entry["rows"], entry["added"]) == (2, 1)
    assert entry["left_out"] == ["row 2 of tasks.json has no intent"]


def test_the_export_for_label_studio_goes_to_a_folder_or_not_at_all(worked: Cli) -> None:
    command = ("export", "Small", "--format", "label-studio", "--to")
    assert "is a file, not a folder" in worked.run(*command, str(worked.store)).problem()
    assert "cannot be written to /dev/null/x" in worked.run(*command, "/dev/null/x").problem()
