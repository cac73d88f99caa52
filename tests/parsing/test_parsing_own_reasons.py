"""Replies that name the reasons of a study's own taxonomy, in any language."""

import pytest

from core.parsing.kinds import parse_reply
from core.taxonomy import KnowledgeType, Reason, Taxonomy

GERMAN = ("Böswillige Absicht", "Fehlende Angaben", "Vage oder offen gestellt")
ODD = ("OutOfScope", "Terms & Conditions", "利用者の権限", "Refund Request", "Late Refund Request")


def taxonomy(names, **spellings):
    reasons = tuple(Reason(name, "It is so.") for name in names)
    pairs = tuple((spelt.replace("_", " "), name) for spelt, name in sorted(spellings.items()))
    return Taxonomy("Own", 1, (KnowledgeType("Kind", "Knowing.", reasons),), pairs)


def read(reason, names, **spellings):
    reply = f'{{"task_class": "infeasible", "answer": "", "reason": "{reason}"}}'
    return parse_reply("classification", reply, taxonomy=taxonomy(names, **spellings))


@pytest.mark.parametrize("name", [*GERMAN, *ODD])
def test_a_name_is_found_alone_numbered_and_with_an_explanation(name):
    for reason in (name, name.lower(), f"3. {name}", f"{name}: the reason is this", f"({name})"):
        assert read(reason, GERMAN + ODD).reason == name, reason


def test_a_name_in_camel_case_is_one_name_and_a_longer_name_is_not_a_shorter_one():
    assert read("OutOfScope", ODD).reason == "OutOfScope"
    assert read("out of scope", ODD).reason == "OutOfScope"
    assert read("It is a Late Refund Request.", ODD).reason == "Late Refund Request"


@pytest.mark.parametrize(
    "reason",
    [
        "nicht Böswillige Absicht",
        "keine böswillige Absicht",
        "weder Böswillige Absicht noch Fehlende Angaben",
        "Böswillige Absicht trifft nicht zu",
        "nicht wegen der Böswilligen Absicht",
        "Missing Context",
    ],
)
def test_what_is_denied_in_german_or_not_on_offer_is_no_reason(reason):
    assert read(reason, GERMAN).outcome == "unparsable"


def test_a_denied_name_leaves_the_other_one_standing():
    found = read("nicht Böswillige Absicht, sondern Fehlende Angaben", GERMAN)
    assert found.reason == "Fehlende Angaben"


def test_another_spelling_of_the_taxonomy_is_understood():
    assert read("missing context: no text", GERMAN, missing_context="Fehlende Angaben").reason == (
        "Fehlende Angaben"
    )


def test_no_reason_in_german_words_is_none():
    found = read("keine", GERMAN)
    assert found.note == "infeasible, but no reason is given"


def test_the_built_in_reasons_are_read_where_no_taxonomy_is_given():
    reply = '{"task_class": "infeasible", "reason": "Missing Context"}'
    assert parse_reply("classification", reply).reason == "Missing Context"
    assert parse_reply("task", '{"task": "Sing."}', taxonomy=taxonomy(GERMAN)).answer == "Sing."
