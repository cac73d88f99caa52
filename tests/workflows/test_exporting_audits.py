"""Samples and votes in an export: every row of them, adding up to what the screen shows."""

from pathlib import Path

import pytest

from core.store.store import Store
from core.workflows.audit_desk import audit_progress, next_item
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import undo_vote, vote
from core.workflows.audits import find_audit
from core.workflows.exporting import FORMATS, export_study
from core.workflows.people import Person
from tests.support.judged import answer, asked_study, judge
from tests.support.row_files import plain_rows

NOTE = '=1+1, "quoted",\nand on a second line: naïve ☃'


@pytest.mark.parametrize("format", FORMATS)
def test_samples_and_votes_leave_with_the_study_and_add_up(
    store: Store, ada: Person, tmp_path: Path, format: str
) -> None:
    study = asked_study(store, 40)
    answer(store, study)
    found = judge(store, study, verdict=lambda row: "no" if row["position"] < 10 else "yes")
    drawn = draw_audit(
        store,
        study,
        "judge",
        judge=found.judge,
        prompt_hash=found.prompt_hash,
        method="stratified",
        n=8,
        person=ada,
    )
    audit = find_audit(store, study, drawn.audit_id)
    for action in ("yes", "no", "unsure", "yes"):
        item = next_item(store, study, audit, ada)
        vote(store, study, audit, ada, item.item_id, action, note=NOTE, seconds_active=1.5)
    undo_vote(store, study, audit, ada)
    counts = export_study(store, study, tmp_path, format=format)
    assert (counts["audits"], counts["audit_votes"]) == (8, 5)
    audits = plain_rows(tmp_path / f"audits.{format}")
    votes = plain_rows(tmp_path / f"audit_votes.{format}")
    # 30 yes and 10 no, four drawn of each: weights of 7.5 and 2.5 add up to all 40.
    assert sum(float(row["weight"]) for row in audits) == 40
    progress = audit_progress(store, audit, ada)
    truths = [row["truth"] for row in audits]
    shown = (progress.n_yes, progress.n_no, progress.n_unsure, progress.n_open)
    assert tuple(truths.count(one) for one in ("yes", "no", "unsure", "open")) == shown
    assert [row["action"] for row in votes] == ["yes", "no", "unsure", "yes", "undo"]
    assert votes[4]["undoes"] == votes[3]["vote_id"]
    guarded = "'" if format == "csv" else ""
    assert {row["note"] for row in votes[:4]} == {guarded + NOTE}
