"""The pairs of rows with a cosine at or above a floor, as a maximum spanning forest.

The search is complete: it rests on bounds, not on chance, and misses no pair. Rows are compared in
blocks; a block takes whichever way to its cosines is less work.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MOST_ALIKE = 0.999
"""No two rows are more similar than this: 1 is kept for what is the same."""

# Sizes of one call into numpy or scipy: tens of milliseconds, tens of megabytes.
_WORK_AT_ONCE = 5_000_000
_ROWS_AT_ONCE = 512
_ROWS_OF_CROWDED = 64
_CELLS_AT_ONCE = 8_000_000
_ENTRIES_AT_ONCE = 1_000_000
_EDGES_AT_ONCE = 1_000_000
_TRANSPOSES = 8
_CHEAP_WORK_PER_TEXT = 10_000
_DENSE_ADVANTAGE = 0.1  # time of a product with a dense block, to one of two sparse rows
_SLACK = 1e-4  # more than rounding to 32 bits can cost
_EDGE = np.dtype([("one", np.int32), ("other", np.int32), ("value", float)])


def similarity_forest(
    vectors: "csr_matrix", floor: float, progress: Callable[[float], None]
) -> list[tuple[int, int, float]]:
    """The edges of a maximum spanning forest: two rows and their cosine, at least the floor.

    Args:
        vectors: rows of length 1, or 0, with no entry below 0; columns from the rarest to the
            commonest, in this order in each row. Rows that are alike best stand side by side.
        floor: in (0, `MOST_ALIKE`].
        progress: is called with the share that is done, in [0, 1], from time to time.

    Example:
        >>> from scipy.sparse import csr_matrix
        >>> rows = csr_matrix([[0.6, 0.8], [0.0, 1.0], [1.0, 0.0]])
        >>> similarity_forest(rows, 0.7, print)
        1.0
        [(1, 0, 0.8)]
    """
    n = vectors.shape[0]
    waiting, n_waiting = [np.empty(0, dtype=_EDGE)], 0
    for edges, end in _edges(vectors, floor):
        waiting.append(edges)
        n_waiting += len(edges)
        if n_waiting > _EDGES_AT_ONCE:
            # An edge left out of the forest of some edges is in no forest of more.
            waiting, n_waiting = [_spanning_forest(np.concatenate(waiting), n)], 0
        progress((end / n) ** 2)  # each row is compared with those before it
    return _spanning_forest(np.concatenate(waiting), n).tolist()


def _edges(vectors: "csr_matrix", floor: float) -> Iterator[tuple[np.ndarray, int]]:
    """Every pair of rows whose cosine is at least the floor, in blocks, with each block's end.

    Prefix filtering: let a row's tail be its commonest features, as many as stay shorter than the
    floor. Two rows that share nothing outside their tails have a cosine below the floor (by
    Cauchy-Schwarz), so the product of what is left, which is sparse, finds all candidates. It is
    also a part of their cosine, and what the tails can add to it is bounded in the same way.
    """
    kept, tail, common = _without_tails(vectors, floor)
    work = _work_up_to(kept)
    # Rows are compared with those up to the block's end, taken from a few ready transposes.
    stops = np.unique(np.linspace(0, vectors.shape[0], _TRANSPOSES + 1).astype(int))
    start, columns = 0, None
    while start < vectors.shape[0]:
        end = _end_of_crowded(vectors, work, start)
        if end:
            yield _crowded_edges(vectors, start, end, floor), end
            start = end
            continue
        end = _end_of_work(work, start)
        if columns is None or columns.shape[1] < end:
            columns = kept[: stops[np.searchsorted(stops, end)]].T.tocsr()
        found = (kept[start:end] @ columns).tocoo()
        one, other, part = found.row + start, found.col, found.data
        most = part + np.maximum(tail[one] * common[other], common[one] * tail[other])
        near = (other < one) & (most > floor - _SLACK)
        yield _checked_edges(vectors, start, end, one[near], other[near], floor), end
        start = end


def _without_tails(
    vectors: "csr_matrix", floor: float
) -> tuple["csr_matrix", np.ndarray, np.ndarray]:
    """The rows without their tails, the lengths of the tails and of all common features."""
    from scipy.sparse import csr_matrix

    n, n_columns = vectors.shape
    count = np.bincount(vectors.indices, minlength=n_columns)
    # Cheap columns are in no tail: the more of a cosine is known, the fewer pairs need a check.
    n_cheap = np.searchsorted(np.cumsum(count.astype(float) ** 2), _CHEAP_WORK_PER_TEXT * n)
    lengths = np.diff(vectors.indptr)
    squares = vectors.data**2
    before = np.concatenate([[0.0], np.cumsum(squares)])
    to_the_end = np.repeat(before[vectors.indptr[1:]], lengths) - before[:-1]
    cheap = vectors.indices < n_cheap
    keep = cheap | (to_the_end > floor**2 - _SLACK)
    row = np.repeat(np.arange(n), lengths)
    tail = np.sqrt(np.bincount(row, squares * ~keep, minlength=n))
    common = np.sqrt(np.bincount(row, squares * ~cheap, minlength=n))
    keep &= count[vectors.indices] > 1  # what one row has alone finds nothing
    starts = np.concatenate([[0], np.cumsum(np.bincount(row[keep], minlength=n))])
    data = vectors.data[keep].astype(np.float32)
    return csr_matrix((data, vectors.indices[keep], starts), shape=vectors.shape), tail, common


def _work_up_to(kept: "csr_matrix") -> np.ndarray:
    """The number of products that the rows before each one take, and all of them."""
    work_of = np.bincount(kept.indices, minlength=kept.shape[1])
    return np.concatenate([[0], np.cumsum(work_of[kept.indices])])[kept.indptr]


def _end_of_work(work: np.ndarray, start: int) -> int:
    end = int(np.searchsorted(work, work[start] + _WORK_AT_ONCE, side="right")) - 1
    return min(max(end, start + 1), start + _ROWS_AT_ONCE, len(work) - 1)


def _end_of_crowded(vectors: "csr_matrix", work: np.ndarray, start: int) -> int:
    """Where a block ends whose rows share so much with so many that all pairs are less work."""
    to = vectors.indptr
    end = min(start + _ROWS_OF_CROWDED, len(work) - 1)
    while (end - start) * (to[end] - to[start]) > _CELLS_AT_ONCE and end > start + 1:
        end = (start + end) // 2
    all_pairs = _DENSE_ADVANTAGE * int(to[end]) * (end - start)
    return end if work[end] - work[start] > max(all_pairs, _WORK_AT_ONCE) else 0


def _crowded_edges(vectors: "csr_matrix", start: int, end: int, floor: float) -> np.ndarray:
    values = _all_with_all(vectors, start, end, np.arange(end))
    others, ones = np.nonzero(values > floor - _SLACK)
    before = others < ones + start
    others, ones = others[before], ones[before]
    return _edges_above(floor, ones + start, others, values[others, ones])


def _checked_edges(
    vectors: "csr_matrix",
    start: int,
    end: int,
    ones: np.ndarray,
    others: np.ndarray,
    floor: float,
) -> np.ndarray:
    """The edges among candidates: rows of the block, each with another row."""
    entries, to = np.diff(vectors.indptr), vectors.indptr
    down, at = np.unique(others, return_inverse=True)
    few = int(entries[ones].sum() + entries[others].sum())
    all_pairs = _DENSE_ADVANTAGE * int(entries[down].sum()) * (end - start)
    if few < all_pairs or (end - start) * (to[end] - to[start]) > _CELLS_AT_ONCE:
        values = _one_by_one(vectors, ones, others)
    else:
        values = _all_with_all(vectors, start, end, down)[at, ones - start]
    return _edges_above(floor, ones, others, values)


def _edges_above(
    floor: float, ones: np.ndarray, others: np.ndarray, values: np.ndarray
) -> np.ndarray:
    # Rounded, since the sum's order depends on which features are rare among all texts.
    values = np.minimum(np.round(values, 6), MOST_ALIKE)
    near = values >= floor
    edges = np.empty(int(near.sum()), dtype=_EDGE)
    edges["one"], edges["other"], edges["value"] = ones[near], others[near], values[near]
    return edges


def _one_by_one(vectors: "csr_matrix", ones: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The cosine of each pair of rows."""
    entries = np.diff(vectors.indptr)
    passed = np.concatenate([[0], np.cumsum(entries[ones] + entries[others])])
    values, start = [np.empty(0)], 0
    while start < len(ones):
        wanted = int(np.searchsorted(passed, passed[start] + _ENTRIES_AT_ONCE, side="right")) - 1
        end = max(wanted, start + 1)
        both = vectors[ones[start:end]].multiply(vectors[others[start:end]])
        values.append(np.asarray(both.sum(axis=1)).ravel())
        start = end
    return np.concatenate(values)


