"""What an audit says, as tables, formulas and sentences: for screen, downloads and terminal.

NaN stands for "not defined" in the number columns, and `why` then says why.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.metrics.agreement_words import AC1, KAPPA, Statistic, plain_reading
from core.metrics.audit_shares import NO, YES, Estimate
from core.metrics.corrected_attribution import CorrectedValue
from core.metrics.corrected_rate import RateByTruth
from core.metrics.judge_audit import JudgeAudit
from core.metrics.true_rates import TrueRate
from core.workflows.audit_statistics import AuditStatistics, SubjectMetrics

AGREEMENT, SENSITIVITY, SPECIFICITY = "agreement", "sensitivity", "specificity"
RAW, AUDITED, CORRECTED, ROGAN_GLADEN = (
    "as judged",
    "by the audit alone",
    "corrected (default)",
    "corrected by Rogan and Gladen",
)

FORMULAS = {
    AGREEMENT: "verdicts that people confirm / verdicts that people decided. Wilson's 95 % "
    "interval; each verdict weighs as many as it stands for.",
    SENSITIVITY: "judged yes / yes by people: of what people say yes to, how much the judge finds. "
    "Wilson's 95 % interval; with weights, a ratio interval made from two of Wilson's.",
    SPECIFICITY: "judged no / no by people: of what people say no to, how much the judge turns "
    "away. Wilson's 95 % interval; with weights, a ratio interval made from two of Wilson's.",
    KAPPA: "(agreement - by chance) / (1 - by chance), where chance is that both say yes, or both "
    "no, with the rates each has. Misleads where nearly all is one verdict: read it beside AC1.",
    AC1: "(agreement - by chance) / (1 - by chance), where chance is 2q(1 - q) with q the mean "
    "rate of yes of both (Gwet).",
    RAW: "yes by the judge / valid verdicts, as if it never erred. Wilson's 95 % interval.",
    AUDITED: "yes by people / decided verdicts, weighted. Wilson's 95 % interval.",
    CORRECTED: "share of yes × confirmed share of the audited yes + share of no × share of the "
    "audited no that people call yes: prediction-powered inference, stratified by verdict. 95 % "
    "interval from W²p(1 - p)/n of each verdict, or Wilson's limits where few err.",
    ROGAN_GLADEN: "(rate + specificity - 1) / (sensitivity + specificity - 1). 95 % interval by "
    "the delta method. What leads outside 0 to 1 is put at the end and marked as clipped.",
    "ACC": "correct / answerable questions. Corrected: the correct are the corrected rate × the "
    "judged answers. Answers without a valid verdict are left out.",
    "DU-F1": "2tp / (2tp + fp + fn): tp = unanswerable called DATA / N, fp = answerable called "
    "DATA / M, fn = unanswerable called otherwise / M (released) or / N (balanced). M, the "
    "answerable not answered correctly, moves with the corrected number of correct ones.",
    "MU-F1": "2tp / (2tp + fp + fn): tp = answerable called MODEL / M, fp = unanswerable called "
    "MODEL / N, fn = the rest of M, / N (released) or / M (balanced). M moves as in DU-F1.",
}
"""How each number is made, in one breath."""


def judge_table(measured: JudgeAudit) -> pd.DataFrame:
    """How far a judge is right: measure, value, low, high, n, method and why."""
    shares = (AGREEMENT, SENSITIVITY, SPECIFICITY)
    rows: list[tuple[Any, ...]] = [
        (name, one.value, one.low, one.high, one.n, one.method, one.why)
        for name, one in ((name, getattr(measured, name)) for name in shares)
    ]
    for one in (measured.kappa, measured.ac1):
        why = one.why_undefined or one.why_no_interval
        rows.append((one.name, one.value, one.low, one.high, one.n_items, "", why))
    return _frame(rows, ["measure", "value", "low", "high", "n", "method", "why"])


def rate_table(rates: RateByTruth) -> pd.DataFrame:
    """The rate of yes in four ways: rate, value, low, high, n, clipped, method and why."""
    named = {
        RAW: rates.raw,
        AUDITED: rates.audited,
        CORRECTED: rates.corrected,
        ROGAN_GLADEN: rates.rogan_gladen,
    }
    rows = [
        (name, one.value, one.low, one.high, one.n, _clipped(one), one.method, one.why)
        for name, one in named.items()
    ]
    return _frame(rows, ["rate", "value", "low", "high", "n", "clipped", "method", "why"])


def crossed_table(measured: JudgeAudit) -> pd.DataFrame:
    """What the judge said against what people say, unweighted: all four squares, in n and as shares
    of the judge's verdict; a share of nothing is missing."""
    rows = []
    for judge in (YES, NO):
        total = sum(measured.counts[judge, people] for people in (YES, NO))
        for people in (YES, NO):
            n = measured.counts[judge, people]
            rows.append((judge, people, n, total, n / total if total else None))
    table = pd.DataFrame(rows, columns=["judge", "people", "n", "row_total", "share"])
    return table.astype({"share": float})


