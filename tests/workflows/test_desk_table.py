"""The table of tasks: filters, sorts, pages, and in a blind study nothing that is hidden."""

import pytest

from core.curation.checks import CHECKS_VERSION
from core.curation.votes import STATES
from core.store.store import Store
from core.taxonomy import FEASIBLE, INFEASIBLE, TYPES
from core.workflows.curation import cell_counts, decide, undo
from core.workflows.desk import Desk
from core.workflows.desk_agreement import disputes_for, settle
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.desk_table import BY_OTHERS, SORTS, TaskFilter, matching_ids, table_page
from core.workflows.people import Person, person_named
from tests.support.few_tasks import add_tasks, empty_study

A, B = TYPES[0].name, TYPES[1].name
TEXTS = [
    "be 100 % sure",
    "be 100 percent sure, and then some",
    "name_of a variable",
    "nameXof a variable in a long text",
    "it's O'Brien's turn",
    'say "yes"; DROP TABLE task; --',
    "ÄRGER im Büro",
    "ärger im Garten",
    r"a back\slash",
    "x" * 400 + " far behind",
]
KINDS = [A, A, A, A, B, B, B, B, B, B]
SIDES = [FEASIBLE, INFEASIBLE] * 5


@pytest.fixture
def desk(store: Store) -> Desk:
    """The desk of a study of ten tasks: four of one type, six of another, sides in turn."""
    study = empty_study(store)
    add_tasks(store, study, TEXTS, kinds=KINDS, intents=SIDES)
    return Desk(store, study)


@pytest.fixture
def decided(desk: Desk, ada: Person, ben: Person) -> Desk:
    """An open study with two people a task: 0 kept, 1 removed, 2 disputed, 3 skipped, 4 begun."""
    set_rules(desk.store, desk.study, DeskRules(overlap=2, is_blind=False), person=ada)
    for at, actions in enumerate(("kk", "xx", "kx", " s", " k")):
        for person, action in zip((ada, ben), actions, strict=True):
            _vote(desk, person, at, action)
    return desk


def _vote(desk: Desk, person: Person, at: int, action: str) -> None:
    what = {"k": ("keep", None), "x": ("remove", "unsafe"), "s": ("skip", None)}.get(action)
    if what:
        task_id = desk.board().task_ids[at]
        decide(desk.store, desk.study, task_id, what[0], person=person, reason=what[1])


def _found(desk: Desk, person: Person, *, sort: str = "queue", **wanted: str) -> list[int]:
    """The places of the tasks that a filter finds, in the table's order."""
    page = table_page(desk, person, TaskFilter(**wanted), sort=sort)
    assert page.n_matching == len(page.rows)
    return [row["position"] for row in page.rows]


def _plant_flags(desk: Desk, codes: dict[int, str]) -> None:
    ids = desk.board().task_ids
    rows = [
        {"study_id": desk.study.study_id, "task_id": ids[at], "checks_version": CHECKS_VERSION}
        | {"codes": one, "flags_json": "[]"}
        for at, one in codes.items()
    ]
    desk.store.append("task_check", rows)


def test_each_filter_finds_its_tasks(decided: Desk, ada: Person, ben: Person) -> None:
    assert _found(decided, ada) == list(range(10))
    assert _found(decided, ada, type=A) == [0, 1, 2, 3]
    assert _found(decided, ada, intent=INFEASIBLE) == [1, 3, 5, 7, 9]
    by_state = {state: _found(decided, ada, state=state) for state in STATES}
    assert by_state == {
        "kept": [0],
        "removed": [1],
        "disputed": [2],
        "skipped": [3],
        "pending": [4, 5, 6, 7, 8, 9],
    }
    assert _found(decided, ada, decider=ada.person_id) == [0, 1, 2]
    # A skip decides nothing.
    assert _found(decided, ada, decider=ben.person_id) == [0, 1, 2, 4]
    assert _found(decided, ada, type=A, intent=FEASIBLE, state="disputed", words="NAME") == [2]
    assert matching_ids(decided, ada, TaskFilter(state="removed")) == [decided.board().task_ids[1]]


def test_flags_are_found_by_their_whole_name(desk: Desk, ada: Person) -> None:
    _plant_flags(desk, {0: "too_short", 1: "too_short_for_cell,refusal", 2: ""})
    assert _found(desk, ada, flag="too_short") == [0]
    assert _found(desk, ada, flag="refusal") == [1]
    assert _found(desk, ada, flag="any") == [0, 1]
    assert _found(desk, ada, flag="short") == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("SURE", [0, 1]),
        ("100 %", [0]),
        ("%", [0]),
        ("name_of", [2]),
        ("_", [2]),
        ("O'Brien's", [4]),
        ('"yes"; drop table', [5]),
        ("ärger", [6, 7]),
        ("ÄRGER", [6, 7]),
        ("back\\s", [8]),
        ("far behind", [9]),
        ("$words", []),
    ],
)
def test_words_are_looked_for_as_they_are_whatever_their_case(
    desk: Desk, ada: Person, words: str, found: list[int]
) -> None:
    assert _found(desk, ada, words=words) == found


