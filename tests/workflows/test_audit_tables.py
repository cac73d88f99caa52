"""What an audit says in tables and sentences."""

import json
from dataclasses import replace

import pytest

from core.metrics.attribution_counts import AttributionCounts
from core.metrics.audit_shares import AuditedPair
from core.metrics.corrected_attribution import corrected_attribution
from core.metrics.corrected_rate import rate_by_truth
from core.metrics.judge_audit import judge_audit
from core.metrics.share_differences import paired_difference
from core.metrics.true_rates import Judged
from core.workflows.audit_statistics import SubjectMetrics
from core.workflows.audit_tables import (
    FORMULAS,
    judge_reading,
    judge_table,
    metric_reading,
    metric_table,
    rate_reading,
    rate_table,
)
from core.workflows.audits import AuditableJudge
from core.workflows.judge_card import JudgeCard, KindOfAnswer
from core.workflows.judge_comparison import JudgePair
from core.workflows.judge_tables import (
    basis_sentence,
    card_document,
    kind_table,
    known_table,
    pair_sentences,
    pair_table,
    standing_sentence,
)

JUDGED = Judged(900, 100)
KINDS = (("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no"))


def pairs(*numbers: int, weights: tuple[float, float] = (1.0, 1.0)) -> list[AuditedPair]:
    return [
        AuditedPair(*kind, weights[kind[0] == "no"])
        for kind, n in zip(KINDS, numbers, strict=True)
        for _ in range(n)
    ]


HALVES = pairs(45, 5, 15, 35, weights=(18.0, 2.0))


def subject(audited: list[AuditedPair], **counts: int) -> SubjectMetrics:
    found = AttributionCounts(**{"correct": 900, "wrong": 100} | counts)
    return SubjectMetrics("lab/one", found, len(audited), corrected_attribution(found, audited))


def card(*numbers: int, **changes: object) -> JudgeCard:
    measured = judge_audit(pairs(*numbers))
    base = JudgeCard(
        judge=AuditableJudge("judge", "lab/judge", "00", 2, n_yes=9, n_no=4, n_invalid=1),
        n_audits=1,
        n_representative=1,
        n_decided=sum(numbers),
        n_elsewhere=0,
        measured=measured,
        bar=0.8,
        missed="",
        acceptance=None,
        kinds=(),
        wrong_yes=(),
        wrong_no=(),
        n_hidden=0,
    )
    return replace(base, **changes)


def test_the_rate_is_there_in_four_ways_with_what_each_rests_on() -> None:
    table = rate_table(rate_by_truth(JUDGED, HALVES)).set_index("rate")
    assert table["value"].round(3).tolist() == [0.9, 0.84, 0.84, 0.84]
    assert table.loc["corrected (default)", ["low", "high"]].round(3).tolist() == [0.764, 0.916]
    assert table["n"].tolist() == [1000, 100, 100, 100]
    assert "clipped" not in table


def test_a_clipped_rate_is_marked_and_its_missing_interval_explained() -> None:
    table = rate_table(rate_by_truth(JUDGED, pairs(45, 5, 15, 35))).set_index("rate")
    row = table.loc["corrected by Rogan and Gladen"]
    assert (row["value"], row["clipped"]) == (1.0, "clipped")
    assert "weights do not fit" in row["why"]


def test_every_number_on_screen_has_a_formula() -> None:
    tables = judge_table(judge_audit(HALVES)), rate_table(rate_by_truth(JUDGED, HALVES))
    names = {*tables[0]["measure"], *tables[1]["rate"]}
    metrics = {name.split()[0] for name in metric_table([subject(HALVES)])["metric"]}
    assert names | metrics == set(FORMULAS)


def test_the_rates_sentence_says_whether_the_judges_number_can_stand() -> None:
    assert rate_reading(rate_by_truth(JUDGED, HALVES)) == (
        "By the judge 90.0 % are yes, and 84.0 % by the truth, as far as the audit tells (95 % "
        "interval 76.4 % to 91.6 %), which leaves the judge's number possible."
    )
    sure = rate_reading(rate_by_truth(JUDGED, pairs(40, 20, 5, 35)))
    assert sure.endswith("which rules it out.")
    assert rate_reading(rate_by_truth(JUDGED, [])) == (
        "By the judge 90.0 % are yes; what it is by the truth is not defined: no verdict was "
        "audited with a yes or a no."
    )


def test_shares_of_the_judge_are_sentences_with_their_intervals() -> None:
    said = judge_reading(judge_audit(pairs(9, 3, 2, 6)))
    assert said[0] == (
        "People confirm 75.0 % of the judge's verdicts (95 % interval 53.1 % to 88.8 %, n = 20)."
    )
    assert said[3].startswith("Cohen's kappa is 0.49 (95 % interval")
    assert "people" not in said[3]
    one_class = judge_reading(judge_audit(pairs(5, 0, 2, 0)))
    assert one_class[2] == "Specificity is not defined: the auditor said no to no task."


