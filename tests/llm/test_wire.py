import json

import pytest

from core.llm.client import CallFailed
from core.llm.wire import allows_strict, first_choice, known_usage, raw_json, response_format


def _said(text, finish="stop", **message):
    return {
        "model": "said",
        "choices": [{"message": {"content": text, **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2},
    }


def test_the_providers_own_words_win_over_a_tidied_reading_of_them():
    own = json.dumps(_said("<think>hm</think>yes", finish="eos"))
    choice = first_choice("m", own, _said("yes"))
    assert (choice.text, choice.finish_reason) == ("<think>hm</think>yes", "eos")


def test_a_schema_carried_by_a_tool_call_is_read_from_the_converted_reply():
    own = json.dumps(_said(None, finish="tool_calls"))
    choice = first_choice("m", own, _said('{"a": 1}'))
    assert (choice.text, choice.finish_reason) == ('{"a": 1}', "stop")


def test_another_providers_form_is_read_through_the_converted_reply():
    own = json.dumps({"content": [{"type": "text", "text": "yes"}]})
    assert first_choice("m", own, _said("yes")).text == "yes"


def test_a_refusal_field_is_kept_and_no_content_stays_none():
    choice = first_choice("m", None, _said(None, refusal="I cannot"))
    assert (choice.text, choice.refusal) == (None, "I cannot")


def test_an_error_inside_a_choice_is_no_answer():
    own = {"choices": [{"error": {"message": "upstream died"}, "message": {"content": "par"}}]}
    with pytest.raises(CallFailed, match=r"^m sent an error instead of an answer: upstream died$"):
        first_choice("m", json.dumps(own), _said("par"))


def test_a_reply_without_choices_is_no_answer():
    with pytest.raises(CallFailed, match=r"^m sent no choice to read an answer from$"):
        first_choice("m", None, {"choices": []})


def test_tokens_the_provider_did_not_count_are_unknown_not_zero():
    own = json.dumps({"choices": [{"message": {"content": "yes"}}]})
    said = {**_said("yes"), "usage": {"prompt_tokens": 0, "completion_tokens": 0}}
    assert known_usage(own, said).prompt_tokens is None
    assert known_usage(None, _said("yes")).completion_tokens == 2


def test_the_raw_reply_is_ascii_and_keeps_half_surrogates_and_nuls():
    raw = raw_json('{"text": "\\ud835 x\\u0000 né"}', {})
    assert raw.isascii()
    assert json.loads(raw) == {"text": "\ud835 x\x00 né"}


def test_a_reply_that_is_not_json_is_kept_as_it_was_read():
    assert json.loads(raw_json("<html>", {"model": "said"})) == {"model": "said"}


TEXT = {"type": "string"}
CLOSED = {"type": "object", "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({**CLOSED, "properties": {"a": TEXT}}, True),
        ({**CLOSED, "properties": {"a": {"enum": ["x", "y"]}}}, True),
        # a property may well be called maxLength
        ({**CLOSED, "required": ["maxLength"], "properties": {"maxLength": TEXT}}, True),
        ({**CLOSED, "properties": {"a": {"type": "string", "maxLength": 9}}}, False),
        ({**CLOSED, "properties": {"a": {**CLOSED, "properties": {"b": TEXT}}}}, False),
        ({"type": "object", "properties": {"a": TEXT}, "required": ["a"]}, False),
        ({"anyOf": [{**CLOSED, "properties": {"a": TEXT}}]}, False),
    ],
)
def test_strict_adherence_is_asked_for_only_within_its_rules(schema, strict):
    assert allows_strict(schema) is strict
    assert response_format(schema)["json_schema"]["strict"] is strict
