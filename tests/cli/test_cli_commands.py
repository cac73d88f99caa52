"""Every command that asks no model: data on standard output, all else on standard error."""

import csv
import io
import json
import subprocess
from pathlib import Path

from core.llm.scripted import ScriptedClient
from core.records import Outcome
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.drawing import draw_tasks
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from core.workflows.workbench import Workbench

from .conftest import Cli, scripted

NEW = ("--protocol", "feasibility_boundary", "--subject")


def test_a_new_study_is_listed_and_its_name_is_shown_as_it_is(cli: Cli) -> None:
    name = "A [bold red]b[/] :smile: $5 日本"
    made = cli.run("new", name, *NEW, "openai/gpt-4o", "--per-type", "3", "--seed", "-5")
    assert (made.code, made.out) == (0, "")
    assert name in made.err
    listed = cli.run("studies", "--json")
    assert (listed.code, listed.err) == (0, "")
    [study] = listed.document
    wanted = {
        "name": name,
        "protocol": "feasibility_boundary",
        "subject": "openai/gpt-4o",
        "prompt_set": "vanilla",
        "per_type": 3,
        "seed": -5,
    }
    assert wanted.items() <= study.items()
    assert name in cli.run("studies").out
    # A terminal that has no sign for a character shows its escape.
    plain = cli.run_anew("studies", env={"PYTHONIOENCODING": "ascii"})
    assert (plain.code, "$5 \\u65e5\\u672c" in plain.out) == (0, True)


def test_an_empty_store_lists_nothing_and_says_how_to_begin(cli: Cli) -> None:
    listed = cli.run("studies")
    assert (listed.code, listed.out) == (0, "")
    assert "Make one with: selfbound new" in listed.err
    assert cli.run("studies", "--json").document == []


def test_the_status_gives_every_step_with_a_closed_sum(worked: Cli) -> None:
    document = worked.run("status", "small", "--json").document
    assert document["study"] == "Small"
    planned = {step: entry["planned"] for step, entry in document["steps"].items()}
    assert planned == {"generate": 20, "classify": 19}
    for entry in document["steps"].values():
        assert list(entry["outcomes"]) == [one.value for one in Outcome]
        assert sum(entry["outcomes"].values()) == entry["planned"]
    assert worked.run("status", "Small").out == (
        "generate: 20 planned = 20 ok\nclassify: 19 planned = 19 ok\n"
    )


def test_a_review_decides_one_task_under_the_name_given(worked: Cli) -> None:
    with Store.open(worked.store) as store:
        [study] = store.rows("studies_all")
        tasks = store.rows("tasks_short", study_id=study["study_id"])
        task_id = next(task["task_id"] for task in tasks if task["state"] == "pending")
    done = worked.run(
        *("review", "Small", task_id[:14], "remove"),
        *("--reason", "wrong_type", "--as", "[b]Ben[/b]"),
    )
    assert (done.code, done.out) == (0, "")
    with Store.open(worked.store) as store:
        [review] = store.rows("reviews_of_task", task_id=task_id)
        assert (review["person"], review["action"]) == ("[b]Ben[/b]", "remove")
        assert review["reason"] == "wrong_type"
    assert (
        worked.run("review", "Small", task_id, "remove")
        .problem()
        .startswith("error: a removal was given no reason\nhint: one of malformed, ")
    )


def test_a_draw_says_what_is_short_and_the_same_draw_is_not_new(worked: Cli) -> None:
    drawn = worked.run("draw", "Small", "--per-cell", "2", "--seed", "9", "--json")
    assert drawn.code == 0
    assert (drawn.document["tasks"], drawn.document["new"]) == (19, True)
    assert len(drawn.document["shortfalls"]) == 1
    assert drawn.document["shortfalls"][0] in drawn.err
    again = worked.run("draw", "Small", "--per-cell", "2", "--seed", "9")
    assert (again.code, again.out) == (0, "")
    assert "19 tasks are drawn, the same as before" in again.err


def test_the_tables_come_as_text_json_csv_and_latex_with_the_same_numbers(worked: Cli) -> None:
    document = worked.run("tables", "Small", "--format", "json").document
    [entry] = document["studies"]
    assert entry["study"] == "Small"
    # The fake model calls every task feasible; the one removed was feasible or infeasible.
    assert entry["cells"]["ff"] + entry["cells"]["rf"] == 19
    assert entry["accuracy"] == entry["cells"]["ff"] / 19
    assert (entry["foresight"], entry["insight"]) == (0.0, None)

    rows = list(csv.DictReader(io.StringIO(worked.run("tables", "Small", "--format", "csv").out)))
    assert [row["type"] for row in rows] == ["all", *entry["by_type"]]
    assert float(rows[0]["accuracy"]) == entry["accuracy"]
    assert (rows[0]["n"], rows[0]["drawn"], rows[0]["insight"]) == ("19", "19", "")
    assert {row["model"] for row in rows} == {"openai/fake"}

    latex = worked.run("tables", "Small", "--format", "latex").out
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"confidence\_balance", "not defined"):
        assert part in latex
    n_columns = latex.splitlines()[2].count("&") + 1
    assert latex.startswith(rf"\begin{{tabular}}{{lllll{'r' * (n_columns - 5)}}}")

    text = worked.run("tables", "Small", "small").out
    assert text.count("Small | openai/fake | vanilla") == 1
    assert f"{entry['accuracy']:.3f}" in text


