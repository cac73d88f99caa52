"""`--taxonomy`: a study with types and reasons from a file, from the first command to the last."""

import json
from pathlib import Path

from tests.support.forking import PROJECT

from .conftest import Cli

SUPPORT = str(PROJECT / "data" / "taxonomies" / "support_assistant.json")
NEW = ("--protocol", "feasibility_boundary", "--subject", "openai/fake")


def test_a_study_is_made_with_the_types_of_a_file_and_listed_with_their_name(cli: Cli) -> None:
    made = cli.run("new", "Helper", *NEW, "--taxonomy", SUPPORT)
    assert (made.code, made.out) == (0, "")
    assert "prompts vanilla, types and reasons of Support assistant, version 1." in made.err
    [study] = cli.run("studies", "--json").document
    assert (study["taxonomy"]["name"], study["taxonomy"]["built_in"]) == (
        "Support assistant",
        False,
    )
    cli.run("new", "Plain", *NEW)
    listed = " ".join(cli.run("studies").out.split())
    assert "feasibility_boundary (Support assistant, version 1)" in listed
    assert listed.count("version") == 1


def test_a_wrong_file_makes_no_study_and_says_where_it_is_wrong(cli: Cli, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"name": "x", "version": 1, "types": []}', encoding="utf-8")
    told = cli.run("new", "Helper", *NEW, "--taxonomy", str(wrong)).problem()
    assert told.startswith("error: wrong.json has no types\nhint: write at least one")
    gone = cli.run("new", "Helper", *NEW, "--taxonomy", str(tmp_path / "gone.json")).problem()
    assert "there is no file" in gone
    assert cli.run("studies", "--json").document == []


def test_replies_are_read_by_the_reasons_of_a_file(cli: Cli) -> None:
    reply = {"text": '{"task_class": "infeasible", "reason": "2. account access (closed)"}'}
    stdin = (json.dumps(reply) + "\n").encode()
    own = cli.run("parse", "classification", "--taxonomy", SUPPORT, stdin=stdin)
    assert json.loads(own.out)["reason"] == "Needs Account Access"
    assert json.loads(cli.run("parse", "classification", stdin=stdin).out)["outcome"] == (
        "unparsable"
    )
