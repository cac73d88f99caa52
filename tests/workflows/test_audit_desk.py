"""The audit desk: blind until the own vote, append-only, the same after a reload."""

from collections.abc import Callable

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.store.store import Store
from core.store.verify import verify
from core.workflows.audit_agreement import n_settled, next_dispute, settle, votes_frame
from core.workflows.audit_desk import (
    audit_item,
    audit_progress,
    item_history,
    newest_voted,
    next_item,
    reveal,
    voters,
)
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import undo_vote, vote
from core.workflows.audits import Audit, audits_of, find_audit, find_judge
from core.workflows.curation import decide
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.people import Person, person_named
from core.workflows.studies import Study
from tests.support.few_tasks import add_tasks
from tests.support.judged import JUDGE, REPLY, answer, asked_study, judge


@pytest.fixture
def asked(store: Store) -> Study:
    """Twelve questions answered and judged, No on the first four positions and Yes on the rest."""
    study = asked_study(store, 12)
    answer(store, study, said=lambda position: f"It is {position}.")
    judge(store, study, verdict=lambda row: "no" if row["position"] < 4 else "yes")
    return study


@pytest.fixture
def draw(store: Store, asked: Study, ada: Person) -> Callable[..., Audit]:
    """A function that draws a random sample of all twelve, with a seed."""

    def draw_one(seed: int = 0, step: str = "judge", study: Study = asked) -> Audit:
        of = judge_of(store, study, step)
        drawn = draw_audit(store, study, step, **of, method="random", n=12, seed=seed, person=ada)
        return find_audit(store, study, drawn.audit_id)

    return draw_one


@pytest.fixture
def audit(draw: Callable[..., Audit]) -> Audit:
    """A sample of all twelve verdicts, drawn by Ada."""
    return draw()


def judge_of(store: Store, study: Study, step: str) -> dict[str, str]:
    found = find_judge(store, study, step)
    return {"judge": found.judge, "prompt_hash": found.prompt_hash}


def _votes(store: Store, study: Study) -> list[dict]:
    return store.rows("export_audit_votes", study_id=study.study_id)


def _vote_on_all(store, study, audit, person, said: Callable[[str], str]) -> list[str]:
    done = []
    while (item := next_item(store, study, audit, person)) is not None:
        vote(store, study, audit, person, item.item_id, said(item.item_id))
        done.append(item.item_id)
    return done


def _verdicts(store: Store, study: Study, audit: Audit) -> dict[str, str]:
    rows = store.rows("export_audits", study_id=study.study_id)
    return {row["item_id"]: row["verdict"] for row in rows if row["audit_id"] == audit.audit_id}


def test_an_item_shows_what_the_judge_saw_and_nothing_it_said(store, asked, audit, ada) -> None:
    item = next_item(store, asked, audit, ada)
    assert list(item.shows) == ["task", "references", "answer"]
    number = item.shows["task"].split()[3]
    assert item.shows["task"] == f"How much is {number} and {number}?"
    assert item.shows["references"] == str(2 * int(number))
    assert item.shows["answer"].startswith("It is ")
    told = str(item)
    kept_back = (REPLY, "yes", "'no'", "match", "odd", "even", "answerable")
    assert not [word for word in kept_back if word in told]
    assert reveal(store, audit, ada, item.item_id) is None
    assert item_history(store, audit, ada, item.item_id) == []


def test_everybody_gets_every_verdict_once_in_an_order_of_their_own(
    store, asked, audit, ada, ben
) -> None:
    hers = _vote_on_all(store, asked, audit, ada, lambda item_id: "yes")
    his = _vote_on_all(store, asked, audit, ben, lambda item_id: "yes")
    assert sorted(hers) == sorted(his) == sorted(_verdicts(store, asked, audit))
    assert hers != his
    assert voters(store, audit) == {"Ada": 12, "Ben": 12}


