"""Whoever saw a verdict elsewhere votes on it not blind; what they began to write is kept."""

import pytest

from core.store import Store, verify
from core.workflows.audit_desk import next_item
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import keep_note, kept_note, undo_vote, vote
from core.workflows.audits import Audit, find_audit, find_judge
from core.workflows.people import person_named
from core.workflows.plans import plan_step
from core.workflows.studies import Study
from core.workflows.verdicts_shown import (
    note_answers_shown,
    note_data_shown,
    note_shown,
    note_story_shown,
)
from tests.support.judged import answer, asked_study, judge


@pytest.fixture
def asked(store: Store) -> Study:
    """Four questions answered by one model, all judged right."""
    study = asked_study(store, 4)
    answer(store, study)
    judge(store, study, verdict=lambda row: "yes")
    return study


@pytest.fixture
def audit(store: Store, asked: Study, ada) -> Audit:
    """A sample of all four verdicts."""
    found = find_judge(store, asked, "judge")
    about = {"judge": found.judge, "prompt_hash": found.prompt_hash}
    drawn = draw_audit(store, asked, "judge", **about, method="random", n=4, person=ada)
    return find_audit(store, asked, drawn.audit_id)


def _sampled(store: Store, study: Study) -> list[dict]:
    return sorted(
        store.rows("export_audits", study_id=study.study_id), key=lambda row: row["item_id"]
    )


def _blind(store: Store, study: Study) -> dict[tuple[str, str], bool]:
    rows = store.rows("export_audit_votes", study_id=study.study_id)
    return {(row["person"], row["item_id"]): row["is_blind"] for row in rows}


def test_a_vote_on_a_verdict_that_was_seen_elsewhere_is_not_blind_for_that_person_alone(
    store, asked, audit, ada
) -> None:
    ben = person_named(store, "Ben")
    seen, *others = (row["item_id"] for row in _sampled(store, asked))
    note_shown(store, asked, ada, {seen})
    note_shown(store, asked, ada, {seen})
    note_shown(store, asked, ada, set())
    for person in (ada, ben):
        for item_id in (seen, *others):
            vote(store, asked, audit, person, item_id, "yes")
    blind = _blind(store, asked)
    assert [key for key, is_blind in blind.items() if not is_blind] == [("Ada", seen)]
    assert len(blind) == 8
    assert verify(store) == []


def test_only_the_judge_whose_verdicts_were_shown_counts(store, asked, audit, ada) -> None:
    first, second, *_ = _sampled(store, asked)
    named = find_judge(store, asked, "judge").title
    note_answers_shown(store, asked, ada, {first["answer_item"]}, judge="somebody, prompt v1")
    note_answers_shown(store, asked, ada, {second["answer_item"]}, judge=named)
    for row in (first, second):
        vote(store, asked, audit, ada, row["item_id"], "no")
    assert _blind(store, asked) == {
        ("Ada", first["item_id"]): True,
        ("Ada", second["item_id"]): False,
    }


def test_the_whole_story_of_a_task_shows_every_verdict_on_it(store, asked, audit, ada) -> None:
    first, second, *_ = _sampled(store, asked)
    note_story_shown(store, asked, ada, first["task_id"])
    for row in (first, second):
        vote(store, asked, audit, ada, row["item_id"], "no")
    assert list(_blind(store, asked).values()) == [False, True]


def test_the_data_behind_results_shows_every_verdict_that_there_is(
    store, asked, audit, ada
) -> None:
    plan_step(store, asked, asked.shape.step("judge"), "scripted/later")
    note_data_shown(store, [asked], ada)
    later = judge(store, asked, "scripted/later", verdict=lambda row: "no")
    about = {"judge": later.judge, "prompt_hash": later.prompt_hash}
    drawn = draw_audit(store, asked, "judge", **about, method="random", n=4, person=ada)
    for one in (audit, find_audit(store, asked, drawn.audit_id)):
        while (item := next_item(store, asked, one, ada)) is not None:
            vote(store, asked, one, ada, item.item_id, "yes")
    assert sorted(_blind(store, asked).values()) == [False] * 4 + [True] * 4


def test_a_note_that_was_begun_is_there_again_until_the_vote(store, asked, audit, ada) -> None:
    ben = person_named(store, "Ben")
    item_id = next_item(store, asked, audit, ada).item_id
    assert kept_note(store, audit, ada, item_id) == ""
    keep_note(store, audit, ada, item_id, "half")
    keep_note(store, audit, ada, item_id, "half a th")
    assert kept_note(store, audit, ada, item_id) == "half a th"
    assert kept_note(store, audit, ben, item_id) == ""
    keep_note(store, audit, ada, item_id, "")
    assert kept_note(store, audit, ada, item_id) == ""
    keep_note(store, audit, ada, item_id, "half a thought")
    vote(store, asked, audit, ada, item_id, "yes", note="half a thought")
    assert kept_note(store, audit, ada, item_id) == ""
    assert undo_vote(store, asked, audit, ada) == item_id
    assert kept_note(store, audit, ada, item_id) == ""
