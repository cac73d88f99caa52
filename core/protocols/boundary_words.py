"""How results of the feasibility boundary are spoken of, compared and written to files."""

from functools import partial

from core.metrics.comparison import COMPARED_METRICS, compare
from core.metrics.redrawing import REPLICATES
from core.protocols.shown import Comparison, DataFile, Words
from core.taxonomy import Taxonomy

WORDS = Words(
    task="task",
    made="made as",
    labelled="classified as",
    invented="invented by",
    done="classified",
    by="Classified by",
    asked="drawn",
    part="type",
    funnel="From generated to classified",
    answered="classified",
    no_results="draw and classify first",
    no_removed="To compare, draw again with the removed tasks included, and classify them.",
    course=(
        "Between them people keep or remove tasks, and the same number of tasks is drawn from "
        "every type and side, as far as there are enough."
    ),
    intervals=(
        "Numbers in square brackets are intervals that cover 95 %. A share whose tasks are all of "
        "one study, type and side has Wilson's score interval. Every other metric has the "
        f"percentiles of {REPLICATES:,} Bayesian bootstrap replicates, drawn by counting within "
        "each study, type and side, from the seed 0; the column interval says which. They tell "
        "what chance alone leaves open if the tasks are a sample of all tasks the model could have "
        "invented."
    ),
    left_out=(
        "Shares are out of the tasks with a usable reply; tasks that ended without one, and tasks "
        "that people removed, are left out of them and are counted here."
    ),
)

DATA = DataFile(
    query="results_data",
    columns={
        **dict.fromkeys(("study", "subject", "model", "prompt_set", "task_id"), str),
        **dict.fromkeys(("intent", "type", "reason", "label", "label_reason", "outcome"), str),
        "removed": bool,
        "draw": str,
        "draw_number": int,
    },
)


def boundary_comparison(taxonomy: Taxonomy) -> Comparison:
    """How studies with these types and reasons are compared."""
    return Comparison(
        own="member_label_counts",
        joint="joint_label_counts",
        compare=partial(compare, taxonomy=taxonomy),
        metrics=COMPARED_METRICS,
        headline="accuracy",
    )
