"""How results of uncertainty attribution are spoken of, compared and written to files."""

from core.metrics.attribution_comparison import compare_attribution
from core.metrics.attribution_frames import interval_words
from core.metrics.attribution_replicates import METRICS
from core.metrics.comparison_words import ComparisonWords
from core.protocols.shown import Comparison, DataFile, Words

WORDS = Words(
    task="question",
    made="meant as",
    labelled="came out as",
    invented="put to",
    done="answered",
    by="Answered by",
    asked="asked",
    part="group",
    funnel="From imported to judged",
    answered="answered",
    no_results="let a model attempt the questions first",
    no_removed="A removed question counts here if it was attempted before it was removed.",
    course=(
        "People may remove questions before. Only an answer to an answerable question is judged, "
        "and never by the model that gave it; of all other outcomes there is nothing to judge."
    ),
    intervals=interval_words(),
    left_out=(
        "A reply that cannot be used is an outcome here, and counts as not right. Left out are "
        "questions that people removed, those whose call brought no reply, and answers without a "
        "verdict of yes or no; all of them are counted."
    ),
)

DATA = DataFile(
    query="attribution_data",
    columns={
        **dict.fromkeys(("study", "subject", "model", "prompt_set", "task_id", "group"), str),
        **dict.fromkeys(("type", "intent", "outcome", "label", "judge", "verdict", "match"), str),
        "removed": bool,
    },
)

COMPARISON = Comparison(
    own="member_attribution_counts",
    joint="joint_attribution_counts",
    compare=compare_attribution,
    metrics=METRICS,
    headline="ACC",
    words=ComparisonWords("question", "reached an outcome on", "No verdict came on"),
    by_judge=True,
)
