"""What a sample says, worked by hand from a few votes."""

from collections import Counter

import pytest

from core.errors import NotFoundError
from core.metrics.intervals import wilson_interval
from core.store.store import Store
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_statistics import audit_statistics
from core.workflows.audit_votes import undo_vote, vote
from core.workflows.audited_pairs import audited_verdicts
from core.workflows.audits import find_audit
from core.workflows.curation import decide
from core.workflows.people import Person
from core.workflows.studies import Study
from tests.support.judged import answer, asked_study, judge, twelve_right_of_twenty
from tests.support.questions import add_questions


@pytest.fixture
def study(store: Store) -> Study:
    return twelve_right_of_twenty(store)


def _sample(store: Store, study: Study, person: Person, n: int = 16, **how: object) -> str:
    planned = store.rows("audits_of_study", study_id=study.study_id)
    [one] = {
        (row["judge"], row["prompt_hash"])
        for row in store.rows("judges_of_study", study_id=study.study_id, steps=["judge"])
    }
    about = {"judge": one[0], "prompt_hash": one[1], "person": person, "n": n, "seed": len(planned)}
    return draw_audit(store, study, "judge", **{"method": "stratified"} | about | how).audit_id


def _say(
    store: Store, study: Study, audit_id: str, person: Person, **said: list[str | None]
) -> None:
    """Votes on the verdicts of yes and of no, in their order; None is no vote."""
    audit = find_audit(store, study, audit_id)
    for verdict, votes in said.items():
        items = [
            one for one in audited_verdicts(store, study, [audit_id]) if one.verdict == verdict
        ]
        for one, action in zip(items, votes, strict=False):
            if action:
                vote(store, study, audit, person, one.item_id, action)


def test_statistics_of_a_stratified_sample_worked_by_hand(store, study, ada, ben) -> None:
    # 8 of 12 yes, each for 1.5 verdicts, and 8 of 8 no. Of the yes 6 are confirmed, one is not, one
    # is unsure; of the no 4 are confirmed, 2 are not, one is disputed, one open.
    audit_id = _sample(store, study, ada)
    of_no = ["no"] * 4 + ["yes"] * 3
    _say(store, study, audit_id, ada, yes=["yes"] * 6 + ["no", "unsure"], no=of_no)
    _say(store, study, audit_id, ben, no=[None] * 3 + ["no", None, "yes", "no"])
    found = audit_statistics(store, study, audit_id)
    assert (found.n_decided, found.n_unsure, found.n_disputed, found.n_open) == (13, 1, 1, 1)
    assert (found.n_votes, found.n_not_blind, found.n_auditors) == (18, 0, 2)
    assert (found.judge.n_yes, found.judge.n_no, found.n_since) == (12, 8, 0)
    # In verdicts: 9 yes-yes, 1.5 yes-no, 2 no-yes, 4 no-no; 16.5 in all.
    shown = found.measured
    assert shown.agreement.value == pytest.approx(13 / 16.5)
    assert shown.sensitivity.value == pytest.approx(9 / 11)
    assert shown.specificity.value == pytest.approx(4 / 5.5)
    assert shown.n_unsure == 1
    # By chance (10.5·11 + 6·5.5)/16.5² = 0.545455: kappa (0.787879 - 0.545455)/0.454545.
    assert shown.kappa.value == pytest.approx(0.533333, abs=1e-6)
    rates = found.rates
    assert (rates.raw.value, rates.audited.value) == (0.6, pytest.approx(11 / 16.5))
    assert rates.corrected.value == pytest.approx(0.6 * 6 / 7 + 0.4 * 2 / 6)
    # (0.6 + 0.727273 - 1) / (0.818182 + 0.727273 - 1)
    assert rates.rogan_gladen.value == pytest.approx(0.6)
    # The two agree on 2 of the 3 verdicts both voted on.
    assert found.auditors.percent.value == pytest.approx(2 / 3)
    assert found.auditors.percent.n_items == 3
    assert not found.has_few


def test_acc_and_f1_are_corrected_by_the_sample(store, ada) -> None:
    # 20 answerable judged 12 and 8; of 10 unanswerable, 6 DATA and 4 answered.
    study = asked_study(store, 20)
    add_questions(store, study, [(f"Who is {k}?", None) for k in range(10)], file="without")
    answer(store, study, label=lambda at: "DATA_UNCERTAIN" if at >= 24 else "ANSWERED")
    judge(store, study, verdict=lambda item: "yes" if item["position"] < 12 else "no")
    audit_id = _sample(store, study, ada, 20, method="random")
    _say(store, study, audit_id, ada, yes=["yes"] * 9 + ["no"] * 3, no=["yes"] + ["no"] * 7)
    [subject] = audit_statistics(store, study, audit_id).subjects
    assert (subject.counts.correct, subject.counts.wrong, subject.n_audited) == (12, 8, 20)
    by_name = {f"{one.judged.name} {one.judged.form}".strip(): one for one in subject.metrics}
    acc = by_name["ACC"]
    assert (acc.judged.value, acc.corrected.value) == (0.6, pytest.approx(10 / 20))
    # DU: tp 6/10, fp 0, fn 4 over M: 8 as judged, 10 corrected.
    released = by_name["DU-F1 released"]
    assert released.judged.value == pytest.approx(1.2 / (1.2 + 4 / 8))
    assert released.corrected.value == pytest.approx(1.2 / (1.2 + 4 / 10))


