"""The taxonomy: five types, eleven reasons, and every spelling met in published files."""

import pytest

from core.taxonomy import (
    REASON_NAMES,
    TYPE_NAMES,
    TYPE_OF_REASON,
    TYPES,
    normalise,
    normalise_reason,
    normalise_type,
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
