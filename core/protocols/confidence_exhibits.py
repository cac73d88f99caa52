"""What the results of an in-advance-confidence study are shown in, in reading order."""

from dataclasses import replace
from typing import TYPE_CHECKING

from core.metrics.confidence_frames import (
    WHO,
    brier_parts,
    calibration_points,
    denominators,
    glance,
    has_single_tasks,
    metric_intervals,
    risk_coverage_areas,
    risk_coverage_points,
    unit_metrics,
)
from core.metrics.size_trend import has_sizes, size_trends
from core.metrics.stated_chances import chances_alone, has_chances_alone
from core.protocols.agent_exhibits import AGENT_EXHIBITS
from core.protocols.confidence_profile import confidence_profile
from core.protocols.confidence_tables import flat_notes, flat_rows, tables
from core.protocols.confidence_words import (
    NOT_IN_ADVANCE,
    WORDS,
    best_values,
    overconfidence_words,
    pick_bin,
    pick_metric,
)
from core.protocols.contract_exhibits import CONTRACT_EXHIBITS
from core.protocols.shown import Exhibit, Results

if TYPE_CHECKING:
    from pandas import DataFrame

_OF_ALL = ("summary", "chances_alone", "denominators")
"""The exhibits that also hold those who have no result."""


def confidence_results() -> Results:
    """The tables and charts of studies whose subjects state their chances beforehand."""
    return Results(
        exhibits=(*map(_of_single_tasks, _SINGLE_TASKS), *CONTRACT_EXHIBITS, *AGENT_EXHIBITS),
        tables=tables,
        flat_rows=flat_rows,
        flat_best=best_values,
        flat_notes=flat_notes,
        counts="confidence_counts",
        words=WORDS,
        behind="confidence_tasks",
        profile=confidence_profile,
    )


def _of_single_tasks(exhibit: Exhibit) -> Exhibit:
    """The exhibit, not wanted where a study has agents alone; one of metrics is without whoever has
    none, who stands in the table of stated chances."""
    if exhibit.key in _OF_ALL:
        return replace(
            exhibit, is_wanted=lambda counts: has_single_tasks(counts) and exhibit.is_wanted(counts)
        )

    def is_wanted(counts: "DataFrame") -> bool:
        own = _with_results(counts)
        return has_single_tasks(own) and exhibit.is_wanted(own)

    return replace(
        exhibit, is_wanted=is_wanted, table=lambda counts: exhibit.table(_with_results(counts))
    )


def _with_results(counts: "DataFrame") -> "DataFrame":
    """The counts without those who stated chances and have no result."""
    alone = set(chances_alone(counts)[list(WHO)].itertuples(index=False, name=None))
    who = zip(counts["study"], counts["model"], strict=True)
    return counts[[one not in alone for one in who]]


_SINGLE_TASKS = (
    Exhibit(
        key="summary",
        title="Confidence at a glance",
        reading=(
            "Overconfidence is the mean stated chance less the share solved: above 0 a model "
            "expects more than it does. AUROC says whether its chances stand higher for what it "
            "solves than for what it does not: 0.5 is chance, 1 is perfect. Of the Brier score, "
            f"the area and the calibration error less is better. {NOT_IN_ADVANCE}"
        ),
        table=glance,
        words=overconfidence_words,
        best=best_values,
    ),
    Exhibit(
        key="chances_alone",
        title="Stated chances with no programs to hold them against",
        reading=(
            "Of who has stated chances and has no program that ran, there is the mean of what they "
            "stated, and no overconfidence: what others solved says nothing about what they would. "
            "People can write programs, too; they stand here until one of theirs has run."
        ),
        table=chances_alone,
        is_wanted=has_chances_alone,
    ),
    Exhibit(
        key="scores",
        title="Expected and solved, AUROC and Brier score with 95 % intervals",
        reading=WORDS.intervals,
        table=unit_metrics,
        chart="metric_bars",
        pick=pick_metric,
        best=best_values,
    ),
    Exhibit(
        key="intervals",
        title="Every metric with its interval",
        reading="Where an interval or a value is missing, or to be taken with care, it says why.",
        table=metric_intervals,
        best=best_values,
    ),
    Exhibit(
        key="calibration",
        title="Calibration",
        reading=(
            "Each dot is a tenth of the scale: of the tasks given such a chance, the share solved, "
            "with Wilson's 95 % interval. The number beside it is how many tasks it rests "
            "on. On the dashed line stated chances come true; below it a model is overconfident."
        ),
        table=calibration_points,
        chart="calibration",
        pick=pick_bin,
    ),
    Exhibit(
        key="brier",
        title="What the Brier score is made of",
        reading=(
            "Brier score = reliability − resolution + uncertainty + within bins, over ten bins. "
            "Reliability is how far stated chances are from what came true, resolution how well "
            "they part solved from unsolved tasks, uncertainty what always stating the share "
            "solved would get. Skill is 1 − score / uncertainty: at 0 a model is no better than "
            "that, below 0 it is worse."
        ),
        table=brier_parts,
        best=best_values,
    ),
    Exhibit(
        key="risk_coverage",
        title="Risk by coverage",
        reading=(
            "If a model attempted only the tasks it is surest of, how many of them would fail? "
            "Dashed is the share of all tasks that fail, which chances that tell nothing stay at."
        ),
        table=risk_coverage_points,
        chart="risk_coverage",
    ),
    Exhibit(
        key="risk_coverage_areas",
        title="Area under the risk-coverage curve",
        reading="Less is better; best is what perfectly ordered chances would get.",
        table=risk_coverage_areas,
        best=best_values,
    ),
    Exhibit(
        key="trend",
        title="Trend over the models' sizes",
        reading=(
            "The rank correlation of each metric with the number of parameters in the model's "
            "name: 1 where it rises with every step up, -1 where it falls. Choose studies of one "
            "family of models; with few of them a trend has to be very clear to show."
        ),
        table=size_trends,
        is_wanted=has_sizes,
    ),
    Exhibit(
        key="denominators",
        title="What the metrics are out of",
        reading=WORDS.left_out,
        table=denominators,
    ),
)
