"""The report card of judges, from the command line."""

import pytest

from core.store.store import Store
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import vote
from core.workflows.audited_pairs import audited_verdicts
from core.workflows.audits import find_audit
from core.workflows.people import person_named
from tests.support.judged import answer, asked_study, judge

from .conftest import Cli


@pytest.fixture
def audited(cli: Cli) -> Cli:
    """Twenty answers judged half yes, ten verdicts of which were audited; one yes was wrong."""
    with Store.open(cli.store) as store:
        study = asked_study(store, 20)
        answer(store, study)
        one = judge(store, study, verdict=lambda item: "yes" if item["position"] % 2 else "no")
        ada = person_named(store, "Ada")
        about = {"judge": one.judge, "prompt_hash": one.prompt_hash, "method": "stratified"}
        drawn = draw_audit(store, study, "judge", **about, n=10, person=ada)
        audit = find_audit(store, study, drawn.audit_id)
        wrong = 1
        for verdict in audited_verdicts(store, study, [drawn.audit_id]):
            is_wrong = wrong and verdict.verdict == "yes"
            wrong -= bool(is_wrong)
            vote(store, study, audit, ada, verdict.item_id, "no" if is_wrong else verdict.verdict)
    return cli


def test_the_card_is_printed_with_its_numbers_and_its_standing(audited: Cli) -> None:
    done = audited.run("judge-card", "Asked")
    assert done.code == 0
    assert "scripted/judge, prompt v1 gave 20 verdicts, 10 yes and 10 no." in done.err
    assert "it misses the bar of 0.80" in done.err
    assert "agreement" in done.out
    assert "0.900" in done.out


def test_the_card_as_json_has_unrounded_values(audited: Cli) -> None:
    document = audited.run("judge-card", "Asked", "--json").document
    assert (document["study"], document["step"], document["pairs"]) == ("Asked", "judge", [])
    [card] = document["judges"]
    measures = {one["measure"]: one for one in card["measures"]}
    # Five of each audited, one yes wrong: 4 of 4 true yes found, 5 of 6 true no.
    assert measures["sensitivity"]["value"] == 1
    assert measures["specificity"]["value"] == pytest.approx(5 / 6)
    assert (card["passes"], card["is_accepted"], card["n_audited"]) == (False, False, 10)
    assert [one["truth"] for one in card["wrong_yes"]] == ["no"]


def test_what_has_no_judge_is_said_in_a_sentence(audited: Cli) -> None:
    assert "attempt gives no verdicts to audit" in (
        audited.run("judge-card", "Asked", "--step", "attempt").problem()
    )
    assert "there is no study named 'Nothing'" in audited.run("judge-card", "Nothing").problem()
