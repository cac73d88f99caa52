"""Agreement beyond chance of a judge with its auditor, where audited pairs weigh unequally.

Kappa and AC1 of equal weights are those of `core.metrics.agreement`; of others, they are taken from
the weighted shares of the four cells, with the interval of strata drawn again.
"""

from core.metrics.agreement_words import AC1, KAPPA, Statistic
from core.metrics.audit_shares import FEW, NO, NONE_DECIDED, YES, AuditCells

_REDRAWS = 2_000


def agreement_beyond_chance(cells: AuditCells) -> tuple[Statistic, Statistic]:
    """Kappa and AC1 of the judge with the auditor, as in the module's docstring.

    Args:
        cells: as `decided_cells` gives them.

    Example:
        >>> from collections import Counter
        >>> cells = Counter({("yes", "yes", 1.0): 6, ("yes", "no", 1.0): 2, ("no", "no", 1.0): 2})
        >>> kappa, _ = agreement_beyond_chance(cells)
        >>> round(kappa.value, 4)  # (0.8 - 0.56) / (1 - 0.56)
        0.5455
    """
    n = sum(cells.values())
    if not n:
        undefined = f"not defined: {NONE_DECIDED}"
        return tuple(Statistic(name, None, None, None, 0, 2, undefined) for name in (KAPPA, AC1))
    if len({weight for _, _, weight in cells}) == 1:
        from core.metrics.agreement import agreement

        found = agreement(_votes(cells))
        return found.kappa, found.ac1

    import numpy as np

    strata = sorted({(judge, weight) for judge, _, weight in cells})
    n_yes, n_no = (
        np.array([cells[judge, auditor, weight] for judge, weight in strata])
        for auditor in (YES, NO)
    )
    # A kind of pair with few has one added, as in `spread_of_mean`, so none is drawn as certain.
    added = np.minimum(n_yes, n_no) < FEW
    chance = (n_yes + added) / (n_yes + n_no + 2 * added)
    drawn = np.random.default_rng(0).binomial(n_yes + n_no, chance, size=(_REDRAWS, len(strata)))
    names = (KAPPA, AC1)
    values = _weighted_kappa_and_ac1(strata, n_yes + n_no, n_yes)
    redrawn = _weighted_kappa_and_ac1(strata, n_yes + n_no, drawn)
    one_sided = _one_sided(strata, n_yes.sum(), n_no.sum())
    found = []
    for name, value, again in zip(names, values, redrawn, strict=True):
        if np.isnan(value):
            why = "not defined: one label used"
            found.append(Statistic(name, None, None, None, n, 2, why))
        elif name == KAPPA and one_sided:
            found.append(Statistic(name, None, None, None, n, 2, f"not defined: {one_sided}"))
        else:
            low, high = np.nanquantile(again, [0.025, 0.975])
            ends = min(float(low), float(value)), max(float(high), float(value))
            found.append(Statistic(name, float(value), *ends, n, 2))
    return found[0], found[1]


def _one_sided(strata: list[tuple[str, float]], n_yes: int, n_no: int) -> str:
    """Why kappa tells nothing, as in `agreement_intervals.cohen_kappa`; empty where it does."""
    told = "the {} used one label only, so kappa would be 0 whatever the {} chose"
    if len({judge for judge, _ in strata}) == 1:
        return told.format("judge", "auditor")
    return "" if n_yes and n_no else told.format("auditor", "judge")


def _weighted_kappa_and_ac1(strata: list[tuple[str, float]], sizes, n_yes):
    """Both from the auditor's yes in each stratum, one set or rows of them; NaN for 0/0."""
    import numpy as np

    weights = np.array([weight for _, weight in strata])
    said_yes = np.array([judge == YES for judge, _ in strata])
    total = weights @ sizes
    agreed = (np.where(said_yes, n_yes, sizes - n_yes) @ weights) / total
    of_judge, of_auditor = (said_yes * sizes) @ weights / total, n_yes @ weights / total
    mean = (of_judge + of_auditor) / 2
    by_chance = of_judge * of_auditor + (1 - of_judge) * (1 - of_auditor)
    left = 1 - by_chance
    gap = agreed - by_chance
    kappa = np.divide(gap, left, out=np.full(np.shape(gap), np.nan), where=left > 1e-12)
    by_gwet = 2 * mean * (1 - mean)
    return kappa, (agreed - by_gwet) / (1 - by_gwet)


def _votes(cells: AuditCells):
    import pandas as pd

    pairs = [pair for (*pair, _), n in cells.items() for _ in range(n)]
    return pd.DataFrame(
        {
            "item": [item for item in range(len(pairs)) for _ in range(2)],
            "person": ["judge", "auditor"] * len(pairs),
            "label": [label for pair in pairs for label in pair],
        }
    )
