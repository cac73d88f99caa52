"""What agents at work are shown in, in reading order."""

from functools import partial
from typing import TYPE_CHECKING

from core.metrics.agent_frames import agent_curves, agent_glance, agent_sources, has_agents
from core.protocols.shown import Exhibit

if TYPE_CHECKING:
    from pandas import DataFrame

_CARRIED = (
    "A run that ends before a step keeps its last estimate, so every step is about the same runs; "
    "a run without an outcome is in none. A task worked on several times counts as often, as if "
    "its runs were independent, which makes intervals too narrow."
)

_POOLED = "All runs of a study and model are in one curve, whatever they were part of."
_PARTS = {"evaluation": "evaluations", "budget": "budgets", "sandbox": "sandboxes"}


def source_words(table: "DataFrame") -> list[str]:
    """Which evaluations, budgets and sandboxes the curve of each study and model pools, with how
    many runs each, in a sentence.

    Example:
        >>> import pandas as pd
        >>> row = {"study": "S", "model": "m", "evaluation": "small", "budget": "70 calls"}
        >>> source_words(pd.DataFrame([row | {"sandbox": "docker", "runs": 6, "decided": 5}]))
        ['S, m: all 6 runs are of the evaluation small, with the budget 70 calls and the sandbox \
docker.']
    """
    return [_sources(*who, own) for who, own in table.groupby(["study", "model"], sort=True)]


def _sources(study: str, model: str, own: "DataFrame") -> str:
    by_part = {part: own.groupby(part)["runs"].sum() for part in _PARTS}
    n = int(own["runs"].sum())
    if all(len(runs) == 1 for runs in by_part.values()):
        evaluation, budget, sandbox = (runs.index[0] for runs in by_part.values())
        runs = f"all {n:,} runs are" if n > 1 else "the one run is"
        return (
            f"{study}, {model}: {runs} of the evaluation {evaluation}, with the budget {budget} "
            f"and the sandbox {sandbox}."
        )
    told = [
        f"{_PARTS[part] if len(runs) > 1 else part} "
        + ", ".join(f"{name} ({count:,})" for name, count in runs.items())
        for part, runs in by_part.items()
    ]
    return f"{study}, {model}: one curve pools {n:,} runs, of {told[0]}; {told[1]}; {told[2]}."


def _curve(key: str, title: str, reading: str, metric: str) -> Exhibit:
    return Exhibit(
        key=f"agents_{key}",
        title=title,
        reading=f"{reading} {_POOLED}",
        table=partial(agent_curves, metrics=(metric,)),
        chart="agent_curve",
        is_wanted=has_agents,
    )


AGENT_EXHIBITS = (
    Exhibit(
        key="agents",
        title="Agents at a glance",
        reading=(
            "Agents worked on tasks by calling tools, and stated their chance of success after "
            "each turn with calls, and once more after they had submitted. Estimate and AUROC "
            f"stand for the first step, the last one and after submission. {_CARRIED}"
        ),
        table=agent_glance,
        is_wanted=has_agents,
    ),
    Exhibit(
        key="agents_sources",
        title="What the agents' curves are made of",
        reading=(
            f"{_POOLED} Where evaluations, budgets or sandboxes differ, a curve mixes them: put "
            "each into a study of its own to see them apart."
        ),
        table=agent_sources,
        words=source_words,
        is_wanted=has_agents,
    ),
    _curve(
        "estimates",
        "Stated chance by step",
        "The mean stated chance with Student's 95 % interval; dashed is the share of tasks that "
        "the agents solved in the end.",
        "mean_estimate",
    ),
    _curve(
        "auroc",
        "AUROC by step",
        "Do chances stand higher in the runs that end well? 0.5 is chance, 1 is perfect. DeLong's "
        "95 % intervals.",
        "auroc",
    ),
    _curve(
        "auroc_difference",
        "AUROC by step, against step 1",
        "Above 0 an agent tells better how it will end than it did after its first call. The same "
        "runs are compared, with DeLong's paired 95 % interval.",
        "auroc_difference",
    ),
    _curve(
        "estimate_change",
        "Stated chance by step, against step 1",
        "The mean change of the chance in the same runs, with Student's 95 % interval: above 0 "
        "agents grow surer on the way.",
        "estimate_change",
    ),
)
