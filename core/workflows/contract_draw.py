"""Which contracts a model is offered: trials drawn from its own solved and failed tasks.

Drawn trials are all patterns of contracts that can be won or not, once each. Published ones keep
their tasks where these are in the study and came out as the sequence says; any other is replaced
by a random task of the model's own that did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from shlex import quote
from typing import Any

from core.errors import ConflictError, InputError
from core.exchange.contract_sequences import Place, read_contract_tasks, read_sequences
from core.sampling import derived_seed, hash_order
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.stored_code_tasks import code_task_from
from core.workflows.studies import Study

CONTRACTS = 9
"""In each trial, as published."""

DRAWN, PUBLISHED = "drawn", "published"
_WORDS = {True: "solved", False: "failed"}
_COMPARED = ("trial", "number", "task_id", "is_solvable", "is_replaced")

Wanted = Sequence[tuple[bool, str | None]]
"""A trial to be filled: whether each contract can be won, and its task where one is named."""


@dataclass(frozen=True)
class DrawnContracts:
    """What drawing contracts brought.

    Args:
        n_trials, n_contracts: trials, and contracts in each. n_added: contracts new to the store.
        n_replaced: contracts whose task is another than the file's.
    """

    n_trials: int
    n_contracts: int
    n_added: int
    n_replaced: int


def own_results(store: Store, study: Study, model: str) -> dict[bool, list[str]]:
    """The tasks that a model solved (True) and those whose program failed (False)."""
    found: dict[bool, list[str]] = {True: [], False: []}
    for row in store.rows("own_results", study_id=study.study_id, model=model):
        found[row["result"] == "passed"].append(row["task_id"])
    return found


def draw_contracts(
    store: Store,
    study: Study,
    *,
    model: str | None = None,
    n_contracts: int | None = None,
    sequences: Path | None = None,
    tasks: Path | None = None,
    seed: int | None = None,
) -> DrawnContracts:
    """The contracts that a model is offered from now on; the same ones again add nothing.

    Args:
        model: by default the study's subject.
        n_contracts: in each trial, where they are drawn; by default nine.
        sequences: a file of published trials; without it, all patterns are drawn.
        tasks: the file that says which tasks these sequences name.
        seed: by default the study's.

    Raises:
        ConflictError: too few tasks are solved or failed, or others are drawn already.
        InputError: a number or file that cannot be used.
        NotFoundError: no such file.
    """
    _check_there_is_a_step(study)
    model = (model or study.subject).strip()
    seed = study.seed if seed is None else seed
    if sequences is None and tasks is not None:
        raise InputError("tasks of sequences were given without sequences", hint="give both")
    if sequences is None:
        n_contracts = CONTRACTS if n_contracts is None else n_contracts
        if not 1 <= n_contracts <= 12:
            raise InputError(
                f"a trial of {n_contracts} contracts cannot be drawn", hint="choose 1 to 12"
            )
        wanted: list[Wanted] = [
            [(kind, None) for kind in pattern]
            for pattern in product((False, True), repeat=n_contracts)
        ]
    elif n_contracts is not None:
        raise InputError("the file of sequences says how many contracts a trial has")
    else:
        trials = read_sequences(sequences)
        names = _tasks_named(store, study, trials, tasks)
        wanted = [[(kind, names.get((kind, number))) for kind, number in trial] for trial in trials]
    results = own_results(store, study, model)
    _check_supply(study, model, wanted, results)
    about = {"study_id": study.study_id, "model": model}
    rows = [
        row | about | {"origin": PUBLISHED if sequences else DRAWN, "seed": seed}
        for row in filled_trials(wanted, results, seed=seed, is_published=sequences is not None)
    ]
    n_added = store.write(lambda tx: _add(tx, study, model, rows))
    n_replaced = sum(row["is_replaced"] for row in rows)
    return DrawnContracts(len(wanted), len(wanted[0]), n_added, n_replaced)


def filled_trials(
    wanted: Sequence[Wanted],
    results: Mapping[bool, Sequence[str]],
    *,
    seed: int,
    is_published: bool = False,
) -> list[dict[str, Any]]:
    """The contracts of each trial: trial and number from 1 on, task_id, is_solvable, is_replaced.

    No trial has a task twice. A task that a trial names is kept where it has the result that it
    should have; all others are taken at random from those that have.

    Example:
        >>> own = {True: ["a", "b"], False: ["c"]}
        >>> found = filled_trials([[(True, "b"), (False, "a")]], own, seed=1, is_published=True)
        >>> [(row["task_id"], row["is_replaced"]) for row in found]
        [('b', False), ('c', True)]
    """
    known = {kind: set(tasks) for kind, tasks in results.items()}
    rows = []
    for at, trial in enumerate(wanted, start=1):
        kept: list[str | None] = []
        for kind, task in trial:
            kept.append(task if task in known[kind] and task not in kept else None)
        pools = {}
        for kind, tasks in results.items():
            own = derived_seed(seed, "contracts", at, kind)
            pools[kind] = iter([one for one in hash_order(tasks, seed=own) if one not in kept])
        for number, ((kind, _), task) in enumerate(zip(trial, kept, strict=True), start=1):
            rows.append(
                {
                    "trial": at,
                    "number": number,
                    "task_id": task or next(pools[kind]),
                    "is_solvable": kind,
                    "is_replaced": is_published and task is None,
                }
            )
    return rows


def _add(tx: Transaction, study: Study, model: str, rows: list[dict[str, Any]]) -> int:
    before = tx.rows("contracts_of", study_id=study.study_id, model=model)
    if before:
        if [_same(row) for row in before] == [_same(row) for row in rows]:
            return 0
        raise ConflictError(
            f"contracts for {model} are drawn in {study.name} already",
            hint="they stay as they are; draw others in a copy of the study",
        )
    now = datetime.now(UTC)
    tx.append("contract", [row | {"drawn_at": now} for row in rows])
    return len(rows)


def _same(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in _COMPARED)


def _tasks_named(
    store: Store, study: Study, trials: Sequence[Sequence[Place]], tasks: Path | None
) -> dict[Place, str]:
    """The study's task for each one that sequences name, as far as it has them."""
    if tasks is None:
        return {}
    texts = read_contract_tasks(tasks)
    for at, trial in enumerate(trials, start=1):
        if strange := [place for place in trial if place not in texts]:
            kind, number = strange[0]
            n_known = sum(place[0] is kind for place in texts)
            raise InputError(
                f"trial {at} names task {number} of those that are {_WORDS[kind]}, and "
                f"{tasks.name} has {n_known}, counted from 0",
                hint="give the two files that belong together",
            )
    own = {
        code_task_from(row["checks_json"]).prompt.strip(): row["task_id"]
        for row in store.rows("code_tasks_of", study_id=study.study_id)
    }
    return {place: own[text.strip()] for place, text in texts.items() if text.strip() in own}


def _check_there_is_a_step(study: Study) -> None:
    if not any(step.offers_contracts for step in study.shape.steps):
        raise ConflictError(f"there are no contracts in {study.shape.title}")


def _check_supply(
    study: Study, model: str, wanted: Sequence[Wanted], results: Mapping[bool, Sequence[str]]
) -> None:
    for kind, word in _WORDS.items():
        most = max(sum(one is kind for one, _ in trial) for trial in wanted)
        if len(results[kind]) < most:
            raise ConflictError(
                f"a trial needs up to {most} {'task' if most == 1 else 'tasks'} that {model} has "
                f"{word}, and {study.name} has {len(results[kind])}",
                hint=_way_out(study, min(map(len, results.values()))),
            )


def _way_out(study: Study, possible: int) -> str:
    """What can be done where tasks are too few for nine contracts a trial."""
    if not possible:
        return "have more tasks attempted and scored first"
    command = f"selfbound contracts {quote(study.name)} --number {possible}"
    return f"draw fewer contracts a trial: {command}"
