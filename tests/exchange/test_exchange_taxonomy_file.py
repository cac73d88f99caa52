"""Taxonomy files: what is read, and every fault in one sentence that says where."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, NotFoundError
from core.exchange.taxonomy_document import MOST_REASONS, MOST_TYPES, taxonomy_of_document
from core.exchange.taxonomy_file import MOST_BYTES, read_taxonomy, taxonomy_of_bytes
from core.settings import PROJECT_ROOT
from core.taxonomy import LINE_OF_DUTY, MISSING_CONTEXT, taxonomy_from

SHIPPED = sorted((PROJECT_ROOT / "data" / "taxonomies").glob("*.json"))


def small(**changes):
    reason = {"name": "No Key", "description": "A key is needed."}
    kind = {"name": "Doors", "description": "Knowing doors.", "reasons": [reason]}
    return {"name": "House", "version": 3, "types": [kind]} | changes


def with_type(**changes):
    document = small()
    document["types"][0] |= changes
    return document


def with_reason(**changes):
    document = small()
    document["types"][0]["reasons"][0] |= changes
    return document


def named(name):
    return {"name": name, "description": "It is so."}


def without(document, key):
    return {name: value for name, value in document.items() if name != key}


def test_a_file_is_read_as_it_stands_and_written_back_the_same(tmp_path: Path) -> None:
    document = small(spellings={"Keyless": "No Key", "A lock": "Doors"})
    path = tmp_path / "house.json"
    path.write_text("\ufeff" + json.dumps(document), encoding="utf-8")
    found = read_taxonomy(path)
    assert (found.title, found.type_names, found.reason_names) == (
        "House, version 3",
        ("Doors",),
        ("No Key",),
    )
    assert found.normalise_reason(" 1. KEYLESS ") == "No Key"
    assert found.document == document
    assert taxonomy_from(document) == taxonomy_of_document(document, "x") == found
    assert found.hash == taxonomy_from(document).hash != taxonomy_from(small(spellings={})).hash


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_files_are_sound_and_say_what_may_lack_its_context(path: Path) -> None:
    found = read_taxonomy(path)
    assert not found.is_built_in
    assert found.normalise_reason(MISSING_CONTEXT) in found.reason_names
    texts = [one.description for one in (*found.types, *found.reasons)]
    assert all(text.endswith(".") and text.count(". ") == 0 for text in texts)


def test_every_built_in_name_has_a_german_one_and_is_understood_as_that() -> None:
    german = read_taxonomy(PROJECT_ROOT / "data" / "taxonomies" / "german.json")
    for ours, theirs in zip(LINE_OF_DUTY.types, german.types, strict=True):
        assert german.normalise_type(ours.name) == theirs.name
        for reason, other in zip(ours.reasons, theirs.reasons, strict=True):
            assert german.normalise_reason(reason.name) == other.name


@pytest.mark.parametrize(
    ("document", "wording"),
    [
        ([], r"f\.json is '\[\]' where a JSON object was wanted"),
        (without(small(), "types"), r"f\.json has no types"),
        (without(small(), "version"), r"f\.json has no version"),
        (small(types=[]), r"f\.json has no types"),
        (small(types={}), r"f\.json has '\{\}' for its types where a list was wanted"),
        (small(color="red"), r"f\.json has the unknown key 'color'"),
        (small(version=0), r"f\.json has the version '0'"),
        (small(version=True), r"f\.json has the version 'True'"),
        (small(version="1"), r"f\.json has the version '1'"),
        (small(name=" "), r"f\.json has an empty name"),
        (small(name="n" * 81), r"f\.json has a name of 81 characters; at most 80 were wanted"),
        (small(types=[7]), r"type 1 of f\.json is '7' where a JSON object was wanted"),
        (with_type(reasons=[]), r"type 1 of f\.json has no reasons"),
        (with_type(name=None), r"type 1 of f\.json has 'None' for its name where text was wanted"),
        (with_type(descripton=""), r"type 1 of f\.json has the unknown key 'descripton'"),
        (with_type(name="Doors: all"), r"type 1 of f\.json has : in its name 'Doors: all'"),
        (with_type(name="Overall"), r"type 1 of f\.json has the name 'Overall', which stands for"),
        (with_reason(name="N/A"), r"reason 1 of type 1 of f\.json has the name 'N/A', which st"),
        (with_reason(name="of 2"), r"has the name 'of 2', which has no word to tell it by"),
        (with_reason(name="A, b"), r"reason 1 of type 1 of f\.json has , in its name 'A, b'"),
        (with_reason(name="No Key "), r"has a name that begins or ends with white space: 'No Key"),
        (with_reason(name="No\nKey"), r"has the character U\+000A in its name"),
        (with_reason(name="No \u202eKey"), r"has the character U\+202E in its name"),
        (with_reason(name="\ud835 key"), r"has the character U\+D835 in its name"),
        (with_reason(description=""), r"reason 1 of type 1 of f\.json has an empty description"),
        (with_reason(description="d" * 401), r"has a description of 401 characters; at most 400"),
        (
            with_type(reasons=[named("No key"), named("no  KEY 2")]),
            r"f\.json has two names that are read as one: "
            r"'No key' \(reason of 'Doors'\) and 'no  KEY 2' \(reason of 'Doors'\)",
        ),
        (
            with_reason(name="The Doors"),
            r"read as one: 'Doors' \(type\) and 'The Doors' \(reason of 'Doors'\)",
        ),
        (
            small(types=[*small()["types"], with_type(name="Gates")["types"][0]]),
            r"'No Key' \(reason of 'Doors'\) and 'No Key' \(reason of 'Gates'\)",
        ),
        (small(spellings=[]), r"f\.json has '\[\]' for its spellings where a JSON object"),
        (small(spellings={"a": 1}), r"the spelling 'a' of f\.json has '1' for its name where text"),
        (small(spellings={"a": "b"}), r"has the spelling 'a' for 'b', which it does not name"),
        (small(spellings={"1": "Doors"}), r"has the spelling '1', which cannot stand for a name"),
        (small(spellings={"none": "Doors"}), r"the spelling 'none', which cannot stand"),
        (
            small(spellings={"no KEY": "Doors"}),
            r"has the spelling 'no KEY' for 'Doors', and it is read as 'No Key'",
        ),
        (
            small(spellings={"a": "Doors", "A!": "No Key"}),
            r"has the spelling 'a' for 'Doors', and it is read as 'No Key'",
        ),
        (
            small(
                types=[named(f"t {letter}") | {"reasons": []} for letter in "abcdefghijklmnopqrstu"]
            ),
            rf"f\.json has 21 types; at most {MOST_TYPES} were wanted",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(document, wording) -> None:
    with pytest.raises(InputError, match=wording) as caught:
        taxonomy_of_document(document, "f.json")
    assert "\n" not in str(caught.value) and not str(caught.value).endswith(".")


def test_reasons_are_counted_over_all_types() -> None:
    def kind(letter, n):
        words = [f"{letter} {'x' * number}" for number in range(1, n + 1)]
        return named(f"type {letter}") | {"reasons": [named(word) for word in words]}

    taxonomy_of_document(small(types=[kind("a", 25), kind("b", 25)]), "f")
    with pytest.raises(InputError, match=rf"f has 51 reasons; at most {MOST_REASONS} were wanted"):
        taxonomy_of_document(small(types=[kind("a", 25), kind("b", 26)]), "f")


@pytest.mark.parametrize(
    ("data", "wording"),
    [
        (b'{"name": "a",\n "version" 1}', r"line 2 of f\.json is not JSON: expecting ':' delimite"),
        (b"", r"line 1 of f\.json is not JSON"),
        (b'{"name": "a", "name": "b"}', r"f\.json names 'name' twice in one object"),
        (b'{"version": NaN}', r"f\.json holds NaN, which is not JSON"),
        (b'{"a": "\xfc"}', r"line 1 of f\.json is not UTF-8"),
        (b"[" * 100_000, r"f\.json is nested too deeply"),
        (b" " * (MOST_BYTES + 1), r"f\.json has 1,000,001 bytes; at most 1,000,000 were wanted"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(data: bytes, wording: str) -> None:
    with pytest.raises(InputError, match=wording):
        taxonomy_of_bytes(data, "f.json")


def test_a_file_that_is_not_there_or_is_a_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"there is no file .*gone\.json"):
        read_taxonomy(tmp_path / "gone.json")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_taxonomy(tmp_path)


@pytest.mark.parametrize(
    "name", ["利用者の権限", "Доступ к счёту", "صلاحية الحساب", "खाता पहुँच", "Zoë’s Key"]
)
def test_names_in_any_script_are_names(name: str) -> None:
    found = taxonomy_of_document(with_reason(name=name), "f")
    assert found.normalise_reason(f"1. “{name.upper()}”") == name


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_document_with_anything_in_any_place_is_read_or_refused_in_words(data) -> None:
    document = copy.deepcopy(small(spellings={"a lock": "Doors"}))
    inner = [document, document["types"][0], document["types"][0]["reasons"][0]]
    place = data.draw(st.sampled_from([*inner, document["spellings"]]))
    key = data.draw(st.sampled_from(sorted(place)))
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=[])),
        lambda part: st.lists(part, max_size=2) | st.dictionaries(st.text(), part, max_size=2),
        max_leaves=4,
    )
    place[key] = data.draw(anything)
    try:
        found = taxonomy_of_document(document, "f")
    except InputError:
        return
    assert taxonomy_of_document(found.document, "f") == found
    assert all(found.normalise(name) == name for name in (*found.type_names, *found.reason_names))
