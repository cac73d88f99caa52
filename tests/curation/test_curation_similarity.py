"""Similar tasks are found completely, and group the same way as all pairs would."""

import random
from itertools import combinations
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.curation import similarity, similarity_search
from core.curation.duplicates import exact_repeats, same_words, word_weights
from core.curation.similarity import (
    DEFAULT_THRESHOLD,
    MOST_ALIKE,
    clusters,
    similar_pairs,
    threshold_meaning,
)
from core.errors import InputError

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "published" / "line_of_duty"
THRESHOLDS = (0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)
MADE_WORDS = [f"word{at}x" for at in range(60)]
OFTEN = [1 / (at + 1) for at in range(60)]
FEW_WORDS = ["add", "the", "poem", "sea", "7", "8", "short", "list", "write", "+"]


def published_texts() -> dict[tuple[str, str], str]:
    calamine = pytest.importorskip("python_calamine")
    if not PUBLISHED.is_dir():
        pytest.skip("the published files are not beside the project")
    texts = {}
    for path in sorted(PUBLISHED.glob("*.xlsx")):
        rows = calamine.load_workbook(str(path)).get_sheet_by_index(0).to_python()[1:]
        texts |= {(path.stem, str(row[0])): str(row[1]) for row in rows}
    return texts


def similarity_of(one: str, other: str) -> float:
    pairs = similar_pairs({"one": one, "other": other}, floor=0.01)
    return pairs[0][2] if pairs else 0.0


def slow_pairs(texts: dict, floor: float) -> list[tuple]:
    """Every pair, from its two texts alone: shared weight over the mean weight (geometric)."""
    said = {one: (same_words(text), word_weights(same_words(text))) for one, text in texts.items()}
    total = {one: sum(weights.values()) for one, (_, weights) in said.items()}
    found = []
    for one, other in combinations(texts, 2):
        (words, weights), (other_words, other_weights) = said[one], said[other]
        shared = sum(weights[name] for name in weights.keys() & other_weights.keys())
        value = 1.0
        if words != other_words:
            mean = sqrt(total[one] * total[other])
            value = min(round(shared / mean, 6), MOST_ALIKE) if mean else 0.0
        if value >= floor:
            found.append((one, other, value))
    return found


def groups(pairs, texts, threshold) -> list[tuple]:
    return clusters(pairs, threshold=threshold, order=texts)


def assert_same_groups(texts: dict, floor: float = 0.6) -> None:
    found, slow = similar_pairs(texts, floor=floor), slow_pairs(texts, floor)
    truth = {frozenset(pair[:2]): pair[2] for pair in slow}
    assert len(found) < max(len(texts), 1)
    for one, other, value in found:
        assert truth[frozenset((one, other))] == value
    for threshold in sorted({floor, *THRESHOLDS, *truth.values()}):
        assert groups(found, texts, threshold) == groups(slow, texts, threshold)


def test_the_similarity_is_the_weight_in_common_over_the_geometric_mean_of_both():
    # poem 1, sea 1, "poem sea" 0.25 = 2.25; poem 1, sky 1, "poem sky" 0.25 = 2.25; 1 / 2.25 = 0.444
    assert similarity_of("poem sea", "poem sky") == pytest.approx(1 / 2.25, abs=1e-6)
    # the 0.1, sea 1, "the sea" 0.25 = 1.35, of which sea is all that "sea" holds: 1 / sqrt(1.35)
    assert similarity_of("the sea", "sea") == pytest.approx(1 / sqrt(1.35), abs=1e-6)


def test_one_more_small_word_matters_less_than_another_subject():
    sea = "Write a poem about the sea"
    assert similarity_of(sea, "Write a short poem about the sea") > DEFAULT_THRESHOLD
    assert 0.6 < similarity_of(sea, "Write a poem about the moon") < 0.75


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is 17 × 23?", "What is 18 × 24?"),
        ("What is 17 - 23?", "What is 17 / 23?"),
        ("What is the sum of 25 and 7?", "What is the sum of 12 and 9?"),
    ],
)
def test_a_template_with_other_data_is_worth_a_look_but_no_duplicate(one, other):
    assert 0.6 < similarity_of(one, other) < DEFAULT_THRESHOLD


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("写一首关于大海的诗。", "写一首关于大海的短诗。", "请解释量子力学的基本原理。"),
        ("海についての詩を書いて", "海についての短い詩を書いて", "円の面積を計算する"),
        ("समुद्र के बारे में कविता लिखो", "समुद्र के बारे में छोटी कविता लिखो", "दो और तीन जोड़ो"),
        ("เขียนบทกวีเกี่ยวกับทะเล", "เขียนบทกวีสั้นเกี่ยวกับทะเล", "คำนวณพื้นที่"),
    ],
)
def test_other_scripts_are_compared_too(one, near, far):
    assert similarity_of(one, near) > 0.75 > 0.6 > similarity_of(one, far)


