"""`selfbound parse`: one JSON line for each reply, whatever the reply holds."""

import codecs
import json
from functools import partial

import pytest

from .conftest import Cli

FIELDS = ["id", "outcome", "label", "reason", "answer", "value"]


def _lines(*rows: dict) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _parsed(cli: Cli, kind: str, stdin: bytes, **env: str) -> list[dict]:
    run = partial(cli.run_anew, env=env) if env else cli.run
    done = run("parse", kind, stdin=stdin)
    assert (done.code, done.err) == (0, "")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert all(list(row) == FIELDS for row in rows)
    assert done.out.isascii()
    return rows


def test_tasks_are_read_and_hostile_text_comes_back_as_it_was(cli: Cli) -> None:
    hostile = 'a \ud835 \u0000 <img src=x> $5$ :smile: \u2028 \u202e "é"\r\n'
    rows = _parsed(
        cli,
        "task",
        _lines(
            {"id": 1, "text": json.dumps({"task": hostile}), "finish_reason": "stop"},
            {"id": "two", "text": '{"task": "cut', "finish_reason": "length"},
            {"id": None, "text": None},
            {"text": "nonsense and more nonsense, no object"},
        )
        + b"\n  \n",
    )
    assert [row["outcome"] for row in rows] == ["ok", "truncated", "empty", rows[3]["outcome"]]
    assert [row["id"] for row in rows] == [1, "two", None, None]
    assert rows[0]["answer"] == hostile
    assert not cli.store.exists()  # reading replies needs no store


def test_classifications_are_read_with_label_reason_and_answer(cli: Cli) -> None:
    feasible = {"task_class": "feasible", "answer": "[1, ]", "reason": "1,} good"}
    infeasible = {"task_class": "infeasible", "answer": "", "reason": "3. No scientific consensus"}
    rows = _parsed(
        cli,
        "classification",
        _lines(
            {"id": 1, "text": "```json\n" + json.dumps(feasible) + "\n```"},
            {"id": 2, "text": json.dumps(infeasible)},
            {"id": 3, "text": '{"task_class": "infeasible", "answer": "", "reason": ""}'},
            {"id": 4, "text": "x", "refusal": "I will not."},
        ),
    )
    assert [row["outcome"] for row in rows] == ["ok", "ok", "unparsable", "refused"]
    assert (rows[0]["label"], rows[0]["answer"]) == ("feasible", "[1, ]")
    assert (rows[1]["label"], rows[1]["reason"]) == ("infeasible", "No Scientific Consensus")
    assert [row["value"] for row in rows] == [None] * 4


@pytest.mark.parametrize(
    ("kind", "text", "label", "answer", "value"),
    [
        ("boxed", r"\boxed{2}, no: \boxed{\frac{1}{2}}", "ANSWERED", r"\frac{1}{2}", None),
        ("boxed", r"\boxed{<DATA_UNCERTAIN>}", "DATA_UNCERTAIN", None, None),
        ("yesno", " YES.", "yes", None, None),
        ("percent", "**85%**", None, None, 0.85),
        ("decision", "LIKELIHOOD OF SUCCESS: 0%. DECISION: NO", "no", None, 0.0),
        ("likelihood", "LIKELIHOOD OF SUCCESS: 100%", None, None, 1.0),
    ],
)
def test_every_other_kind_fills_the_fields_that_apply_and_leaves_the_rest_null(
    cli: Cli, kind: str, text: str, label: str | None, answer: str | None, value: float | None
) -> None:
    rows = _parsed(cli, kind, _lines({"id": 1, "text": text}, {"id": 2, "text": "Not yes"}))
    read = {"label": label, "reason": None, "answer": answer, "value": value}
    assert rows[0] == {"id": 1, "outcome": "ok"} | read
    assert rows[1] == {"id": 2, "outcome": "unparsable"} | dict.fromkeys(read)


def test_input_is_utf8_with_or_without_a_mark_whatever_the_terminal_is_set_to(cli: Cli) -> None:
    line = json.dumps({"id": "é", "text": '{"task": "日本"}'}, ensure_ascii=False) + "\r\n"
    stdin = codecs.BOM_UTF8 + line.encode()
    [row] = _parsed(cli, "task", stdin, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (row["id"], row["answer"]) == ("é", "日本")


@pytest.mark.parametrize(
    ("line", "wording"),
    [
        (b'{"id": 1', "line 2 of standard input is no JSON object with a text: '{\"id\": 1'"),
        (b"[1]", "line 2 of standard input is no JSON object with a text: '[1]'"),
        (b'{"id": 1}', "line 2 of standard input is no JSON object with a text"),
        (b"[" * 100_000, "line 2 of standard input is no JSON object with a text"),
        (b'{"id": NaN, "text": ""}', "line 2 of standard input is no JSON object with a text"),
        (b'{"text": 5}', "line 2 of standard input has the text 5; text or null was wanted"),
        (b'{"text": "\xff"}', "line 2 of standard input is not UTF-8: byte 11 is 0xFF"),
    ],
    ids=["cut", "list", "no text", "deep", "nan", "number", "latin-1"],
)
def test_a_line_that_is_no_reply_is_named_after_those_before_it_were_read(
    cli: Cli, line: bytes, wording: str
) -> None:
    done = cli.run("parse", "task", stdin=_lines({"id": 0, "text": None}) + line + b"\n")
    assert done.code == 1
    assert len(done.out.splitlines()) == 1
    assert f"error: {wording}" in done.err
    assert "\nhint: " in done.err


def test_an_unknown_kind_is_refused_even_without_input(cli: Cli) -> None:
    told = cli.run("parse", "horoscope").problem()
    assert "there is no kind of reply named horoscope" in told
    assert "task, classification" in told
