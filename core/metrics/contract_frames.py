"""What models make of contracts as frames, from the contracts of their trials.

Of a counts frame, the rows of part `contract` are looked at: study, model, trial, contract (its
number, from 1), solvable, estimate and accepted (missing where not answered), and trial_state:
complete, unreadable (the trial ended where a second reply could not be read) or open.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.contract_totals import contract_totals
from core.metrics.contract_trials import ContractTrials, contract_trials
from core.metrics.contracts import contract_curves
from core.metrics.risk_attitude import risk_attitude

if TYPE_CHECKING:
    from pandas import DataFrame

WHO = ("study", "model")
COMPLETE, UNREADABLE, OPEN = "complete", "unreadable", "open"
CURVE = ("contract", "metric", "value", "low", "high", "n", "n_missing", "interval", "why")


def has_contracts(counts: "DataFrame") -> bool:
    """Whether any contract was answered."""
    return bool(((counts["part"] == "contract") & counts["estimate"].notna()).any())


def trials_of(counts: "DataFrame") -> Iterator[tuple[tuple[str, str], ContractTrials]]:
    """The trials of each model in each study, in order of their names; those that have neither an
    answer nor ended without one are left out."""
    contracts = counts[counts["part"] == "contract"]
    for who, own in contracts.groupby(list(WHO), sort=True):
        begun = own.groupby("trial")["estimate"].transform("count") > 0
        begun |= own["trial_state"] == UNREADABLE
        if begun.any():
            yield who, contract_trials(own[begun], n_contracts=int(own["contract"].max()))


def curves(counts: "DataFrame", metrics: tuple[str, ...] = ()) -> "DataFrame":
    """Some metrics, or all, by the contract's number: study, model, and the columns of `CURVE`.

    Args:
        metrics: of `core.metrics.contracts.contract_curves`.
    """
    import pandas as pd

    frames = []
    for (study, model), trials in trials_of(counts):
        own = contract_curves(trials).rename(columns={"method": "interval"})
        own = own[own["metric"].isin(metrics)] if metrics else own
        why = own["why"].where(own["why"] != "", own["caution"])
        frames.append(own.assign(study=study, model=model, why=why)[[*WHO, *CURVE]])
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*WHO, *CURVE])


def totals(counts: "DataFrame") -> "DataFrame":
    """Every metric over all contracts: study, model and the columns of `contract_totals`."""
    import pandas as pd

    frames = [
        contract_totals(trials)
        .rename(columns={"method": "interval"})
        .assign(study=who[0], model=who[1])
        for who, trials in trials_of(counts)
    ]
    names = ["metric", "value", "low", "high", "n", "n_trials", "n_incomplete", "interval", "why"]
    if not frames:
        return pd.DataFrame(columns=[*WHO, *names])
    return pd.concat(frames, ignore_index=True)[[*WHO, *names]]


def attitudes(counts: "DataFrame") -> "DataFrame":
    """How much more a loss weighs than a gain, for each model.

    Returns:
        study, model, lambda, low, high, beta, threshold (the estimate from which it rather
        accepts), n (decisions), n_trials, n_accepted, n_explained (decisions the fit gets right),
        n_by_majority (right if every decision were the more frequent one), why, caution.
    """
    import pandas as pd

    rows = []
    for who, trials in trials_of(counts):
        there = trials.answered
        one = risk_attitude(
            trials.accepted[there], trials.estimate[there], trials=np.nonzero(there)[0]
        )
        numbers = (one.value, one.low, one.high, one.beta, one.threshold)
        counted = (one.n, one.n_trials, one.n_accepted, one.n_explained, one.n_by_majority)
        rows.append((*who, *numbers, *counted, one.why, one.caution))
    columns = [*WHO, "lambda", "low", "high", "beta", "threshold", "n", "n_trials", "n_accepted"]
    columns += ["n_explained", "n_by_majority", "why", "caution"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[2:7], float))


def trial_counts(counts: "DataFrame") -> "DataFrame":
    """How the drawn trials stand: study, model, trials, and those complete, unreadable and open,
    which add up to them; contracts, and those answered."""
    import pandas as pd

    contracts = counts[counts["part"] == "contract"]
    rows = []
    for who, own in contracts.groupby(list(WHO), sort=True):
        states = own.groupby("trial")["trial_state"].first()
        n = [int((states == state).sum()) for state in (COMPLETE, UNREADABLE, OPEN)]
        rows.append((*who, len(states), *n, len(own), int(own["estimate"].notna().sum())))
    columns = [*WHO, "trials", COMPLETE, UNREADABLE, OPEN, "contracts", "answered"]
    return pd.DataFrame(rows, columns=columns)