def test_words_in_another_order_are_not_the_same_text():
    assert similarity_of("sort 1, 2", "sort 2, 1") == MOST_ALIKE
    assert similarity_of("a, b", "a; b") == MOST_ALIKE


def test_repeats_are_a_star_around_the_first_with_similarity_one():
    texts = {"c": "Add it.", "a": "add IT", "d": "Write a poem", "b": '"Add it"'}
    assert similar_pairs(texts) == [("c", "a", 1.0), ("c", "b", 1.0)]
    assert similar_pairs(texts, floor=1.0) == [("c", "a", 1.0), ("c", "b", 1.0)]


def test_texts_without_words_are_similar_to_their_repeats_only():
    texts = {1: "", 2: "?", 3: "!", 4: " ", 5: "?", 6: "😀 😀", 7: "😀", 8: "\ud835", 9: "\u0000"}
    pairs = similar_pairs(texts)
    # 6 says 😀 and 😀 beside 😀: 1 / sqrt(1.25) = 0.894
    assert pairs == [(1, 4, 1.0), (2, 5, 1.0), (6, 7, 0.894427)]


def test_half_a_surrogate_pair_in_a_text_does_no_harm():
    assert similarity_of("Write \ud835 poem", "Write \ud835 poem now") > 0.6


def test_no_texts_and_one_text_have_no_pairs():
    assert similar_pairs({}) == similar_pairs({1: "Write a poem."}) == []
    assert clusters([], threshold=0.6) == clusters([], threshold=0.6, order="ab") == []


@pytest.mark.parametrize("floor", [0, -1, 1.1, float("nan")])
def test_a_floor_outside_its_range_is_refused(floor):
    with pytest.raises(InputError, match=f"the floor is {floor}, wanted a similarity above 0"):
        similar_pairs({}, floor=floor)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from(FEW_WORDS), max_size=8).map(" ".join), max_size=25),
    st.sampled_from([0.05, 0.33, 0.6, 0.9]),
)
def test_the_forest_joins_what_all_pairs_join(texts, floor):
    assert_same_groups(dict(enumerate(texts)), floor)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(max_size=12), max_size=12))
def test_any_text_can_be_compared(texts):
    named = dict(enumerate(texts))
    pairs = similar_pairs(named, floor=0.3)
    assert len(pairs) <= max(len(texts) - 1, 0)
    assert all(0.3 <= value <= 1 for _, _, value in pairs)
    repeats = {(first, again) for again, first in exact_repeats(named).items()}
    assert {pair[:2] for pair in pairs if pair[2] == 1} == repeats


SMALL_SIZES = {
    "_EDGES_AT_ONCE": 10,
    "_ENTRIES_AT_ONCE": 200,
    "_ROWS_AT_ONCE": 5,
    "_ROWS_OF_CROWDED": 4,
    "_CHEAP_WORK_PER_TEXT": 1,
}


WAYS_TO_CUT = pytest.mark.parametrize(
    "sizes",
    [
        {},
        SMALL_SIZES | {"_WORK_AT_ONCE": 500},
        SMALL_SIZES | {"_WORK_AT_ONCE": 500, "_DENSE_ADVANTAGE": 0.0},
        SMALL_SIZES | {"_WORK_AT_ONCE": 0, "_DENSE_ADVANTAGE": 0.0, "_CELLS_AT_ONCE": 900},
        SMALL_SIZES | {"_WORK_AT_ONCE": 500, "_DENSE_ADVANTAGE": 1e9},
    ],
    ids=["as it is", "small blocks", "dense checks", "all crowded", "pair by pair"],
)


def cut_work(sizes, monkeypatch):
    if sizes:
        monkeypatch.setattr(similarity, "_TEXTS_AT_ONCE", 7)
    for name, size in sizes.items():
        monkeypatch.setattr(similarity_search, name, size)


@WAYS_TO_CUT
@pytest.mark.parametrize("floor", [0.3, 0.6])
def test_made_tasks_group_as_by_comparing_every_pair_however_the_work_is_cut(
    sizes, floor, monkeypatch
):
    cut_work(sizes, monkeypatch)
    rng = random.Random(7)
    for _ in range(20):
        texts = [rng.choices(MADE_WORDS, OFTEN, k=rng.randint(2, 9)) for _ in range(20)]
        for _ in range(60):
            again = list(rng.choice(texts))
            again[rng.randrange(len(again))] = rng.choice(MADE_WORDS)
            texts.append(again)
        rng.shuffle(texts)
        assert_same_groups(dict(enumerate(map(" ".join, texts))), floor)


