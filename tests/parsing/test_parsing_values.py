"""What an object holds comes out unchanged, and its label and reason are never guessed."""

import json

import pytest

from core.parsing.structured import parse_classification, parse_task
from core.records import Outcome

FEASIBLE = '{"task_class": "feasible", "answer": "4", "reason": ""}'
TASK = '{"task": "Add 2 and 2."}'


def read(text, **ending):
    found = parse_classification(text, **ending)
    return found.outcome.value, found.label, found.reason, found.answer


# --- text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"task_class":"feasible","answer":"[1, ]","reason":"1,} good"}', "[1, ]"),
        (r"{'task_class': 'feasible', 'answer': 'don\'t', 'reason': ''}", "don't"),
        ("{'task_class': 'feasible', 'answer': \"it's True that None\"}", "it's True that None"),
        ('{"task_class":"feasible","answer":"```py\\nf({})\\n```"}', "```py\nf({})\n```"),
        ('{"task_class": "feasible", "answer": "a\nb\tc\r\nd"}', "a\nb\tc\r\nd"),
        ("{'task_class': 'feasible', 'answer': 'a\nb\r\nc\0'}", "a\nb\r\nc\0"),
        ("{'task_class': 'feasible', 'answer': '''it's\n'ok' '''}", "it's\n'ok' "),
        (r'{"task_class": "feasible", "answer": "\\frac{1}{2} \\n"}', r"\frac{1}{2} \n"),
        (r'{"task_class": "feasible", "answer": "\( x \)"}', r"\( x \)"),
        (r'{"task_class": "feasible", "answer": "\ud835 x\u0000"}', "\ud835 x\0"),
        ("{'task_class': 'feasible', 'answer': '\ud835 x'}", "\ud835 x"),
        (r'{"task_class": "feasible", "answer": "\ud83d\ude00", }', "😀"),
        ('{"task_class": "feasible", "answer": "  None "}', "  None "),
        ('{"task_class": "feasible", "answer": 3.10}', "3.10"),
        (
            '{"task_class": "feasible", "answer": [1.50, "é", {"a": true}]}',
            '[1.50, "é", {"a": true}]',
        ),
        ("{'task_class': 'feasible', 'answer': (1, None)}", "[1, null]"),
        ('{"task_class": "feasible", "answer": NaN}', "NaN"),
    ],
)
def test_an_answer_is_exactly_what_the_object_holds(text, answer):
    assert read(text) == ("ok", "feasible", None, answer)


def test_an_answer_that_is_no_text_is_noted():
    note = parse_classification('{"task_class": "feasible", "answer": 4}').note
    assert note == "the answer was no text and is kept as JSON"


@pytest.mark.parametrize("answer", ["", ', "answer": null', ', "answer": " "'])
def test_feasible_without_an_answer_keeps_its_label_and_says_so(answer):
    reading = parse_classification('{"task_class": "feasible"' + answer + "}")
    assert (reading.outcome, reading.label) == (Outcome.OK, "feasible")
    assert reading.note == "feasible, but without an answer"


# --- label and reason


@pytest.mark.parametrize("word", ["feasible", "Feasible", " FEASIBLE\n", "feasible.", "'feasible'"])
def test_a_label_counts_whatever_its_case_and_the_marks_around_it(word):
    assert read(json.dumps({"Task_Class": word, "answer": "x"}))[1] == "feasible"


@pytest.mark.parametrize(
    "value",
    ["not feasible", "infeasible-ish", "unfeasible", "feasible|infeasible", "", True, 1, None, []],
)
def test_a_label_is_one_of_the_two_words_as_a_whole(value):
    reading = parse_classification(json.dumps({"task_class": value, "answer": "x"}))
    assert reading.outcome is Outcome.UNPARSABLE
    assert reading.note.endswith("wanted feasible or infeasible")


