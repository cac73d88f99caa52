"""One percentage is a probability; what could be read in two ways is not read."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.parsing.endings import NOTE_LENGTH
from core.parsing.percent import parse_percent, read_percentage


def read(text, **ending):
    found = parse_percent(text, **ending)
    assert found.label is found.reason is found.answer is None
    return found.outcome.value, found.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0%", 0.0),
        ("1%", 0.01),
        ("100%", 1.0),
        ("100.0 %", 1.0),
        ("85 percent", 0.85),
        ("85 Per cent", 0.85),
        ("85percent.", 0.85),
        ("**85%**", 0.85),
        ("**85**%", 0.85),
        ("$85\\%$", 0.85),
        ('{"probability": "85%"}', 0.85),
        ("12.5%", 0.125),
        ("12.3%", 0.123),
        ("12,5%", 0.125),
        ("0.85%", 0.0085),
        ("1. 85%", 0.85),
        ("Success - 85%", 0.85),
        ("My estimate:\n\n85%\n", 0.85),
        ("About 85%.", 0.85),
        ("~85%", 0.85),
        ("One in four (25%).", 0.25),
        ("I say 80%. Yes, 80.0 percent.", 0.8),
        ("<think>20%? 30%?</think>40%", 0.4),
    ],
)
def test_a_single_percentage_is_a_probability(text, value):
    assert read(text) == ("ok", value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("150%", "more than 100 percent"),
        ("100.01%", "more than 100 percent"),
        ("9" * 400 + "%", "more than 100 percent"),
        ("8O%", "a percent sign without a number"),
        ("X%", "a percent sign without a number"),
        ("%", "a percent sign without a number"),
        ("1,000%", "a percent sign without a number"),
        (".5%", "a percent sign without a number"),
        ("1.2.3%", "a percent sign without a number"),
        ("٨٥%", "a percent sign without a number"),
        ("85%, or 8O%", "a percent sign without a number"),
        ("60% at first, now 70%", "2 different percentages: 60%, 70%"),
        ("85", "no percentage"),
        ("0.85", "no percentage"),
        ("eighty-five percent", "no percentage"),
        ("in the 85th percentile", "no percentage"),
        ("I cannot say.", "no percentage"),
    ],
)
def test_what_is_no_single_percentage_is_not_guessed(text, why):
    assert read(text) == ("unparsable", None)
    assert parse_percent(text).note.startswith(why)


@pytest.mark.parametrize(
    "text",
    [
        "-5%",
        "\u22125%",
        "- 85%",
        "minus 5%",
        "+5%",
        "80-90%",
        "80–90 %",
        "80 to 90%",
        "80 to about 90%",
        "80% - 90%",
        "80 or 90%",
        "between 80 and 90 percent",
        "80, 90%",
        "1 000%",
        "85 ± 5%",
        "85% ± 5",
        ">99%",
        "> **99%**",
        "<1%",
        "≥ 90%",
        "more than 90%",
        "at least 80%",
        "up to 60%",
        "a maximum of 60%",
        "80%+",
        "50% or more",
        "80% at most",
        "85/100%",
        "75 out of 100%",
        "not 80%",
        "almost 100%",
        "near 100%",
        "nowhere near 100%",
        "not quite 100%",
        "it isn't 70%",
        "more than a 70% chance",
        "at most a 30 percent chance",
        "well over a 90% chance",
        "a 70% chance or better",
        "80% likelihood at least",
    ],
)
def test_a_bound_a_range_or_a_sign_is_not_guessed(text):
    assert read(text) == ("unparsable", None)
    assert parse_percent(text).note.startswith("the percentage is a bound, a range or signed")


@pytest.mark.parametrize(
    "text",
    [
        "Chance of failure: 30%",
        "My probability of failing is **30%**.",
        "I would fail in 30% of cases.",
        "A 30% risk of failure",
        "There is a 30% chance that I fail.",
        "30% likely to fail",
    ],
)
def test_a_chance_of_failure_is_not_taken_for_one_of_success(text):
    assert read(text) == ("unparsable", None)
    assert parse_percent(text).note.startswith("the percentage is one of failure")


@pytest.mark.parametrize(
    "text",
    [
        "I could fail. 85%",
        "Tests may fail: 1) edge cases 2) speed. Success: 85%",
        "85%: I may fail on empty lists.",
        "Failure is possible, so I say 85%.",
        "An 85% chance not to fail",
    ],
)
def test_failure_in_another_phrase_does_not_make_a_chance_unreadable(text):
    assert read(text) == ("ok", 0.85)


@pytest.mark.parametrize(
    ("text", "ending", "outcome"),
    [
        ("85%", {"finish_reason": "length"}, "truncated"),
        ("85% <think>or", {}, "truncated"),
        ("", {}, "empty"),
        ("<think>85%</think>", {}, "empty"),
        ("85%", {"finish_reason": "content_filter"}, "refused"),
    ],
)
def test_a_reply_that_ended_otherwise_has_no_value(text, ending, outcome):
    assert read(text, **ending) == (outcome, None)


hundredths = st.integers(0, 10_000)


@given(hundredths, st.sampled_from(["%", " %", "**%", r"\%", " percent", " per cent"]))
def test_every_percentage_to_two_places_is_the_nearest_number(count, unit):
    # Integer division by 10,000 is correctly rounded, as the value of the text should be.
    assert read(f"I say {count // 100}.{count % 100:02}{unit}!") == ("ok", count / 10_000)


pieces = st.lists(
    st.sampled_from(
        ["8", "100", "%", "\\%", " percent", ".", ",", "-", " ", ">", "to ", "not ", "**", "O"]
    ),
    max_size=15,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(pieces | st.text(st.characters(exclude_categories=[]), max_size=40))
@example("9" * 5_000 + "%")
def test_any_text_gives_a_probability_or_says_why_not(text):
    found = read_percentage(text)
    assert len(found.note) <= NOTE_LENGTH
    if found.outcome.value == "ok":
        assert 0 <= found.value <= 1
    else:
        assert found.value is None
        assert found.note


@pytest.mark.parametrize("text", ["9" * 200_000, "1," * 100_000 + "%", "-" * 200_000 + "5%"])
def test_text_made_to_be_slow_ends_like_any_other(text):
    # A scan that began anew at every digit would take minutes here.
    assert read(text) == ("unparsable", None)
