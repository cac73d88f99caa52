"""A study as large as wanted, with people's decisions in it, made in seconds."""

import random
from datetime import UTC, datetime
from typing import Any

from core.store.keys import derive_item_id
from core.store.store import Store
from core.taxonomy import INFEASIBLE, REASON_NAMES, TYPES
from core.workflows.people import person_named
from core.workflows.studies import Study, create_study

_REASON = {kind.name: kind.reasons[0].name for kind in TYPES}
_WORDS = ("write", "explain", "poem", "story", "history", "science", "data", "list", "compare")
_WORDS += ("river", "code", "python", "time", "language", "model", "planet", "music", "garden")
_WORDS += ("market", "letter", "bridge", "winter", "engine", "theory", "puzzle", "island", "doctor")


def make_big_study(
    store: Store, *, n_tasks: int, n_decided: int = 0, name: str = "Big", decided_by: str = "Eve"
) -> Study:
    """A study with so many tasks, the first `n_decided` of them decided, one in four removed.

    The same numbers give the same texts.
    """
    study = create_study(
        store, name, protocol="feasibility_boundary", subject="scripted/model", per_type=10_000
    )
    chance, now, cells = random.Random(1), datetime.now(UTC), study.shape.cells
    tasks = [_task(study, n, chance, now, *cells[n % len(cells)]) for n in range(n_tasks)]
    store.append("task", tasks)
    person = person_named(store, decided_by)
    reviews = [
        {
            "review_id": f"{chance.getrandbits(96):024x}",
            "study_id": study.study_id,
            "task_id": task["task_id"],
            "person_id": person.person_id,
            "seq": store.next_seq(),
            "action": "keep" if n % 4 else "remove",
            "reason": None if n % 4 else "malformed",
            "note": "",
            "is_final": False,
            "seconds_active": 4.0,
            "decided_at": now,
        }
        for n, task in enumerate(tasks[:n_decided])
    ]
    store.append("review", reviews)
    return study


def _task(
    study: Study, number: int, chance: random.Random, now: datetime, kind: str, intent: str
) -> dict[str, Any]:
    return {
        "task_id": f"{chance.getrandbits(96):024x}",
        "study_id": study.study_id,
        "position": number,
        "text": f"Task {number:,}: {' '.join(chance.choices(_WORDS, k=30))}.",
        "intent": intent,
        "type": kind,
        "reason": _REASON[kind] if intent == INFEASIBLE else None,
        "source": "imported",
        "source_ref": str(number),
        "note": "",
        "created_at": now,
    }


def classify_all(store: Store, study: Study) -> None:
    """A draw of every task, with a label for each: six in seven on the side they were made on."""
    now = datetime.now(UTC)
    draw = {"draw_id": "d", "study_id": study.study_id, "seq": store.next_seq(), "kind": "all"}
    store.append("draw", [draw | {"seed": 0, "shortfalls_json": "[]", "drawn_at": now}])
    step = next(step.name for step in study.shape.steps if step.works_on_draw)
    tasks = store.rows("tasks_short", study_id=study.study_id)
    for first in range(0, len(tasks), 100_000):
        _classify_some(store, study, step, tasks[first : first + 100_000], first, now)


def _classify_some(
    store: Store, study: Study, step: str, tasks: list[dict], first: int, now: datetime
) -> None:
    planned, labels, drawn = [], [], []
    for at, task in enumerate(tasks, start=first):
        item = {
            "study_id": study.study_id,
            "step": step,
            "draw_id": "d",
            "position": at,
            "task_id": task["task_id"],
            "draw_number": 0,
            "model": study.subject,
            "prompt_hash": "",
            "parameters_json": "{}",
            "context_json": "{}",
            "planned_at": now,
        }
        item["item_id"] = derive_item_id(item)
        planned.append(item)
        strays = at % 7 == 0
        is_feasible = (task["intent"] == "feasible") != strays
        reason = None if is_feasible else task["reason"] or REASON_NAMES[at % 11]
        about = {"study_id": study.study_id, "step": step, "item_id": item["item_id"]}
        about |= {"task_id": task["task_id"], "model": study.subject, "seq": at + 1}
        about |= {"label": "feasible" if is_feasible else "infeasible", "reason": reason}
        labels.append(about | {"note": "", "labelled_at": now})
        drawn.append({"draw_id": "d", "study_id": study.study_id, "task_id": task["task_id"]})
        drawn[-1]["position"] = at
    store.write([("drawn_task", drawn), ("planned", planned), ("label", labels)])
