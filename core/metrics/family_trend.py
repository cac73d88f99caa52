"""Does a metric rise with the models of one family, by size or by date?

Families are small, a handful of models, so both ways of telling are weak: with 4 models the
smallest p of a rank correlation is 0.083, with 5 it is 0.017. The models are taken as they are; how
exactly each was measured does not enter.
"""

from dataclasses import dataclass
from math import atanh, sqrt, tanh

import numpy as np

from core.metrics.confidence import Measured, Numbers, finite, same_length

EXACT = "exact test over all orders"
BY_T = "Student's t test"
FISHER = "Bonett and Wright's interval"
SMALL = 10
"""Below so many models a caution says that they are few."""

_Z = 1.959963984540054
_MOST_ORDERED = 8


@dataclass(frozen=True)
class Trend(Measured):
    """A trend over models; n counts models.

    Args:
        p: two-sided, of no trend; None where not defined.
        test: how p was made.
    """

    p: float | None = None
    test: str = ""


def rank_trend(places: Numbers, values: Numbers) -> Trend:
    """Spearman's correlation in [-1, 1] of the models' places with the metric.

    Args:
        places: of each model, any scale: parameters, their logarithm, a date as a number.
        values: the metric of each model.

    Returns:
        the correlation; not defined with fewer than 3 models, or where all places or all values
        are the same. Its p is exact up to 8 models. Its interval needs 5 models and a correlation
        that is not perfect.

    Raises:
        InputError: a number is missing, or there are not equally many.

    Source: D. G. Bonett and T. A. Wright, 2000, doi:10.1007/BF02294183, for the interval.

    Example:
        >>> found = rank_trend([1, 2, 3, 4], [0.2, 0.3, 0.5, 0.4])
        >>> round(found.value, 3), round(found.p, 3), found.caution
        (0.8, 0.333, 'only 4 models: a trend would have to be very clear to show')
    """
    from scipy.stats import rankdata, spearmanr

    x, y, why = _checked(places, values)
    n = len(x)
    if not why and y.min() == y.max():
        why = "not defined: all values are the same"
    if why:
        return Trend(None, None, None, n, why=why, caution=_caution(n))
    value = float(np.clip(spearmanr(x, y).statistic, -1.0, 1.0))
    if n <= _MOST_ORDERED:
        p, test = _exact_p(rankdata(x), rankdata(y)), EXACT
    else:
        p, test = float(spearmanr(x, y).pvalue), BY_T
    known = {"p": p, "test": test, "caution": _caution(n)}
    if n < 5 or abs(value) > 1 - 1e-9:
        why = "fewer than 5 models" if n < 5 else "the order is perfect"
        return Trend(value, None, None, n, why=f"no interval: {why}", **known)
    error = sqrt((1 + value**2 / 2) / (n - 3))
    low, high = (tanh(atanh(value) + sign * _Z * error) for sign in (-1, 1))
    return Trend(value, low, high, n, FISHER, **known)


def line_trend(places: Numbers, values: Numbers) -> Trend:
    """The slope of a straight line through the models: the metric's rise for each 1 of place.

    Args:
        places, values: as for `rank_trend`; give the logarithm of a size.

    Returns:
        the slope with Student's t interval; not defined with fewer than 3 models, or where all
        places are the same. There is no interval where all points lie on the line.

    Raises:
        InputError: as for `rank_trend`.

    Example:
        >>> round(line_trend([0, 1, 2], [0.1, 0.3, 0.5]).value, 3)
        0.2
    """
    from scipy.special import stdtrit
    from scipy.stats import linregress

    x, y, why = _checked(places, values)
    n = len(x)
    if why:
        return Trend(None, None, None, n, why=why, caution=_caution(n))
    found = linregress(x, y)
    value, error = float(found.slope), float(found.stderr)
    if error <= 1e-12 * max(1.0, abs(value)):
        why = "no interval: all models lie on the line"
        return Trend(value, None, None, n, why=why, caution=_caution(n))
    half = float(stdtrit(n - 2, 0.975)) * error
    known = {"p": float(found.pvalue), "test": BY_T, "caution": _caution(n)}
    return Trend(value, value - half, value + half, n, "Student's t interval", **known)


def _exact_p(x: np.ndarray, y: np.ndarray) -> float:
    """Share of all orders of y whose rank correlation with x is as far from 0, or further."""
    from itertools import permutations

    orders = np.array(list(permutations(y - y.mean())))
    products = np.abs(orders @ (x - x.mean()))
    return float((products >= products[0] - 1e-9).mean())


def _checked(places: Numbers, values: Numbers) -> tuple[np.ndarray, np.ndarray, str]:
    x, y = finite(places, "places"), finite(values, "values")
    same_length(places=x, values=y)
    if len(x) < 3:
        return x, y, "not defined: a trend needs 3 models"
    return x, y, "not defined: all places are the same" if x.min() == x.max() else ""


def _caution(n: int) -> str:
    return f"only {n} models: a trend would have to be very clear to show" if n < SMALL else ""
