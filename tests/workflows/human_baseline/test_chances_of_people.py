"""People state their own chance of solving each task: blind, taken back, beside the models."""

from pathlib import Path

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.metrics.stated_chances import chances_alone
from core.store.store import Store
from core.store.verify import verify
from core.workflows.code_task_import import import_code_tasks
from core.workflows.curation import decide
from core.workflows.human_baseline import (
    attempt_progress,
    begin_attempts,
    open_task,
    record_chance,
    skip_task,
)
from core.workflows.human_undo import undo_attempt
from core.workflows.outcomes import step_outcomes
from core.workflows.people import Person, person_named
from core.workflows.plans import plan_step
from core.workflows.results import label_counts, tables_document
from core.workflows.studies import Study, create_study
from tests.support.code_tasks import SUBJECT, write_tasks
from tests.support.contracts import settled_study, state_chances

SOLVED, FAILED = ("sa", "sb", "sc"), ("fa", "fb", "fc")
ALL = ("summary", "chances_alone", "denominators")
"""What is shown of people who have no results."""


@pytest.fixture
def store(bench) -> Store:
    return bench.store


@pytest.fixture
def settled(store: Store, tmp_path: Path) -> Study:
    """Six tasks, of each of which the subject stated a chance and solved half."""
    study = settled_study(store, tmp_path, solved=SOLVED, failed=FAILED)
    state_chances(store, study, [0.9, 0.8, 0.3, 0.7, 0.2, 0.1])
    return study


@pytest.fixture
def ada(store: Store, settled: Study) -> Person:
    person = person_named(store, "Ada")
    assert begin_attempts(store, settled, person) == 6
    return person


def state_open(store: Store, study: Study, person: Person, chance: float) -> str:
    """The task that was open, of which this chance was stated."""
    task_id = open_task(store, study, person).task_id
    record_chance(store, study, person, task_id, chance=chance)
    return task_id


def chances_of(store: Store, study: Study, person: Person) -> list[float]:
    counts = label_counts(store, [study])
    own = counts[(counts["model"] == person.as_model) & counts["estimate"].notna()]
    return sorted(own["estimate"].repeat(own["n"]))


def test_each_person_gets_every_task_once_in_an_order_of_their_own(store, settled, ada) -> None:
    ben = person_named(store, "Ben")
    begin_attempts(store, settled, ben)
    first = [state_open(store, settled, ada, 0.5) for _ in range(6)]
    second = [state_open(store, settled, ben, 0.5) for _ in range(6)]
    assert len(set(first)) == 6
    assert set(first) == set(second)
    assert first != second
    assert open_task(store, settled, ada) is None
    assert begin_attempts(store, settled, ada) == 0
    assert verify(store) == []


def test_a_chance_is_stored_as_a_value_beside_those_of_models(store, settled, ada) -> None:
    task_id = state_open(store, settled, ada, 0.35)
    state_open(store, settled, ada, 0.0)
    state_open(store, settled, ada, 1.0)
    assert chances_of(store, settled, ada) == [0.0, 0.35, 1.0]
    with pytest.raises(ConflictError, match="you have answered this task already"):
        record_chance(store, settled, ada, task_id, chance=0.4)
    # The same chance sent twice is stored once.
    record_chance(store, settled, ada, task_id, chance=0.35)
    assert len(store.rows("export_attempts", study_id=settled.study_id)) == 3
    subject = label_counts(store, [settled]).query("model == @SUBJECT and part == 'task'")
    assert sorted(subject["estimate"]) == [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]


def test_an_undone_chance_counts_nowhere_and_its_task_comes_first(store, settled, ada) -> None:
    first = state_open(store, settled, ada, 0.2)
    skipped = open_task(store, settled, ada).task_id
    skip_task(store, settled, ada, skipped)
    assert undo_attempt(store, settled, ada) == skipped
    assert undo_attempt(store, settled, ada) == first
    assert undo_attempt(store, settled, ada) is None
    assert chances_of(store, settled, ada) == []
    assert open_task(store, settled, ada).task_id == first
    state_open(store, settled, ada, 0.6)
    assert chances_of(store, settled, ada) == [0.6]
    assert verify(store) == []


def test_what_was_skipped_comes_at_the_end(store, settled, ada) -> None:
    skipped = open_task(store, settled, ada).task_id
    skip_task(store, settled, ada, skipped)
    for _ in range(5):
        assert state_open(store, settled, ada, 0.5) != skipped
    found = attempt_progress(store, settled, ada)
    assert (found.n_drawn, found.n_answered, found.n_skipped, found.n_open) == (6, 5, 1, 0)
    assert open_task(store, settled, ada).task_id == skipped


