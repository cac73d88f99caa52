"""One reason is found whatever stands around its name, and none is guessed."""

import pytest

from core.parsing.reasons import MAX_LENGTH, named_reasons
from core.taxonomy import REASON_NAMES, normalise_reason


def named(text, reasons=REASON_NAMES):
    return named_reasons(text, reasons, normalise_reason)


@pytest.mark.parametrize("name", REASON_NAMES)
def test_every_reason_is_found_with_a_number_or_an_explanation_around_it(name):
    explained = f"Reason: {name} (the request cannot be met)"
    for text in (name, name.upper(), f"7. {name}", f"**{name}**", f'"{name}"', explained):
        assert named(text) == (name,)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MISSING_CONTEXT", "Missing Context"),
        ("MissingContext", "Missing Context"),
        ("Missing Context because the text isn't provided", "Missing Context"),
        ("Missing Context.\nThe table is absent and the request is open-ended.", "Missing Context"),
        ("Missing Context: incomplete, vague", "Missing Context"),
        ("Missing Context, not Malicious Intent", "Missing Context"),
        ("Ethical Integrity: Malicious Intent", "Malicious Intent"),
        ("There is no scientific consensus on this.", "No Scientific Consensus"),
        ("Vague", "Vague/Open-Ended"),
        ("Reason: vague (too broad)", "Vague/Open-Ended"),
        ("Vague or Open-Ended", "Vague/Open-Ended"),
        ("The task is Illogical/Ill-formed.", "Illogical or Ill-formed"),
        ("ill-formed or illogical", "Illogical or Ill-formed"),
        ("Outside of Training Cutoff - an event in 2030", "Outside Training Cutoff"),
        (
            "Insufficient Domain Expertise: needs an analysis of computational complexity",
            "Insufficient Domain Expertise",
        ),
    ],
)
def test_other_spellings_and_longer_texts_name_one_reason(text, name):
    assert named(text) == (name,)


@pytest.mark.parametrize(
    "text",
    [
        "Missing Context and Malicious Intent",
        "Missing Context / Vague",
        "Vague, Missing Context",
        "Missing Context; Vague/Open-Ended",
        "Missing or Incoherent Context",
        "Missing/Incoherent Context",
        "not only Missing Context but also Malicious Intent",
    ],
)
def test_two_reasons_are_both_found(text):
    assert len(named(text)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "too hard",
        "Ethical Integrity",
        "Missing Contextual information",
        "not Missing Context",
        "This is not a case of Malicious Intent",
        "neither Missing Context nor Malicious Intent",
        "Missing Context does not apply",
        "Missing Context is not the reason",
        "non-malicious intent",
        "Missing Context " + "and more " * MAX_LENGTH,
    ],
)
def test_a_denied_unknown_or_endless_reason_is_none(text):
    assert named(text) == ()


def test_a_longer_name_is_not_taken_for_a_shorter_one_inside_it():
    assert named("missing context.", ("Context", "Missing Context")) == ("Missing Context",)


def test_names_in_other_scripts_are_found_as_they_are():
    assert named("文脈がない", ("文脈がない", "曖昧")) == ("文脈がない",)
