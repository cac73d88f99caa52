"""A reply ends as a careful person would say it ended, wherever its object stands."""

import json

import pytest

from core.parsing.structured import parse_classification, parse_task
from core.records import Outcome

FEASIBLE = '{"task_class": "feasible", "answer": "4", "reason": ""}'
INFEASIBLE = '{"task_class": "infeasible", "answer": "", "reason": "Missing Context"}'


def read(text, **ending):
    found = parse_classification(text, **ending)
    return found.outcome.value, found.label, found.reason, found.answer


# --- what ends a reply before it is read


@pytest.mark.parametrize("parse", [parse_task, parse_classification])
@pytest.mark.parametrize(
    "text", [None, "", " \n\t", "\u200b\ufeff\u2060", "\u3164", "\u2800\ufe0f"]
)
def test_a_reply_that_shows_nothing_is_empty(parse, text):
    assert parse(text).outcome is Outcome.EMPTY


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
@pytest.mark.parametrize("text", [FEASIBLE, "", None, "{"])
def test_a_reply_stopped_at_the_length_limit_is_truncated_even_when_it_reads(reason, text):
    assert parse_classification(text, finish_reason=reason).outcome is Outcome.TRUNCATED


@pytest.mark.parametrize(
    "ending",
    [
        {"refusal": "I will not write this."},
        {"finish_reason": "content_filter"},
        {"finish_reason": "content-filter"},
        {"finish_reason": "SAFETY"},
        {"finish_reason": "length", "refusal": "No."},
    ],
)
def test_the_providers_refusal_comes_before_everything_else(ending):
    assert parse_classification(FEASIBLE, **ending).outcome is Outcome.REFUSED
    assert parse_classification(None, **ending).outcome is Outcome.REFUSED


def test_a_blank_refusal_field_is_no_refusal():
    assert read(FEASIBLE, refusal=" ") == ("ok", "feasible", None, "4")


def test_an_unknown_finish_reason_does_not_end_a_reply():
    assert read(FEASIBLE, finish_reason=None)[0] == "ok"
    assert read(FEASIBLE, finish_reason="tool_calls")[0] == "ok"


# --- thinking


@pytest.mark.parametrize(
    "text",
    [
        '<think>maybe {"task_class":"infeasible"}</think>' + FEASIBLE,
        "<THINKING effort='high'>" + INFEASIBLE + "</THINKING>\n" + FEASIBLE,
        "<think>a<think>b</think>" + INFEASIBLE + "</think>" + FEASIBLE,
        "<think>a</think><think>" + INFEASIBLE + "</think>" + FEASIBLE,
        "it could be " + INFEASIBLE + " or not\n</think>\n" + FEASIBLE,
        'starting {"task_class": "infeasible", "answer" hmm</think>' + FEASIBLE,
        "I put my thoughts in `<think>` tags. " + FEASIBLE,
    ],
)
def test_thinking_is_not_part_of_the_answer(text):
    assert read(text) == ("ok", "feasible", None, "4")


@pytest.mark.parametrize(
    "text",
    ["<think>" + FEASIBLE, "<think>a<think>b</think>" + FEASIBLE, "Well. <thinking>\n" + FEASIBLE],
)
def test_thinking_that_was_never_closed_is_truncated(text):
    reading = parse_classification(text)
    assert reading.outcome is Outcome.TRUNCATED
    assert reading.note.startswith("thinking was never closed; the reply ends: ")


@pytest.mark.parametrize("text", ["<think>hm</think> \n", FEASIBLE + "</think>", "</think>\u200b"])
def test_thinking_with_nothing_after_it_is_empty(text):
    assert parse_classification(text).outcome is Outcome.EMPTY


@pytest.mark.parametrize("answer", ["use <think> tags", "</think>", "a</think>b<think>", "<think>"])
def test_a_tag_inside_a_string_is_text(answer):
    text = json.dumps({"task_class": "feasible", "answer": answer, "reason": ""})
    assert read(text) == ("ok", "feasible", None, answer)


# --- where the object stands