def test_in_latex_the_best_of_two_studies_are_bold_and_a_comment_says_what_is_best(
    worked: Cli,
) -> None:
    with Workbench(Store.open(worked.store), Engine(), lambda: ScriptedClient(scripted)) as bench:
        study = create_study(
            bench.store, "Second", protocol="feasibility_boundary", subject="openai/b", per_type=2
        )
        start_step(bench, study, "generate").wait(20)
        draw_tasks(bench.store, study)
        start_step(bench, study, "classify").wait(20)
    done = worked.run("tables", "Small", "Second", "--format", "json")
    accuracy = {one["study"]: one["accuracy"] for one in done.document["studies"]}
    # Of 20 tasks 10 are feasible; one of the other study's is removed, so it has more or fewer.
    assert accuracy["Second"] == 0.5
    best, other = sorted(accuracy, key=accuracy.get, reverse=True)
    comment, *latex = worked.run("tables", "Small", "Second", "--format", "latex").out.splitlines()
    assert comment.startswith("% bold within the same prompts and type: the highest accuracy, ")
    assert comment.endswith("the confidence balance nearest to zero")
    row = {line.split(" & ")[0]: line.split(" & ") for line in latex if " & all & " in line}
    at = latex[2].split(" & ").index("accuracy")
    assert row[best][at] == rf"\textbf{{{accuracy[best]:.3f}}}"
    assert row[other][at] == f"{accuracy[other]:.3f}"
    alone = worked.run("tables", "Small", "--format", "latex").out
    assert r"\textbf" not in alone


def test_a_study_named_like_a_formula_is_guarded_in_csv(worked: Cli) -> None:
    with Store.open(worked.store) as store:
        # No command renames a study, and only its name matters here.
        store._connection.execute("UPDATE study SET name = '=1+1'")
    table = worked.run("tables", "=1+1", "--format", "csv").out
    assert table.splitlines()[1].startswith("'=1+1,")


def test_an_export_writes_all_parts_and_says_how_many_rows(worked: Cli, tmp_path: Path) -> None:
    done = worked.run("export", "Small", "--to", str(tmp_path / "out"), "--format", "jsonl")
    assert (done.code, done.out) == (0, "")
    assert "tasks: 20 rows" in done.err
    tasks = (tmp_path / "out" / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    assert len([json.loads(line) for line in tasks]) == 20
    taken = worked.run("export", "Small", "--to", str(worked.store)).problem()
    assert "is a file, not a folder" in taken


def test_a_backup_is_restored_over_a_changed_store_which_is_kept(
    worked: Cli, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.duckdb"
    assert worked.run("backup", str(copy)).code == 0
    assert "is there already" in worked.run("backup", str(copy)).problem()
    worked.run("new", "Later", *NEW, "a/b")
    back = worked.run("restore", str(copy))
    assert (back.code, back.out) == (0, "")
    assert [one["name"] for one in worked.run("studies", "--json").document] == ["Small"]
    [kept] = tmp_path.glob("*.replaced-*")
    assert {one["name"] for one in Cli(kept, tmp_path).run("studies", "--json").document} == {
        "Small",
        "Later",
    }


def test_verify_says_that_a_sound_store_is_sound_and_lists_the_faults_of_another(
    worked: Cli,
) -> None:
    sound = worked.run("verify")
    assert (sound.code, sound.out) == (0, "")
    assert "The store is sound." in sound.err
    with Store.open(worked.store) as store:
        store._connection.execute("DELETE FROM task")
    found = worked.run("verify")
    assert found.code == 1
    assert len(found.out.splitlines()) >= 1
    assert "error: the store has" in found.err


def test_a_second_process_is_told_who_holds_the_store(worked: Cli) -> None:
    with Store.open(worked.store):
        told = worked.run("studies").problem()
    assert f"{worked.store} is in use by process" in told
    assert "hint: work in the app that has it open" in told


def test_a_reader_that_leaves_early_causes_no_noise(worked: Cli) -> None:
    script = '"$@" | head -c 1 >/dev/null'
    command = ["sh", "-c", script, "sh", *worked.arguments("tables", "Small", "--format", "json")]
    done = subprocess.run(command, capture_output=True, env=worked.environment(), timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
