"""Trials drawn again as wholes: what follows within one conversation is not independent.

A trial is one sequence of contracts; a subject that is told its outcomes decides the next contract
by them. Only trials are drawn again, with replacement, never contracts.
"""

from collections.abc import Iterator

import numpy as np

BOOTSTRAP = "bootstrap over trials"

_NUMBERS_AT_ONCE = 4_000_000


def redraw_trials(
    trial_of: np.ndarray,
    cell_of: np.ndarray,
    n_cells: int,
    replicates: int,
    rng: np.random.Generator,
) -> Iterator[np.ndarray]:
    """How often each cell is met when as many trials are drawn again, portion by portion.

    Args:
        trial_of: the trial of each decision, any whole numbers.
        cell_of: the cell of each decision, counted from 0.
        n_cells: how many cells there are.
        replicates: how many times the trials are drawn.
        rng: a random generator.

    Yields:
        arrays of shape (some replicates, n_cells), all of them `replicates` rows together.
    """
    from scipy.sparse import csr_matrix

    distinct, trial = np.unique(trial_of, return_inverse=True)
    n_trials = len(distinct)
    ones = np.ones(len(trial))
    cells = csr_matrix((ones, (trial, cell_of)), shape=(n_trials, n_cells))
    at_once = max(1, _NUMBERS_AT_ONCE // max(n_trials, n_cells))
    for start in range(0, replicates, at_once):
        size = min(at_once, replicates - start)
        # Trials one by one: multinomial draws of their counts take more than twice as long.
        places = rng.integers(n_trials, size=(size, n_trials))
        places += n_trials * np.arange(size)[:, None]
        drawn = np.bincount(places.ravel(), minlength=size * n_trials).reshape(size, n_trials)
        yield (cells.T @ drawn.T).T
