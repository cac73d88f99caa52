"""Seeded choices by hash of the id: the same on every machine, whatever the order of the rows.

An item's place is the hash of the seed and its id, so adding or removing other items never
moves it relative to the rest, and no random generator has a state to share or to lose.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


def hash_order(ids: Iterable[str], *, seed: int) -> list[str]:
    """The ids in a random order that depends on nothing but the seed and the ids.

    Example:
        >>> hash_order(["a", "b", "c"], seed=1) == hash_order(["c", "a", "b"], seed=1)
        True
    """
    return sorted(ids, key=lambda one: hashlib.sha256(f"{seed}\x1f{one}".encode()).digest())


def derived_seed(seed: int, *parts: object) -> int:
    """A seed in [0, 2^31) for one item, from the study's seed and what the item is.

    Example:
        >>> 0 <= derived_seed(7, "generate", 3) < 2**31
        True
    """
    text = "\x1f".join(str(part) for part in (seed, *parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) & 0x7FFFFFFF


@dataclass(frozen=True)
class Shortfall:
    """A cell that had fewer tasks than were wanted."""

    cell: tuple[str, ...]
    wanted: int
    found: int


@dataclass(frozen=True)
class BalancedSample:
    """The ids drawn, in random order, and the cells that fell short."""

    ids: tuple[str, ...]
    shortfalls: tuple[Shortfall, ...]


def draw_balanced_sample(
    cell_of: Mapping[str, tuple[str, ...]],
    cells: Iterable[tuple[str, ...]],
    *,
    per_cell: int,
    seed: int,
) -> BalancedSample:
    """A random sample with the same number of items from every cell, as far as supply allows.

    A cell that is short gives all it has; no other cell makes up for it, so that the sample
    stays as balanced as it can be, and the shortfall is said.

    Args:
        cell_of: the cell of each id on offer; ids of other cells are left out.
        cells: the cells wanted, (type, intent) for instance.
        per_cell: items wanted from each, at least 1.
        seed: the same seed, ids and cells give the same sample in the same order.

    Example:
        >>> cells = {"a": ("x",), "b": ("x",), "c": ("y",)}
        >>> sample = draw_balanced_sample(cells, [("x",), ("y",)], per_cell=2, seed=0)
        >>> sorted(sample.ids), sample.shortfalls
        (['a', 'b', 'c'], (Shortfall(cell=('y',), wanted=2, found=1),))
    """
    supply: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for one, cell in cell_of.items():
        supply[cell].append(one)
    chosen: list[str] = []
    shortfalls: list[Shortfall] = []
    for cell in cells:
        drawn = hash_order(supply[cell], seed=seed)[:per_cell]
        chosen.extend(drawn)
        if len(drawn) < per_cell:
            shortfalls.append(Shortfall(cell, per_cell, len(drawn)))
    # A second, different hash: the order of presentation must not follow the order of drawing.
    return BalancedSample(
        tuple(hash_order(chosen, seed=derived_seed(seed, "presentation"))), tuple(shortfalls)
    )


def draw_proportional_sample(
    cell_of: Mapping[str, tuple[str, ...]], *, n: int, seed: int
) -> tuple[str, ...]:
    """A random sample in which every cell has the share that it has of all items.

    A cell's number is its exact share rounded down or up: the places left over by rounding down go
    to the largest remainders, ties to the cell that comes first in order.

    Args:
        cell_of: the cell of each id.
        n: items wanted, from 0 to all of them.
        seed: the same seed, ids and cells give the same sample, cell by cell.

    Example:
        >>> cell_of = {"a": ("x",), "b": ("x",), "c": ("x",), "d": ("x",), "e": ("y",), "f": ("y",)}
        >>> sorted(cell_of[one] for one in draw_proportional_sample(cell_of, n=3, seed=0))
        [('x',), ('x',), ('y',)]
    """
    supply: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for one, cell in cell_of.items():
        supply[cell].append(one)
    cells = sorted(supply)
    # Whole numbers, so that no rounding of fractions decides who comes next.
    quota = {cell: divmod(n * len(supply[cell]), len(cell_of)) for cell in cells}
    left = n - sum(whole for whole, _ in quota.values())
    first = sorted(cells, key=lambda cell: -quota[cell][1])[:left]
    return tuple(
        one
        for cell in cells
        for one in hash_order(supply[cell], seed=seed)[: quota[cell][0] + (cell in first)]
    )
