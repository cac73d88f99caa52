"""Decided tasks out of one study and into another, and what is then stored, for tests of both."""

from collections.abc import Sequence
from pathlib import Path

from core.curation.reasons import REMOVAL_REASONS
from core.exchange.decided_tasks import read_decided_tasks
from core.exchange.decisions import DecidedTaskRow
from core.store.store import Store
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.exporting import export_decided_tasks
from core.workflows.importing import Imported
from core.workflows.people import person_named
from core.workflows.studies import Study, create_study
from tests.support.decided_files import path_for

PRIME = {"text": "Name a prime.", "intent": "feasible", "type": "Functional Ceiling"}


def study_like(store: Store, name: str) -> Study:
    """An empty study in which two people decide each task."""
    study = create_study(
        store,
        name,
        protocol="feasibility_boundary",
        subject="scripted/model",
        prompt_set="challenge_qap",
    )
    set_rules(store, study, DeskRules(overlap=2), person=person_named(store, "Owner"))
    return study


def exported(store: Store, study: Study, folder: Path, format: str, name: str = "tasks") -> Path:
    """A file of the study's 20 tasks with all that was decided."""
    path = path_for(folder, format, name)
    assert export_decided_tasks(store, study, path, format=format) == 20
    return path


def rows_of(path: Path) -> Sequence[DecidedTaskRow]:
    """The rows of a file of which each can be used."""
    file = read_decided_tasks(path, reasons=list(REMOVAL_REASONS))
    assert file.bad_rows == ()
    return file.rows


def brought(found: Sequence[Imported]) -> list[tuple[int, int]]:
    """Of each file, how many tasks and decisions it added."""
    return [(one.n_added, one.n_decisions) for one in found]


def states(store: Store, study: Study) -> dict[str, str]:
    """The state of each task, by all that says which one it is in any study."""
    rows = store.rows("tasks_short", study_id=study.study_id)
    return {row["text"] + str(row["intent"]) + row["type"]: row["state"] for row in rows}


def stored(store: Store, study: Study) -> list[tuple]:
    """All that people did, in the order in which it counts."""
    rows = store.frame("export_reviews", study_id=study.study_id).to_dict("records")
    return [(row["person"], row["action"], row["reason"], row["note"]) for row in rows]
