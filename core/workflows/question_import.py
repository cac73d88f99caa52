"""Imports of questions.

A question is a task of its study: of the type of its file, answerable or unanswerable, with the
answers that count as right; its id follows from all of that.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.errors import ConflictError
from core.exchange.questions import QuestionFile, QuestionRow, read_questions
from core.identity import canonical_json, content_id
from core.protocols.base import QUESTIONS
from core.store.cleaning import clean_text
from core.store.store import Store
from core.taxonomy import ANSWERABLE, UNANSWERABLE
from core.workflows.imported import Imported
from core.workflows.new_tasks import NewTask, import_as_tasks
from core.workflows.studies import Study, study_named

KNOWLEDGE, REASONING = "knowledge-intensive", "reasoning-intensive"
GROUP_OF_FILE = {
    **dict.fromkeys(("gaia", "selfaware"), KNOWLEDGE),
    **dict.fromkeys(("gsm8kmip", "mathmip"), REASONING),
}
GROUP_OF_FILES_THAT_BEGIN = {"musique": KNOWLEDGE, "olympiadbench": REASONING}
"""The groups that UA-Bench counts its files in, by their names in small letters without `_` or `-`.

Source: "UA-Bench".
"""


Saying = tuple[str | None, ...]
"""What a question says beside its text: intent, reference answers and group, as stored."""


def import_questions(
    store: Store, paths: Sequence[Path], *, study_name: str, skip_bad_rows: bool = False
) -> list[Imported]:
    """What each file of questions brought into a study; all files go in together or not at all.

    Every format of `read_questions` will do. A file's name without its ending is the type of its
    questions; a row without a group has that of its file, where it is known (`group_of_file`).

    Raises:
        InputError: a file cannot be read, has bad rows and they are not to be skipped, or has no
            row that fits the study.
        NotFoundError: there is no such study, or no such file.
        ConflictError: the study invents its own tasks.
    """
    study = study_named(store, study_name)
    if study.shape.makes_tasks:
        raise ConflictError(
            f"{study.name} is no study of questions: in {study.shape.title} the subject invents "
            "the tasks",
            hint="make a study of a protocol that takes questions",
        )
    if study.shape.brought is not QUESTIONS:
        raise ConflictError(
            f"{study.name} is no study of questions, but of {study.shape.brought.noun}s",
            hint=f"bring them: selfbound import {study.shape.brought.format} FILE --study NAME",
        )
    return import_as_tasks(
        store,
        study,
        paths,
        read=read_questions,
        query="tasks_to_match",
        tasks_of=partial(_tasks, study),
        skip_bad_rows=skip_bad_rows,
    )


def group_of_file(stem: str) -> str | None:
    """The group that a published question file belongs to; None where its name is not known.

    Example:
        >>> group_of_file("musique_1000"), group_of_file("GSM8K_MIP"), group_of_file("own")
        ('knowledge-intensive', 'reasoning-intensive', None)
    """
    name = stem.casefold().replace("_", "").replace("-", "")
    if name in GROUP_OF_FILE:
        return GROUP_OF_FILE[name]
    begins = GROUP_OF_FILES_THAT_BEGIN.items()
    return next((group for start, group in begins if name.startswith(start)), None)


def _tasks(
    study: Study, path: Path, file: QuestionFile, stored: Sequence[Mapping[str, Any]]
) -> list[NewTask]:
    said: dict[tuple[str, str], set[Saying]] = {}
    for row in stored:
        said.setdefault((row["type"], row["text"]), set()).add(_saying(row))
    clash = f"is in {study.name} already, with other reference answers or in another group"
    seen: Counter[str] = Counter()
    tasks = []
    for row in file.rows:
        question = _question(path.stem, row)
        same = canonical_json(question)
        # A file may hold the same question twice; its n-th copy is the same on every import.
        task_id = content_id("question", study.study_id, same, seen[same])
        seen[same] += 1
        saying = _saying(question)
        clashes = saying not in said.get((question["type"], question["text"]), {saying})
        tasks.append(NewTask(row.line, task_id, question, clash if clashes else ""))
    return tasks


def _saying(task: Mapping[str, Any]) -> Saying:
    return tuple(task[name] for name in ("intent", "references_json", "group_name"))


def _question(stem: str, row: QuestionRow) -> dict[str, str | None]:
    """What makes a question itself, as it is stored."""
    # The store has no place for half a character, in a JSON text neither.
    references = [clean_text(answer) for answer in row.reference_answers]
    return {
        "text": clean_text(row.text),
        "intent": UNANSWERABLE if row.should_abstain else ANSWERABLE,
        "type": clean_text(stem),
        "references_json": canonical_json(references) if references else None,
        "group_name": clean_text(row.group) if row.group else group_of_file(stem),
    }