def test_metrics_as_judged_and_corrected_stand_in_one_row() -> None:
    found = subject(HALVES, unanswerable_data=6, unanswerable_answered=4, unjudged=3)
    table = metric_table([found]).set_index("metric")
    assert table.loc["ACC", ["judged", "corrected"]].tolist() == pytest.approx([0.9, 0.84])
    # DU: tp 0.6, fn 4 over M, 100 as judged and 160 as corrected; balanced over N, 10.
    released = [1.2 / (1.2 + 4 / m) for m in (100, 160)]
    assert table.loc["DU-F1 released", ["judged", "corrected"]].tolist() == pytest.approx(released)
    assert table.loc["DU-F1 balanced", "corrected"] == pytest.approx(1.2 / 1.6)
    assert set(table["audited"]) == {100}
    said = metric_reading(found)
    assert said.startswith("ACC of lab/one is 0.900 as judged and 0.840 as corrected (95 % ")
    assert said.endswith("by 100 audited answers; 3 answers without a valid verdict count nowhere.")


def test_a_card_says_what_it_rests_on_and_whether_it_passes() -> None:
    passing = card(60, 0, 0, 60)
    assert standing_sentence(passing).endswith(
        "it passes the bar of 0.80: sensitivity is at least 0.94 and specificity at least 0.94."
    )
    missing = card(6, 0, 0, 6, missed="sensitivity is low", n_elsewhere=2)
    assert standing_sentence(missing) == (
        "By the votes that stand it misses the bar of 0.80: sensitivity is low."
    )
    assert basis_sentence(missing) == (
        "lab/judge, prompt v2 gave 13 verdicts, 9 yes and 4 no, beside 1 reply that says neither. "
        "12 verdicts audited in 1 sample, and 2 in samples that speak for themselves only, such as "
        "disagreements: these give examples and no share."
    )


def test_a_kind_with_fewer_than_five_audits_says_so() -> None:
    kinds = [
        KindOfAnswer("file or type", name, n, 1, 0, judge_audit(pairs(n - 1, 1, 0, 0)).agreement)
        for name, n in (("sums", 10), ("names", 4))
    ]
    table = kind_table(card(9, 1, 0, 4, kinds=kinds)).set_index("kind")
    assert table.loc["sums", "agreement"] == 0.9
    assert table.loc["names", ["agreement", "low", "high"]].isna().all()
    assert table.loc["names", "why"] == "not defined: fewer than 5 audited verdicts"


def test_two_judges_are_told_apart_in_tables_sentences_and_json() -> None:
    first = AuditableJudge("judge", "lab/judge", "00", 1, n_yes=30, n_no=20)
    second = replace(first, prompt_hash="01", version=2)
    pair = JudgePair(
        first,
        second,
        is_one_model=True,
        together=judge_audit(pairs(25, 5, 1, 19)),
        more_yes=paired_difference(5, 1, 50),
        n_known=20,
        first_measured=judge_audit(pairs(8, 4, 0, 8)),
        second_measured=judge_audit(pairs(8, 0, 0, 12)),
        more_right=paired_difference(0, 4, 20),
    )
    row = pair_table([pair]).iloc[0]
    assert row[["both_yes", "only_first_yes", "only_second_yes", "both_no"]].tolist() == [
        25,
        5,
        1,
        19,
    ]
    assert row["agreement"] == pytest.approx(44 / 50)
    assert known_table([pair])["specificity"].tolist() == pytest.approx([8 / 12, 1])
    said = pair_sentences(pair)
    assert "agree on 88.0 %" in said[0]
    assert "The second says yes 8.0 points less often" in said[0]
    # Four to none: mid-p is 0.5⁴.
    assert "the second is right 20.0 points more often" in said[1]
    assert "p = 0.062, McNemar" in said[1]
    document = card_document([card(9, 1, 0, 4)], [pair])
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["pairs"][0]["both_judged"] == 50
    assert document["judges"][0]["measures"][0]["value"] == pytest.approx(13 / 14)
    assert known_table([]).empty
    assert card_document([], [])["on_audited"] == []


def test_judges_that_share_nothing_say_so() -> None:
    first = AuditableJudge("judge", "lab/a", "00", 1)
    nothing = judge_audit([])
    pair = JudgePair(
        first, replace(first, judge="lab/b"), False, nothing, None, 0, nothing, nothing, None
    )
    assert pair_sentences(pair) == [
        "lab/a, prompt v1 and lab/b, prompt v1 share no answer that both gave a verdict on."
    ]
    assert pair_table([pair]).loc[0, "both_judged"] == 0
