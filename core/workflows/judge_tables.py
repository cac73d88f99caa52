"""A judge's report card, and judges side by side, as tables, sentences and one JSON document."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.metric_names import p_words
from core.metrics.judge_audit import JudgeAudit
from core.metrics.share_differences import ShareDifference
from core.workflows.audit_statistics import FEW_VOTES
from core.workflows.audit_tables import counted, judge_table, percent
from core.workflows.audited_pairs import AuditedVerdict
from core.workflows.audits import AuditableJudge
from core.workflows.judge_card import JudgeCard
from core.workflows.judge_comparison import JudgePair

_JOINT = ("both_yes", "only_first_yes", "only_second_yes", "both_no")

TOO_FEW = f"not defined: fewer than {FEW_VOTES} audited verdicts"


def kind_table(card: JudgeCard) -> pd.DataFrame:
    """Where the judge errs, a row for each kind of what it judges, with its share confirmed."""
    rows = []
    for one in card.kinds:
        share = one.agreement
        few = one.n < FEW_VOTES
        numbers = (None, None, None) if few else (share.value, share.low, share.high)
        why = TOO_FEW if few else share.why
        rows.append((one.by, one.kind, one.n, one.n_wrong_yes, one.n_wrong_no, *numbers, why))
    columns = ["told_by", "kind", "audited", "wrong_yes", "wrong_no"]
    columns += ["agreement", "low", "high", "why"]
    numbers = dict.fromkeys(("agreement", "low", "high"), float)
    return pd.DataFrame(rows, columns=columns).astype(numbers)


def pair_table(pairs: Sequence[JudgePair]) -> pd.DataFrame:
    """Judges two by two: how many each pair of verdicts, and how far the two agree."""
    rows = []
    for pair in pairs:
        together = pair.together
        agreement = together.agreement
        rows.append(
            {
                "first": pair.first.title,
                "second": pair.second.title,
                "both_judged": pair.n_shared,
                "both_yes": together.counts["yes", "yes"],
                "only_first_yes": together.counts["yes", "no"],
                "only_second_yes": together.counts["no", "yes"],
                "both_no": together.counts["no", "no"],
                "agreement": agreement.value,
                "agreement_low": agreement.low,
                "agreement_high": agreement.high,
                "kappa": together.kappa.value,
                "kappa_low": together.kappa.low,
                "kappa_high": together.kappa.high,
                "AC1": together.ac1.value,
                "AC1_low": together.ac1.low,
                "AC1_high": together.ac1.high,
                "McNemar_p": pair.more_yes.p if pair.more_yes else None,
            }
        )
    texts = ("first", "second", "both_judged", *_JOINT)
    frame = pd.DataFrame(rows)
    return frame.astype({name: float for name in frame if name not in texts})


def known_table(pairs: Sequence[JudgePair]) -> pd.DataFrame:
    """Each judge of each pair on the answers whose truth people know, with the test of the pair."""
    rows = [
        {
            "judge": judge.title,
            "beside": other.title,
            "audited": pair.n_known,
            **_shares(measured),
            "McNemar_p": pair.more_right.p if pair.more_right else None,
        }
        for pair in pairs
        for judge, other, measured in (
            (pair.first, pair.second, pair.first_measured),
            (pair.second, pair.first, pair.second_measured),
        )
    ]
    frame = pd.DataFrame(rows)
    texts = ("judge", "beside", "audited")
    return frame.astype({name: float for name in frame if name not in texts})


def standing_sentence(card: JudgeCard) -> str:
    """Whether the judge is accepted, and whether it passes the study's bar now."""
    now = card.acceptance
    said = ""
    if now is not None:
        what = "accepted" if now.is_accepted else "no longer accepted"
        said = f"{what.capitalize()} by {now.person} on {now.decided_at:%d %B %Y}, the bar being "
        said += f"{now.bar:.2f}. "
    if card.missed:
        return f"{said}By the votes that stand it misses the bar of {card.bar:.2f}: {card.missed}."
    lows = card.measured.sensitivity.low, card.measured.specificity.low
    return (
        f"{said}By the votes that stand it passes the bar of {card.bar:.2f}: sensitivity is at "
        f"least {lows[0]:.2f} and specificity at least {lows[1]:.2f}."
    )


