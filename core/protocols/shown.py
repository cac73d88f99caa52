"""What a protocol's results are shown in, and how they are spoken of, compared and written down."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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


def _always(_about: Any) -> bool:
    return True


@dataclass(frozen=True)
class Exhibit:
    """One table of the results, and the chart drawn from it.

    Args:
        key: short name for links and file names.
        title: what it shows. reading: how to read it, one or two sentences.
        table: from the counts of the studies shown to the table on screen.
        chart: which kind of chart core.charts draws from that table; None for none.
        pick: from what a clicked mark of the chart names to the tasks behind it, in the fields of
            `core.workflows.drilldown.TaskQuery`; None where a chart leads nowhere.
        words: what the table says, in sentences for those who read no tables.
        is_wanted: whether it has anything to show of these counts; by default always.
        best: which value is best in print (max, min or zero), by column or by a value of `metric`.
        best_within: columns in whose groups values are compared, such as type.
        of_every_judge: whether it wants the counts of every judge, rather than of the chosen one.
    """

    key: str
    title: str
    reading: str
    table: Callable[..., "DataFrame"]
    chart: str | None = None
    pick: Callable[[Mapping[str, str]], dict[str, Any]] | None = None
    words: Callable[["DataFrame"], list[str]] | None = None
    is_wanted: Callable[["DataFrame"], bool] = _always
    best: Callable[["DataFrame"], dict[str, Any]] | None = None
    best_within: tuple[str, ...] = ()
    of_every_judge: bool = False


def _no_notes(_document: Mapping[str, Any]) -> list[str]:
    return []


@dataclass(frozen=True)
class Results:
    """What the results of a protocol are shown in.

    Args:
        exhibits: tables and charts in reading order.
        tables: from counts to the document that `selfbound tables --format json` prints.
        flat_rows: from that document, which also has the `coverage` of the studies, to a header
            and rows, for the other formats.
        flat_names: how many of their columns, from the left, say whose numbers a row holds.
        flat_best, flat_best_within: which of their values are bold in print, as in an `Exhibit`.
        flat_notes: from that document to sentences that stand below the rows in a terminal.
        compare_with_printed: from counts and the content of `printed_file`, a file in data/, to a
            frame of printed values beside ours; None where the paper's values are not at hand.
        removal: what removing tasks changed; its table takes the counts without the removed tasks
            and the counts with them. None where that is not told.
        counts: the query of the store that counts what the tables are made from. Where it gives a
            column `judge`, a study's tasks are there once for each of its judges.
        words: what screens and reports say of them. comparison: how two are compared; None where
            they are not.
        behind: the query that lists the tasks behind a number. by_judge: whether that and `counts`
            depend on whose verdicts count.
        data: the data behind the results, as a file.
        compare_values: from counts and printed values of any source to both side by side; None
            where that cannot be done.
        profile: from counts to what the protocol says of a model, for its profile beside what the
            other protocols say: model, prompt_set, metric, value, low, high, n, why, and where it
            has them part (what the model was given), why_no_interval and caution; None where it
            says nothing of one. The counts have a column `named` more: a model is the same under
            all its names, and that is the one it has in its study.
    """

    exhibits: tuple[Exhibit, ...]
    tables: Callable[["DataFrame"], dict[str, Any]]
    flat_rows: Callable[[Mapping[str, Any]], tuple[list[str], list[list[Any]]]]
    compare_with_printed: Callable[["DataFrame", Mapping[str, Any]], "DataFrame"] | None = None
    printed_file: str | None = None
    removal: Exhibit | None = None
    counts: str = "label_counts"
    words: Words = PLAIN_WORDS
    comparison: Comparison | None = None
    behind: str = "classified_tasks"
    by_judge: bool = False
    data: DataFile | None = None
    compare_values: Callable[..., "DataFrame"] | None = None
    flat_names: int = 3
    flat_best: Callable[["DataFrame"], dict[str, Any]] | None = None
    flat_best_within: tuple[str, ...] = ()
    flat_notes: Callable[[Mapping[str, Any]], list[str]] = _no_notes
    profile: Callable[["DataFrame"], "DataFrame"] | None = None
