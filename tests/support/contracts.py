"""Studies whose subject has solved and failed tasks, and subjects that answer contracts."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.identity import canonical_json
from core.store.keys import derive_item_id
from core.store.store import Store
from core.workflows.code_task_import import import_code_tasks
from core.workflows.studies import Study, create_study
from tests.support.code_tasks import SUBJECT, write_tasks


def settled_study(
    store: Store,
    folder: Path,
    *,
    solved: Sequence[str],
    failed: Sequence[str],
    name: str = "Offered",
    model: str = SUBJECT,
) -> Study:
    """A study in which the model's attempts at these tasks came out as said, without any run."""
    study = create_study(store, name, protocol="in_advance_confidence", subject=model)
    names = [*solved, *failed]
    import_code_tasks(store, [write_tasks(folder / "own.jsonl", names)], study_name=name)
    tasks = store.rows("code_tasks_of", study_id=study.study_id)
    planned, labels = [], []
    for place, (task, own) in enumerate(zip(tasks, names, strict=True)):
        result = "passed" if own in solved else "failed"
        attempt = _item(study, task["task_id"], place, "attempt", model, "{}")
        context = canonical_json({"answer_of": attempt["item_id"]})
        score = _item(study, task["task_id"], place, "score", "sandbox/local", context)
        planned += [attempt, score]
        labels += [
            _label(store, attempt, label=None, answer=f"def {own}(n):\n    ...\n"),
            _label(store, score, label=result, answer=None),
        ]
    store.append("planned", planned)
    store.append("label", labels)
    return study


def _item(
    study: Study, task_id: str, place: int, step: str, model: str, context: str
) -> dict[str, Any]:
    row = {
        "study_id": study.study_id,
        "step": step,
        "draw_id": None,
        "position": place,
        "task_id": task_id,
        "draw_number": 0,
        "model": model,
        "prompt_hash": "",
        "parameters_json": "{}",
        "context_json": context,
        "planned_at": datetime.now(UTC),
    }
    return row | {"item_id": derive_item_id(row)}


def _label(
    store: Store, item: dict[str, Any], *, label: str | None, answer: str | None
) -> dict[str, Any]:
    same = {key: item[key] for key in ("study_id", "step", "item_id", "task_id", "model")}
    read = {"label": label, "reason": None, "type": None, "answer": answer, "value": None}
    told = {"call_id": None, "seq": store.next_seq(), "note": "", "labelled_at": datetime.now(UTC)}
    return same | read | told


def state_chances(store: Store, study: Study, chances: Sequence[float]) -> None:
    """Have the subject have stated a chance of each task, in the order of the tasks."""
    planned, labels = [], []
    tasks = store.rows("code_tasks_of", study_id=study.study_id)
    for place, (task, chance) in enumerate(zip(tasks, chances, strict=True)):
        item = _item(study, task["task_id"], place, "predict", study.subject, '{"ask":"0"}')
        planned.append(item)
        labels.append(_label(store, item, label=None, answer=None) | {"value": chance})
    store.append("planned", planned)
    store.append("label", labels)


def offer(percent: int, decision: str) -> str:
    """A reply to an offer."""
    return f"LIKELIHOOD OF SUCCESS: {percent}%. DECISION: {decision}"