def _all_with_all(vectors: "csr_matrix", start: int, end: int, down: np.ndarray) -> np.ndarray:
    """The cosines of the rows `down` with those of a block, across."""
    from scipy.sparse import csr_matrix

    block, others = vectors[start:end], vectors[down]
    used, place = np.unique(block.indices, return_inverse=True)
    dense = np.zeros((len(used) + 1, end - start))  # the last row is for features not in the block
    dense[place, np.repeat(np.arange(end - start), np.diff(block.indptr))] = block.data
    lookup = np.full(vectors.shape[1], len(used), dtype=np.int32)
    lookup[used] = np.arange(len(used), dtype=np.int32)
    shape = len(down), len(used) + 1
    return csr_matrix((others.data, lookup[others.indices], others.indptr), shape=shape) @ dense


def _spanning_forest(edges: np.ndarray, n: int) -> np.ndarray:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import minimum_spanning_tree

    # The smallest 2 - value is the largest value; taken from 2, none is 0, which means no edge.
    cost = coo_matrix((2 - edges["value"], (edges["one"], edges["other"])), shape=(n, n))
    tree = minimum_spanning_tree(cost.tocsr()).tocoo()
    forest = np.empty(tree.nnz, dtype=_EDGE)
    forest["one"], forest["other"], forest["value"] = tree.row, tree.col, np.round(2 - tree.data, 6)
    return forest
