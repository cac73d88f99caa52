"""Findings: every task is checked and compared once, beside the page, and anew when it is due."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from core.curation.checks import CHECKS_VERSION
from core.errors import InputError
from core.store.store import Store
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.findings import (
    are_findings_whole,
    check_new_tasks,
    compare_tasks,
    findings_under_way,
    flags_of,
    refresh_findings,
)
from core.workflows.people import person_named
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.few_tasks import add_tasks, empty_study

SOUND = "Name three rivers that cross the border of two countries in the north."
SHORT = "Go."
GERMAN = "Schreibe bitte ein kurzes Gedicht über den Winter und die langen dunklen Nächte."
TWENTY = [f"Tell the story of river {n}." for n in range(20)]
LONG = "Tell the story of the sea. " * 20


@pytest.fixture
def few(store: Store) -> Study:
    """A study without tasks."""
    return empty_study(store)


def _codes(store: Store, study: Study, *, version: int = CHECKS_VERSION) -> dict[int, str]:
    """Place → the codes stored for a task."""
    found = {}
    for at, row in enumerate(store.rows("board_tasks", study_id=study.study_id)):
        about = {"study_id": study.study_id, "task_id": row["task_id"]}
        [task] = store.rows("task_by_id", task_id=row["task_id"])
        if store.rows("flags_of_task", **about, checks_version=version):
            flags = flags_of(store, study, task, language="xx")
            found[at] = ",".join(flag.code for flag in flags)
    return found


def _pairs(store: Store, study: Study) -> list[tuple[int, int]]:
    """The places of the tasks of each pair."""
    tasks = store.rows("board_tasks", study_id=study.study_id)
    place = {row["task_id"]: at for at, row in enumerate(tasks)}
    rows = store.rows("similar_pairs_of_study", study_id=study.study_id)
    return sorted((place[row["task_id"]], place[row["other_id"]]) for row in rows)


def _in_german(store: Store, study: Study) -> None:
    set_rules(store, study, DeskRules(language="de"), person=person_named(store, "Ada"))


def test_each_task_is_checked_once(store: Store, few: Study) -> None:
    add_tasks(store, few, [SOUND, SHORT, GERMAN])
    assert check_new_tasks(store, few) == 3
    assert _codes(store, few) == {0: "", 1: "too_short", 2: "wrong_language"}
    assert check_new_tasks(store, few) == 0
    add_tasks(store, few, ["   "], first=3)
    assert check_new_tasks(store, few) == 1
    assert _codes(store, few)[3] == "empty"
    assert store.value("n_checked", study_id=few.study_id, checks_version=CHECKS_VERSION) == 4


def test_what_is_stored_is_what_the_check_said_with_its_places(store: Store, few: Study) -> None:
    [task_id] = add_tasks(store, few, ["Sum up this text: [insert text here]"])
    [task] = store.rows("task_by_id", task_id=task_id)
    at_once = flags_of(store, few, task, language="en")
    check_new_tasks(store, few)
    assert flags_of(store, few, task, language="en") == at_once
    [flag] = at_once
    assert flag.code == "missing_data"
    assert all(isinstance(span, tuple) for span in flag.spans)


def test_lengths_are_compared_with_all_tasks_of_the_cell(store: Store, few: Study) -> None:
    add_tasks(store, few, TWENTY)
    check_new_tasks(store, few)
    assert set(_codes(store, few).values()) == {""}
    # The cell's tasks have 26 or 27 characters; 540 are more than five times the median.
    add_tasks(store, few, [LONG], first=20)
    assert check_new_tasks(store, few) == 1
    assert _codes(store, few)[20] == "too_long_for_cell"


def test_flags_of_an_earlier_version_of_the_checks_are_made_anew(store: Store, few: Study) -> None:
    [task_id] = add_tasks(store, few, [SHORT])
    old = {"study_id": few.study_id, "task_id": task_id, "checks_version": CHECKS_VERSION - 1}
    store.append("task_check", [old | {"codes": "refusal", "flags_json": "[]"}])
    compare_tasks(store, few)
    assert not are_findings_whole(store, few)
    [task] = store.rows("task_by_id", task_id=task_id)
    assert [flag.code for flag in flags_of(store, few, task, language="en")] == ["too_short"]
    refresh_findings(store, few)
    assert are_findings_whole(store, few)
    assert _codes(store, few) == {0: "too_short"}
    assert not store.rows(
        "flags_of_task",
        study_id=few.study_id,
        task_id=task_id,
        checks_version=CHECKS_VERSION - 1,
    )


def test_another_language_has_all_tasks_checked_again(store: Store, few: Study) -> None:
    add_tasks(store, few, [SOUND, GERMAN])
    refresh_findings(store, few)
    _in_german(store, few)
    assert not are_findings_whole(store, few)
    assert check_new_tasks(store, few) == 2
    assert _codes(store, few) == {0: "wrong_language", 1: ""}
    assert are_findings_whole(store, few)


def test_no_other_studys_findings_are_touched(store: Store, few: Study) -> None:
    other = empty_study(store, "Other")
    for study in (few, other):
        add_tasks(store, study, [SOUND, SOUND])
        refresh_findings(store, study)
    _in_german(store, few)
    assert are_findings_whole(store, other)
    assert len(_pairs(store, other)) == 1


def test_pairs_are_looked_for_again_when_tasks_were_added(store: Store, few: Study) -> None:
    add_tasks(store, few, [SOUND, SHORT, SOUND.upper()])
    assert compare_tasks(store, few) == 1
    assert _pairs(store, few) == [(0, 2)]
    desk = Desk(store, few)
    assert [len(group) for group in desk.clusters(0.85).groups] == [2]
    assert compare_tasks(store, few) == 0
    add_tasks(store, few, [SHORT, SOUND], first=3)
    assert not are_findings_whole(store, few)
    assert compare_tasks(store, few) == 3
    assert _pairs(store, few) == [(0, 2), (0, 4), (1, 3)]
    desk.board()
    assert [len(group) for group in desk.clusters(0.85).groups] == [3, 2]


def test_tasks_that_come_while_others_are_compared_are_not_forgotten(
    store: Store, few: Study
) -> None:
    add_tasks(store, few, [SOUND])
    compare_tasks(
        _Interrupted(store, "write", lambda: add_tasks(store, few, [SOUND], first=1)), few
    )
    check_new_tasks(store, few)
    assert not are_findings_whole(store, few)
    refresh_findings(store, few)
    assert _pairs(store, few) == [(0, 1)]


def test_a_language_that_changes_while_tasks_are_checked_counts_for_all(
    store: Store, few: Study
) -> None:
    add_tasks(store, few, [SOUND, GERMAN])
    check_new_tasks(_Interrupted(store, "write", lambda: _in_german(store, few)), few)
    check_new_tasks(store, few)
    assert _codes(store, few) == {0: "wrong_language", 1: ""}


class _Interrupted:
    """A store before whose first call of one method something else happens."""

    def __init__(self, store: Store, method: str, happens: Callable[[], object]) -> None:
        self._store, self._method, self._happens = store, method, happens

    def __getattr__(self, name: str) -> Any:
        if name == self._method and self._happens is not None:
            happens, self._happens = self._happens, None
            happens()
        return getattr(self._store, name)


# --- beside the page


def test_many_callers_begin_one_check_and_it_ends_with_nothing_left(
    bench: Workbench, few: Study
) -> None:
    add_tasks(bench.store, few, [SOUND, SHORT])
    works: list[object] = []
    callers = [
        Thread(target=lambda: works.append(findings_under_way(bench, few))) for _ in range(8)
    ]
    for one in callers:
        one.start()
    for one in callers:
        one.join()
    begun = {id(work) for work in works if work is not None}
    assert len(begun) == 1
    bench.findings[few.study_id].result(60)
    assert findings_under_way(bench, few) is None
    assert are_findings_whole(bench.store, few)
    add_tasks(bench.store, few, [SHORT], first=2)
    again = findings_under_way(bench, few)
    assert again is not None
    again.result(60)
    assert _pairs(bench.store, few) == [(1, 2)]


def test_an_error_of_a_check_is_kept_and_the_check_not_begun_again(
    bench: Workbench, few: Study
) -> None:
    add_tasks(bench.store, few, [SOUND])
    # Rules that some other program stored, with a language nobody knows.
    ada = person_named(bench.store, "Ada")
    row = {"study_id": few.study_id, "person_id": ada.person_id, "overlap": 1}
    row |= {"seq": bench.store.next_seq(), "rules_json": '{"language": "xx"}'}
    row |= {"set_at": "2026-05-01"}
    bench.store.append("desk_rules", [row])
    work = findings_under_way(bench, few)
    with pytest.raises(InputError, match="language 'xx' is not a known code"):
        work.result(60)
    assert findings_under_way(bench, few) is work
    assert not are_findings_whole(bench.store, few)


def test_a_study_without_tasks_has_nothing_to_check(bench: Workbench, few: Study) -> None:
    assert findings_under_way(bench, few) is None
