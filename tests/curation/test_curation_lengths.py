"""Limits on length are drawn wide, on the logarithm, and only where there are enough tasks."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.lengths import FENCE, FEWEST_TASKS, LEAST_FACTOR, length_flag, length_limits

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "published" / "line_of_duty"


def code(text, low, high):
    flag = length_flag(text, low, high)
    return flag and flag.code


def test_the_limits_lie_three_ranges_outside_the_quartiles_of_the_logarithms():
    # 5 × 100, 11 × 200, 5 × 400 characters: the quartiles of the 21 lengths are the 6th, 11th and
    # 16th, all 200, so that only the factor of five around the median counts: 40 and 1,000.
    assert length_limits({"a": [100] * 5 + [200] * 11 + [400] * 5}) == {"a": (40.0, 1000.0)}
    # 6 × 100, 9 × 200, 6 × 400: the quartiles are 100 and 400, a factor of 4 apart, so the fences
    # are 100 / 4³ = 1.5625 and 400 × 4³ = 25,600.
    assert length_limits({"b": [100] * 6 + [200] * 9 + [400] * 6}) == {"b": (1.5625, 25_600.0)}


def test_where_lengths_hardly_vary_only_a_factor_of_five_counts():
    [(low, high)] = length_limits({"a": [100] * 30}).values()
    assert (low, high) == (20.0, 500.0)
    assert code("x" * 20, low, high) is None
    assert code("x" * 19, low, high) == "too_short_for_cell"
    assert code("x" * 500, low, high) is None
    assert code("x" * 501, low, high) == "too_long_for_cell"


def test_a_cell_with_too_few_tasks_has_no_limits():
    few, enough = [100] * (FEWEST_TASKS - 1), [100] * FEWEST_TASKS
    assert set(length_limits({"few": few, "enough": enough, "none": []})) == {"enough"}
    # Tasks without characters do not count.
    assert length_limits({"few": [*few, 0]}) == {}
    assert length_limits({}) == {}


def test_one_monster_does_not_move_the_limits():
    lengths = [100, 120, 150, 180, 200] * 8
    [(low, high)] = length_limits({"a": lengths}).values()
    [(low_too, high_too)] = length_limits({"a": [*lengths, 1_000_000]}).values()
    assert high_too < 2 * high and low_too > low / 2


def test_the_sentences_name_neither_the_limits_nor_the_cell():
    short, long = length_flag("Hi", 5, 10), length_flag("Hi there, you", 5, 10)
    assert short.why == "The task is far shorter than usual for tasks of its kind."
    assert long.why == "The task is far longer than usual for tasks of its kind."
    assert short.spans == long.spans == ()


@given(st.lists(st.integers(1, 10**6), min_size=FEWEST_TASKS, max_size=60), st.randoms())
def test_order_does_not_matter_and_the_middle_half_is_always_inside(lengths, chance):
    shuffled = chance.sample(lengths, len(lengths))
    [(low, high)] = length_limits({"a": lengths}).values()
    assert length_limits({"a": shuffled}) == {"a": (low, high)}
    ranked = sorted(lengths)
    middle = ranked[len(ranked) // 4 + 1 : -(len(ranked) // 4) - 1]
    assert all(low < length < high for length in middle)


@given(st.lists(st.integers(1, 10**4), min_size=FEWEST_TASKS, max_size=40), st.integers(2, 9))
def test_tasks_k_times_as_long_have_limits_k_times_as_high(lengths, k):
    [(low, high)] = length_limits({"a": lengths}).values()
    [(low_k, high_k)] = length_limits({"a": [k * length for length in lengths]}).values()
    assert math.isclose(low_k, k * low, rel_tol=1e-9)
    assert math.isclose(high_k, k * high, rel_tol=1e-9)


def test_few_of_the_published_tasks_are_far_off_their_cell():
    # A cell is a type × a side of one study. Seven of 8,000: one number of 19,000 digits; three
    # vague ones of one line, two questions about the Olympics and one riddle, each less than a
    # sixth as long as the tasks around it.
    calamine = pytest.importorskip("python_calamine")
    if not PUBLISHED.is_dir():
        pytest.skip("the published files are not beside the project")
    met = []
    for path in sorted(PUBLISHED.glob("*.xlsx")):
        rows = calamine.load_workbook(str(path)).get_sheet_by_index(0).to_python()[1:]
        cells = {}
        for _, text, _, intent, type, *_ in rows:
            cells.setdefault((type, intent), []).append(text)
        limits = length_limits({cell: [*map(len, texts)] for cell, texts in cells.items()})
        met += [
            flag.code
            for cell, texts in cells.items()
            for text in texts
            if cell in limits and (flag := length_flag(text, *limits[cell]))
        ]
    assert sorted(met) == ["too_long_for_cell"] + ["too_short_for_cell"] * 6
    assert (FENCE, LEAST_FACTOR) == (3.0, 5.0)
