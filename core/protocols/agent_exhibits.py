"""What agents at work are shown in, in reading order."""

from functools import partial

from core.metrics.agent_frames import agent_curves, agent_glance, has_agents
from core.protocols.shown import Exhibit

_CARRIED = (
    "A run that ends before a step keeps its last estimate, so every step is about the same runs; "
    "a run without an outcome is in none. A task worked on several times counts as often, as if "
    "its runs were independent, which makes intervals too narrow."
)


def _curve(key: str, title: str, reading: str, metric: str) -> Exhibit:
    return Exhibit(
        key=f"agents_{key}",
        title=title,
        reading=reading,
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
            "each call and once more after they had submitted. Estimate and AUROC stand for the "
            f"first step, the last one and after submission. {_CARRIED}"
        ),
        table=agent_glance,
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
