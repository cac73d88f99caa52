"""A screening judge's verdict counts as a whole, with its reason, or not at all."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.curation.reasons import REMOVAL_REASONS
from core.parsing.endings import NOTE_LENGTH
from core.parsing.screening import MALFORMED, SCREENING_REASONS, SOUND, parse_screening
from core.records import Outcome

SOUND_REPLY = '{"verdict": "sound", "reason": "", "why": "It is whole."}'
MALFORMED_REPLY = '{"verdict": "malformed", "reason": "unsafe", "why": "It spells out cruelty."}'


def read(text, **ending):
    found = parse_screening(text, **ending)
    return found.outcome.value, found.label, found.reason, found.answer


def note_of(text):
    found = parse_screening(text)
    assert found.outcome is Outcome.UNPARSABLE
    assert found.label is found.reason is found.answer is None
    return found.note


def test_a_verdict_comes_with_its_reason_and_the_judges_own_sentence():
    assert read(SOUND_REPLY) == ("ok", "sound", None, "It is whole.")
    assert read(MALFORMED_REPLY) == ("ok", "malformed", "unsafe", "It spells out cruelty.")


def test_every_reason_of_a_judge_is_one_that_a_person_can_give():
    assert set(SCREENING_REASONS) < set(REMOVAL_REASONS)
    assert not {"duplicate", "wrong_type", "other"} & set(SCREENING_REASONS)


@pytest.mark.parametrize(
    ("text", "ending", "outcome"),
    [
        (SOUND_REPLY, {"finish_reason": "length"}, "truncated"),
        (None, {"finish_reason": "length"}, "truncated"),
        (f"<think>so {SOUND_REPLY}", {}, "truncated"),
        (None, {}, "empty"),
        (" \u200b\n", {}, "empty"),
        ("<think>sound, I would say</think>", {}, "empty"),
        (SOUND_REPLY, {"refusal": "No."}, "refused"),
        (SOUND_REPLY, {"finish_reason": "content_filter"}, "refused"),
        ("I'm sorry, but I can't look at that.", {}, "refused"),
        ("sound", {}, "unparsable"),
        ('"sound"', {}, "unparsable"),
        ('{"verdict": "sound", "reason": ""', {}, "unparsable"),
        ('{"answer": "sound"}', {}, "unparsable"),
    ],
)
def test_a_reply_without_a_verdict_ends_as_a_careful_person_would_say(text, ending, outcome):
    found = parse_screening(text, **ending)
    assert (found.outcome.value, found.label) == (outcome, None)
    assert found.note


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{MALFORMED_REPLY}\n```",
        f"Here is my verdict:\n{MALFORMED_REPLY}\nI hope that helps.",
        f"<think>perhaps {SOUND_REPLY}</think>{MALFORMED_REPLY}",
        f"{MALFORMED_REPLY}\n{MALFORMED_REPLY}",
        f'{{"result": {MALFORMED_REPLY}}}',
        "{'verdict': 'Malformed', 'reason': 'UNSAFE', 'why': 'It spells out cruelty.'}",
        '{"Verdict": "MALFORMED.", "Reason": " unsafe ", "Why": "It spells out cruelty."}',
    ],
)
def test_a_verdict_is_found_in_a_fence_in_prose_and_after_thinking(text):
    assert read(text) == ("ok", "malformed", "unsafe", "It spells out cruelty.")


@pytest.mark.parametrize(
    "reason", ["states feasibility", "States-Feasibility", "`states_feasibility`"]
)
def test_a_space_or_hyphen_may_stand_for_an_underscore(reason):
    reply = json.dumps({"verdict": "malformed", "reason": reason, "why": "x"})
    assert read(reply) == ("ok", "malformed", "states_feasibility", "x")


@pytest.mark.parametrize("verdict", ["not sound", "unsound", "soundly", "sound or malformed", "ok"])
def test_only_the_whole_word_is_a_verdict(verdict):
    reply = json.dumps({"verdict": verdict, "reason": "", "why": "x"})
    assert "wanted sound or malformed" in note_of(reply)


@pytest.mark.parametrize("verdict", [None, True, 1, ["sound"], {"sound": 1}])
def test_a_verdict_that_is_no_text_is_none(verdict):
    assert parse_screening(json.dumps({"verdict": verdict})).outcome is Outcome.UNPARSABLE


@pytest.mark.parametrize("reason", ["unsafe", "sound", ["unsafe"], ["", "unsafe"], 3, [], False])
def test_sound_with_a_reason_is_unparsable(reason):
    reply = json.dumps({"verdict": "sound", "reason": reason, "why": "x"})
    assert note_of(reply).startswith("sound, but with the reason")


@pytest.mark.parametrize("reason", ["", " ", None, "None", "n/a", "-", "Not applicable"])
def test_a_word_for_none_is_no_reason(reason):
    reply = {"verdict": "sound", "reason": reason, "why": "x"}
    assert read(json.dumps(reply)) == ("ok", "sound", None, "x")
    assert note_of(json.dumps(reply | {"verdict": "malformed"})) == (
        "malformed, but no reason is given"
    )


@pytest.mark.parametrize(
    "reason",
    [
        "duplicate",
        "wrong_type",
        "other",
        "unsafe, malformed",
        "1. unsafe",
        "not unsafe",
        ["unsafe"],
        5,
    ],
)
def test_malformed_for_an_unknown_reason_is_unparsable(reason):
    reply = json.dumps({"verdict": "malformed", "reason": reason, "why": "x"})
    assert note_of(reply).startswith("malformed for an unknown reason")


def test_two_different_verdicts_are_none():
    assert note_of(SOUND_REPLY + MALFORMED_REPLY) == "2 different verdicts in one reply"
    assert note_of('{"verdict": "sound", "Verdict": "malformed"}') == (
        "one key is given twice with different values"
    )
    assert "Verdict: malformed" in note_of(f"Verdict: malformed\n{SOUND_REPLY}")
    assert read(f"The form is verdict: sound or malformed. {MALFORMED_REPLY}")[0] == "ok"


def test_a_missing_why_is_noted_and_leaves_the_verdict_standing():
    found = parse_screening('{"verdict": "sound"}')
    assert (found.outcome, found.label, found.answer) == (Outcome.OK, SOUND, None)
    assert found.note == "it does not say why"
    found = parse_screening('{"verdict": "malformed", "reason": "unsafe", "why": [1, "é"]}')
    assert (found.label, found.answer) == (MALFORMED, '[1, "é"]')
    assert found.note == "the why was no text and is kept as JSON"


any_text = st.text(st.characters(exclude_categories=[]), max_size=60)


@settings(max_examples=200, deadline=None)
@given(any_text, st.booleans())
def test_any_why_comes_back_unchanged(why, is_ascii):
    reply = json.dumps(
        {"verdict": "malformed", "reason": "unsafe", "why": why}, ensure_ascii=is_ascii
    )
    assert read(reply) == ("ok", "malformed", "unsafe", json.loads(reply)["why"])


pieces = st.lists(
    st.sampled_from(
        ["{", "}", '"', "'", ":", ",", "\\", "\n", "<think>", "</think>", "```", " ", "1", "[", "]",
         '"verdict"', '"sound"', "'malformed'", '"reason"', '"unsafe"', "null", SOUND_REPLY]
    ),
    max_size=30,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(any_text, pieces.map("".join)))
def test_no_text_makes_the_parser_raise_and_a_verdict_is_never_without_its_reason(text):
    reading = parse_screening(text)
    assert len(reading.note) <= NOTE_LENGTH
    if reading.outcome is Outcome.OK:
        assert (reading.label == MALFORMED) == (reading.reason in SCREENING_REASONS)
        assert reading.label in (SOUND, MALFORMED)
    else:
        assert reading.note
        assert reading.label is reading.reason is reading.answer is None
