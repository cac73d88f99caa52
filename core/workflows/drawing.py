"""The draw: which tasks are put before the models, frozen and repeatable."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from shlex import quote
from typing import Any

from core.errors import ConflictError
from core.identity import canonical_json, new_id
from core.protocols.base import Cell, Step
from core.sampling import Shortfall, draw_balanced_sample, hash_order
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.people import is_person
from core.workflows.person_plans import plan_for_person
from core.workflows.plans import plan_step
from core.workflows.studies import Study
from core.workflows.study_settings import checked_count, checked_seed

WITH_REMOVED = "_with_removed"
"""Ends the kind of a draw that takes removed tasks too: balanced_with_removed."""


@dataclass(frozen=True)
class Draw:
    """A draw as it was made.

    Args:
        n_tasks: tasks drawn. n_undecided: those of them that nobody has looked at.
        n_removed: those of them that people removed; the tables leave them out.
        shortfalls: cells that had fewer tasks than were wanted.
        is_new: false when the same draw was in force already.
    """

    draw_id: str
    kind: str
    n_tasks: int
    n_undecided: int
    n_removed: int
    shortfalls: tuple[Shortfall, ...]
    is_new: bool


def draw_tasks(
    store: Store,
    study: Study,
    *,
    per_cell: int | None = None,
    seed: int | None = None,
    with_removed: bool = False,
) -> Draw:
    """The balanced draw: the same number of tasks from every cell, as far as supply allows.

    The same tasks, size and seed give the same draw.

    Args:
        with_removed: whether removed tasks are on offer as well, so that the results can be told
            with and without them; by default only those that nobody removed.

    Raises:
        ConflictError: there are no tasks to draw from, or the protocol works on no draw.
        InputError: `per_cell` or `seed` is out of range.
    """
    per_cell = checked_count(study.per_cell if per_cell is None else per_cell, "tasks per cell")
    seed = checked_seed(study.seed if seed is None else seed)
    tasks = _drawable(store, study, with_removed)
    sample = draw_balanced_sample(
        {task_id: (row["type"], row["intent"]) for task_id, row in tasks.items()},
        study.shape.cells,
        per_cell=per_cell,
        seed=seed,
    )
    return _freeze(
        store,
        study,
        tasks,
        sample.ids,
        kind=_kind("balanced", with_removed),
        seed=seed,
        per_cell=per_cell,
        shortfalls=sample.shortfalls,
    )


def draw_every_task(store: Store, study: Study, *, with_removed: bool = False) -> Draw:
    """A draw of every task that nobody removed, in a random order that the study's seed fixes.

    Args:
        with_removed: whether it takes the removed tasks as well.

    Raises:
        ConflictError: there are no tasks to draw from, or the protocol works on no draw.
    """
    tasks = _drawable(store, study, with_removed)
    ids = tuple(hash_order(tasks, seed=study.seed))
    kind = _kind("all", with_removed)
    return _freeze(
        store, study, tasks, ids, kind=kind, seed=study.seed, per_cell=None, shortfalls=()
    )


def takes_removed(kind: str) -> bool:
    """Whether a draw of this kind has removed tasks on purpose.

    Example:
        >>> takes_removed("balanced_with_removed"), takes_removed("balanced")
        (True, False)
    """
    return kind.endswith(WITH_REMOVED)


def shortfall_sentence(shortfall: Shortfall) -> str:
    """A shortfall in words.

    Example:
        >>> shortfall_sentence(Shortfall(("Ethical Integrity", "infeasible"), 80, 73))
        'Ethical Integrity, infeasible: 73 of 80, 7 short'
    """
    missing = shortfall.wanted - shortfall.found
    return f"{', '.join(shortfall.cell)}: {shortfall.found} of {shortfall.wanted}, {missing} short"


def supply_shortfalls(
    store: Store, study: Study, step: Step, cells: Mapping[Cell, Mapping[str, int]]
) -> tuple[Shortfall, ...]:
    """The cells whose tasks, without the removed ones, will not reach what the draw wants.

    Calls that are planned and not answered yet count as tasks to come.

    Args:
        step: the step that makes the tasks.
        cells: counts by state for each cell, as `core.workflows.curation.cell_counts` gives them.
    """
    rows = store.rows("open_per_cell", study_id=study.study_id, step=step.name)
    coming = {(row["type"], row["intent"]): row["n"] for row in rows}
    return tuple(
        Shortfall(cell, study.per_cell, found)
        for cell, counts in cells.items()
        if (found := counts["n_tasks"] - counts["removed"] + coming.get(cell, 0)) < study.per_cell
    )


def _kind(kind: str, with_removed: bool) -> str:
    return kind + WITH_REMOVED if with_removed else kind


def _check_draws(study: Study) -> None:
    """Nothing, where the protocol has a step that works on a draw."""
    if not any(step.works_on_draw for step in study.shape.steps):
        raise ConflictError(
            f"nothing is drawn in {study.name}, since {study.shape.title} takes every task",
            hint=f"go on with: selfbound {study.shape.steps[0].name} {quote(study.name)}",
        )


def _drawable(store: Store, study: Study, with_removed: bool) -> dict[str, Mapping[str, Any]]:
    _check_draws(study)
    query = "drawable_with_removed" if with_removed else "drawable_tasks"
    tasks = {row["task_id"]: row for row in store.rows(query, study_id=study.study_id)}
    if not tasks:
        raise ConflictError(
            f"{study.name} has no tasks to draw from",
            hint=f"generate some first: selfbound generate {quote(study.name)}",
        )
    return tasks


def _freeze(
    store: Store,
    study: Study,
    tasks: Mapping[str, Mapping[str, Any]],
    ids: tuple[str, ...],
    *,
    kind: str,
    seed: int,
    per_cell: int | None,
    shortfalls: tuple[Shortfall, ...],
) -> Draw:
    shortfall_rows = [[list(one.cell), one.wanted, one.found] for one in shortfalls]

    def freeze(tx: Transaction) -> tuple[str, bool]:
        for current in tx.rows("draw_now", study_id=study.study_id):
            drawn = tx.rows("drawn_ids", draw_id=current["draw_id"])
            same = (current["kind"], current["seed"], current["per_cell"]) == (kind, seed, per_cell)
            if same and tuple(row["task_id"] for row in drawn) == ids:
                return current["draw_id"], False
        row = {
            "draw_id": new_id(),
            "study_id": study.study_id,
            "seq": store.next_seq(),
            "kind": kind,
            "seed": seed,
            "per_cell": per_cell,
            "shortfalls_json": canonical_json(shortfall_rows),
            "drawn_at": datetime.now(UTC),
        }
        tx.append("draw", [row])
        tx.append("drawn_task", drawn_task_rows(row["draw_id"], study.study_id, ids))
        # Answers given under an earlier draw count on.
        position_of = {task_id: position for position, task_id in enumerate(ids)}
        answered = tx.rows("answered_items", study_id=study.study_id)
        kept = [
            item | {"draw_id": row["draw_id"], "position": position_of[item["task_id"]]}
            for item in answered
            if item["task_id"] in position_of
        ]
        tx.append("planned", kept)
        return row["draw_id"], True

    draw_id, is_new = store.write(freeze)
    _plan_for_earlier_models(store, study)
    states = [tasks[one]["state"] for one in ids]
    n_removed = states.count("removed")
    n_undecided = len(ids) - n_removed - states.count("kept")
    return Draw(draw_id, kind, len(ids), n_undecided, n_removed, shortfalls, is_new)


def _plan_for_earlier_models(store: Store, study: Study) -> None:
    """Plan the whole draw for the models that have answered tasks of it, so that sums are whole."""
    for step in study.shape.steps:
        if not step.works_on_draw:
            continue
        for row in store.rows("step_models", study_id=study.study_id, step=step.name):
            if is_person(row["model"]):
                plan_for_person(store, study, step, row["model"])
            elif not (study.source == "imported" and row["model"] == study.subject):
                plan_step(store, study, step, row["model"])


def drawn_task_rows(draw_id: str, study_id: str, ids: tuple[str, ...]) -> list[dict[str, Any]]:
    """The rows that freeze the ids of a draw in their order."""
    return [
        {"draw_id": draw_id, "study_id": study_id, "task_id": one, "position": position}
        for position, one in enumerate(ids)
    ]
