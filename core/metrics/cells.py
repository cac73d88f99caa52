"""Cells of the feasibility boundary, and the metrics that are functions of them alone.

A task is generated as *g* and classified as *c*, each feasible (f) or infeasible for a reason (r).
Agreement is at the level of the reason: infeasible for another reason, or for none named, is
`rr_other`. A metric that is 0/0 is None, "not defined", and `why_not_defined` says why.

Source: "Line of Duty", the definitions behind its Tables 2 to 5.
"""

from dataclasses import dataclass

from core.errors import InputError


@dataclass(frozen=True)
class Cells:
    """How many tasks fell in each cell; cells of disjoint tasks add.

    Args:
        ff: generated feasible, classified feasible.
        fr: generated feasible, classified infeasible.
        rf: generated infeasible, classified feasible.
        rr: generated infeasible, classified infeasible for the same reason.
        rr_other: generated infeasible, classified infeasible for another reason or none.

    Example:
        >>> Cells(ff=3, rr=1) + Cells(ff=1, fr=2)
        Cells(ff=4, fr=2, rf=0, rr=1, rr_other=0)
    """

    ff: int = 0
    fr: int = 0
    rf: int = 0
    rr: int = 0
    rr_other: int = 0

    def __add__(self, other: "Cells") -> "Cells":
        return Cells(
            self.ff + other.ff,
            self.fr + other.fr,
            self.rf + other.rf,
            self.rr + other.rr,
            self.rr_other + other.rr_other,
        )

    @property
    def total(self) -> int:
        """All classified tasks."""
        return self.ff + self.fr + self.rf + self.rr + self.rr_other

    @property
    def made_feasible(self) -> int:
        """Tasks generated as feasible."""
        return self.ff + self.fr

    @property
    def made_infeasible(self) -> int:
        """Tasks generated as infeasible."""
        return self.rf + self.rr + self.rr_other

    @property
    def called_infeasible(self) -> int:
        """Tasks classified as infeasible."""
        return self.fr + self.rr + self.rr_other


def shares(cells: Cells) -> dict[str, tuple[int, int]]:
    """The metrics that are plain shares, each as (tasks counted, tasks they are out of).

    Example:
        >>> shares(Cells(ff=8, fr=2, rf=1, rr=6, rr_other=3))["insight"]
        (6, 11)
    """
    return {
        "accuracy": (cells.ff + cells.rr, cells.total),
        "foresight": (cells.rr, cells.made_infeasible),
        "insight": (cells.rr, cells.called_infeasible),
        "overconfidence": (cells.fr, cells.made_feasible),
        "conservatism": (cells.rf, cells.made_infeasible),
    }


def _share(name: str, cells: Cells) -> float | None:
    part, whole = shares(cells)[name]
    return part / whole if whole else None


def accuracy(cells: Cells) -> float | None:
    """Share of all tasks classified as they were generated, reason included, in [0, 1].

    Example:
        >>> accuracy(Cells(ff=8, fr=2, rf=1, rr=6, rr_other=3))
        0.7
    """
    return _share("accuracy", cells)


def foresight(cells: Cells) -> float | None:
    """Share of the tasks invented as infeasible that stayed so for the same reason, in [0, 1].

    Example:
        >>> foresight(Cells(ff=8, fr=2, rf=1, rr=6, rr_other=3))
        0.6
    """
    return _share("foresight", cells)


def insight(cells: Cells) -> float | None:
    """Share of the tasks called infeasible that were invented so for that reason, in [0, 1].

    Example:
        >>> insight(Cells(rr=6, rr_other=2))
        0.75
    """
    return _share("insight", cells)


def harmonic_mean(cells: Cells) -> float | None:
    """Harmonic mean of foresight and insight, in [0, 1]; it is near the lower of the two.

    Returns:
        2FI / (F + I); 0, its limit, when both are 0; None when either is not defined.

    Example:
        >>> harmonic_mean(Cells(fr=2, rf=1, rr=3))
        0.6666666666666665
    """
    ahead, behind = foresight(cells), insight(cells)
    if ahead is None or behind is None:
        return None
    return 2 * ahead * behind / (ahead + behind) if ahead + behind else 0.0


def overconfidence(cells: Cells) -> float | None:
    """Share of the tasks thought feasible that were then found infeasible, in [0, 1].

    Example:
        >>> overconfidence(Cells(ff=3, fr=1))
        0.25
    """
    return _share("overconfidence", cells)


def conservatism(cells: Cells) -> float | None:
    """Share of the tasks thought infeasible that were then found feasible, in [0, 1].

    Example:
        >>> conservatism(Cells(rf=1, rr=2, rr_other=1))
        0.25
    """
    return _share("conservatism", cells)


def confidence_balance(cells: Cells) -> float | None:
    """Which way the boundary leans, in [-1, 1]: above 0 overconfident, below 0 conservative.

    Returns:
        (over - cons) / max(over, cons); 0 when both rates are 0, for then the boundary holds on
        either side; None when either rate is not defined.

    Example:
        >>> confidence_balance(Cells(ff=3, fr=1, rf=1, rr=1))
        -0.5
    """
    over, cons = overconfidence(cells), conservatism(cells)
    if over is None or cons is None:
        return None
    largest = max(over, cons)
    return (over - cons) / largest if largest else 0.0


_FORMULAS = {
    "accuracy": accuracy,
    "foresight": foresight,
    "insight": insight,
    "harmonic_mean": harmonic_mean,
    "overconfidence": overconfidence,
    "conservatism": conservatism,
    "confidence_balance": confidence_balance,
}
METRIC_NAMES: tuple[str, ...] = tuple(_FORMULAS)

_MISSING = {
    "accuracy": "no task has been classified",
    "foresight": "no task generated as infeasible has been classified",
    "insight": "no task was classified as infeasible",
    "overconfidence": "no task generated as feasible has been classified",
    "conservatism": "no task generated as infeasible has been classified",
}
_MADE_OF = {
    "harmonic_mean": ("foresight", "insight"),
    "confidence_balance": ("overconfidence", "conservatism"),
}


def boundary_metrics(cells: Cells) -> dict[str, float | None]:
    """Every metric of the feasibility boundary by name, unrounded; None where not defined."""
    return {name: formula(cells) for name, formula in _FORMULAS.items()}


def why_not_defined(metric: str, cells: Cells) -> str | None:
    """A sentence that says why the metric has no value, or None when it has one.

    Raises:
        InputError: there is no metric of that name.

    Example:
        >>> why_not_defined("insight", Cells(ff=4, rf=4))
        'not defined: no task was classified as infeasible'
    """
    if metric not in _FORMULAS:
        raise InputError(
            f"there is no metric {metric!r}", hint=f"the metrics are {', '.join(METRIC_NAMES)}"
        )
    if _FORMULAS[metric](cells) is not None:
        return None
    parts = _MADE_OF.get(metric, (metric,))
    causes = [_MISSING[part] for part in parts if _FORMULAS[part](cells) is None]
    return f"not defined: {' and '.join(causes)}"
