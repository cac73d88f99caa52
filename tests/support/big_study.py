"""A study as large as wanted, with people's decisions in it, made in seconds."""

import random
from datetime import UTC, datetime
from typing import Any

from core.store.store import Store
from core.taxonomy import INFEASIBLE, TYPES
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
