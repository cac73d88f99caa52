"""A judge's report card, judges side by side, and the bar a judge has to pass."""

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from core.errors import ConflictError
from core.metrics.intervals import wilson_interval
from core.prompts import load_prompt, prompt_versions
from core.protocols.base import JUDGE_PROMPTS
from core.settings import PROMPTS_DIR
from core.store.store import Store
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_statistics import audit_statistics
from core.workflows.audit_votes import vote
from core.workflows.audited_pairs import AuditedVerdict, audited_verdicts
from core.workflows.audits import AuditableJudge, find_audit
from core.workflows.curation import decide
from core.workflows.desk_rules import rules_of, set_rules
from core.workflows.judge_acceptance import accept_judge, acceptance_of, withdraw_judge
from core.workflows.judge_card import judge_card
from core.workflows.judge_comparison import compared_judges
from core.workflows.people import Person
from core.workflows.studies import Study
from tests.support.few_tasks import numbered_study
from tests.support.judged import answer, asked_study, judge

OTHER = "scripted/other-judge"


@pytest.fixture
def study(store: Store) -> Study:
    """Forty answers, those to the first thirty questions right; every other one is a sentence."""
    study = asked_study(store, 40)
    answer(store, study, said=_number)
    return study


def _number(at: int) -> str:
    """The reference answer to a question, twice an odd or an even number, or in a sentence."""
    number = 2 * (2 * at + 1 if at < 20 else 2 * (at - 20))
    return f"It is {number}, I think" if at % 2 else str(number)


def is_true(one: AuditedVerdict) -> str:
    """Right is what the first thirty questions got; their position ends their id."""
    return "yes" if int(one.task_id.rsplit("-", 1)[1]) < 30 else "no"


def _lenient(item: dict) -> str:
    """Says yes to two answers too many."""
    return "yes" if item["position"] < 32 else "no"


def _strict(item: dict) -> str:
    """Says no to six answers too many."""
    return "yes" if item["position"] < 24 else "no"


def _audit(
    store: Store, study: Study, one: AuditableJudge, person: Person, n: int = 40, **how: object
) -> str:
    """The id of a sample on which the person has said the truth."""
    about = {"judge": one.judge, "prompt_hash": one.prompt_hash, "method": "random"} | how
    drawn = draw_audit(store, study, "judge", n=n, person=person, **about)
    audit = find_audit(store, study, drawn.audit_id)
    for verdict in audited_verdicts(store, study, [drawn.audit_id]):
        vote(store, study, audit, person, verdict.item_id, is_true(verdict))
    return drawn.audit_id


def test_a_card_tells_how_far_and_where_the_judge_errs(store, study, ada) -> None:
    one = judge(store, study, verdict=_lenient)
    _audit(store, study, one, ada)
    card = judge_card(store, study, one)
    assert (card.n_audits, card.n_representative, card.n_decided, card.n_elsewhere) == (1, 1, 40, 0)
    measured = card.measured
    assert (measured.sensitivity.value, measured.specificity.value) == (1.0, 0.8)
    assert measured.counts == {
        ("yes", "yes"): 30,
        ("yes", "no"): 2,
        ("no", "yes"): 0,
        ("no", "no"): 8,
    }
    assert {one.task_id.rsplit("-", 1)[1] for one in card.wrong_yes} == {"30", "31"}
    assert (len(card.wrong_no), card.n_hidden) == (0, 0)
    kinds = {(kind.by, kind.kind): kind for kind in card.kinds}
    # The files take turns of twenty questions: positions 30 and 31 are in the second.
    assert {kind.kind for kind in card.kinds if kind.by == "file or type"} == {"odd", "even"}
    wrong = {name: kinds["file or type", name].n_wrong_yes for name in ("odd", "even")}
    assert wrong == {"odd": 0, "even": 2}
    assert kinds["file or type", "even"].agreement.value == pytest.approx(18 / 20)
    short, long = (kinds["length", name] for name in ("up to 10 characters", "11 to 50"))
    assert (short.n, long.n) == (20, 20)
    matches = [kinds["match without a judge", name] for name in ("exact", "none")]
    assert [(kind.n, kind.n_wrong_yes) for kind in matches] == [(20, 1), (20, 1)]
    # One subject and one group tell nothing apart.
    assert not {"answered by", "group"} & {kind.by for kind in card.kinds}


