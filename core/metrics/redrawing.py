"""The tasks of a stratum drawn again by counting: the Bayesian bootstrap of a few cells.

Every task gets a random weight instead of being drawn a whole number of times. A cell's weight is
then a gamma variate, and the shares of a stratum a Dirichlet one, whatever the number of tasks.
Two things are added, each because the coverage measured without it was too low:

* The concentration of a stratum of n tasks is n - 2, which gives a share the variance
  p(1 - p) / (n - 1), as small strata need. With two tasks that is a draw of one of them; one task
  alone says nothing of its stratum, and one of those that are like it is drawn for it.
* A part of a task in each cell, once for several strata together, as in Jeffreys' prior. Without
  it a cell that was met 0 times stays empty in all replicates.

Source: D. B. Rubin, "The Bayesian bootstrap", 1981, doi:10.1214/aos/1176345338; J. N. K. Rao and
C. F. J. Wu, 1988, doi:10.1080/01621459.1988.10478591, for strata of few units.
"""

from typing import Any

import numpy as np

from core.errors import InputError
from core.identity import content_hash

REPLICATES = 2_000


def stream(seed: int, *names: Any) -> np.random.Generator:
    """Chance of its own for what the names name, the same for the same seed and names."""
    own = int(content_hash(names), 16)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(own,)))


def redrawn(
    tasks: np.ndarray, alike: np.ndarray, replicates: int, rng: np.random.Generator
) -> np.ndarray:
    """Replicates of a stratum's cells, shape (replicates, cells); each adds up to its tasks.

    Args:
        tasks: how many are in each cell, one or more in all.
        alike: those of strata like it, from which one is drawn for a lone task.
    """
    n = tasks.sum()
    if n <= 2:
        among = alike if n == 1 else tasks
        return n * rng.multinomial(1, among / among.sum(), size=replicates)
    weights = rng.standard_gamma(tasks * (n - 2) / n, size=(replicates, len(tasks)))
    return weights * (n / weights.sum(axis=1, keepdims=True))


def add_doubt(drawn: np.ndarray, doubt: np.ndarray, rng: np.random.Generator) -> None:
    """Put these parts of a task into the cells, in place, and keep what they add up to.

    A Dirichlet draw of concentrations a, mixed with one of b by a beta(sum b, sum a) weight, is
    one of a + b: with a single stratum the doubt is simply added to its counts.
    """
    n = drawn[0].sum()
    if not n:
        return
    weights = rng.standard_gamma(doubt, size=drawn.shape)
    part = rng.beta(doubt.sum(), n, size=(len(drawn), 1))
    drawn *= 1 - part
    drawn += part * (n / weights.sum(axis=1, keepdims=True)) * weights


def check_chance(replicates: int, seed: int) -> None:
    """Nothing, when so many replicates can be drawn from the seed.

    Raises:
        InputError: fewer than one replicate, or a seed below 0.
    """
    if replicates < 1:
        raise InputError(
            f"{replicates} replicates are too few; wanted 1 or more", hint="give 2000, for instance"
        )
    if seed < 0:
        raise InputError(f"a seed cannot be {seed}; wanted 0 or more", hint="give a seed such as 0")
