"""What a protocol is: data plus a few functions.

A protocol names its steps, the prompt of each, how a reply is read, and the exhibits its results
are shown in. Screens, engine, store and exports work from these and never ask which protocol
they have before them; adding one is a module here, its prompts and its metrics.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from core.errors import NotFoundError
from core.prompts import Prompt
from core.protocols.shown import PLAIN_WORDS, Comparison, DataFile, Words
from core.records import Reading
from core.taxonomy import Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

Cell = tuple[str, str]
"""A group of tasks that is filled and sampled as one: (type, intent)."""

Context = Mapping[str, str | None]
"""What is known of a planned item: intent, type and reason of the task it is about.

Where a step works on every task, also the language that the study's tasks should be in; where it
works on answers, `answer_of`, the item that gave the answer, and what the step keeps of it. Where
it rewrites tasks, intent and type are those of the task to be made, and `group` is its group. When
a prompt is filled, the step is also told `answer`, where the item is about one, and `references`,
the task's reference answers, a line each.
"""

JUDGE_PROMPTS = "judge"
"""The folder of a protocol's prompts for judges, `judge/<set>/<what>.v<N>.md`.

A study names the prompt set of its subject. Judges have sets of their own, one level deeper, so
that they are no choice for a subject; which of them is used follows from the judge's model.
"""


class WorksOn(StrEnum):
    """What the calls of a step are about."""

    CELLS = "cells"  # nothing yet: each call makes a task of its cell
    DRAWN_TASKS = "drawn_tasks"
    EVERY_TASK = "every_task"  # that nobody has removed when the step is planned
    ANSWERS = "answers"  # that models gave in another step
    ORIGINALS = "originals"  # tasks to rewrite: each call makes a new task of one
    REWRITES = "rewrites"  # tasks that were made of others, and that nobody has removed
    CONTRACTS = "contracts"  # tasks offered one after the other in trials, whose end is known


@dataclass(frozen=True)
class Brought:
    """What people bring into a study whose tasks no step makes.

    Args:
        format: the word for it in `selfbound import`. noun: what one of them is called.
        is_code: whether tasks and answers are programs, to be shown as such.
    """

    format: str
    noun: str
    is_code: bool = False


QUESTIONS = Brought("questions", "question")
CODE_TASKS = Brought("code-tasks", "code task", is_code=True)


def _always(_about: Any) -> bool:
    return True


def _plain_text(_prompt: Prompt) -> None:
    return None


def _nothing(_answer: str, _references: Sequence[str]) -> Context:
    return {}


@dataclass(frozen=True)
class Verdicts:
    """What a judge's verdicts say, so that people can give the same verdict without seeing it.

    Args:
        question: what people are asked, to be answered with yes or no.
        yes, no: the labels that the step reads where the judge says so.
        shows: what one needs to see for it, in this order: task, references, answer.
    """

    question: str
    yes: str
    no: str
    shows: tuple[str, ...] = ("task",)


@dataclass(frozen=True)
class Step:
    """One step of a protocol that calls a model.

    Args:
        name: the step's word on the command line and in the store.
        title: what the screen calls it. doing: the same as something under way.
        works_on: what each call is about. About cells, an ok reply is a new task; about tasks, it
            is a label on one.
        prompt_for: the prompt's name for an item.
        variables: what fills the prompt, from the item and the text of the task it works on.
        parameters: temperature and the like, as the protocol sets them.
        read: parser of a reply: text, finish_reason and refusal in, a reading out.
        schema: the JSON schema a reply should follow, given the prompt in use; None for plain
            text, as by default.
        context_at: for a step that makes tasks, the k-th item (from 0) of a cell.
        prompts: every prompt the step takes from the study's set; a set must have them all.
        judge_prompts: those it takes from the sets for judges. A step that has any is done by a
            judge, who is never the study's subject.
        is_optional: whether a study is whole without it. Where nothing of it was planned, an
            optional step is no part of how a study stands.
        answers_of: for a step about answers, the step that gave them.
        takes: which of those answers it takes: from a row with the task's `intent` and the answer's
            `label`. An answer of the judge's own is never taken.
        about_answer: what a call keeps of the answer it is about, beside the item that gave it:
            from the answer's text and the task's reference answers to a part of the context.
        verdicts: what the labels say, where a judge does the step.
        purpose: what happens to each task or answer, in one sentence for the screen.
        rule: what `RULE_JUDGE` replies, from the context of a call; None where no rule will do.
        by_sandbox: whether no model does the step: what a model wrote is run with the task's
            checks, in a sandbox that stands where a model's name stands.
        people_give: what people give who do the step beside the models: `label`, one of those that
            models give, `chance`, how likely they are to solve the task, or `program`, what they
            solve it with; empty where people have no part in it. Where they do several steps, each
            takes the tasks that they have done in the one before.
        most_asks: how often a model is asked about a task at most: again, where no reply before
            could be read. The context tells which ask it is, as `ask`, from 0 on.
    """

    name: str
    title: str
    doing: str
    works_on: WorksOn
    prompts: tuple[str, ...]
    prompt_for: Callable[[Context], str]
    variables: Callable[[Context, str], dict[str, str]]
    parameters: Mapping[str, Any]
    read: Callable[..., Reading]
    schema: Callable[[Prompt], dict[str, Any] | None] = _plain_text
    context_at: Callable[[Cell, int], Context] | None = None
    judge_prompts: tuple[str, ...] = ()
    is_optional: bool = False
    answers_of: str = ""
    takes: Callable[[Mapping[str, Any]], bool] = _always
    about_answer: Callable[[str, Sequence[str]], Context] = _nothing
    verdicts: Verdicts | None = None
    purpose: str = ""
    rule: Callable[[Context], str] | None = None
    by_sandbox: bool = False
    people_give: Literal["", "label", "chance", "program"] = ""
    most_asks: int = 1

    @property
    def goes_on(self) -> bool:
        """Whether what is asked next depends on what was answered, so that the plan of a run goes
        on while it runs."""
        return self.most_asks > 1

    @property
    def offers_contracts(self) -> bool:
        """Whether the step offers contracts, which are drawn before."""
        return self.works_on is WorksOn.CONTRACTS

    @property
    def makes_tasks(self) -> bool:
        """Whether an ok reply is a task of the study, made from nothing."""
        return self.works_on is WorksOn.CELLS

    @property
    def rewrites_tasks(self) -> bool:
        """Whether an ok reply is a new task, made of one that people brought."""
        return self.works_on is WorksOn.ORIGINALS

    @property
    def works_on_draw(self) -> bool:
        """Whether the step works on the tasks that were drawn."""
        return self.works_on is WorksOn.DRAWN_TASKS

    @property
    def by_judge(self) -> bool:
        """Whether a judge does the step, and never the study's subject."""
        return bool(self.judge_prompts)

    @property
    def screens_tasks(self) -> bool:
        """Whether a judge goes through every task. Another version of its prompt is another judge,
        who goes through them anew."""
        return self.by_judge and self.works_on is WorksOn.EVERY_TASK


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
    profile: Callable[["DataFrame"], "DataFrame"] | None = None