@pytest.mark.parametrize(
    "reason", ["Missing Context", "6. missing context: no text was given", ["Missing Context"]]
)
def test_infeasible_has_its_one_reason(reason):
    text = json.dumps({"task_class": "infeasible", "answer": "", "reason": reason})
    assert read(text) == ("ok", "infeasible", "Missing Context", "")


@pytest.mark.parametrize(
    ("reason", "note"),
    [
        (None, "infeasible, but no reason is given"),
        ("", "infeasible, but no reason is given"),
        ("N/A", "infeasible, but no reason is given"),
        ("too hard", "infeasible for an unknown reason: 'too hard'"),
        ("Ethical Integrity", "infeasible for an unknown reason: 'Ethical Integrity'"),
        ("not Missing Context", "infeasible for an unknown reason: 'not Missing Context'"),
        (6, "infeasible for an unknown reason: '6'"),
        (
            ["Malicious Intent", "Missing Context"],
            "infeasible for more than one reason: Missing Context · Malicious Intent",
        ),
    ],
)
def test_infeasible_without_exactly_one_known_reason_is_unparsable(reason, note):
    reading = parse_classification(json.dumps({"task_class": "infeasible", "reason": reason}))
    assert (reading.outcome, reading.note) == (Outcome.UNPARSABLE, note)


def test_a_reason_beside_feasible_is_ignored_and_noted():
    reading = parse_classification(FEASIBLE.replace('""', '"Missing Context"'))
    assert (reading.label, reading.reason) == ("feasible", None)
    assert reading.note == "reason beside feasible ignored: 'Missing Context'"


@pytest.mark.parametrize("nothing", ['""', "null", '"None"', '"n/a"', '"-"', "[]"])
def test_an_empty_reason_beside_feasible_is_not_worth_a_note(nothing):
    assert parse_classification(FEASIBLE.replace('""', nothing)).note == ""


def test_a_study_can_bring_its_own_reasons():
    text = '{"task_class": "infeasible", "reason": "2. Needs a body (hands)"}'
    reading = parse_classification(text, reasons=("Needs a body",), normalise=lambda _: None)
    assert reading.reason == "Needs a body"


# --- tasks


@pytest.mark.parametrize(
    ("text", "task"),
    [
        (TASK, "Add 2 and 2."),
        ("```\n" + TASK + "\n```", "Add 2 and 2."),
        ('{"task": "  two\\n lines  "}', "  two\n lines  "),
        ('{"task": "Read {\\"task\\": 1} aloud."}', 'Read {"task": 1} aloud.'),
        ("{'task': 'Say \"hi\".'}", 'Say "hi".'),
        (TASK + TASK, "Add 2 and 2."),
        (TASK + '{"task": "Add 2 and 2.", "id": 2}', "Add 2 and 2."),
    ],
)
def test_a_task_is_the_text_exactly_as_decoded(text, task):
    reading = parse_task(text)
    assert (reading.outcome, reading.answer, reading.label) == (Outcome.OK, task, None)


@pytest.mark.parametrize(
    ("text", "outcome", "note"),
    [
        ('{"task": " \\u200b"}', "empty", "the task is blank"),
        ('{"task": null}', "unparsable", "the task is not text but 'null'"),
        ('{"task": ["a"]}', "unparsable", "the task is not text but '[\"a\"]'"),
        (TASK + '{"task": "B"}', "unparsable", "2 different objects with the key task"),
        ('{"tasks": ["a"]}', "unparsable", "no object has the key task; the first has: tasks"),
        ("Add 2 and 2.", "unparsable", "no object in the reply, which begins: 'Add 2 and 2.'"),
    ],
)
def test_what_is_not_one_task_says_why(text, outcome, note):
    reading = parse_task(text)
    assert (reading.outcome, reading.note, reading.answer) == (outcome, note, None)


def test_other_keys_beside_the_task_are_noted():
    assert parse_task('{"task": "x", "type": "y"}').note == "other keys ignored: type"
