"""What holds for every reply: text round-trips, and no text makes a parser raise."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.parsing.endings import NOTE_LENGTH, is_blank
from core.parsing.structured import parse_classification, parse_task
from core.records import Outcome
from core.taxonomy import REASON_NAMES

FEASIBLE = '{"task_class": "feasible", "answer": "4", "reason": ""}'
INFEASIBLE = '{"task_class": "infeasible", "answer": "", "reason": "Missing Context"}'
TASK = '{"task": "Add 2 and 2."}'

any_text = st.text(st.characters(exclude_categories=[]), max_size=60)
prose = st.text(
    st.characters(exclude_characters="{}<>\"'`", exclude_categories=["Cs"]), max_size=40
).filter(lambda text: "task_class" not in text)
fence = st.sampled_from(
    [("", ""), ("```json\n", "\n```"), ("~~~\n", "\n~~~"), ("<think>{</think>", "")]
)


@settings(max_examples=200, deadline=None)
@given(any_text, prose, prose, fence, st.booleans())
@example('"}{"task_class": "infeasible"}</think><think>', "", "", ("", ""), False)
def test_any_answer_comes_back_unchanged_from_json_with_anything_around(
    answer, before, after, fence, is_ascii
):
    reply = json.dumps(
        {"task_class": "feasible", "answer": answer, "reason": ""}, ensure_ascii=is_ascii
    )
    reading = parse_classification(before + fence[0] + reply + fence[1] + after)
    # Two lone halves side by side, written as escapes, are one character by JSON's own rule.
    assert reading.outcome is Outcome.OK
    assert reading.answer == json.loads(reply)["answer"]


@settings(max_examples=200, deadline=None)
@given(any_text, prose, prose)
def test_any_task_comes_back_unchanged_from_a_python_dict(task, before, after):
    reading = parse_task(before + repr({"task": task}) + after)
    if is_blank(task):
        assert reading.outcome is Outcome.EMPTY
    else:
        assert (reading.outcome, reading.answer) == (Outcome.OK, task)


pieces = st.lists(
    st.sampled_from(
        ["{", "}", '"', "'", "[", "]", ":", ",", "\\", "\n", "<think>", "</think>", "```", " ", "1",
         "task", '"task"', '"task_class"', "'task_class'", '"infeasible"', "'feasible'", '"reason"',
         "True", "null", "-", '"""', "\0", "\ud800", TASK, FEASIBLE, INFEASIBLE]
    ),
    max_size=30,
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.one_of(any_text, pieces.map("".join)))
def test_no_text_makes_a_parser_raise_and_every_other_outcome_says_why(text):
    for reading in (parse_task(text), parse_classification(text)):
        assert len(reading.note) <= NOTE_LENGTH
        if reading.outcome is Outcome.OK:
            assert reading.reason is None or reading.reason in REASON_NAMES
        else:
            assert reading.note
            assert reading.label is reading.reason is reading.answer is None


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        '{"a":' * 40_000,
        "{'a':" * 40_000,
        '{"a":[' * 40_000,
        "{'a':1}" * 30_000,
        '{"task_class":' * 15_000,
        '{"task_class":}' * 15_000,
        "{'\"{" * 50_000,
        '{"""' * 50_000,
        "<think>" * 30_000,
        '{"a' + "\\" * 200_000,
        "{'task_class':'feasible','answer':[" + "1," * 100_000 + "]}",
        "{'task_class':" + "-" * 200_000 + "1}",
        '{"task_class":"infeasible","reason":"' + "Missing," * 25_000 + '"}',
        '{"a":' * 500 + "1" + "}" * 500,
        '{"task_class": "feasible", "answer": ' + "9" * 10_000 + "}",
    ],
)
def test_text_made_to_be_slow_or_deep_ends_like_any_other(text):
    # A scan that went through the rest of the text at every brace would take minutes here.
    assert parse_classification(text).outcome in set(Outcome)
    assert parse_task(text).outcome in set(Outcome)


def test_a_long_answer_is_read_in_full():
    answer = 'x{"a": 1} <think> ' * 60_000
    reply = {"task_class": "feasible", "answer": answer}
    assert parse_classification(json.dumps(reply)).answer == answer
    assert parse_classification(repr(reply)).answer == answer