def test_two_samples_of_a_judge_are_one_audit_in_which_no_verdict_counts_twice(
    store, study, ada, ben
) -> None:
    one = judge(store, study, verdict=_lenient)
    _audit(store, study, one, ada)
    _audit(store, study, one, ben, 20, method="stratified", seed=1)
    card = judge_card(store, study, one)
    assert (card.n_audits, card.n_decided) == (2, 40)
    # The second sample weighs yes by 32/12 and no by 8/8, 20 verdicts of 40; the first the other 20
    # by 40/40: all confirmed there or here alike.
    assert card.measured.counts["yes", "no"] == 2
    assert card.measured.sensitivity.value == 1.0
    assert 0.5 < card.measured.specificity.value < 1


def test_a_sample_of_disagreements_gives_examples_and_no_share(store, study, ada) -> None:
    judge(store, study, verdict=_lenient)
    strict = judge(store, study, OTHER, verdict=_strict)
    _audit(store, study, strict, ada, 8, method="disagreement")
    card = judge_card(store, study, strict)
    # The judges differ on positions 24 to 31; of these the strict one is wrong on 24 to 29.
    assert (card.n_decided, card.n_elsewhere, card.n_representative) == (0, 8, 0)
    assert (len(card.wrong_no), len(card.wrong_yes)) == (6, 0)
    assert card.measured.sensitivity.value is None
    assert card.kinds == []


def test_examples_are_kept_from_those_who_may_still_have_to_vote(store, study, ada, ben) -> None:
    one = judge(store, study, verdict=_lenient)
    drawn = _audit(store, study, one, ada)
    audit = find_audit(store, study, drawn)
    first, *rest = audited_verdicts(store, study, [drawn])
    vote(store, study, audit, ben, first.item_id, is_true(first))
    seen = 1 if first.kind == "wrong yes" else 0
    assert len(judge_card(store, study, one, viewer=ada).wrong_yes) == 2
    of_ben = judge_card(store, study, one, viewer=ben)
    assert (len(of_ben.wrong_yes), of_ben.n_hidden) == (seen, 2 - seen)
    assert judge_card(store, study, one).n_hidden == 2
    for verdict in rest:
        vote(store, study, audit, ben, verdict.item_id, is_true(verdict))
    assert judge_card(store, study, one).n_hidden == 0


def test_two_judges_are_compared_on_the_same_answers(store, study, ada) -> None:
    lenient = judge(store, study, verdict=_lenient)
    judge(store, study, OTHER, verdict=lambda item: None if item["position"] < 2 else _strict(item))
    _audit(store, study, lenient, ada, 20, seed=3)
    [pair] = compared_judges(store, study, "judge")
    assert (pair.first.judge, pair.second.judge, pair.is_one_model) == (
        "scripted/judge",
        OTHER,
        False,
    )
    # Of 38 shared, both say yes to 22 (2 to 23), the first alone to 8 (24 to 31), both no to 8.
    assert pair.n_shared == 38
    assert pair.together.counts == {
        ("yes", "yes"): 22,
        ("yes", "no"): 8,
        ("no", "yes"): 0,
        ("no", "no"): 8,
    }
    assert pair.together.agreement.value == pytest.approx(30 / 38)
    # By chance (30·22 + 8·16)/38² = 0.545706: kappa (0.789474 - 0.545706)/0.454294.
    assert pair.together.kappa.value == pytest.approx(0.536585, abs=1e-6)
    assert pair.more_yes.difference == pytest.approx(-8 / 38)
    # McNemar, 8 to 0: mid-p is 2·0.5⁸ - 0.5⁸.
    assert pair.more_yes.p == pytest.approx(0.5**8)


@pytest.fixture
def second_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The judge's prompt is there in a second version, too."""
    root = tmp_path / "prompts"
    shutil.copytree(PROMPTS_DIR, root)
    folder = root / "uncertainty_attribution" / JUDGE_PROMPTS / "vanilla"
    text = (folder / "judge.v1.md").read_text(encoding="utf-8")
    (folder / "judge.v2.md").write_text(text.replace("# system\n", "# system\nBe strict. "))
    for name, read in (("load_prompt", load_prompt), ("prompt_versions", prompt_versions)):
        monkeypatch.setattr(f"core.workflows.planned_rows.{name}", partial(read, root=root))


