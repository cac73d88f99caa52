"""A study in which people did everything that people do, a store beside it, and files by hand."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.store.store import Store
from core.workflows.curation import Decision, decide, decide_together, undo
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.people import person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench

NOTE = '=1+1; "two" lines\r\nfor Zoë, $5 \U0001f600'
HEADER = ("task_id", "text", "intent", "type", "reason", "decision", "removal_reason")
HEADER += ("note", "decided_by", "decided_at")


@pytest.fixture
def ids(bench: Workbench, study: Study) -> list[str]:
    """The ids of the study's 20 tasks, of which two people decide each."""
    start_step(bench, study, "generate").wait(20)
    ada = person_named(bench.store, "Ada")
    set_rules(bench.store, study, DeskRules(overlap=2), person=ada)
    return [row["task_id"] for row in bench.store.rows("board_tasks", study_id=study.study_id)]


@pytest.fixture
def worked(bench: Workbench, study: Study, ids: list[str]) -> list[str]:
    """The same, with tasks in every state, and every kind of thing that people do."""
    store = bench.store
    ada, ben = person_named(store, "Ada"), person_named(store, "=Zebulon, 'B.'")

    def do(at: int, who, action: str, reason: str | None = None, **more) -> None:
        decide(store, study, ids[at], action, person=who, reason=reason, **more)

    do(0, ada, "keep", seconds_active=1.5)
    do(0, ben, "keep")
    do(1, ada, "remove", "malformed", note=NOTE)
    do(1, ben, "keep")  # disputed
    do(2, ben, "remove", "other", note="Zebulon's own words")
    do(2, ada, "remove", "duplicate")
    do(3, ben, "remove", "wrong_type")
    do(3, ada, "keep")
    do(3, ben, "keep", is_final=True)  # settled
    do(4, ada, "skip", note="too long")
    do(5, ben, "skip")
    do(6, ben, "keep")
    undo(store, study, person=ben)
    do(7, ben, "remove", "unsafe")  # waits for a second person
    many = [Decision(one, "remove", "wrong_language") for one in ids[8:12]]
    decide_together(store, study, many, person=ben)
    decide_together(store, study, many[:2], person=ada)
    undo(store, study, person=ada)
    return ids


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """Another store."""
    with Store.open(tmp_path / "other.duckdb") as store:
        yield store


@pytest.fixture
def by_hand(tmp_path: Path) -> Callable[..., Path]:
    """Writes a CSV file with a row of `HEADER` for each mapping, and returns its path."""

    def write(*rows: dict[str, str], name: str = "hand.csv") -> Path:
        with (tmp_path / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, HEADER)
            writer.writeheader()
            writer.writerows(rows)
        return tmp_path / name

    return write
