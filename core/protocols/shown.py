"""How a protocol's results are spoken of, compared, listed and written to files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.metrics.comparison_words import ComparisonWords

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Words:
    """The words in which screens and reports tell of results.

    Args:
        task: what a model is given.
        made, labelled: what stands before what a task was meant as, and what was made of it.
        invented: what stands before whom it comes from.
        done: what a model did with a task that counts. by: the same, before who did it.
        asked: which tasks every share starts from.
        part: the parts of the tasks, one of which is told after the other.
        funnel: the way of the tasks, as a title. answered: the stage they reach when a model has
            given a usable reply.
        no_results: what is to be done where there are none.
        no_removed: what is to be done where no removed task has a result.
        course: how a study goes, after its steps. intervals: what the intervals are.
        left_out: which tasks shares are out of, and which they leave out.
    """

    task: str = "task"
    made: str = "meant as"
    labelled: str = "came out as"
    invented: str = "from"
    done: str = "answered"
    by: str = "Answered by"
    asked: str = "asked"
    part: str = "type"
    funnel: str = "The way of the tasks"
    answered: str = "answered"
    no_results: str = "run the study's steps first"
    no_removed: str = ""
    course: str = ""
    intervals: str = ""
    left_out: str = ""


PLAIN_WORDS = Words()

NOT_MEASURED = "not measured"
"""Why a profile has no value where a model was never asked."""


@dataclass(frozen=True)
class Comparison:
    """How every two studies or models of a protocol are set against each other.

    Args:
        own: the query of the store that counts the tasks of each. joint: the one that counts the
            tasks which two share, by what became of them with either.
        compare: from the own counts of two, their joint counts, and the options `metrics`,
            `by_type`, `replicates` and `seed`, to the frame of `core.metrics.comparison.compare`.
        metrics: what is compared unless somebody asks for less.
        headline: the metric that is told in a sentence. words: what the sentence speaks of.
        by_judge: whether both queries want to know whose verdicts count, in `judges`.
    """

    own: str
    joint: str
    compare: Callable[..., "DataFrame"]
    metrics: tuple[str, ...]
    headline: str
    words: ComparisonWords = field(default_factory=ComparisonWords)
    by_judge: bool = False


@dataclass(frozen=True)
class DataFile:
    """The data behind the results, one row an answer.

    Args:
        query: the query of the store that gives the rows.
        columns: the name and type of each column, in order.
    """

    query: str
    columns: Mapping[str, type]
