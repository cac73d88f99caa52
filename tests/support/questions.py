"""Questions in a study, as an import would bring them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from core.store.store import Store
from core.workflows.studies import Study

Question = tuple[str, Sequence[str] | None]
"""A question with its reference answers; None where it cannot be answered."""


def add_questions(
    store: Store, study: Study, questions: Sequence[Question], *, file: str = "few", group: str = ""
) -> list[str]:
    """The ids of the questions, which are now in the study."""
    start = store.value("n_tasks", study_id=study.study_id)
    rows = [
        {
            "task_id": f"{study.study_id[:8]}-{file}-{start + number}",
            "study_id": study.study_id,
            "position": start + number,
            "text": text,
            "intent": "unanswerable" if references is None else "answerable",
            "type": file,
            "reason": None,
            "source": "imported",
            "source_ref": f"{file}.json#{number + 1}",
            "note": "",
            "created_at": datetime.now(UTC),
            "references_json": None if references is None else json.dumps(list(references)),
            "group_name": group or None,
        }
        for number, (text, references) in enumerate(questions)
    ]
    store.append("task", rows)
    return [row["task_id"] for row in rows]
