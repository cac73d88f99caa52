"""P-values of comparisons that are looked at together, corrected for being many."""

from collections.abc import Sequence

import numpy as np

from core.errors import InputError

METHODS = ("holm", "bonferroni", "fdr_bh", "fdr_by")


def correct_for_many(p_values: Sequence[float], method: str = "holm") -> list[float]:
    """The p-values corrected for being many, in their order.

    Args:
        p_values: of all comparisons that are looked at together; NaN is none, and stays NaN.
        method: `holm` or `bonferroni` keep the chance of any false alarm at the level, `fdr_bh`
            and `fdr_by` the share of false ones among the alarms.

    Raises:
        InputError: no such method.

    Example:
        >>> correct_for_many([0.01, float("nan"), 0.04])  # twice the smallest, once the next
        [0.02, nan, 0.04]
    """
    from statsmodels.stats.multitest import multipletests

    if method not in METHODS:
        raise InputError(
            f"there is no correction {method!r}", hint=f"the corrections are {', '.join(METHODS)}"
        )
    values = np.asarray(p_values, dtype=float)
    known = ~np.isnan(values)
    if known.any():
        values = values.copy()
        values[known] = multipletests(values[known], method=method)[1]
    return [float(value) for value in values]
