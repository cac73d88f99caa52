"""How similar tasks are, and the groups that similar ones form.

The similarity of two texts is the cosine of their vectors: a place for every word and every pair of
neighbouring words, whose squared entry is its weight (`word_weights`). Nothing but the two texts
enters it, so a pair keeps its value when others come or go. It is symmetric and in [0, 1]; 1 is
kept for what `exact_repeats` takes for the same, all else ends at `MOST_ALIKE`. Texts without
words, numbers or signs are similar to their exact repeats only.

The search for similar pairs is complete (`similarity_search`).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from core.curation.duplicates import exact_repeats, same_words, word_weights
from core.curation.similarity_search import MOST_ALIKE, similarity_forest
from core.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Id = TypeVar("Id", bound=Hashable)

# In 8,000 published tasks of five models, pairs from 0.85 up ask for the same with other wording or
# one more remark; from 0.80 to 0.85 the first ones ask about another policy, price or year, and
# below 0.75 most do.
DEFAULT_THRESHOLD = 0.85

_TEXTS_AT_ONCE = 500  # hashed by one call: tens of milliseconds


def similar_pairs(
    texts: Mapping[Id, str],
    *,
    floor: float = 0.6,
    progress: Callable[[float], None] | None = None,
) -> list[tuple[Id, Id, float]]:
    """The pairs that hold groups of similar texts together, the strongest first.

    They form the maximum spanning forest of all pairs with a similarity of at least `floor`: fewer
    than there are texts, and at every threshold from `floor` up they join the same groups as all
    pairs would. Exact repeats are joined to the first that said it, with similarity 1.

    Args:
        texts: id → text; of a pair, the earlier in this order comes first.
        floor: in (0, 1]; the lower, the longer the search takes.
        progress: is called with the share that is done, in [0, 1], from time to time.

    Raises:
        InputError: `floor` lies outside (0, 1].

    Example:
        >>> texts = {1: "Write a poem about the sea.", 2: "write a poem about the SEA"}
        >>> similar_pairs(texts | {3: "Write a short poem about the sea.", 4: "Add 2 and 2."})
        [(1, 2, 1.0), (1, 3, 0.871144)]
    """
    if not 0 < floor <= 1:
        raise InputError(f"the floor is {floor}, wanted a similarity above 0 and up to 1")
    report = progress or (lambda share: None)
    repeats = exact_repeats(texts)
    ids = list(texts)
    place = {task_id: at for at, task_id in enumerate(ids)}
    edges = [(place[first], place[again], 1.0) for again, first in repeats.items()]
    if floor <= MOST_ALIKE:
        # Texts with the same beginning side by side: blocks of their similarities are dense.
        firsts = sorted((same_words(texts[one]), place[one]) for one in ids if one not in repeats)
        vectors = _vectors([text for text, _ in firsts], lambda share: report(0.3 * share))
        found = similarity_forest(vectors, floor, lambda share: report(0.3 + 0.7 * share))
        for one, other, value in found:
            ends = firsts[one][1], firsts[other][1]
            edges.append((min(ends), max(ends), value))
    edges.sort(key=lambda edge: (-edge[2], edge[0], edge[1]))
    report(1.0)
    return [(ids[one], ids[other], value) for one, other, value in edges]


def clusters(
    pairs: Iterable[tuple[Id, Id, float]], *, threshold: float, order: Iterable[Id] = ()
) -> list[tuple[Id, ...]]:
    """The groups of two or more that pairs with a similarity of at least `threshold` join.

    A group is a chain: its ends can be less similar than `threshold`.

    Args:
        pairs: as `similar_pairs` returns them.
        threshold: from the floor of the search up to 1.
        order: the ids in the order wanted, best the texts themselves; ids that are not in it
            follow in the order in which they appear in `pairs`.

    Returns:
        The largest group first, then by first member; members in the order wanted.

    Example:
        >>> clusters([("c", "d", 1.0), ("a", "b", 0.9), ("b", "e", 0.7)], threshold=0.8)
        [('c', 'd'), ('a', 'b')]
        >>> clusters([("a", "b", 0.9), ("b", "e", 0.7)], threshold=0.7, order="eab")
        [('e', 'a', 'b')]
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    strong = [(one, other) for one, other, similarity in pairs if similarity >= threshold]
    place = {task_id: at for at, task_id in enumerate(order)}
    for one, other in strong:
        place.setdefault(one, len(place))
        place.setdefault(other, len(place))
    ends = [place[one] for one, _ in strong], [place[other] for _, other in strong]
    graph = coo_matrix((np.ones(len(strong)), ends), shape=(len(place), len(place)))
    group = connected_components(graph, directed=False)[1]
    size = np.bincount(group)
    together = np.flatnonzero(size[group] > 1)
    # First the largest, then the one with the earliest member; within a group by place.
    first = np.unique(group, return_index=True)[1]
    wanted = together[np.lexsort((together, first[group[together]], -size[group[together]]))]
    ids = list(place)
    members = [ids[at] for at in wanted.tolist()]
    sizes = size[group[wanted]].tolist()
    found, start = [], 0
    while start < len(members):
        found.append(tuple(members[start : start + sizes[start]]))
        start += sizes[start]
    return found


def threshold_meaning(threshold: float) -> str:
    """One sentence on what two tasks with at least this similarity have in common.

    Example:
        >>> threshold_meaning(1.0)
        'The same text, but for case, spaces and outer punctuation.'
    """
    meanings = (
        (1.0, "The same text, but for case, spaces and outer punctuation."),
        (0.95, "The same words but for one or two, or in another order."),
        (0.85, "The same task in slightly other words."),
        (0.75, "The same matter, often with another detail, condition or form of answer."),
        (0.6, "The same template or topic, often with other data: related, not the same task."),
    )
    return next(
        (meaning for least, meaning in meanings if threshold >= least),
        "A few words in common: mostly different tasks.",
    )


def _vectors(texts: Sequence[str], progress: Callable[[float], None]) -> "csr_matrix":
    """A row of length 1 for each text; the columns from the rarest feature to the commonest."""
    from scipy.sparse import csr_matrix, vstack
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.preprocessing import normalize

    # Hashing needs no vocabulary, and a text has the same vector in every study. Two features of
    # one text fall on the same of 2 ** 31 places so seldom that it does not show.
    hasher = FeatureHasher(2**31 - 1, input_type="dict", alternate_sign=False)
    parts = [csr_matrix((0, 2**31 - 1))]
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        some = texts[start : start + _TEXTS_AT_ONCE]
        # Half a surrogate pair has no bytes to be hashed by.
        sound = (text.encode(errors="replace").decode() for text in some)
        weights = hasher.transform(word_weights(text) for text in sound)
        parts.append(normalize(weights.sqrt()))
        progress(start / len(texts))
    hashed = vstack(parts, format="csr")
    used, column, count = np.unique(hashed.indices, return_inverse=True, return_counts=True)
    rank = np.empty(len(used), dtype=np.int32)
    rank[np.argsort(count, kind="stable")] = np.arange(len(used), dtype=np.int32)
    shape = len(texts), max(len(used), 1)
    vectors = csr_matrix((hashed.data, rank[column], hashed.indptr), shape=shape)
    vectors.sort_indices()
    return vectors
