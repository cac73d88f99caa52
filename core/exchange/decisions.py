"""Tasks and people's decisions on them, as files carry them from one place to another.

Decisions are only ever added, so a history is all of them, oldest first. What *stands* is what
nobody took back: the newest decision of each person, and the newest final one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.exchange.named_cells import RowFault, is_blank, read_each, task_text, type_name
from core.exchange.row_file import BadRow, RowFile, Value, raise_for_bad_rows
from core.exchange.tasks import task_row
from core.exchange.wording import shown
from core.taxonomy import LINE_OF_DUTY, Taxonomy

KEEP, REMOVE, SKIP, UNDO = "keep", "remove", "skip", "undo"
ACTIONS = (KEEP, REMOVE, SKIP)


@dataclass(frozen=True)
class Decision:
    """One thing a person did with a task.

    Args:
        decision_id: its id; None when the file does not come from here.
        person: the name of who decided.
        action: keep, remove, skip or undo.
        reason: the code of a removal's reason, else None.
        note: what the person wrote; empty when nothing.
        decided_at: in UTC; None when unknown.
        seconds_active: how long the person spent on it; None when unknown.
        undoes: the id of the decision that an undo takes back.
        is_final: whether it settles a task on which people disagree.
    """

    decision_id: str | None
    person: str
    action: str
    reason: str | None
    note: str
    decided_at: datetime | None
    seconds_active: float | None
    undoes: str | None
    is_final: bool


@dataclass(frozen=True)
class DecidedTask:
    """A task to write, with all that people decided about it.

    Args:
        task_id: its id. text: exactly as generated.
        intent, type, reason: None when they are hidden or unknown.
        state: kept, removed, skipped, disputed or pending.
        removal_reason, note: of the decision that speaks for the task.
        decisions: the whole history, oldest first.
    """

    task_id: str | None
    text: str
    intent: str | None
    type: str | None
    reason: str | None
    state: str
    removal_reason: str | None
    note: str
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class DecidedTaskRow:
    """A task as read, with the decisions that its row holds.

    Args:
        line: the row number (see `row_file`).
        task_id: the task's id here; None when the file gives none.
        text: exactly as in the file.
        intent, type, reason: None when the file does not say; the type may stand alone.
        decisions: the history, oldest first; empty when the task is not decided yet.
    """

    line: int
    task_id: str | None
    text: str
    intent: str | None
    type: str | None
    reason: str | None
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class DecidedTaskFile:
    """A file of tasks and decisions: its good rows, its bad ones, and what was odd, in words."""

    name: str
    format: str
    rows: tuple[DecidedTaskRow, ...]
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


def decided_row(
    line: int,
    cells: Mapping[str, Value],
    decisions: tuple[Decision, ...],
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> DecidedTaskRow:
    """The task that a row's cells say, keyed by our names, with its decisions.

    Intent and reason may both be empty, as where it is hidden how a task was meant; then only a
    study that has the task can tell. Otherwise the rules of `tasks` hold.

    Raises:
        RowFault: the cells do not say a task.
    """
    task_id = cells.get("task_id")
    if isinstance(task_id, list | dict):
        raise RowFault(f"has {shown(task_id)} for task_id where text was wanted")
    if is_blank(cells.get("intent")) and is_blank(cells.get("reason")):
        text, kind = task_text(cells["text"]), type_name(cells.get("type"), taxonomy)
        return DecidedTaskRow(line, task_id or None, text, None, kind, None, decisions)
    task = task_row(line, cells, taxonomy)
    return DecidedTaskRow(
        line, task_id or None, task.text, task.intent, task.type, task.reason, decisions
    )


def decided_file(
    file: RowFile,
    read_row: Callable[[int, Mapping[str, Value]], DecidedTaskRow],
    findings: Callable[[Sequence[DecidedTaskRow]], Iterable[str]],
) -> DecidedTaskFile:
    """The rows of a file read one by one, good and bad rows apart.

    Raises:
        InputError: no row is good.
    """
    good, bad = read_each(file, read_row)
    tasks = DecidedTaskFile(file.name, file.format, good, bad, (*file.findings, *findings(good)))
    if not good:
        raise_for_bad_rows(tasks)
    return tasks


def standing(history: Iterable[Decision]) -> tuple[Decision, ...]:
    """The decisions that nobody took back, oldest first: each person's newest, and the final one.

    Example:
        >>> keep = Decision("a", "Ada", "keep", None, "", None, None, None, False)
        >>> undo = Decision("b", "Ada", "undo", None, "", None, None, "a", False)
        >>> standing([keep]) == (keep,), standing([keep, undo])
        (True, ())
    """
    history = tuple(history)
    undone = {one.undoes for one in history if one.undoes is not None}
    newest = {
        None if one.is_final else one.person: place
        for place, one in enumerate(history)
        if one.action != UNDO and (one.decision_id is None or one.decision_id not in undone)
    }
    return tuple(history[place] for place in sorted(newest.values()))


def speaking(history: Iterable[Decision]) -> Decision | None:
    """The one standing decision that speaks for a task; None when it is not decided.

    It is the final one, else the newest keep or remove, else the newest skip.
    """
    newest_first = reversed(standing(history))
    return max(newest_first, key=lambda one: (one.is_final, one.action != SKIP), default=None)


def joined(
    history: Sequence[Decision], met: Iterable[Decision], *, with_final: bool = True
) -> tuple[Decision, ...]:
    """A history, and after it what was decided elsewhere and is not in it yet.

    A decision that was met is the same as a standing one when it says the same and took as long.

    Args:
        history: what was decided before the file went out.
        met: what stands in the file that came back; its people may have other names there.
        with_final: whether the file says which decisions are final.
    """
    unclaimed = [_sense(one, with_final) for one in standing(history)]
    added = []
    for one in met:
        if (sense := _sense(one, with_final)) in unclaimed:
            unclaimed.remove(sense)
        else:
            added.append(one)
    return (*history, *added)


def _sense(one: Decision, with_final: bool) -> tuple:
    took = None if one.seconds_active is None else round(one.seconds_active, 3)
    return one.action, one.reason, one.note, took, with_final and one.is_final