@pytest.mark.parametrize(
    "text",
    [
        FEASIBLE,
        "\ufeff" + FEASIBLE,
        "```json\n" + FEASIBLE + "\n```",
        "Sure {ha}! Here:\n```\n" + FEASIBLE + "\n```\nHope {that} helps.",
        FEASIBLE + "\n\n" + FEASIBLE,
        FEASIBLE + '\nand {"confidence": 1}',
        "[" + FEASIBLE + "]",
        '{"result": ' + FEASIBLE + "}",
        '{"result": [{"deep": ' + FEASIBLE + "}]}",
        "{" + FEASIBLE + "}",
        json.dumps(FEASIBLE),
        'The form is {"task_class": "feasible"|"infeasible", "answer": …}. Mine: ' + FEASIBLE,
    ],
)
def test_one_object_is_found_wherever_it_stands(text):
    assert read(text) == ("ok", "feasible", None, "4")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FEASIBLE + INFEASIBLE, "2 different objects with the key task_class"),
        (f"[{FEASIBLE}, {INFEASIBLE}]", "2 different objects with the key task_class"),
        (FEASIBLE + FEASIBLE.replace("4", "5"), "2 different objects with the key task_class"),
        ("task_class: infeasible\n" + FEASIBLE, "the text around the object says"),
        ('{"class": "feasible"}', "no object has the key task_class; the first has: class"),
        ("{}", "no object has the key task_class; the first has: no keys"),
        ("feasible", "no object in the reply, which begins: 'feasible'"),
        ('{task_class: "feasible"}', "nothing in the reply can be read as an object"),
        ("{“task_class”: “feasible”}", "nothing in the reply can be read as an object"),
        ('{"task_class": "feasible", "answer": "so far', "a quotation mark is never closed"),
        ('{"task_class": "feasible", "answer": "x"', "its closing brace is missing"),
        ('{"task_class": "feasible", "answer": x}', "it is neither JSON nor a Python dict"),
        ('{"task_class": "feasible", "answer": "say "hi" now"}', "neither JSON nor a Python dict"),
        (
            '{"task_class": "feasible", "answer": "say ""hi"" now"}',
            "a comma is missing, or a quotation mark",
        ),
        ('{"task_class": "feasible" "answer": "x"}', "a comma is missing, or a quotation mark"),
        ('{"task_class": "feasible", "answer": nul, "x": ' + INFEASIBLE + "}", "cannot be read"),
        ('{"task_class": "feasible", "answer": "' + FEASIBLE, "cannot be read"),
        ('{"task_class": "feasible", "task_class": "infeasible"}', "one key twice"),
        ("{'task_class': 'feasible', 'task_class': 'infeasible'}", "one key twice"),
        ('{"task_class": "feasible", "Task_Class": "infeasible"}', "one key is given twice"),
    ],
)
def test_what_a_person_could_not_read_as_one_object_is_unparsable(text, why):
    reading = parse_classification(text)
    assert reading.outcome is Outcome.UNPARSABLE
    assert why in reading.note


def test_what_was_odd_about_a_good_reply_is_noted():
    assert parse_classification(FEASIBLE).note == ""
    assert parse_classification(FEASIBLE * 2).note == "the object was given 2 times"
    assert parse_classification(f"[{FEASIBLE}]").note == ""
    assert parse_classification(f'{{"a": {FEASIBLE}}}').note == "the object was inside another one"
    assert parse_classification(json.dumps(FEASIBLE)).note == (
        "the object came as JSON text inside a string"
    )
    assert "an object cannot be read" in parse_classification('{"task_class": } ' + FEASIBLE).note


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("I'm sorry, but I can't help with that.", "refused"),
        ("I’m really sorry, but as an AI language model I cannot do this.", "refused"),
        ("I can’t assist with that request.", "refused"),
        ("Unfortunately, I am not able to do this.", "refused"),
        ("As an AI, I must decline.", "refused"),
        ("<think>They ask for malware.</think>I won't write this.", "refused"),
        ("I'm sorry about the delay. The answer is 4.", "unparsable"),
        ("I can't wait to help!", "unparsable"),
        ("I cannot do this: infeasible, Missing Context.", "unparsable"),
        ("The user said: I can't help with that.", "unparsable"),
        ('I cannot help. {"error": "policy"}', "unparsable"),
        ("I cannot " + "x" * 600, "unparsable"),
    ],
)
def test_only_a_short_decline_in_the_first_person_is_a_refusal(text, outcome):
    assert parse_classification(text).outcome == outcome
    assert parse_task(text).outcome == outcome