@WAYS_TO_CUT
def test_real_tasks_group_as_by_comparing_every_pair_however_the_work_is_cut(sizes, monkeypatch):
    texts = published_texts()
    cut_work(sizes, monkeypatch)
    # The file with the most near-duplicates, and one task in many variations.
    some = {key: text for key, text in texts.items() if key[0] == "gemini-1.5-flash_results"}
    some = dict(list(some.items())[:300])
    words = next(iter(some.values())).split()
    some |= {("made", str(at)): " ".join(words[:at] + words[at + 1 :]) for at in range(len(words))}
    assert_same_groups(some)


def test_all_published_repeats_are_together_at_threshold_one():
    texts = published_texts()
    names = sorted({name for name, _ in texts})
    in_clusters = 0
    for name in names:
        own = {key: text for key, text in texts.items() if key[0] == name}
        found = groups(similar_pairs(own), own, 1.0)
        assert all(len({same_words(own[key]) for key in members}) == 1 for members in found)
        in_clusters += sum(len(members) - 1 for members in found)
    # 212 verbatim repeats and 27 after normalising, as the test of exact_repeats counts them.
    assert in_clusters == 239


def test_a_pair_keeps_its_similarity_when_the_study_grows_or_turns_round():
    texts = published_texts()
    pair = {1: "Write a poem about the sea 12", 2: "Write a short poem about the sea 13"}
    alone = similar_pairs(pair)
    assert [(one, other) for one, other, _ in alone] == [(1, 2)]
    grown = similar_pairs(dict(list(texts.items())[:500]) | pair)
    assert alone[0] in grown
    assert similar_pairs({2: pair[2], 1: pair[1]}) == [(2, 1, alone[0][2])]


def test_pairs_come_strongest_first_and_name_the_earlier_text_first():
    texts = published_texts()
    some = dict(list(texts.items())[1600:2400])
    pairs = similar_pairs(some)
    place = {key: at for at, key in enumerate(some)}
    assert [pair[2] for pair in pairs] == sorted((pair[2] for pair in pairs), reverse=True)
    assert all(place[one] < place[other] for one, other, _ in pairs)
    assert pairs == similar_pairs(some)


def test_progress_only_grows_and_ends_at_one():
    seen = []
    similar_pairs({at: f"Write a poem about {at}" for at in range(1_200)}, progress=seen.append)
    assert seen == sorted(seen)
    assert (min(seen) >= 0, seen[-1], len(seen) > 3) == (True, 1.0, True)


def test_groups_come_largest_first_then_by_first_member():
    pairs = [("d", "e", 1.0), ("b", "f", 0.9), ("a", "c", 0.9), ("c", "g", 0.7)]
    assert clusters(pairs, threshold=0.8, order="abcdefg") == [("a", "c"), ("b", "f"), ("d", "e")]
    assert clusters(pairs, threshold=0.7, order="abcdefg") == [
        ("a", "c", "g"),
        ("b", "f"),
        ("d", "e"),
    ]
    assert clusters(pairs, threshold=0.95) == [("d", "e")]


def test_a_threshold_is_met_by_a_pair_right_at_it():
    assert clusters([(1, 2, 0.85)], threshold=0.85) == [(1, 2)]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0, 1)), max_size=20),
    st.floats(0, 1),
)
def test_groups_are_apart_and_hold_every_strong_pair_together(pairs, threshold):
    found = clusters(pairs, threshold=threshold, order=range(10))
    home = {member: at for at, members in enumerate(found) for member in members}
    assert len(home) == sum(map(len, found))
    strong = [(one, other) for one, other, value in pairs if value >= threshold and one != other]
    assert home.keys() == {end for pair in strong for end in pair}
    assert all(home[one] == home[other] for one, other in strong)
    assert all(members == tuple(sorted(members)) and len(members) > 1 for members in found)


def test_every_threshold_has_one_plain_sentence():
    told = [threshold_meaning(at / 100) for at in range(0, 101)]
    assert all(sentence.endswith(".") and sentence.count(". ") == 0 for sentence in told)
    assert told[100] != told[99] and told[85] != told[84]
    assert threshold_meaning(DEFAULT_THRESHOLD) == "The same task in slightly other words."