def basis_sentence(card: JudgeCard) -> str:
    """What the card rests on."""
    said = (
        f"{card.judge.title} gave {counted(card.judge.n_valid, 'verdict')}, {card.judge.n_yes:,} "
        f"yes and {card.judge.n_no:,} no"
    )
    if card.judge.n_invalid:
        told = counted(card.judge.n_invalid, "reply that says", "replies that say")
        said += f", beside {told} neither"
    audited = f"{counted(card.n_decided, 'verdict')} audited in "
    audited += counted(card.n_representative, "sample")
    if card.n_elsewhere:
        audited += (
            f", and {card.n_elsewhere:,} in samples that speak for themselves only, such as "
            "disagreements: these give examples and no share"
        )
    return f"{said}. {audited}."


def pair_sentences(pair: JudgePair) -> list[str]:
    """What two judges say of the same answers, and who is right where people know."""
    first, second = pair.first.title, pair.second.title
    if pair.more_yes is None:
        return [f"{first} and {second} share no answer that both gave a verdict on."]
    agreement = pair.together.agreement
    said = [
        f"{first} and {second} judged the same {counted(pair.n_shared, 'answer')} and agree on "
        f"{percent(agreement.value)} (95 % interval {percent(agreement.low)} to "
        f"{percent(agreement.high)}). The second says yes {_difference(pair.more_yes)}."
    ]
    if pair.n_known < FEW_VOTES:
        said.append(
            f"People said what is true of {pair.n_known:,} of them, too few to tell who is right."
        )
        return said
    said.append(
        f"On the {pair.n_known:,} of which people said what is true, {first} is right on "
        f"{percent(pair.first_measured.agreement.value)} and {second} on "
        f"{percent(pair.second_measured.agreement.value)}: the second is right "
        f"{_difference(pair.more_right)}."
    )
    return said


def card_document(cards: Sequence[JudgeCard], pairs: Sequence[JudgePair]) -> dict[str, Any]:
    """The cards and comparisons of a step as `selfbound judge-card --json` prints them."""
    return {
        "judges": [_card(card) for card in cards],
        "pairs": _records(pair_table(pairs)),
        "on_audited": _records(known_table(pairs)) if pairs else [],
    }


def _card(card: JudgeCard) -> dict[str, Any]:
    now = card.acceptance
    return {
        **_judge(card.judge),
        "n_yes": card.judge.n_yes,
        "n_no": card.judge.n_no,
        "n_invalid": card.judge.n_invalid,
        "n_audited": card.n_decided,
        "n_audited_elsewhere": card.n_elsewhere,
        "measures": _records(judge_table(card.measured)),
        "bar": card.bar,
        "passes": not card.missed,
        "missed": card.missed,
        "is_accepted": bool(now and now.is_accepted),
        "kinds": _records(kind_table(card)),
        "wrong_yes": [_example(one) for one in card.wrong_yes],
        "wrong_no": [_example(one) for one in card.wrong_no],
        "n_hidden": card.n_hidden,
    }


def _judge(judge: AuditableJudge) -> dict[str, Any]:
    return {"judge": judge.judge, "version": judge.version, "prompt_hash": judge.prompt_hash}


def _example(one: AuditedVerdict) -> dict[str, Any]:
    return {
        "task_id": one.task_id,
        "item_id": one.item_id,
        "answer": one.answer,
        "verdict": one.verdict,
        "truth": one.truth,
    }


def _shares(measured: JudgeAudit) -> dict[str, float | None]:
    return {
        f"{name}{end}": getattr(one, field)
        for name, one in (
            ("sensitivity", measured.sensitivity),
            ("specificity", measured.specificity),
        )
        for end, field in (("", "value"), ("_low", "low"), ("_high", "high"))
    }


def _difference(found: ShareDifference) -> str:
    p = p_words(found.p)
    if not found.difference:
        return f"as often ({p})"
    more = "more" if found.difference > 0 else "less"
    points = 100 * abs(found.difference)
    ends = sorted((100 * found.low, 100 * found.high))
    return (
        f"{points:.1f} points {more} often (95 % interval {ends[0]:+.1f} to {ends[1]:+.1f}, {p}, "
        "McNemar)".replace("-", "−")
    )


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame as JSON holds them: None for a missing number."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")
