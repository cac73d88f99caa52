"""Seeded draws by hash: repeatable, balanced, honest about what is missing."""

from hypothesis import given
from hypothesis import strategies as st

from core.sampling import (
    Shortfall,
    derived_seed,
    draw_balanced_sample,
    draw_proportional_sample,
    hash_order,
)

CELLS = [("a", "x"), ("a", "y"), ("b", "x")]


def _supply(**sizes: int) -> dict[str, tuple[str, str]]:
    cells = dict(zip(("ax", "ay", "bx"), CELLS, strict=True))
    return {f"{name}{i}": cells[name] for name, size in sizes.items() for i in range(size)}


def test_every_cell_gives_the_same_number_where_supply_allows() -> None:
    sample = draw_balanced_sample(_supply(ax=9, ay=5, bx=30), CELLS, per_cell=5, seed=3)
    drawn = [one[:2] for one in sample.ids]
    assert {name: drawn.count(name) for name in ("ax", "ay", "bx")} == {"ax": 5, "ay": 5, "bx": 5}
    assert sample.shortfalls == ()


def test_a_short_cell_gives_all_it_has_and_is_named() -> None:
    sample = draw_balanced_sample(_supply(ax=9, ay=2), CELLS, per_cell=5, seed=3)
    assert sample.shortfalls == (
        Shortfall(("a", "y"), wanted=5, found=2),
        Shortfall(("b", "x"), wanted=5, found=0),
    )
    assert len(sample.ids) == 7


@given(st.lists(st.text(min_size=1), unique=True), st.integers(0, 2**40), st.randoms())
def test_the_order_of_the_rows_does_not_matter(ids: list[str], seed: int, chance: object) -> None:
    shuffled = list(ids)
    chance.shuffle(shuffled)
    assert hash_order(ids, seed=seed) == hash_order(shuffled, seed=seed)


def test_removing_one_item_leaves_the_order_of_the_rest() -> None:
    ids = [str(i) for i in range(50)]
    before = hash_order(ids, seed=1)
    assert hash_order(ids[1:], seed=1) == [one for one in before if one != "0"]


def test_another_seed_gives_another_draw() -> None:
    supply = _supply(ax=40, ay=40, bx=40)
    one, two = (draw_balanced_sample(supply, CELLS, per_cell=5, seed=s).ids for s in (1, 2))
    assert set(one) != set(two)


def test_the_order_shown_mixes_the_cells() -> None:
    sample = draw_balanced_sample(_supply(ax=20, ay=20, bx=20), CELLS, per_cell=20, seed=0)
    assert len({one[:2] for one in sample.ids[:10]}) > 1


def test_derived_seeds_differ_by_item() -> None:
    assert len({derived_seed(0, "generate", i) for i in range(1000)}) == 1000


@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=2), st.integers(1, 30), min_size=1),
    st.floats(0, 1),
    st.integers(0, 99),
)
def test_a_proportional_draw_gives_every_cell_its_share_to_the_item(
    sizes: dict[str, int], share: float, seed: int
) -> None:
    cell_of = {f"{cell}-{i}": (cell,) for cell, size in sizes.items() for i in range(size)}
    n = round(share * len(cell_of))
    drawn = draw_proportional_sample(cell_of, n=n, seed=seed)
    assert len(set(drawn)) == len(drawn) == n
    for cell, size in sizes.items():
        exact = n * size / len(cell_of)
        assert abs(sum(cell_of[one] == (cell,) for one in drawn) - exact) < 1
