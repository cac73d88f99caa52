"""Contracts offered in a row: each trial a sequence, each contract accepted or declined.

A trial's row holds its contracts in the order they were offered. A contract that was not answered,
because the trial ended before it or its reply could not be read, has neither estimate nor decision
and counts nowhere but among the missing ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ("trial", "contract", "solvable", "estimate", "accepted")


@dataclass(frozen=True, eq=False)
class ContractTrials:
    """Answers to contracts, arrays of shape (trials, contracts), NaN where not answered.

    Args:
        solvable: 1 where the subject's own attempt at the task succeeded, 0 where it failed.
        estimate: the chance of success it stated, in [0, 1].
        accepted: 1 where it accepted, 0 where it declined.

    Raises:
        InputError: the shapes differ, a value is none of these, or a contract has an estimate
            without a decision or the other way round.

    Example:
        >>> nan = float("nan")
        >>> found = ContractTrials([[1, 0]], [[0.75, nan]], [[1, nan]])
        >>> found.answered.tolist(), found.n_incomplete
        ([[True, False]], 1)
    """

    solvable: np.ndarray
    estimate: np.ndarray
    accepted: np.ndarray

    def __post_init__(self) -> None:
        for name in ("solvable", "estimate", "accepted"):
            values = np.asarray(getattr(self, name), dtype=float)
            if values.ndim != 2:
                raise InputError(f"{name} has {values.ndim} dimensions; wanted trials × contracts")
            object.__setattr__(self, name, values)
        shapes = {one.shape for one in (self.solvable, self.estimate, self.accepted)}
        if len(shapes) > 1:
            raise InputError(f"solvable, estimate and accepted have shapes {sorted(shapes)}")
        for name in ("solvable", "accepted"):
            _check(
                name, getattr(self, name), "neither 0 nor 1", lambda one: (one == 0) | (one == 1)
            )
        _check("estimate", self.estimate, "outside 0 to 1", lambda one: (one >= 0) & (one <= 1))
        halves = int((np.isnan(self.estimate) != np.isnan(self.accepted)).sum())
        if halves:
            raise InputError(
                f"{halves} contracts have an estimate without a decision, or the other way round",
                hint="give both or neither",
            )
        unknown = int((np.isnan(self.solvable) & self.answered).sum())
        if unknown:
            raise InputError(f"{unknown} answered contracts are not known to be solvable or not")

    @property
    def answered(self) -> np.ndarray:
        """Whether each contract has an estimate and a decision, shape (trials, contracts)."""
        return ~np.isnan(self.estimate)

    @property
    def n_trials(self) -> int:
        """How many trials there are."""
        return self.estimate.shape[0]

    @property
    def n_contracts(self) -> int:
        """How many contracts a whole trial has."""
        return self.estimate.shape[1]

    @property
    def n_incomplete(self) -> int:
        """How many trials have a contract that was not answered."""
        return int((~self.answered).any(axis=1).sum())


def contract_trials(frame: "DataFrame", *, n_contracts: int | None = None) -> ContractTrials:
    """The trials of a frame with one row for each contract.

    Args:
        frame: trial, contract (its number, from 1), solvable, estimate, accepted; the last two
            missing where the contract was not answered. Rows may be left out for those.
        n_contracts: how many a whole trial has; the highest number in the frame where None.

    Raises:
        InputError: a column is missing, a number is not one of 1 to n_contracts, a trial has a
            contract twice, or as for `ContractTrials`.
    """
    import pandas as pd

    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise InputError(f"the contracts have no column {', '.join(missing)}")
    numbers = frame["contract"].to_numpy(dtype=float)
    n = n_contracts or (int(numbers.max()) if len(numbers) else 0)
    strange = ~np.isin(numbers, np.arange(1, n + 1))
    if strange.any():
        raise InputError(f"contract {numbers[strange][0]:g} is none of the numbers 1 to {n}")
    trial, names = pd.factorize(frame["trial"])
    place = (trial, numbers.astype(int) - 1)
    if len(set(zip(*place, strict=True))) < len(frame):
        raise InputError("a trial has the same contract twice", hint="give each contract once")
    arrays = {}
    for name in COLUMNS[2:]:
        values = np.full((len(names), n), np.nan)
        values[place] = pd.to_numeric(frame[name]).to_numpy(dtype=float, na_value=np.nan)
        arrays[name] = values
    return ContractTrials(**arrays)


def _check(
    name: str, values: np.ndarray, wrong: str, is_right: Callable[[np.ndarray], np.ndarray]
) -> None:
    strange = ~np.isnan(values) & ~is_right(values)
    if strange.any():
        raise InputError(
            f"{int(strange.sum())} values of {name} are {wrong}, such as {values[strange][0]:g}"
        )