def test_the_counts_add_up_after_every_vote(store, asked, audit, ada) -> None:
    said = ["yes", "no", "unsure", "yes"]
    for n, action in enumerate(said, start=1):
        item_id = next_item(store, asked, audit, ada).item_id
        vote(store, asked, audit, ada, item_id, action, seconds_active=float(n))
        found = audit_progress(store, audit, ada)
        assert found.n_yes + found.n_no + found.n_unsure + found.n_open == found.n_items == 12
        assert found.n_voted == n
    assert (found.n_yes, found.n_no, found.n_unsure) == (2, 1, 1)
    assert found.seconds_each == 2.5
    [row] = audits_of(store, asked)
    assert (row.n_decided, row.n_unsure, row.n_disputed, row.n_open) == (3, 1, 0, 8)


def test_after_the_own_vote_the_verdict_is_told(store, asked, audit, ada, ben) -> None:
    item_id = next_item(store, asked, audit, ada).item_id
    verdict = _verdicts(store, asked, audit)[item_id]
    vote(store, asked, audit, ada, item_id, "no", note="off by one")
    told = reveal(store, audit, ada, item_id)
    assert (told.verdict, told.vote, told.words) == (verdict, "no", f"{REPLY} {verdict}")
    assert told.note == "off by one"
    assert newest_voted(store, audit, ada) == item_id
    # To Ben nothing is told by it.
    assert reveal(store, audit, ben, item_id) is None
    assert item_history(store, audit, ben, item_id) == []
    vote(store, asked, audit, ben, item_id, "yes")
    assert [row["person"] for row in item_history(store, audit, ben, item_id)] == ["Ada", "Ben"]


def test_an_undo_is_a_row_and_brings_the_verdict_back(store, asked, audit, ada) -> None:
    first, second = (next_item(store, asked, audit, ada).item_id for _ in range(2))
    assert first == second
    vote(store, asked, audit, ada, first, "yes")
    second = next_item(store, asked, audit, ada).item_id
    vote(store, asked, audit, ada, second, "no")
    assert undo_vote(store, asked, audit, ada) == second
    assert undo_vote(store, asked, audit, ada) == first
    assert undo_vote(store, asked, audit, ada) is None
    # What was taken back last comes first, and nothing is told of it any more.
    assert next_item(store, asked, audit, ada).item_id == first
    assert reveal(store, audit, ada, first) is None
    rows = _votes(store, asked)
    assert [row["action"] for row in rows] == ["yes", "no", "undo", "undo"]
    assert verify(store) == []


def test_a_vote_after_the_verdict_was_told_is_not_blind(
    store, asked, audit, draw, ada, ben
) -> None:
    item_id = next_item(store, asked, audit, ada).item_id
    vote(store, asked, audit, ada, item_id, "yes")
    undo_vote(store, asked, audit, ada)
    vote(store, asked, audit, ada, item_id, "no")
    vote(store, asked, audit, ben, item_id, "no")
    # The same verdict in another sample is known to them, too.
    other = draw(seed=1)
    assert other.audit_id != audit.audit_id
    vote(store, asked, other, ada, item_id, "no")
    found = [(row["person"], row["action"], row["is_blind"]) for row in _votes(store, asked)]
    assert [one for one in found if one[1] != "undo"] == [
        ("Ada", "yes", True),
        ("Ada", "no", False),
        ("Ben", "no", True),
        ("Ada", "no", False),
    ]
    assert verify(store) == []


def test_the_same_vote_sent_twice_is_one_and_another_needs_an_undo(
    store, asked, audit, ada
) -> None:
    item_id = next_item(store, asked, audit, ada).item_id
    first = vote(store, asked, audit, ada, item_id, "yes")
    assert vote(store, asked, audit, ada, item_id, "yes") == first
    with pytest.raises(ConflictError, match="voted on this one already"):
        vote(store, asked, audit, ada, item_id, "no")
    assert len(_votes(store, asked)) == 1


@pytest.mark.parametrize(
    ("action", "note", "said"),
    [("maybe", "", "the vote 'maybe' is not known"), ("yes", "x" * 2_001, "2,001 characters")],
)
def test_a_vote_that_cannot_be_used_is_refused(
    store, asked, audit, ada, action, note, said
) -> None:
    item_id = next_item(store, asked, audit, ada).item_id
    with pytest.raises(InputError, match=said):
        vote(store, asked, audit, ada, item_id, action, note=note)
    with pytest.raises(NotFoundError, match="has no verdict 'nothing'"):
        vote(store, asked, audit, ada, "nothing", "yes")
    assert _votes(store, asked) == []


