"""Repeats are found whatever their case, spaces and outer punctuation."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.duplicates import exact_repeats, same_words

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "published" / "line_of_duty"


def test_the_first_in_order_is_the_one_that_stays():
    texts = {3: "Write a story.", 1: "write  a\nSTORY", 2: "Write a poem.", 0: " “Write a story” "}
    assert exact_repeats(texts) == {1: 3, 0: 3}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Add 2 + 2.", "Add 22."),
        ("Is a < b?", "Is a > b?"),
        ("Translate résumé.", "Translate resume."),
        ("?", "!"),
        ("कि", "की"),
    ],
)
def test_texts_that_say_different_things_are_no_repeats(one, other):
    assert exact_repeats({"a": one, "b": other}) == {}


@given(st.lists(st.text(max_size=5), max_size=20))
def test_repeats_and_first_ones_add_up_to_all(texts):
    repeats = exact_repeats(dict(enumerate(texts)))
    assert len(repeats) + len({same_words(text) for text in texts}) == len(texts)
    assert not set(repeats.values()) & set(repeats)


def test_the_published_files_hold_212_verbatim_repeats_and_27_more_after_normalising():
    calamine = pytest.importorskip("python_calamine")
    if not PUBLISHED.is_dir():
        pytest.skip("the published files are not beside the project")
    verbatim = normalised = 0
    for path in sorted(PUBLISHED.glob("*.xlsx")):
        rows = calamine.load_workbook(str(path)).get_sheet_by_index(0).to_python()[1:]
        texts = {row[0]: row[1] for row in rows}
        repeats = exact_repeats(texts)
        same = len(texts) - len(set(texts.values()))
        assert len(repeats) >= same
        verbatim += same
        normalised += len(repeats)
    # 212 = sum over the files of 800 - distinct texts, as the source of the files states.
    assert (verbatim, normalised) == (212, 239)
