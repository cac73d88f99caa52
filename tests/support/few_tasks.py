"""A few tasks with given texts, for tests of the curation desk that need them to be telling."""

from collections.abc import Sequence
from datetime import UTC, datetime

from core.store.store import Store
from core.taxonomy import FEASIBLE, INFEASIBLE, TYPES
from core.workflows.studies import Study, create_study

KIND = TYPES[0].name
REASON = TYPES[0].reasons[0].name


def empty_study(store: Store, name: str = "Few") -> Study:
    """A study that has no task yet."""
    return create_study(
        store, name, protocol="feasibility_boundary", subject="scripted/model", per_type=100
    )


def numbered_study(store: Store, n_tasks: int) -> Study:
    """A study of so many tasks: `Task 0.`, `Task 1.` and so on, in the queue's order."""
    study = empty_study(store)
    add_tasks(store, study, [f"Task {n}." for n in range(n_tasks)])
    return study


def add_tasks(
    store: Store,
    study: Study,
    texts: Sequence[str],
    *,
    first: int = 0,
    kinds: Sequence[str] = (),
    intents: Sequence[str] = (),
) -> list[str]:
    """The ids of new tasks with these texts, in the queue's order from the place `first` on.

    Args:
        kinds, intents: of each task; the first type, and feasible, where left out.
    """
    # Ids run against the queue's order, so that no test mistakes the one for the other.
    ids = [f"{study.study_id[:8]}-{9_999 - first - n:04}" for n in range(len(texts))]
    kinds, intents = kinds or [KIND] * len(ids), intents or [FEASIBLE] * len(ids)
    rows = [
        {
            "task_id": task_id,
            "study_id": study.study_id,
            "position": first + n,
            "text": text,
            "intent": intent,
            "type": kind,
            "reason": REASON if intent == INFEASIBLE else None,
            "source": "imported",
            "source_ref": str(first + n),
            "note": "",
            "created_at": datetime.now(UTC),
        }
        for n, (task_id, text, kind, intent) in enumerate(
            zip(ids, texts, kinds, intents, strict=True)
        )
    ]
    store.append("task", rows)
    return ids
