"""In a blind study no filter, sort or row of the table depends on what a person may not see."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.curation.votes import STATES
from core.store.store import Store
from core.taxonomy import FEASIBLE, INFEASIBLE, TYPES
from core.workflows.curation import decide
from core.workflows.desk import Desk
from core.workflows.desk_table import BY_OTHERS, SORTS, TaskFilter, table_page
from core.workflows.gold import mark_gold
from core.workflows.people import Person, person_named
from tests.support.few_tasks import add_tasks, empty_study

TEXTS = [f"{'very ' * (n % 4)}long task {n}" for n in range(10)]
KINDS = [TYPES[n % 2].name for n in range(10)]
SIDES = [FEASIBLE, INFEASIBLE, INFEASIBLE, FEASIBLE, INFEASIBLE] * 2
ACTS = {"k": ("keep", None), "x": ("remove", "unsafe"), "s": ("skip", None)}
Seen = list[tuple[int, list[dict]]]


@pytest.fixture
def usual(store: Store) -> Seen:
    """What Cem sees where the others kept all that they decided."""
    seen = _seen_by_cem(store, SIDES, ["k"] * 4, set(), "keep")
    assert [row["state"] for row in seen[0][1]].count(BY_OTHERS) == 5
    return seen


def _vote(desk: Desk, person: Person, at: int, act: str) -> None:
    action, reason = ACTS[act]
    task_id = desk.board().task_ids[at]
    decide(desk.store, desk.study, task_id, action, person=person, reason=reason)


def _seen_by_cem(
    store: Store, sides: list[str], votes: list[str], skips: set[int], settled: str
) -> Seen:
    """All that Cem, who decided nothing, can ask of a new study, without the ids of tasks.

    Others decided the tasks 0 to 3 by these votes, passed over some, and settled task 8.
    """
    study = empty_study(store, f"Law {store.next_seq()}")
    add_tasks(store, study, TEXTS, kinds=KINDS, intents=sides)
    desk = Desk(store, study)
    ada, ben, cem = (person_named(store, name) for name in ("Ada", "Ben", "Cem"))
    for at, both in enumerate(votes):
        for person, action in zip((ada, ben), both, strict=False):
            _vote(desk, person, at, action)
    for at in skips:
        _vote(desk, ben, at, "s")
    reason = "unsafe" if settled == "remove" else None
    mark_gold(store, study, [desk.board().task_ids[8]], settled, person=ada, reason=reason)
    filters = [TaskFilter(intent=side) for side in (FEASIBLE, INFEASIBLE)]
    filters += [TaskFilter(state=state) for state in (*STATES, BY_OTHERS)]
    filters += [TaskFilter(decider=one.person_id) for one in (ada, ben, cem)]
    asked = [(TaskFilter(), sort) for sort in SORTS] + [(one, "queue") for one in filters]
    seen = []
    for wanted, sort in asked:
        page = table_page(desk, cem, wanted, sort=sort)
        rows = [{key: row[key] for key in row if key != "task_id"} for row in page.rows]
        seen.append((page.n_matching, rows))
    return seen


@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    sides=st.permutations(SIDES),
    votes=st.lists(st.sampled_from(["k", "x", "kx", "xk", "sk", "ks"]), min_size=4, max_size=4),
    skips=st.sets(st.integers(4, 7)),
    settled=st.sampled_from(["keep", "remove"]),
)
def test_the_table_of_who_decided_nothing_depends_on_nothing_hidden(
    store: Store,
    usual: Seen,
    sides: list[str],
    votes: list[str],
    skips: set[int],
    settled: str,
) -> None:
    assert _seen_by_cem(store, sides, votes, skips, settled) == usual
