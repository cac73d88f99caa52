"""What contracts in a row are shown in, in reading order."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from core.metrics.contract_frames import attitudes, curves, has_contracts, totals, trial_counts
from core.protocols.shown import Exhibit

if TYPE_CHECKING:
    from pandas import DataFrame


def attitude_words(table: "DataFrame") -> list[str]:
    """What each model's λ says, in a sentence."""
    return [_attitude(row) for row in table.to_dict("records")]


def trial_words(table: "DataFrame") -> list[str]:
    """How each model's trials stand, in a sentence."""
    return [_trials(row) for row in table.to_dict("records")]


def _trials(row: Mapping[str, Any]) -> str:
    parts = (
        f"{row['complete']:,} complete + {row['unreadable']:,} ended early, since a reply could "
    )
    parts += f"not be read twice + {row['open']:,} open"
    answered = f"{row['answered']:,} of {row['contracts']:,} contracts are answered"
    return f"{row['study']}, {row['model']}: {row['trials']:,} trials = {parts}. {answered}."


def _attitude(row: Mapping[str, Any]) -> str:
    who = f"{row['study']}, {row['model']}"
    if row["lambda"] != row["lambda"]:
        return f"{who}: λ is {row['why']}."
    found = f"λ = {row['lambda']:.2f} [{row['low']:.2f}, {row['high']:.2f}]".replace("-", "−")
    meaning = "so whether a loss weighs more than a gain cannot be told"
    if row["caution"]:
        meaning = row["caution"]
    elif row["low"] > 1:
        meaning = "so a loss weighs more than a gain"
    elif row["high"] < 1:
        meaning = "so a loss weighs less than a gain"
    explained = f"The fit explains {row['n_explained']:,.0f} of {row['n']:,} decisions."
    return f"{who}: {found}, {meaning}. {explained}"


def _curve(key: str, title: str, reading: str, *metrics: str) -> Exhibit:
    return Exhibit(
        key=f"contracts_{key}",
        title=f"{title} by contract",
        reading=reading,
        table=partial(curves, metrics=metrics),
        chart="contract_curve",
        is_wanted=has_contracts,
    )


CONTRACT_EXHIBITS = (
    Exhibit(
        key="contracts_trials",
        title="Contracts: how the trials stand",
        reading=(
            "Each trial offers contracts in a row, with everything said before in it. A contract "
            "that was not answered counts in no metric but among the missing ones."
        ),
        table=trial_counts,
        words=trial_words,
        is_wanted=lambda counts: bool((counts["part"] == "contract").any()),
    ),
    _curve(
        "acceptance",
        "Acceptance rate",
        "The share of offers that were accepted; half of all contracts can be won where every "
        "pattern is offered. Wilson's 95 % intervals.",
        "acceptance_rate",
    ),
    _curve(
        "predicted",
        "Predicted and true success rate",
        "The mean stated likelihood beside the share of contracts that can be won.",
        "predicted_success_rate",
        "true_success_rate",
    ),
    _curve(
        "auroc",
        "AUROC",
        "Do likelihoods stand higher for contracts that can be won? 0.5, dashed, is chance. "
        "DeLong's 95 % intervals.",
        "auroc",
    ),
    _curve(
        "profit",
        "Expected profit",
        "Dollars a contract as accepted, where half of all can be won: 0.5 is perfect, 0 is what "
        "accepting all, none or at random earns. Its interval is a cautious one.",
        "expected_profit",
    ),
    _curve(
        "thresholds",
        "Profit at a threshold",
        "What would have been earned by accepting just the offers with a likelihood above 50 %, "
        "and above the threshold that would have been best. The best one is chosen on the very "
        "contracts it is judged by, so it flatters.",
        "direct_threshold_profit",
        "best_threshold_profit",
    ),
    Exhibit(
        key="contracts_totals",
        title="All contracts together",
        reading=(
            "Contracts of one trial are not independent, so intervals draw whole trials again. "
            "Profit is in dollars a contract."
        ),
        table=totals,
        is_wanted=has_contracts,
    ),
    Exhibit(
        key="contracts_attitude",
        title="Risk attitude",
        reading=(
            "λ says how much more a loss weighs than a gain in what a model accepts, given the "
            "likelihoods it states: above 1 it avoids losses, below 1 it seeks risk. Where no λ "
            "can be fitted, it says why."
        ),
        table=attitudes,
        words=attitude_words,
        is_wanted=has_contracts,
    ),
)