@pytest.mark.parametrize("chance", [-0.01, 1.01, 70.0, float("nan")])
def test_what_is_no_probability_is_refused(store, settled, ada, chance: float) -> None:
    with pytest.raises(InputError, match=r"is not in \[0, 1\]"):
        record_chance(store, settled, ada, open_task(store, settled, ada).task_id, chance=chance)
    assert chances_of(store, settled, ada) == []


def test_a_task_that_is_not_theirs_is_refused(store, settled, ada) -> None:
    with pytest.raises(NotFoundError, match="has no task 'other' for Ada"):
        record_chance(store, settled, ada, "other", chance=0.5)


def test_without_tasks_there_is_nothing_to_begin_with(store) -> None:
    study = create_study(store, "Empty", protocol="in_advance_confidence", subject=SUBJECT)
    with pytest.raises(ConflictError, match="Empty has no tasks yet"):
        begin_attempts(store, study, person_named(store, "Ada"))


def test_people_owe_the_subject_no_calls(store, settled, ada) -> None:
    predict = settled.shape.step("predict")
    before = step_outcomes(store, settled, predict, model=SUBJECT)
    state_open(store, settled, ada, 0.5)
    assert plan_step(store, settled, predict, SUBJECT) == 0
    assert step_outcomes(store, settled, predict, model=SUBJECT) == before
    assert before["planned"] == before["ok"] == 6


def test_chances_without_programs_have_a_mean_and_no_overconfidence(store, settled, ada) -> None:
    # Mean of 0.2, 0.4 and 0.9 is 0.5; the sample's deviation is sqrt(0.13), the quantile of
    # Student's t with 2 degrees 4.302653, so the half width is 4.302653 * sqrt(0.13 / 3) = 0.89566,
    # and the interval is cut at 0 and 1.
    for chance in (0.2, 0.4, 0.9):
        state_open(store, settled, ada, chance)
    counts = label_counts(store, [settled])
    [row] = chances_alone(counts).to_dict("records")
    assert (row["model"], row["n"]) == ("person/Ada", 3)
    assert row["predicted_success_rate"] == pytest.approx(0.5)
    assert (row["low"], row["high"]) == (0, 1)
    document = tables_document(store, [settled])
    assert document["chances_alone"] == [row]
    by_model = {one["model"]: one["metrics"] for one in document["studies"]}
    assert by_model["person/Ada"]["overconfidence"]["value"] is None
    assert by_model[SUBJECT]["overconfidence"]["value"] == pytest.approx(0.0)


def test_the_summary_says_that_people_have_no_programs(store, settled, ada) -> None:
    state_open(store, settled, ada, 0.4)
    results = settled.shape.results()
    counts = label_counts(store, [settled])
    by_key = {one.key: one for one in results.exhibits}
    said = by_key["summary"].words(by_key["summary"].table(counts))
    assert "Offered, person/Ada: stated chances, with no programs to hold them against." in said
    assert by_key["chances_alone"].is_wanted(counts)
    assert not by_key["chances_alone"].is_wanted(counts[counts["model"] == SUBJECT])
    # No table or curve of metrics has a place for whoever has none.
    for exhibit in results.exhibits:
        if exhibit.is_wanted(counts) and exhibit.key not in ALL:
            assert set(exhibit.table(counts).get("model", [SUBJECT])) == {SUBJECT}, exhibit.key
    of_ada = counts[counts["model"] == "person/Ada"]
    assert [one.key for one in results.exhibits if one.is_wanted(of_ada)] == list(ALL)


def test_a_task_that_was_removed_is_neither_asked_about_nor_counted(store, settled, ada) -> None:
    stated = state_open(store, settled, ada, 0.4)
    ahead = open_task(store, settled, ada).task_id
    owner = person_named(store, "Owner")
    for task_id in (stated, ahead):
        decide(store, settled, task_id, "remove", person=owner, reason="malformed")
    assert open_task(store, settled, ada).task_id not in (stated, ahead)
    found = attempt_progress(store, settled, ada)
    assert (found.n_drawn, found.n_planned, found.n_answered) == (4, 4, 0)
    assert chances_of(store, settled, ada) == []
    assert undo_attempt(store, settled, ada) is None


def test_tasks_that_come_later_are_put_before_who_has_begun(store, settled, ada, tmp_path) -> None:
    for _ in range(6):
        state_open(store, settled, ada, 0.5)
    import_code_tasks(store, [write_tasks(tmp_path / "more.jsonl", ["late"])], study_name="Offered")
    assert attempt_progress(store, settled, ada).n_drawn == 7
    assert begin_attempts(store, settled, ada) == 1
    assert "the task late" in open_task(store, settled, ada).text
