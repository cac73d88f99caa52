"""A task as one person sees it: nothing that is telling before their own decision, all after it."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace

import pytest

from core.errors import NotFoundError
from core.records import Reply, Request
from core.store.store import Store
from core.taxonomy import INFEASIBLE
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import vote
from core.workflows.audits import find_audit, find_judge
from core.workflows.curation import decide, undo
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.desk_view import DeskTask, alike_tasks, cluster_of, desk_task, prefetch
from core.workflows.findings import refresh_findings
from core.workflows.gold import mark_gold
from core.workflows.people import Person, person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.few_tasks import add_tasks, empty_study

from .conftest import MODEL, obedient

WHY = "It breaks off."
NOTHING = (None, None, None, (), ())
LIKE_ANY = {"task_id": "", "text": "", "type": None, "number": 0, "seen_seq": 0}


def _judging(request: Request) -> Reply:
    """The subject does as it is told; any other model finds every task malformed."""
    if request.model == MODEL:
        return obedient(request)
    return Reply(text=json.dumps({"verdict": "malformed", "reason": "malformed", "why": WHY}))


@pytest.fixture
def bench(open_bench: Callable[..., Workbench]) -> Workbench:
    """A workbench whose subject obeys and whose judge finds fault."""
    return open_bench(_judging)


@pytest.fixture
def desk(bench: Workbench) -> Desk:
    """The desk of a study with ten tasks that a judge has screened."""
    study = create_study(
        bench.store, "Judged", protocol="feasibility_boundary", subject=MODEL, per_type=1
    )
    start_step(bench, study, "generate").wait(20)
    start_step(bench, study, "screen", model="scripted/judge").wait(20)
    return Desk(bench.store, study)


@pytest.fixture
def task(desk: Desk) -> str:
    """A task that was meant to be infeasible."""
    rows = desk.store.rows("tasks_short", study_id=desk.study.study_id)
    return next(row["task_id"] for row in rows if row["intent"] == INFEASIBLE)


def _vote(desk: Desk, person: Person, task_id: str, action: str, **more: object) -> None:
    reason = "unsafe" if action == "remove" else None
    decide(desk.store, desk.study, task_id, action, person=person, reason=reason, **more)


def _telling(seen: DeskTask) -> tuple[object, ...]:
    return seen.intent, seen.reason, seen.state, seen.history, seen.verdicts


def test_before_the_own_decision_nothing_that_is_telling_is_handed_out(
    desk: Desk, ada: Person, ben: Person, task: str
) -> None:
    _vote(desk, ben, task, "remove", note="cruel")
    seen = desk_task(desk, ada, task)
    assert (seen.own, seen.is_revealed) == (None, False)
    assert _telling(seen) == NOTHING
    told = repr(asdict(seen))
    [row] = desk.store.rows("task_by_id", task_id=task)
    telling = (INFEASIBLE, row["reason"], "Ben", ben.person_id, "removed", "unsafe", "cruel", WHY)
    assert not [word for word in telling if word in told]


@pytest.mark.parametrize("others", ["", "keep", "remove", "skip", "keep undo", "remove keep final"])
def test_whatever_others_do_the_task_looks_the_same_before_the_own_decision(
    desk: Desk, ada: Person, ben: Person, task: str, others: str
) -> None:
    untouched = desk_task(desk, ada, task)
    for action in others.split():
        if action == "undo":
            undo(desk.store, desk.study, person=ben)
        elif action == "final":
            _vote(desk, ben, task, "remove", is_final=True)
        else:
            _vote(desk, ben, task, action)
    # The newest review's number goes back with a decision and onto no screen.
    assert replace(desk_task(desk, ada, task), seen_seq=0) == untouched


@pytest.mark.parametrize(("action", "own"), [("keep", "kept"), ("remove", "removed")])
def test_once_decided_everything_is_there(
    desk: Desk, ada: Person, ben: Person, task: str, action: str, own: str
) -> None:
    _vote(desk, ben, task, "keep")
    _vote(desk, ada, task, action)
    seen = desk_task(desk, ada, task)
    [row] = desk.store.rows("task_by_id", task_id=task)
    assert (seen.own, seen.is_revealed, seen.intent) == (own, True, INFEASIBLE)
    assert (seen.reason, seen.state) == (row["reason"], own)
    assert [(one["person"], one["action"], one["after"]) for one in seen.history] == [
        ("Ben", "keep", "kept"),
        ("Ada", action, own),
    ]
    assert [(one.model, one.reason, one.why) for one in seen.verdicts] == [
        ("scripted/judge", "malformed", WHY)
    ]


def test_a_skip_reveals_nothing_and_shows_only_the_own_row(
    desk: Desk, ada: Person, ben: Person, task: str
) -> None:
    _vote(desk, ben, task, "remove")
    _vote(desk, ada, task, "skip")
    seen = desk_task(desk, ada, task)
    assert (seen.own, seen.is_revealed) == ("skipped", False)
    assert [(row["person"], row["action"]) for row in seen.history] == [("Ada", "skip")]
    assert not {"before", "after"} & set(seen.history[0])
    assert _telling(replace(seen, history=())) == NOTHING


def test_an_undo_hides_everything_again(desk: Desk, ada: Person, ben: Person, task: str) -> None:
    _vote(desk, ben, task, "remove")
    _vote(desk, ada, task, "keep")
    undo(desk.store, desk.study, person=ada)
    seen = desk_task(desk, ada, task)
    assert (seen.own, seen.is_revealed) == (None, False)
    assert [(row["person"], row["action"]) for row in seen.history] == [
        ("Ada", "keep"),
        ("Ada", "undo"),
    ]
    assert not any({"before", "after"} & set(row) for row in seen.history)
    assert _telling(replace(seen, history=())) == NOTHING


def test_in_an_open_study_everything_is_there_at_once(
    desk: Desk, ada: Person, ben: Person, task: str
) -> None:
    set_rules(desk.store, desk.study, DeskRules(is_blind=False), person=ada)
    _vote(desk, ben, task, "remove")
    seen = desk_task(desk, ada, task)
    assert (seen.own, seen.is_revealed, seen.intent, seen.state) == (
        None,
        True,
        INFEASIBLE,
        "removed",
    )
    assert [row["person"] for row in seen.history] == ["Ben"]
    assert len(seen.verdicts) == 1


def test_making_a_study_blind_hides_at_once_what_was_open(
    desk: Desk, ada: Person, ben: Person, task: str
) -> None:
    set_rules(desk.store, desk.study, DeskRules(is_blind=False), person=ada)
    assert desk_task(desk, ben, task).is_revealed
    set_rules(desk.store, desk.study, DeskRules(), person=ada)
    assert _telling(desk_task(desk, ben, task)) == NOTHING


def test_a_gold_task_looks_like_all_others_before_the_vote(
    desk: Desk, ada: Person, ben: Person, task: str
) -> None:
    set_rules(desk.store, desk.study, DeskRules(gold_every=3), person=ada)
    mark_gold(desk.store, desk.study, [task], "remove", person=ada, reason="unsafe")
    given = []
    while task not in given:
        given.append(desk.open_next(ben))
        assert replace(desk_task(desk, ben, given[-1]), **LIKE_ANY) == DeskTask(
            own=None, flags=(), is_revealed=False, **LIKE_ANY
        )
        seen = desk_task(desk, ben, given[-1])
        desk.decide(ben, given[-1], "keep", seen_seq=seen.seen_seq)
    # Every third decision is a gold task: two others come first.
    assert len(given) == 3
    assert desk_task(desk, ben, task).state == "removed"


def test_a_task_of_no_study_is_named(desk: Desk, ada: Person) -> None:
    with pytest.raises(NotFoundError, match="Judged has no task 'nope'"):
        desk_task(desk, ada, "nope")


def test_look_alikes_tell_only_what_the_person_did_themselves(
    store_of_alikes: Desk,
) -> None:
    desk = store_of_alikes
    ada, ben = (person_named(desk.store, name) for name in ("Ada", "Ben"))
    ids = desk.board().task_ids
    assert cluster_of(desk, ids[0]) == (ids[0], ids[2])
    assert cluster_of(desk, ids[1]) == ()
    _vote(desk, ben, ids[0], "remove")
    _vote(desk, ada, ids[2], "skip")
    alike = alike_tasks(desk, ada, cluster_of(desk, ids[0]))
    assert [(one.task_id, one.own) for one in alike] == [(ids[0], None), (ids[2], "skipped")]


@pytest.fixture
def store_of_alikes(tmp_path) -> Desk:
    """The desk of a study whose first and third task are the same, and checked."""
    with Store.open(tmp_path / "alike.duckdb") as store:
        study = empty_study(store)
        add_tasks(store, study, ["Name three rivers.", "Sort 5, 3 and 4.", "name three rivers"])
        refresh_findings(store, study)
        yield Desk(store, study)


def _far_too_long_for_its_cell(store: Store) -> tuple[Study, str]:
    study = empty_study(store)
    texts = [f"Tell the story of river {n}." for n in range(20)]
    ids = add_tasks(store, study, [*texts, "Tell the story of the sea. " * 20])
    return study, ids[-1]


def test_a_desk_opened_after_the_checks_shows_what_they_found(tmp_path) -> None:
    with Store.open(tmp_path / "s.duckdb") as store:
        study, long = _far_too_long_for_its_cell(store)
        refresh_findings(store, study)
        seen = desk_task(Desk(store, study), person_named(store, "Ada"), long)
        assert [flag.code for flag in seen.flags] == ["too_long_for_cell"]


def test_what_the_checks_find_later_reaches_a_task_that_was_looked_at_before(tmp_path) -> None:
    with Store.open(tmp_path / "s.duckdb") as store:
        study, long = _far_too_long_for_its_cell(store)
        desk, ada = Desk(store, study), person_named(store, "Ada")
        prefetch(desk, ada)
        assert desk_task(desk, ada, long).flags == ()
        refresh_findings(store, study)
        assert [flag.code for flag in desk_task(desk, ada, long).flags] == ["too_long_for_cell"]


@pytest.mark.parametrize("is_blind", [False, True])
def test_whoever_was_shown_what_the_judge_said_audits_it_not_blind(
    desk: Desk, ada: Person, ben: Person, task: str, is_blind: bool
) -> None:
    store, study = desk.store, desk.study
    set_rules(store, study, DeskRules(is_blind=is_blind), person=ada)
    if is_blind:
        # The desk is blind until the own decision, and then tells what the judge said.
        desk_task(desk, ben, task)
        _vote(desk, ada, task, "keep")
    seen = desk_task(desk, ada, task)
    assert len(seen.verdicts) == 1
    assert desk_task(desk, ada, task) == seen
    judge = find_judge(store, study, "screen")
    about = {"judge": judge.judge, "prompt_hash": judge.prompt_hash, "person": ada}
    drawn = draw_audit(store, study, "screen", method="random", n=judge.n_valid, **about)
    audit = find_audit(store, study, drawn.audit_id)
    rows = store.rows("export_audits", study_id=study.study_id)
    for person in (ada, ben):
        for row in rows:
            vote(store, study, audit, person, row["item_id"], "yes")
    votes = store.rows("export_audit_votes", study_id=study.study_id)
    told = {(row["person"], row["item_id"]) for row in votes if not row["is_blind"]}
    assert told == {("Ada", seen.verdicts[0].item_id)}