def test_where_auditors_disagree_a_final_vote_settles_and_all_votes_stay(
    store, asked, audit, ada, ben
) -> None:
    items = _vote_on_all(store, asked, audit, ada, lambda item_id: "yes")
    _vote_on_all(store, asked, audit, ben, lambda one: "no" if one in items[:2] else "yes")
    [row] = audits_of(store, asked)
    assert (row.n_decided, row.n_disputed) == (10, 2)
    dispute, n = next_dispute(store, asked, audit, ben)
    assert n == 2
    assert {(one["person"], one["action"]) for one in dispute.votes} == {
        ("Ada", "yes"),
        ("Ben", "no"),
    }
    settle(store, asked, audit, ben, dispute, "no", note="it says so")
    settle(store, asked, audit, ben, dispute, "no", note="it says so")
    assert n_settled(store, audit) == 1
    rows = store.rows("export_audits", study_id=asked.study_id)
    truth = {one["item_id"]: one["truth"] for one in rows}
    assert truth[dispute.item.item_id] == "no"
    assert audit_progress(store, audit, ada).n_voted == 12
    assert next_dispute(store, asked, audit, ada)[1] == 1
    # Taken back, it is a disagreement again.
    assert undo_vote(store, asked, audit, ben, is_final=True) == dispute.item.item_id
    assert next_dispute(store, asked, audit, ada)[1] == 2
    assert len(votes_frame(store, audit)) == 24
    assert verify(store) == []


def test_a_disagreement_that_moved_on_is_not_settled_unseen(store, asked, audit, ada, ben) -> None:
    item_id = next_item(store, asked, audit, ada).item_id
    vote(store, asked, audit, ada, item_id, "yes")
    vote(store, asked, audit, ben, item_id, "no")
    dispute, _ = next_dispute(store, asked, audit, ada)
    undo_vote(store, asked, audit, ben)
    with pytest.raises(ConflictError, match="in the meantime"):
        settle(store, asked, audit, ada, dispute, "yes")
    assert next_dispute(store, asked, audit, ada) == (None, 0)


def test_who_has_not_voted_is_not_shown_the_votes_of_others(store, asked, audit, ada, ben) -> None:
    item_id = next_item(store, asked, audit, ada).item_id
    cleo = person_named(store, "Cleo")
    vote(store, asked, audit, ben, item_id, "no")
    vote(store, asked, audit, cleo, item_id, "yes")
    assert next_dispute(store, asked, audit, person_named(store, "Dan")) == (None, 0)
    # Who drew the sample may settle it, and what they vote on it later is not blind.
    dispute, _ = next_dispute(store, asked, audit, ada)
    settle(store, asked, audit, ada, dispute, "yes")
    vote(store, asked, audit, ada, item_id, "yes")
    assert [row["is_blind"] for row in _votes(store, asked)] == [True, True, True, False]


def test_a_screening_verdict_seen_at_an_open_curation_desk_is_not_blind(
    store: Store, study: Study, ada: Person, ben: Person, draw: Callable
) -> None:
    tasks = add_tasks(store, study, [f"Task {n}" for n in range(12)])
    judge(store, study, step="screen", verdict=lambda row: "sound")
    set_rules(store, study, DeskRules(is_blind=False), person=ada)
    decide(store, study, tasks[0], "keep", person=ada)
    audit = draw(step="screen", study=study)
    assert audit.judge == JUDGE
    of_task = {
        row["task_id"]: row["item_id"]
        for row in store.rows("export_audits", study_id=study.study_id)
    }
    item = audit_item(store, study, audit, of_task[tasks[0]])
    assert item.shows == {"task": "Task 0"}
    for person, at in ((ada, 0), (ada, 1), (ben, 0)):
        vote(store, study, audit, person, of_task[tasks[at]], "no")
    assert [row["is_blind"] for row in _votes(store, study)] == [False, True, True]
