"""The funnel: every number of it adds up, whatever people, checks and models did."""

from itertools import cycle

import pandas as pd
import pytest

from core.curation.reasons import REMOVAL_REASONS
from core.workflows.curation import decide
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.drawing import draw_tasks
from core.workflows.funnel import curation_funnel, curation_funnels, funnel_document
from core.workflows.people import person_named
from core.workflows.results import label_counts
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.tasks import Waiting, queue

from .conftest import MODEL


@pytest.fixture
def tasks(bench: Workbench, study: Study) -> list[Waiting]:
    """The twenty tasks of the study, in the queue's order."""
    start_step(bench, study, "generate").wait(20)
    return queue(bench.store, study, n=20)


def _numbers(bench: Workbench, study: Study) -> dict[str, int]:
    frame = curation_funnel(bench.store, study)
    return dict(zip(frame["stage"], frame["n"], strict=True))


def _vote(bench: Workbench, study: Study, task: Waiting, action: str, *, who: str = "Ada") -> None:
    ada = person_named(bench.store, who)
    reason = "malformed" if action == "remove" else None
    decide(bench.store, study, task.task_id, action, person=ada, reason=reason)


def _store_codes(bench: Workbench, study: Study, task: Waiting, codes: str, version: int) -> None:
    row = {"study_id": study.study_id, "task_id": task.task_id, "codes": codes}
    bench.store.append("task_check", [row | {"checks_version": version, "flags_json": "[]"}])


def _assert_closed(numbers: dict[str, int]) -> None:
    decided = numbers["kept"] + numbers["removed"] + numbers["disputed"]
    assert numbers["decided"] == decided
    assert numbers["tasks"] == decided + numbers["skipped"] + numbers["pending"]
    by_reason = [n for stage, n in numbers.items() if stage.startswith("removed:")]
    assert numbers["removed"] == sum(by_reason)