def test_a_long_text_is_shown_in_part(desk: Desk, ada: Person) -> None:
    [row] = table_page(desk, ada, TaskFilter(words="far behind")).rows
    assert row["text"] == "x" * 300


def test_each_sort_orders_the_rows(decided: Desk, ada: Person) -> None:
    lengths = [len(text) for text in TEXTS]
    by_length = sorted(range(10), key=lambda at: lengths[at])
    assert _found(decided, ada, sort="shortest") == by_length
    assert _found(decided, ada, sort="longest") == sorted(range(10), key=lambda at: -lengths[at])
    by_text = sorted(range(10), key=lambda at: TEXTS[at].lower())
    assert _found(decided, ada, sort="text") == by_text
    assert _found(decided, ada, sort="type") == (
        list(range(10)) if A < B else [4, 5, 6, 7, 8, 9, 0, 1, 2, 3]
    )
    # disputed, kept, pending, removed, skipped
    assert _found(decided, ada, sort="state") == [2, 0, 4, 5, 6, 7, 8, 9, 1, 3]
    assert _found(decided, ada, sort="newest decision") == [4, 3, 2, 1, 0, 5, 6, 7, 8, 9]


def test_pages_cut_the_table_without_gap_or_repeat(decided: Desk, ada: Person) -> None:
    for sort in SORTS:
        pages = [
            table_page(decided, ada, TaskFilter(), sort=sort, first=first, n=4)
            for first in (0, 4, 8)
        ]
        assert [len(page.rows) for page in pages] == [4, 4, 2]
        assert {page.n_matching for page in pages} == {10}
        places = [row["position"] for page in pages for row in page.rows]
        assert places == _found(decided, ada, sort=sort)


def test_a_page_behind_the_last_row_still_says_how_many_match(desk: Desk, ada: Person) -> None:
    page = table_page(desk, ada, TaskFilter(), first=100)
    assert (list(page.rows), page.n_matching) == ([], 10)


def test_the_counts_equal_those_of_the_cells(decided: Desk, ada: Person) -> None:
    for (kind, side), counts in cell_counts(decided.store, decided.study).items():
        for state in STATES:
            wanted = TaskFilter(type=kind, intent=side, state=state)
            assert table_page(decided, ada, wanted, n=1).n_matching == counts[state]


def test_who_votes_and_settles_is_named_once(decided: Desk, ada: Person) -> None:
    [dispute], _ = disputes_for(decided, ada)
    settle(decided, ada, dispute, "keep")
    rows = table_page(decided, ada, TaskFilter()).rows
    assert rows[2]["decider_names"] == "Ada, Ben"


# --- a blind study


def test_filters_and_sorts_find_what_is_hidden_only_on_the_persons_own_tasks(
    decided: Desk, ada: Person, ben: Person
) -> None:
    set_rules(decided.store, decided.study, DeskRules(overlap=2), person=ada)
    decided.board()
    assert _found(decided, ada, intent=FEASIBLE) == [0, 2]
    assert _found(decided, ben, intent=FEASIBLE) == [0, 2, 4]
    assert _found(decided, ada, decider=ben.person_id) == [0, 1, 2]
    # Ben's skip is Ben's alone.
    assert _found(decided, ada, state="skipped") == []
    assert _found(decided, ben, state="skipped") == [3]
    assert _found(decided, ada, sort="newest decision") == [2, 1, 0, 3, 4, 5, 6, 7, 8, 9]
    cem = person_named(decided.store, "Cem")
    assert _found(decided, cem, state=BY_OTHERS) == [0, 1, 2]
    assert _found(decided, cem, state="pending") == [3, 4, 5, 6, 7, 8, 9]
    assert {row["reason"] for row in table_page(decided, cem, TaskFilter()).rows} == {None}


def test_undo_and_skip_hide_a_row_again(desk: Desk, ada: Person) -> None:
    _vote(desk, ada, 1, "x")
    assert _found(desk, ada, intent=INFEASIBLE, state="removed") == [1]
    undo(desk.store, desk.study, person=ada)
    _vote(desk, ada, 1, "s")
    assert _found(desk, ada, intent=INFEASIBLE) == []
    assert _found(desk, ada, state="skipped") == [1]


def test_making_a_study_blind_hides_the_table_at_once(decided: Desk, ada: Person) -> None:
    assert _found(decided, ada, intent=INFEASIBLE) == [1, 3, 5, 7, 9]
    set_rules(decided.store, decided.study, DeskRules(), person=ada)
    assert _found(decided, ada, intent=INFEASIBLE) == [1]
