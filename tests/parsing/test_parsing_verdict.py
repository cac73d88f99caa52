"""A judge's verdict is exactly Yes or No, or it is not valid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.parsing.verdict import parse_yes_no


def read(text, **ending):
    found = parse_yes_no(text, **ending)
    assert found.reason is found.answer is found.value is None
    return found.outcome.value, found.label


@pytest.mark.parametrize(
    "text", ["yes", "Yes", " YES ", "Yes.", "\tyEs.\n", "<think>No</think>\nYes"]
)
def test_yes_counts_in_any_case_with_space_and_one_full_stop(text):
    assert read(text) == ("ok", "yes")


@pytest.mark.parametrize("text", ["no", "NO.", "\nNo\n", "yes</think>no", "No<think>sure</think>"])
def test_no_counts_in_any_case_with_space_and_one_full_stop(text):
    assert read(text) == ("ok", "no")


@pytest.mark.parametrize(
    "text",
    [
        "At first Yes, but the reference differs. Verdict: No",
        "Yes\nNo",
        "Yes<think>?</think>No",
        "Not yes",
        "Yes, it does",
        "Yes..",
        "Yes .",
        "Yes!",
        ".Yes",
        '"Yes"',
        "'no'",
        "**Yes**",
        "`No`",
        "Verdict: Yes",
        '{"verdict": "yes"}',
        '{"reason": "same value"} yes',
        "y",
        "none",
        "yesno",
        "ye<think></think>s",
        "ye\u017f",  # a long s
        "\u200bYes",
        "Ja",
        ".",
        "I'm sorry, but I can't judge that.",
    ],
)
def test_all_else_is_no_valid_verdict(text):
    assert read(text) == ("unparsable", None)
    assert parse_yes_no(text).note.endswith("wanted exactly Yes or No")


@pytest.mark.parametrize(
    ("text", "ending", "outcome"),
    [
        ("Yes", {"finish_reason": "length"}, "truncated"),
        ("Yes <think>or", {}, "truncated"),
        ("", {}, "empty"),
        (None, {}, "empty"),
        ("<think>Yes</think>", {}, "empty"),
        ("Yes", {"refusal": "No."}, "refused"),
    ],
)
def test_a_reply_that_ended_otherwise_has_no_verdict(text, ending, outcome):
    assert read(text, **ending) == (outcome, None)


@given(st.text(st.characters(exclude_categories=[])))
def test_no_other_text_is_a_verdict(text):
    # The rule in other words: what is left without space, a full stop and case is one of two words.
    is_word = text.strip().lower() in {"yes", "no", "yes.", "no."}
    assert (read(text)[0] == "ok") == is_word