@dataclass(frozen=True)
class Protocol:
    """One evaluation: its name, its steps in order, its cells and its results.

    Args:
        name: the word on the command line and in the store.
        title: what people call it. question: what it asks, in one sentence.
        cells: the groups that are filled, curated and sampled evenly, in display order.
        per_type, per_cell: tasks to invent and to draw in each cell, by default.
        results: makes the exhibits and tables; called when results are wanted, because
            they take half a second to import.
        for_taxonomy: makes the same protocol for other types and reasons; None where it has
            none.
        measured: the step whose labels the results count.
        plain_prompts: the prompt set of a study for which nobody chose one.
        brought: what people bring, where no step makes tasks.
        note: what one should know before making such a study; empty for nothing.
    """

    name: str
    title: str
    question: str
    steps: tuple[Step, ...]
    cells: tuple[Cell, ...]
    per_type: int
    per_cell: int
    results: Callable[[], "Results"]
    for_taxonomy: Callable[[Taxonomy], "Protocol"] | None = None
    measured: str = "classify"
    plain_prompts: str = "vanilla"
    brought: Brought = QUESTIONS
    note: str = ""

    @property
    def makes_tasks(self) -> bool:
        """Whether its tasks are made by a step; else people bring them."""
        return any(step.makes_tasks for step in self.steps)

    @property
    def rewrites_tasks(self) -> bool:
        """Whether tasks that people brought are rewritten; people then look at the rewrites."""
        return any(step.rewrites_tasks for step in self.steps)

    def step(self, name: str) -> Step:
        """The step of that name.

        Raises:
            NotFoundError: the protocol has no such step.
        """
        for step in self.steps:
            if step.name == name:
                return step
        have = ", ".join(step.name for step in self.steps)
        raise NotFoundError(f"{self.title} has no step {name!r}", hint=f"its steps: {have}")
