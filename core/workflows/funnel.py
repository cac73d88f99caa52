"""The funnel: how many of a study's tasks were flagged, removed, drawn, answered and judged.

Three sums are closed: kept, removed and disputed tasks are the decided ones; these, the skipped
and those not decided yet are all tasks; and the removed tasks by reason are the removed ones. The
tasks by flag may add up to more than the flagged tasks, for a task can have several flags.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.curation.flags import REMOVAL_REASON_OF_FLAG
from core.curation.reasons import REMOVAL_REASONS
from core.protocols.base import Cell
from core.store.store import Store
from core.workflows.studies import Study

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ("study", "type", "intent", "stage", "within", "label", "n", "share_of_tasks")

Row = Mapping[str, Any]
Stage = tuple[str, str, str, int]
"""A stage's word, the stage it is a part of, its label and its number of tasks."""


def funnel_reading(task: str) -> str:
    """How to read a funnel of tasks, or of whatever else they are called."""
    return (
        f"Decided {task}s are kept, removed or disputed; with those skipped and those not decided "
        f"they are all {task}s. A {task} can have several flags, so flags may add up to more than "
        f"the {task}s flagged."
    )


def curation_funnel(store: Store, study: Study, *, by_cell: bool = False) -> "DataFrame":
    """How many tasks of a study reached each stage, in order; all zero where it has no tasks.

    Args:
        by_cell: whether each cell has rows of its own.

    Returns:
        With `by_cell` first type and intent. Then stage, within (the stage it is a part of, else
        empty), label (the same in words), n, share_of_tasks (of those of the study, or the cell;
        NaN without any). The stages: tasks; flagged, flagged:CODE, unchecked; decided, kept,
        removed, removed:CODE, disputed; skipped; pending; drawn, where the protocol draws;
        classified:MODEL, or classified while no model has a usable reply (or answered, as the
        protocol's words say); judged:JUDGE, those with an answer that it gave a valid verdict on.
        Where they occur: begun and untouched, parts of pending;
        drawn_removed and classified_removed:MODEL, which the tables leave out.
    """
    return curation_funnels(store, [study], by_cell=by_cell).drop(columns="study")


def curation_funnels(
    store: Store, studies: Sequence[Study], *, by_cell: bool = False
) -> "DataFrame":
    """The funnels of several studies below each other, with the study's name as first column."""
    import pandas as pd

    ids = [study.study_id for study in studies]
    all_tasks = store.rows("funnel_tasks", study_ids=ids)
    measured = sorted({study.shape.measured for study in studies})
    all_readings = store.rows("funnel_readings", study_ids=ids, steps=measured)
    all_verdicts = store.rows("funnel_verdicts", study_ids=ids)
    rows = []
    for study in studies:
        tasks = [row for row in all_tasks if row["study_id"] == study.study_id]
        readings = [row for row in all_readings if row["study_id"] == study.study_id]
        verdicts = [row for row in all_verdicts if row["study_id"] == study.study_id]
        for kind, intent in _cells(study, tasks) if by_cell else [(None, None)]:
            within = _in_cell(kind, intent) if by_cell else _anywhere
            stages = [
                *_stages(tasks, within, has_draw=_has_draw(study)),
                *_reached(readings, within, study.shape.results().words.answered),
                *(_reached(verdicts, within, "judged") if verdicts else ()),
            ]
            n_tasks = stages[0][-1]
            rows += [
                (study.name, kind, intent, *stage, stage[-1] / n_tasks if n_tasks else None)
                for stage in stages
            ]
    frame = pd.DataFrame(rows, columns=COLUMNS).astype({"n": "int64", "share_of_tasks": float})
    return frame if by_cell else frame.drop(columns=["type", "intent"])


def funnel_document(store: Store, studies: Sequence[Study]) -> list[dict[str, Any]]:
    """The funnel of each study as `selfbound tables --format json` prints it: n by stage."""
    frame = curation_funnels(store, studies)
    return [
        {"study": name, "stages": dict(zip(part["stage"], map(int, part["n"]), strict=True))}
        for name, part in frame.groupby("study", sort=False)
    ]


def _cells(study: Study, tasks: Sequence[Row]) -> list[Cell]:
    """The protocol's cells, then those of tasks that lie in none of them."""
    found = [(row["type"], row["intent"]) for row in tasks]
    return list(dict.fromkeys([*study.shape.cells, *found]))


def _anywhere(_row: Row) -> bool:
    return True


def _in_cell(kind: str | None, intent: str | None) -> Callable[[Row], bool]:
    return lambda row: (row["type"], row["intent"]) == (kind, intent)


def _has_draw(study: Study) -> bool:
    return any(step.works_on_draw for step in study.shape.steps)