def test_a_sample_of_disagreements_corrects_nothing(store, study, ada) -> None:
    audit_id = _sample(store, study, ada, 10, method="disagreement")
    _say(store, study, audit_id, ada, yes=["yes", "yes", "no"], no=["no", "no", "yes"])
    found = audit_statistics(store, study, audit_id)
    why = "not defined: the sample was drawn to look at disagreements"
    rates = found.rates
    assert {rates.audited.why, rates.corrected.why, rates.rogan_gladen.why} == {why}
    assert rates.raw.value == 0.6
    assert found.measured.agreement.value is not None
    [subject] = found.subjects
    assert {one.corrected.why for one in subject.metrics} == {why}
    assert subject.metrics[0].judged.value == 0.6


def test_a_sample_without_votes_says_so_everywhere(store, study, ada) -> None:
    found = audit_statistics(store, study, _sample(store, study, ada))
    assert (found.n_decided, found.n_open, found.has_few) == (0, 16, True)
    why = "not defined: no verdict was audited with a yes or a no"
    assert found.measured.agreement.why == found.rates.corrected.why == why
    assert found.more_needed(0.05) is None
    assert found.auditors.percent.why_undefined == "not defined: there are no votes"


def test_votes_and_undos_are_seen_at_once(store, study, ada) -> None:
    audit_id = _sample(store, study, ada)
    _say(store, study, audit_id, ada, yes=["yes"] * 5, no=["no"] * 5)
    before = audit_statistics(store, study, audit_id)
    assert before.measured.agreement.value == 1
    assert undo_vote(store, study, find_audit(store, study, audit_id), ada)
    after = audit_statistics(store, study, audit_id)
    assert (before.n_decided, after.n_decided, after.n_open) == (10, 9, 7)
    # A second vote on the same verdict, which was shown meanwhile, is not blind.
    items = Counter(one.truth for one in audited_verdicts(store, study, [audit_id]))
    assert items == {"yes": 5, "no": 4, "open": 7}
    _say(store, study, audit_id, ada, no=[None] * 4 + ["no"])
    assert audit_statistics(store, study, audit_id).n_not_blind == 1


def test_an_even_agreement_has_wilsons_interval_and_a_number_to_go(store, study, ada) -> None:
    audit_id = _sample(store, study, ada, 20, method="random")
    _say(store, study, audit_id, ada, yes=["yes"] * 9 + ["no"] * 3, no=["no"] * 6 + ["yes"] * 2)
    found = audit_statistics(store, study, audit_id)
    agreement = found.measured.agreement
    assert (agreement.low, agreement.high) == pytest.approx(wilson_interval(15, 20))
    more = found.more_needed(0.1)
    ends = [wilson_interval(0.75 * n, n) for n in (20 + more, 19 + more)]
    assert ends[0][1] - ends[0][0] <= 0.2 < ends[1][1] - ends[1][0]


def test_verdicts_on_removed_questions_leave_the_pairs_and_are_counted(store, study, ada) -> None:
    audit_id = _sample(store, study, ada)
    _say(store, study, audit_id, ada, yes=["yes"] * 8, no=["no"] * 8)
    [gone] = [one for one in audited_verdicts(store, study, [audit_id]) if one.verdict == "no"][:1]
    decide(store, study, gone.task_id, "remove", person=ada, reason="malformed")
    found = audit_statistics(store, study, audit_id)
    assert (found.n_out, found.n_decided, found.judge.n_no) == (1, 15, 7)
    assert found.rates.corrected.value == pytest.approx(12 / 19)


def test_verdicts_given_after_the_draw_are_told(store, study, ada) -> None:
    audit_id = _sample(store, study, ada)
    add_questions(store, study, [("How much is one and one?", ["2"])], file="later")
    answer(store, study)
    judge(store, study, verdict=lambda item: "yes")
    assert audit_statistics(store, study, audit_id).n_since == 1


def test_a_sample_of_another_study_is_not_found(store, study, ada) -> None:
    with pytest.raises(NotFoundError, match="Asked has no sample 'nothing'"):
        audit_statistics(store, study, "nothing")
