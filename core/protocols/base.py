"""What a protocol is: data plus a few functions.

A protocol names its steps, the prompt of each, how a reply is read, and the exhibits its results
are shown in. Screens, engine, store and exports work from these and never ask which protocol
they have before them; adding one is a module here, its prompts and its metrics.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from core.errors import NotFoundError
from core.prompts import Prompt
from core.protocols.shown import Results
from core.records import Reading
from core.taxonomy import Taxonomy

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
    results: Callable[[], Results]
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
