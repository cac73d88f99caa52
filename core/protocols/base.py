"""What a protocol is: data plus a few functions.

A protocol names its steps, the prompt of each, how a reply is read, and the exhibits its results
are shown in. Screens, engine, store and exports work from these and never ask which protocol
they have before them; adding one is a module here, its prompts and its metrics.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.errors import NotFoundError
from core.prompts import Prompt
from core.records import Reading

if TYPE_CHECKING:
    from pandas import DataFrame

Cell = tuple[str, str]
"""A group of tasks that is filled and sampled as one: (type, intent)."""

Context = Mapping[str, str | None]
"""What is known of a planned item: intent, type and reason of the task it is about."""


@dataclass(frozen=True)
class Step:
    """One step of a protocol that calls a model.

    Args:
        name: the step's word on the command line and in the store.
        title: what the screen calls it. doing: the same as something under way.
        makes_tasks: whether an ok reply is a new task; otherwise it is a label on a drawn task.
        prompt_for: the prompt's name for an item.
        variables: what fills the prompt, from the item and the text of the task it works on.
        parameters: temperature and the like, as the protocol sets them.
        schema: the JSON schema a reply should follow, given the prompt in use.
        read: parser of a reply: text, finish_reason and refusal in, a reading out.
        context_at: for a step that makes tasks, the k-th item (from 0) of a cell.
        prompts: every prompt the step may use; a prompt set must have them all.
    """

    name: str
    title: str
    doing: str
    makes_tasks: bool
    prompts: tuple[str, ...]
    prompt_for: Callable[[Context], str]
    variables: Callable[[Context, str], dict[str, str]]
    parameters: Mapping[str, Any]
    schema: Callable[[Prompt], dict[str, Any]]
    read: Callable[..., Reading]
    context_at: Callable[[Cell, int], Context] | None = None


@dataclass(frozen=True)
class Exhibit:
    """One table of the results, and the chart drawn from it.

    Args:
        key: short name for links and file names.
        title: what it shows. reading: how to read it, one or two sentences.
        table: from the counts of the studies shown to the table on screen.
        chart: which kind of chart core.charts draws from that table; None for none.
    """

    key: str
    title: str
    reading: str
    table: Callable[..., "DataFrame"]
    chart: str | None = None


@dataclass(frozen=True)
class Results:
    """What the results of a protocol are shown in.

    Args:
        exhibits: tables and charts in reading order.
        tables: from counts to the document that `selfbound tables --format json` prints.
        flat_rows: from that document to a header and rows, for the other formats.
        compare_with_printed: from counts and the content of `printed_file`, a file in data/, to a
            frame of printed values beside ours; None where the paper's values are not at hand.
    """

    exhibits: tuple[Exhibit, ...]
    tables: Callable[["DataFrame"], dict[str, Any]]
    flat_rows: Callable[[Mapping[str, Any]], tuple[list[str], list[list[Any]]]]
    compare_with_printed: Callable[["DataFrame", Mapping[str, Any]], "DataFrame"] | None = None
    printed_file: str | None = None


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
    """

    name: str
    title: str
    question: str
    steps: tuple[Step, ...]
    cells: tuple[Cell, ...]
    per_type: int
    per_cell: int
    results: Callable[[], "Results"]

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
