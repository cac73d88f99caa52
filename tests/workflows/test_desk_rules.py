"""The rules of a desk: who sets them, what is refused, and what follows when they change."""

from pathlib import Path

import pytest

from core.errors import ConflictError, InputError
from core.store.store import Store
from core.workflows.curation import cell_counts, decide
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, owner_of, rules_of, set_rules
from core.workflows.people import Person, person_named
from core.workflows.studies import Study, study_named
from tests.support.few_tasks import empty_study, numbered_study


@pytest.fixture
def study(store: Store) -> Study:
    """A study of four tasks."""
    return numbered_study(store, 4)


def test_the_usual_rules_hold_while_nobody_has_set_any(store: Store, study: Study) -> None:
    assert rules_of(store, study) == DeskRules() == DeskRules(1, True, "en", 0.85, 0)
    assert owner_of(store, study) is None


def test_who_sets_the_first_rules_owns_the_study_and_others_cannot_change_them(
    store: Store, study: Study, ada: Person, ben: Person
) -> None:
    first = DeskRules(overlap=2)
    assert set_rules(store, study, first, person=ada) == first
    assert owner_of(store, study) == ada
    wording = "Ada set the rules of Few, and Ben cannot"
    with pytest.raises(ConflictError, match=wording) as caught:
        set_rules(store, study, DeskRules(), person=ben)
    assert caught.value.hint == "ask Ada to change them"
    assert rules_of(store, study) == first
    second = DeskRules(overlap=3, is_blind=False, language="de", similarity=0.7, gold_every=5)
    set_rules(store, study, second, person=ada)
    assert (rules_of(store, study), owner_of(store, study)) == (second, ada)


def test_each_study_has_its_own_rules_and_owner(
    store: Store, study: Study, ada: Person, ben: Person
) -> None:
    other = empty_study(store, "Other")
    set_rules(store, study, DeskRules(overlap=2), person=ada)
    set_rules(store, other, DeskRules(overlap=3), person=ben)
    assert (rules_of(store, study).overlap, owner_of(store, study)) == (2, ada)
    assert (rules_of(store, other).overlap, owner_of(store, other)) == (3, ben)


@pytest.mark.parametrize(
    ("rules", "wording"),
    [
        (DeskRules(overlap=0), "0 people cannot decide a task"),
        (DeskRules(overlap=21), "21 people cannot decide a task"),
        (DeskRules(similarity=0.59), "the similarity 0.59 is out of range"),
        (DeskRules(similarity=1.01), "the similarity 1.01 is out of range"),
        (DeskRules(similarity=float("nan")), "the similarity nan is out of range"),
        (DeskRules(gold_every=2), "a gold task cannot be mixed in every 2 decisions"),
        (DeskRules(gold_every=-3), "a gold task cannot be mixed in every -3 decisions"),
        (DeskRules(judge_bar=0.4), "the bar for judges 0.4 is out of range"),
        (DeskRules(judge_bar=1.0), "the bar for judges 1.0 is out of range"),
        (DeskRules(language="German"), "language 'German' is not a known code"),
        (DeskRules(language="EN"), "language 'EN' is not a known code"),
    ],
)
def test_rules_that_cannot_be_used_are_refused_in_words_and_make_nobody_owner(
    store: Store, study: Study, ada: Person, rules: DeskRules, wording: str
) -> None:
    with pytest.raises(InputError, match=wording) as caught:
        set_rules(store, study, rules, person=ada)
    assert caught.value.hint
    assert owner_of(store, study) is None
    assert rules_of(store, study) == DeskRules()


@pytest.mark.parametrize(
    "rules",
    [
        DeskRules(overlap=1, similarity=0.6, gold_every=3),
        DeskRules(overlap=20, similarity=1.0, gold_every=100),
    ],
)
def test_the_ends_of_the_ranges_can_be_used(
    store: Store, study: Study, ada: Person, rules: DeskRules
) -> None:
    set_rules(store, study, rules, person=ada)
    assert rules_of(store, study) == rules


def test_gold_more_seldom_than_the_form_can_show_is_refused(
    store: Store, study: Study, ada: Person
) -> None:
    with pytest.raises(InputError):
        set_rules(store, study, DeskRules(gold_every=101), person=ada)


def test_rules_and_owner_survive_a_reopening(tmp_path: Path) -> None:
    path, wanted = tmp_path / "r.duckdb", DeskRules(4, False, "fr", 0.9, 7)
    with Store.open(path) as store:
        ada = person_named(store, "Ada")
        set_rules(store, empty_study(store), wanted, person=ada)
    with Store.open(path) as store:
        study = study_named(store, "Few")
        assert (rules_of(store, study), owner_of(store, study)) == (wanted, ada)
        assert Desk(store, study).rules == wanted


def test_another_overlap_states_every_task_anew_on_the_desk_and_in_the_store(
    store: Store, study: Study, ada: Person, ben: Person
) -> None:
    desk = Desk(store, study)
    ids = list(desk.board().task_ids)
    for task_id in ids[:3]:
        decide(store, study, task_id, "keep", person=ada)
    decide(store, study, ids[0], "keep", person=ben)
    decide(store, study, ids[1], "remove", person=ben, reason="unsafe")
    expected = {
        1: {"kept": 2, "removed": 1, "pending": 1},
        2: {"kept": 1, "disputed": 1, "pending": 2},
        3: {"pending": 4},
    }
    for overlap in (1, 2, 3, 2, 1):
        set_rules(store, study, DeskRules(overlap=overlap), person=ada)
        assert desk.progress(ada).totals == expected[overlap]
        counts = cell_counts(store, study).values()
        stored = {state: sum(cell[state] for cell in counts) for state in expected[overlap]}
        assert stored == expected[overlap]
        assert len(desk.board().disputed()) == expected[overlap].get("disputed", 0)


def test_a_higher_overlap_brings_tasks_back_to_those_who_have_not_voted(
    store: Store, study: Study, ada: Person, ben: Person
) -> None:
    desk = Desk(store, study)
    ids = list(desk.board().task_ids)
    for _ in ids:
        desk.decide(ada, desk.open_next(ada), "keep", seen_seq=0)
    assert desk.open_next(ben) is None
    set_rules(store, study, DeskRules(overlap=2), person=ada)
    assert desk.open_next(ada) is None
    given = []
    while (task := desk.open_next(ben)) is not None:
        given.append(task)
        desk.decide(ben, task, "keep", seen_seq=desk.board().newest_seq(task))
    assert given == ids