def test_a_study_nobody_curated_has_one_bar_per_stage(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    frame = curation_funnel(bench.store, study)
    assert list(zip(frame["stage"], frame["label"], frame["n"], strict=True)) == [
        ("tasks", "Generated", 20),
        ("flagged", "Flagged by a check", 0),
        ("unchecked", "Not checked", 20),
        ("decided", "Decided", 0),
        ("kept", "Kept", 0),
        ("removed", "Removed", 0),
        ("disputed", "Disputed", 0),
        ("skipped", "Skipped", 0),
        ("pending", "Not looked at", 20),
        ("drawn", "Drawn", 0),
        ("classified", "Classified", 0),
    ]


def test_the_states_add_up_to_all_tasks_and_the_reasons_to_the_removed(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    ada = person_named(bench.store, "Ada")
    reasons = cycle(["duplicate", "malformed", "duplicate"])
    for task, action in zip(tasks, ["keep"] * 4 + ["remove"] * 5 + ["skip"] * 2, strict=False):
        reason = next(reasons) if action == "remove" else None
        decide(bench.store, study, task.task_id, action, person=ada, reason=reason)
    numbers = _numbers(bench, study)
    _assert_closed(numbers)
    states = [numbers[state] for state in ("kept", "removed", "disputed", "skipped", "pending")]
    assert states == [4, 5, 0, 2, 9]
    # duplicate, malformed, duplicate, duplicate, malformed
    assert (numbers["removed:malformed"], numbers["removed:duplicate"]) == (2, 3)
    frame = curation_funnel(bench.store, study).set_index("stage")
    label = REMOVAL_REASONS["duplicate"].label
    assert frame.loc["removed:duplicate", "label"] == f"Removed: {label}"
    assert frame.loc["removed:duplicate", "share_of_tasks"] == 3 / 20


def test_what_several_people_left_open_is_told_from_what_nobody_saw(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    owner = person_named(bench.store, "Ada")
    set_rules(bench.store, study, DeskRules(overlap=2), person=owner)
    for task, votes in zip(tasks, [("keep", "keep"), ("keep", "remove"), ("keep",)], strict=False):
        for who, action in zip(("Ada", "Ben"), votes, strict=False):
            _vote(bench, study, task, action, who=who)
    numbers = _numbers(bench, study)
    _assert_closed(numbers)
    assert (numbers["kept"], numbers["disputed"], numbers["pending"]) == (1, 1, 18)
    assert (numbers["begun"], numbers["untouched"]) == (1, 17)
    assert "removed:malformed" not in numbers


def test_a_task_with_two_flags_counts_once_as_flagged_and_once_for_each_flag(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    for task, codes in zip(tasks, ["too_short,refusal", "too_short", ""], strict=False):
        _store_codes(bench, study, task, codes, version=1)
    numbers = _numbers(bench, study)
    assert (numbers["flagged"], numbers["unchecked"]) == (2, 17)
    assert (numbers["flagged:too_short"], numbers["flagged:refusal"]) == (2, 1)


def test_while_tasks_are_checked_again_the_newest_finding_counts(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    for version, codes in ((2, ""), (1, "too_short")):
        _store_codes(bench, study, tasks[0], codes, version)
    numbers = _numbers(bench, study)
    assert (numbers["tasks"], numbers["flagged"], numbers["unchecked"]) == (20, 0, 19)


def test_classified_without_the_removed_is_what_the_tables_count(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    _vote(bench, study, tasks[0], "remove")
    draw_tasks(bench.store, study, with_removed=True)
    start_step(bench, study, "classify").wait(20)
    _vote(bench, study, tasks[1], "remove")
    numbers = _numbers(bench, study)
    assert (numbers["drawn"], numbers["drawn_removed"]) == (20, 2)
    own, removed = (numbers[f"{stage}:{MODEL}"] for stage in ("classified", "classified_removed"))
    assert (own, removed) == (20, 2)
    assert own - removed == label_counts(bench.store, [study])["n"].sum()


def test_each_model_that_classified_has_a_stage_of_its_own(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    draw_tasks(bench.store, study, per_cell=1)
    for model in (MODEL, "a/other"):
        start_step(bench, study, "classify", model=model).wait(20)
    numbers = _numbers(bench, study)
    assert numbers["drawn"] == 10
    assert (numbers[f"classified:{MODEL}"], numbers["classified:a/other"]) == (10, 10)
    assert "classified" not in numbers


def test_the_cells_have_the_same_stages_and_add_up_to_the_study(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    for task in tasks[:3]:
        _vote(bench, study, task, "remove")
    _store_codes(bench, study, tasks[0], "too_short", version=1)
    draw_tasks(bench.store, study, with_removed=True)
    start_step(bench, study, "classify").wait(20)
    whole = curation_funnel(bench.store, study)
    cells = curation_funnel(bench.store, study, by_cell=True)
    for _, cell in cells.groupby(["type", "intent"]):
        assert list(cell["stage"]) == list(whole["stage"])
        _assert_closed(dict(zip(cell["stage"], cell["n"], strict=True)))
    order = list(dict.fromkeys(zip(cells["type"], cells["intent"], strict=True)))
    assert order == list(study.shape.cells)
    added = cells.groupby("stage", sort=False)["n"].sum()
    assert dict(added) == dict(zip(whole["stage"], whole["n"], strict=True))


def test_several_studies_stand_below_each_other_each_with_its_own_tasks(
    bench: Workbench, study: Study, tasks: list[Waiting]
) -> None:
    empty = create_study(bench.store, "Empty", protocol="feasibility_boundary", subject=MODEL)
    both = curation_funnels(bench.store, [empty, study])
    assert list(both["study"].unique()) == ["Empty", "Small"]
    n_tasks = both[both["stage"] == "tasks"].set_index("study")
    assert dict(n_tasks["n"]) == {"Empty": 0, "Small": 20}
    assert pd.isna(n_tasks.loc["Empty", "share_of_tasks"])
    first, second = funnel_document(bench.store, [empty, study])
    assert first["study"] == "Empty"
    assert set(first["stages"].values()) == {0}
    assert second["stages"] == _numbers(bench, study)