def metric_table(subjects: Sequence[SubjectMetrics]) -> pd.DataFrame:
    """ACC and both F1s of each subject as judged and corrected, with the ends of each interval."""
    rows = []
    for subject in subjects:
        for one in subject.metrics:
            name = f"{one.judged.name} {one.judged.form}".strip()
            values = (one.judged, one.corrected, one.rogan_gladen)
            numbers = [end for value in values for end in (value.value, value.low, value.high)]
            clipped = _clipped(one.rogan_gladen)
            why = "; ".join(dict.fromkeys(value.why for value in values if value.why))
            rows.append((subject.subject, name, *numbers, subject.n_audited, clipped, why))
    numbers = [
        f"{which}{end}"
        for which in ("judged", "corrected", "rogan_gladen")
        for end in ("", "_low", "_high")
    ]
    return _frame(rows, ["subject", "metric", *numbers, "audited", "clipped", "why"])


def votes_sentence(found: AuditStatistics) -> str:
    """How many verdicts are decided, and by what votes."""
    rest = {
        "unsure": found.n_unsure,
        "disputed": found.n_disputed,
        "still open": found.n_open,
        "left out, for their question was removed": found.n_out,
    }
    parts = [f"{found.n_decided:,} decided", *(f"{n:,} {name}" for name, n in rest.items() if n)]
    votes = f"{counted(found.n_votes, 'vote')} by {counted(found.n_auditors, 'person', 'people')}"
    blind = (
        "all without having seen the verdict"
        if not found.n_not_blind
        else f"{found.n_not_blind:,} of them after having seen the verdict"
    )
    said = f"{votes}, {blind}" if found.n_votes else "no votes yet"
    return f"{counted(found.audit.n_items, 'verdict')} = {' + '.join(parts)}; {said}."


def judge_reading(measured: JudgeAudit) -> list[str]:
    """What the shares of a judge and its agreement beyond chance say, a sentence each."""
    return [
        _share_reading("People confirm", "of the judge's verdicts", AGREEMENT, measured),
        _share_reading("The judge finds", "of what people say yes to", SENSITIVITY, measured),
        _share_reading("The judge turns away", "of what people say no to", SPECIFICITY, measured),
        *(_of_judge(one) for one in (measured.kappa, measured.ac1)),
    ]


def rate_reading(rates: RateByTruth) -> str:
    """What the audit does to the judge's rate of yes, in one sentence."""
    raw, found = rates.raw, rates.corrected
    if raw.value is None:
        return "The judge has given no verdict."
    judged = f"By the judge {percent(raw.value)} are yes"
    if found.value is None:
        return f"{judged}; what it is by the truth is {found.why}."
    corrected = f"{percent(found.value)} by the truth, as far as the audit tells"
    if found.low is None:
        return f"{judged}, and {corrected}."
    ends = f"{percent(found.low)} to {percent(found.high)}"
    inside = found.low <= raw.value <= found.high
    verdict = "which leaves the judge's number possible" if inside else "which rules it out"
    return f"{judged}, and {corrected} (95 % interval {ends}), {verdict}."


def metric_reading(subject: SubjectMetrics) -> str:
    """What the judge's errors do to a subject's accuracy, in one sentence."""
    acc = subject.metrics[0]
    if acc.judged.value is None:
        return f"ACC of {subject.subject} is {acc.judged.why}."
    told = f"ACC of {subject.subject} is {acc.judged.value:.3f} as judged"
    if acc.corrected.value is None:
        told += f"; corrected it is {acc.corrected.why}"
    else:
        told += f" and {acc.corrected.value:.3f} as corrected"
        if acc.corrected.low is not None:
            told += f" (95 % interval {acc.corrected.low:.3f} to {acc.corrected.high:.3f})"
        told += f", by {counted(subject.n_audited, 'audited answer')}"
    if subject.counts.unjudged:
        told += (
            f"; {counted(subject.counts.unjudged, 'answer')} without a valid verdict count nowhere"
        )
    return f"{told}."


def _share_reading(start: str, end: str, name: str, measured: JudgeAudit) -> str:
    share: Estimate = getattr(measured, name)
    if share.value is None:
        return f"{name.capitalize()} is {share.why}."
    ends = f"95 % interval {percent(share.low)} to {percent(share.high)}"
    return f"{start} {percent(share.value)} {end} ({ends}, n = {share.n:,})."


def _of_judge(statistic: Statistic) -> str:
    # The words are for people who judged alike; here one of the two is the judge.
    told = plain_reading(statistic)
    return told.replace(", 2 people)", ")").replace("how far people agree", "how far they agree")


def _clipped(value: TrueRate | CorrectedValue) -> str:
    return "clipped" if value.clipped and value.value is not None else ""


def _frame(rows: Sequence[tuple[Any, ...]], columns: list[str]) -> pd.DataFrame:
    """The rows with their numbers as floats, and without columns of words that say nothing."""
    frame = pd.DataFrame(rows, columns=columns)
    words = {"clipped", "why", "method"}
    drop = [name for name in columns if name in words and not frame[name].any()]
    texts = {"measure", "rate", "subject", "metric", "n", "audited", *words}
    numbers = dict.fromkeys((name for name in columns if name not in texts), float)
    return frame.astype(numbers).drop(columns=drop)


def percent(share: float) -> str:
    """A share as people read it.

    Example:
        >>> percent(0.8395)
        '84.0 %'
    """
    return f"{100 * share:.1f} %"


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "vote"), counted(2, "person", "people")
        ('1 vote', '2 people')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