@pytest.mark.usefixtures("second_version")
def test_versions_of_a_prompt_are_compared_on_the_same_audited_items(store, study, ada) -> None:
    first = judge(store, study, verdict=_lenient, version=1)
    second = judge(store, study, verdict=_strict, version=2)
    assert (first.n_yes, second.n_yes) == (32, 24)
    _audit(store, study, first, ada)
    [pair] = compared_judges(store, study, "judge")
    assert (pair.first.version, pair.second.version, pair.is_one_model) == (1, 2, True)
    assert (pair.n_shared, pair.n_known) == (40, 40)
    measured = pair.first_measured
    assert (measured.sensitivity.value, measured.specificity.value) == (1, 0.8)
    assert pair.second_measured.sensitivity.value == pytest.approx(24 / 30)
    assert pair.second_measured.specificity.value == 1
    # The first alone is right on 24 to 29, the second alone on 30 and 31: 6 to 2 of 40. Mid-p of 8
    # coins: P(X ≤ 2) + P(X ≤ 1) = (37 + 9)/256.
    assert pair.more_right.difference == pytest.approx(-4 / 40)
    assert pair.more_right.p == pytest.approx(46 / 256)
    # The audit of the first says nothing of how often the second errs.
    assert judge_card(store, study, second).n_decided == 0


def test_the_judge_of_tasks_has_a_card_too(store, ada) -> None:
    study = numbered_study(store, 20)
    one = judge(
        store,
        study,
        step="screen",
        verdict=lambda item: "malformed" if item["position"] < 5 else "sound",
    )
    about = {"judge": one.judge, "prompt_hash": one.prompt_hash, "method": "random", "n": 20}
    drawn = draw_audit(store, study, "screen", person=ada, **about)
    audit = find_audit(store, study, drawn.audit_id)
    items = audited_verdicts(store, study, [drawn.audit_id])
    for verdict in items:
        vote(store, study, audit, ada, verdict.item_id, verdict.verdict)
    gone = next(verdict for verdict in items if verdict.verdict == "yes")
    decide(store, study, gone.task_id, "remove", person=ada, reason="malformed")
    # People removed what the judge is asked to find: that is no reason to leave it out.
    card = judge_card(store, study, one)
    assert (card.n_decided, card.measured.sensitivity.value) == (20, 1)
    assert audit_statistics(store, study, drawn.audit_id).rates.corrected.value == 0.25
    assert audit_statistics(store, study, drawn.audit_id).subjects == []


def test_a_judge_is_accepted_once_both_lower_ends_reach_the_bar(store, study, ada) -> None:
    one = judge(store, study, verdict=_strict)
    _audit(store, study, one, ada)
    low = wilson_interval(24, 30)[0]
    with pytest.raises(ConflictError) as refused:
        accept_judge(store, study, one, person=ada)
    assert str(refused.value) == (
        f"{one.title} misses the bar of 0.80: sensitivity is 0.80, and may be as low as {low:.2f} "
        "by 30 audits; specificity is 1.00, and may be as low as 0.72 by 10 audits"
    )
    assert acceptance_of(store, study, one) is None
    set_rules(store, study, replace(rules_of(store, study), judge_bar=0.6), person=ada)
    found = accept_judge(store, study, one, person=ada)
    assert (found.is_accepted, found.person, found.bar) == (True, "Ada", 0.6)
    assert found.sensitivity_low == pytest.approx(low)
    assert judge_card(store, study, one).acceptance == found
    assert not withdraw_judge(store, study, one, person=ada).is_accepted
    with pytest.raises(ConflictError, match="is not accepted for Asked"):
        withdraw_judge(store, study, one, person=ada)
    assert accept_judge(store, study, one, person=ada).is_accepted


def test_a_judge_without_audits_is_refused_with_the_reason(store, study, ada) -> None:
    one = judge(store, study, verdict=_lenient)
    with pytest.raises(
        ConflictError, match="sensitivity is not defined: the auditor said yes to no"
    ):
        accept_judge(store, study, one, person=ada)


def test_answers_to_removed_questions_are_on_no_card(store, study, ada) -> None:
    one = judge(store, study, verdict=_lenient)
    _audit(store, study, one, ada)
    gone = judge_card(store, study, one).wrong_yes[0]
    decide(store, study, gone.task_id, "remove", person=ada, reason="malformed")
    card = judge_card(store, study, one)
    assert (card.n_decided, len(card.wrong_yes)) == (39, 1)
