"""How far people agree who judged the same items: percent agreement, kappa, alpha and AC1.

Votes are a frame in long form, one row per item and person, with the columns item, person and
label; where a person gave no vote there is no row. Labels have no order. No value depends on the
order of rows or people, or on what the labels are called.

Kappa alone misleads where one label dominates, so it never comes without AC1. A statistic that is
0/0 is None, "not defined", and says why; `plain_reading` puts it into words.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError
from core.metrics.agreement_intervals import (
    Measured,
    cohen_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)
from core.metrics.agreement_words import (
    AC1,
    ALPHA,
    KAPPA,
    PERCENT,
    Statistic,
    plain_reading,
)

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "Agreement",
    "PairAgreement",
    "Statistic",
    "agreement",
    "pairwise_agreement",
    "plain_reading",
]

# AC1 a band of Landis and Koch above, and most votes on one label: our convention, not theirs.
_APART, _DOMINANT = 0.2, 0.7


@dataclass(frozen=True)
class Agreement:
    """The four statistics of the same votes."""

    percent: Statistic
    kappa: Statistic
    alpha: Statistic
    ac1: Statistic


@dataclass(frozen=True)
class PairAgreement:
    """Two people on the items that both of them judged."""

    first: str
    second: str
    n_items: int
    percent: Statistic
    kappa: Statistic
    ac1: Statistic


def agreement(votes: "DataFrame", *, seed: int = 0) -> Agreement:
    """Percent agreement, kappa, alpha and AC1 of all people together.

    Percent agreement is the mean over items of the share of agreeing pairs. Kappa is for exactly
    two people, on the items both judged. These and alpha leave out items with one vote; AC1 takes
    from them how often each label is used.

    Args:
        votes: a frame of votes, see the module's docstring.
        seed: of the redraws behind alpha's interval.

    Raises:
        InputError: a column is missing, a cell is empty, or a person voted twice on an item.

    Source: that of each statistic is in `core.metrics.agreement_intervals`.

    Example:
        >>> import pandas as pd
        >>> votes = pd.DataFrame({
        ...     "item": [1, 1, 2, 2, 3, 3, 4, 4],
        ...     "person": ["ann", "bo"] * 4,
        ...     "label": ["keep", "keep", "keep", "keep", "keep", "remove", "remove", "remove"],
        ... })
        >>> found = agreement(votes)
        >>> found.percent.value, found.kappa.value, round(found.ac1.value, 3)
        (0.75, 0.5, 0.529)
    """
    grid, people, labels = _read(votes)
    counts = np.empty((len(grid), len(labels)), dtype=np.int32)
    for label in range(len(labels)):
        counts[:, label] = np.count_nonzero(grid == label, axis=1)
    patterns, times = np.unique(counts, axis=0, return_counts=True)
    patterns = patterns.astype(np.int64)

    kappa = Measured(None, None, "needs exactly two people")
    if len(people) == 2:
        kappa = cohen_kappa(_cross_table(grid[:, 0], grid[:, 1], len(labels)))
    measured = {
        PERCENT: percent_agreement(patterns, times),
        KAPPA: kappa,
        ALPHA: krippendorff_alpha(patterns, times, seed=seed),
        AC1: gwet_ac1(patterns, times),
    }
    if len(people) < 2:
        nothing = "only one person voted" if len(people) else "there are no votes"
        measured = {
            name: one if name == KAPPA else Measured(None, None, nothing)
            for name, one in measured.items()
        }
    return Agreement(*_statistics(measured, patterns, times, len(people)))


def pairwise_agreement(votes: "DataFrame") -> list[PairAgreement]:
    """Percent agreement, kappa and AC1 of every two people, pairs in the order of their names.

    Two people who share no item are in the list, with nothing defined. What one of the two judged
    alone does not enter, not even AC1.

    Raises:
        InputError: as for `agreement`.
    """
    grid, people, labels = _read(votes)
    columns = np.ascontiguousarray(grid.T)
    one_vote = np.eye(len(labels), dtype=np.int64)
    pairs = []
    for one, other in combinations(range(len(people)), 2):
        table = _cross_table(columns[one], columns[other], len(labels))
        row, column = np.nonzero(table)
        patterns, times = one_vote[row] + one_vote[column], table[row, column]
        measured = {
            PERCENT: percent_agreement(patterns, times),
            KAPPA: cohen_kappa(table),
            AC1: gwet_ac1(patterns, times),
        }
        found = _statistics(measured, patterns, times, 2)
        pairs.append(PairAgreement(people[one], people[other], int(times.sum()), *found))
    return pairs


def _read(votes: "DataFrame") -> tuple[np.ndarray, list, list]:
    """Items by people, holding the label's number or -1; the people and the labels, sorted."""
    import pandas as pd

    for name in ("item", "person", "label"):
        if name not in votes.columns:
            raise InputError(
                f"the votes have no column {name!r}", hint="give the columns item, person and label"
            )
        empty = votes[name].isna().to_numpy()
        if empty.any():
            raise InputError(
                f"row {empty.argmax() + 1} of {len(votes)} votes has no {name}",
                hint="leave the row out where a person gave no vote",
            )
    item, items = pd.factorize(votes["item"])
    person, people = pd.factorize(votes["person"], sort=True)
    label, labels = pd.factorize(votes["label"], sort=True)
    grid = np.full((len(items), len(people)), -1)
    grid[item, person] = label
    if np.count_nonzero(grid >= 0) < len(votes):
        twice = votes[votes.duplicated(["item", "person"])].iloc[0]
        raise InputError(
            f"person {twice['person']!r} has more than one vote on item {twice['item']!r}",
            hint="give one vote per item and person, such as the latest",
        )
    return grid, list(people), list(labels)


def _cross_table(one: np.ndarray, other: np.ndarray, n_labels: int) -> np.ndarray:
    both = (one >= 0) & (other >= 0)
    cells = np.bincount(one[both] * n_labels + other[both], minlength=n_labels**2)
    return cells.reshape(n_labels, n_labels)


def _statistics(
    measured: dict[str, Measured], patterns: np.ndarray, times: np.ndarray, n_people: int
) -> list[Statistic]:
    """The statistics in order; those that a dominant label parts from one another say so."""
    shared = patterns.sum(axis=1) >= 2
    n_items = int(times[shared].sum())
    found = []
    for name, (value, ends, why) in measured.items():
        low, high = ends or (None, None)
        undefined = f"not defined: {why}" if value is None else ""
        no_interval = why if value is not None and ends is None else ""
        found.append(Statistic(name, value, low, high, n_items, n_people, undefined, no_interval))
    share = _dominant_share(times[shared] @ patterns[shared])
    parted = {
        one.name
        for one in found
        if one.name in (KAPPA, ALPHA) and one.value is not None
        if share and measured[AC1].value - one.value >= _APART
    }
    if parted or share == 1:
        parted.add(AC1)
    return [replace(one, dominant_share=share) if one.name in parted else one for one in found]


def _dominant_share(by_label: np.ndarray) -> float | None:
    n = by_label.sum()
    return float(by_label.max() / n) if n and by_label.max() >= _DOMINANT * n else None