def _stages(
    all_tasks: Sequence[Row], within: Callable[[Row], bool], *, has_draw: bool
) -> Iterator[Stage]:
    """The stages that occur in the study, counted over the rows of one part of it."""
    tasks = [row for row in all_tasks if within(row)]

    def count(holds: Callable[[Row], Any]) -> int:
        return sum(row["n"] for row in tasks if holds(row))

    def in_state(*states: str) -> int:
        return count(lambda row: row["state"] in states)

    yield "tasks", "", _tasks_label(all_tasks), count(_anywhere)
    yield "flagged", "", "Flagged by a check", count(lambda row: row["codes"])
    for code in _codes(all_tasks):
        n = count(lambda row, code=code: code in _codes_of(row))
        yield f"flagged:{code}", "flagged", f"Flagged: {code.replace('_', ' ')}", n
    yield "unchecked", "", "Not checked", count(lambda row: row["codes"] is None)
    yield "decided", "", "Decided", in_state("kept", "removed", "disputed")
    yield "kept", "decided", "Kept", in_state("kept")
    yield "removed", "decided", "Removed", in_state("removed")
    for code in _reasons(all_tasks):
        n = count(lambda row, code=code: _reason_of(row) == code)
        yield f"removed:{code}", "removed", f"Removed: {_reason_label(code)}", n
    yield "disputed", "decided", "Disputed", in_state("disputed")
    yield "skipped", "", "Skipped", in_state("skipped")
    yield from _pending(all_tasks, count)
    if not has_draw:
        return
    yield "drawn", "", "Drawn", count(lambda row: row["is_drawn"])
    if any(_is_drawn_removed(row) for row in all_tasks):
        yield "drawn_removed", "drawn", "Drawn, but removed", count(_is_drawn_removed)


def _pending(all_tasks: Sequence[Row], count: Callable[..., int]) -> Iterator[Stage]:
    def is_pending(row: Row) -> bool:
        return row["state"] == "pending"

    def is_begun(row: Row) -> bool:
        return is_pending(row) and row["is_begun"]

    if not any(map(is_begun, all_tasks)):
        yield "pending", "", "Not looked at", count(is_pending)
        return
    # Where several people decide each task, somebody may have looked at what is not decided yet.
    n_begun = count(is_begun)
    yield "pending", "", "Not decided", count(is_pending)
    yield "begun", "pending", "Not decided: wants more people", n_begun
    yield "untouched", "pending", "Not decided: not looked at", count(is_pending) - n_begun


def _reached(
    all_readings: Sequence[Row], within: Callable[[Row], bool], done: str
) -> Iterator[Stage]:
    """A stage for each model that has done it, such as `classified`."""
    models = list(dict.fromkeys(row["model"] for row in all_readings))
    if not models:
        yield done, "", done.capitalize(), 0
    for model in models:
        every = [row for row in all_readings if row["model"] == model]
        own = [row for row in every if within(row)]
        stage = f"{done}:{model}"
        yield stage, "", f"{done.capitalize()} by {model}", sum(row["n"] for row in own)
        if any(row["is_removed"] for row in every):
            n = sum(row["n"] for row in own if row["is_removed"])
            # The model comes last and only where it is in question: charts cut long labels.
            label = f"{done.capitalize()}, but removed"
            label += f": {model}" if len(models) > 1 else ""
            yield f"{done}_removed:{model}", stage, label, n


def _tasks_label(tasks: Sequence[Row]) -> str:
    sources = {row["source"] for row in tasks}
    if len(sources) > 1:
        return "Generated or imported"
    return "Imported" if sources == {"imported"} else "Generated"


def _codes_of(row: Row) -> list[str]:
    return row["codes"].split(",") if row["codes"] else []


def _codes(tasks: Sequence[Row]) -> list[str]:
    return _in_known_order(
        {code for row in tasks for code in _codes_of(row)}, REMOVAL_REASON_OF_FLAG
    )


def _reason_of(row: Row) -> str | None:
    """The reason code of a removed task, empty where none was stored; None of any other task."""
    return (row["removal_reason"] or "") if row["state"] == "removed" else None


def _reasons(tasks: Sequence[Row]) -> list[str]:
    found = {_reason_of(row) for row in tasks} - {None}
    return _in_known_order(found, REMOVAL_REASONS)


def _reason_label(code: str) -> str:
    if code in REMOVAL_REASONS:
        return REMOVAL_REASONS[code].label
    return code or "no reason stored"


def _is_drawn_removed(row: Row) -> bool:
    return row["is_drawn"] and row["state"] == "removed"


def _in_known_order(found: set[Any], known: Mapping[str, Any]) -> list[str]:
    return [*(code for code in known if code in found), *sorted(found - set(known))]
