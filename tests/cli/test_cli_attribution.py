"""The commands that show results of questions, by the verdicts of one judge."""

import csv
import io
import json
from pathlib import Path

import pytest

from core.llm.client import CallFailed
from core.llm.scripted import ScriptedClient
from core.records import Reply, Request
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.results import label_counts
from core.workflows.studies import study_named
from core.workflows.workbench import Workbench
from tests.support.answers import DATA, STRICT, attempted, replies

from .conftest import Cli

SUBJECT = "scripted/subject"
SAID = {
    SUBJECT: {
        "Two and two?": r"\boxed{4}",
        "The capital of Italy?": r"\boxed{Rome.}",
        "The colour of snow?": r"\boxed{black}",
        "The 9,999th prime?": r"\boxed{7}",
        "Who wrote it?": DATA,
        "How old is he?": DATA,
        "Who will win?": DATA,
        "What is behind it?": r"\boxed{A wall}",
    }
}


@pytest.fixture
def asked(tmp_path: Path) -> Cli:
    """The command line on a store with one study of questions that two judges judged."""
    path = tmp_path / "s.duckdb"
    bench = Workbench(Store.open(path), Engine(), lambda: ScriptedClient(replies(SAID)))
    attempted(bench, "Asked", SUBJECT)
    bench.close()
    return Cli(path, tmp_path)


def test_tables_are_those_of_the_studys_judge_or_of_the_one_named(asked: Cli) -> None:
    own = json.loads(asked.run("tables", "Asked", "--format", "json").out)["studies"][0]
    assert own["accuracy"] == 0.4
    named = asked.run("tables", "Asked", "--format", "json", "--judge", STRICT).out
    [strict] = json.loads(named)["studies"]
    assert (strict["accuracy"], strict["judge"]) == (0.2, f"{STRICT}, prompt v1")
    problem = asked.run("tables", "Asked", "--judge", "other/judge").problem()
    assert "other/judge has judged no answer here" in problem


def test_the_tables_tell_questions_that_are_in_no_metric_from_replies_that_are(
    tmp_path: Path,
) -> None:
    path = tmp_path / "s.duckdb"

    def reply(request: Request) -> Reply:
        text = request.messages[-1].content
        if "capital" in text:
            raise CallFailed("out of order", kind="provider_error", retryable=False)
        return Reply(text="no box" if "snow" in text else r"\boxed{4}", model=request.model)

    bench = Workbench(Store.open(path), Engine(), lambda: ScriptedClient(reply))
    attempted(bench, "Asked", SUBJECT, judges=())
    bench.close()
    document = Cli(path, tmp_path).run("tables", "Asked", "--format", "json").document
    [found] = document["coverage"]
    assert found["unread_by_outcome"] == {"provider_error": 1, "unparsable": 1}
    assert (found["planned"], found["read"], found["unread"]) == (8, 6, 2)
    [one] = document["studies"]
    in_metrics = one["n_answerable"] + one["unjudged"] + one["n_unanswerable"]
    assert in_metrics == found["planned"] - found["unread_by_outcome"]["provider_error"]

    cli = Cli(path, tmp_path)
    rows = list(csv.DictReader(io.StringIO(cli.run("tables", "Asked", "--format", "csv").out)))
    by_part = {row["questions"]: row for row in rows}
    # The capital is of the file `easy`, whose group is `knowing`; the snow there has no box.
    assert {part: row["no_reply"] for part, row in by_part.items()} == {
        **{"all": "1", "knowing": "1", "easy": "1"},
        **{"thinking": "0", "hard": "0", "open": "0"},
    }
    assert [by_part[part]["unparsable"] for part in ("all", "easy", "hard")] == ["1", "1", "0"]
    counts = ("answerable", "unanswerable", "unjudged", "no_reply")
    assert [sum(int(row[name]) for name in counts) for row in rows] == [8, 6, 2, 3, 2, 3]
    assert "no reply" in cli.run("tables", "Asked").out
    assert r"no\_reply" in cli.run("tables", "Asked", "--format", "latex").out
    # What is downloaded from the screen says so, too.
    with Store.open(path) as store:
        study = study_named(store, "Asked")
        counts = label_counts(store, [study])
        exhibits = {one.key: one.table(counts) for one in study.shape.results().exhibits}
    assert exhibits["summary"]["no_reply"].tolist() == [1]
    assert exhibits["denominators"]["no_reply"].tolist() == [1]
    assert exhibits["files"]["no_reply"].tolist() == [1, 0, 0]


def test_every_format_says_which_form_an_f1_has(asked: Cli) -> None:
    header, *rows = csv.reader(io.StringIO(asked.run("tables", "Asked", "--format", "csv").out))
    assert header[-4:] == ["DU-F1 released", "DU-F1 balanced", "MU-F1 released", "MU-F1 balanced"]
    assert [row[3] for row in rows] == ["all", "knowing", "thinking", "easy", "hard", "open"]
    text = asked.run("tables", "Asked").out
    assert "DU-F1 balanced" in text
    assert "not defined" in text
    assert "DU-F1 released" in asked.run("tables", "Asked", "--format", "latex").out


def test_a_report_is_written_and_printed_values_are_refused(asked: Cli, tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    assert asked.run("report", "Asked", "--to", str(path), "--judge", STRICT).code == 0
    page = path.read_text(encoding="utf-8")
    assert "Attribution at a glance" in page
    assert STRICT in page
    printed = tmp_path / "p.json"
    one = {"study": "Asked", "metric": "accuracy", "printed": 0.5}
    printed.write_text(json.dumps({"source": "elsewhere", "values": [one]}))
    said = asked.run("compare", "Asked", "--printed", str(printed)).problem()
    assert "cannot be put beside those of Uncertainty attribution" in said
