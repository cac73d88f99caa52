"""The taxonomy: five types, eleven reasons, and every spelling met in published files."""

from dataclasses import replace

import pytest

from core.taxonomy import (
    LINE_OF_DUTY,
    MISSING_CONTEXT,
    REASON_NAMES,
    TYPE_NAMES,
    TYPE_OF_REASON,
    TYPES,
    VAGUE,
    KnowledgeType,
    Reason,
    Taxonomy,
    fold,
    normalise,
    normalise_reason,
    normalise_type,
    taxonomy_from,
)


def test_there_are_five_types_and_eleven_reasons_each_of_one_type() -> None:
    assert len(TYPE_NAMES) == 5
    assert len(set(REASON_NAMES)) == 11
    assert set(TYPE_OF_REASON) == set(REASON_NAMES)
    assert [len(kind.reasons) for kind in TYPES] == [3, 2, 2, 2, 2]


@pytest.mark.parametrize("name", (*TYPE_NAMES, *REASON_NAMES))
def test_every_name_is_found_whatever_its_case_number_or_quotes(name: str) -> None:
    for spelling in (name, name.lower(), name.upper(), f"3. {name}", f'"{name}"', f" {name} \n"):
        assert normalise(spelling) == name


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("No scientific consensus", "No Scientific Consensus"),
        ("Abstract temporal setting", "Abstract Temporal Setting"),
        ("Illogical/ Ill-formed", "Illogical or Ill-formed"),
        ("Illogical or Ill formed", "Illogical or Ill-formed"),
        ("Vague / Open-ended", "Vague/Open-Ended"),
        ("Capability Boundary", "Functional Ceiling"),
    ],
)
def test_the_spellings_of_files_and_models_are_understood(spelling: str, name: str) -> None:
    assert normalise(spelling) == name


@pytest.mark.parametrize("text", ["", "too hard", "Missing", "Context", "Missing Context maybe"])
def test_an_unknown_name_is_never_guessed(text: str) -> None:
    assert normalise(text) is None


def test_a_type_is_no_reason_and_a_reason_no_type() -> None:
    assert normalise_reason("Ethical Integrity") is None
    assert normalise_type("Malicious Intent") is None


def test_every_description_is_one_sentence() -> None:
    for kind in TYPES:
        for text in (kind.description, *(reason.description for reason in kind.reasons)):
            assert text.endswith(".")
            assert text.count(". ") == 0


def test_the_built_in_taxonomy_is_what_the_names_of_the_module_say() -> None:
    assert LINE_OF_DUTY.is_built_in
    assert LINE_OF_DUTY.types == TYPES
    assert LINE_OF_DUTY.reason_names == REASON_NAMES
    assert replace(LINE_OF_DUTY, version=2).is_built_in is False


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("3) Böswillige  Absicht!", "boswillige absicht"),
        ("STRASSE, Straße", "strasse strasse"),
        ("Доступ к счёту", "доступ к счету"),
        ("利用者の権限 2", "利用者の権限"),
        ("हिन्दी", "हिनदी"),  # its virama is a combining mark, its vowel signs are not
        ("42 — ♥", ""),
    ],
)
def test_the_words_of_every_script_are_kept_without_case_accents_and_signs(
    text: str, folded: str
) -> None:
    assert fold(text) == folded


def test_names_stand_for_a_built_in_reason_when_they_are_spelt_so() -> None:
    kind = KnowledgeType("Doors", "Knowing doors.", (Reason("No Key", "A key is needed."),))
    own = Taxonomy("House", 1, (kind,), (("Missing Context", "No Key"),))
    assert own.stands_for("no key", MISSING_CONTEXT)
    assert not own.stands_for("No Key", VAGUE)
    assert not own.stands_for(None, MISSING_CONTEXT)
    # Neither knows the other's name.
    assert not own.stands_for("gone", VAGUE)
    assert taxonomy_from(own.document) == own
    assert hash(taxonomy_from(own.document)) == hash(own)


def test_a_change_of_any_word_changes_the_hash() -> None:
    [first, *others] = TYPES
    changed = [
        replace(LINE_OF_DUTY, name="Other"),
        replace(LINE_OF_DUTY, version=2),
        replace(LINE_OF_DUTY, types=(replace(first, description="Otherwise."), *others)),
        replace(LINE_OF_DUTY, types=(*others, first)),
        replace(LINE_OF_DUTY, other_spellings=()),
    ]
    assert len({one.hash for one in [LINE_OF_DUTY, *changed]}) == 6
