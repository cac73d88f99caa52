"""Metrics of uncertainty attribution: can a model tell a question's fault from its own limits?

Questions and what becomes of them are those of `core.metrics.attribution_counts`. N unanswerable
questions are what DATA_UNCERTAIN is right for; M answerable questions that were not answered
correctly are what MODEL_UNCERTAIN is right for.

F1 comes in two forms. Both divide true positives by the size of the label's own set and false
positives by the other's. `released` divides false negatives by the *other* set's size, as the
published code does, so it compares with published numbers. `balanced` divides them by their own
set's, so that recall is what the word says. They differ whenever N and M do, and no number is
shown without its form.

An answer that the judge gave no verdict on is neither right nor wrong: it enters no metric, and
is counted. A metric that is 0/0 is None, "not defined", and says why.

Source: "UA-Bench", the definitions behind its tables, and its released code.
"""

from dataclasses import dataclass
from typing import Literal

from core.errors import InputError
from core.metrics.attribution_counts import AttributionCounts
from core.metrics.intervals import ratio_interval, wilson_interval

Form = Literal["released", "balanced"]

WILSON = "Wilson's interval"
MOVER_R = "ratio interval from two of Wilson's (MOVER-R)"

_NO_N = "there is no unanswerable question"
_NO_M = "every answerable question was answered correctly"
_NO_ANSWERABLE_ONE = "there is no answerable question with an outcome"
_NO_ANSWERABLE = "no answerable question has an outcome"


@dataclass(frozen=True)
class AttributionMetric:
    """One metric in [0, 1] with its 95 % interval.

    Args:
        name: "ACC", "DU-F1" or "MU-F1".
        form: "released" or "balanced" for an F1; empty for ACC, which has one form.
        value: None where not defined.
        low: lower end of the interval, None with the value.
        high: upper end.
        n: questions the metric rests on.
        method: how the interval was made; empty where there is none.
        why: a sentence, empty where there is a value.
    """

    name: str
    form: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str = ""
    why: str = ""


def accuracy(counts: AttributionCounts) -> AttributionMetric:
    """Share of the answerable questions that were answered correctly; Wilson's interval.

    An answerable question left open or with an unreadable reply counts against it.

    Returns:
        correct / answerable; not defined without an answerable question.

    Example:
        >>> accuracy(AttributionCounts(correct=3, wrong=1, answerable_data=1, unjudged=9)).value
        0.6
    """
    n = counts.n_answerable
    if not n:
        return AttributionMetric("ACC", "", None, None, None, 0, why=_undefined(_NO_ANSWERABLE))
    low, high = wilson_interval(counts.correct, n)
    return AttributionMetric("ACC", "", counts.correct / n, low, high, n, WILSON)


def accuracy_bounds(counts: AttributionCounts) -> tuple[float, float] | None:
    """What ACC would be if every answer without a verdict were wrong, and if all were right.

    Returns:
        (lowest, highest), equal when no verdict is missing; None without an answerable question.

    Example:
        >>> accuracy_bounds(AttributionCounts(correct=3, wrong=1, unjudged=2))
        (0.5, 0.8333333333333334)
    """
    n = counts.n_answerable + counts.unjudged
    return (counts.correct / n, (counts.correct + counts.unjudged) / n) if n else None


def data_uncertainty_f1(counts: AttributionCounts, *, form: Form) -> AttributionMetric:
    """DU-F1: does DATA_UNCERTAIN go to the unanswerable questions, and to no other?

    F1 = 2tp / (2tp + fp + fn) with tp = unanswerable labelled DATA / N, fp = answerable labelled
    DATA / M, and fn = unanswerable labelled otherwise, over M (`released`) or N (`balanced`).
    1 is perfect, 0 means that the label never met an unanswerable question.

    Args:
        form: see the module's docstring.

    Returns:
        the metric; not defined when N or M is 0. Its interval takes the two sets as drawn, and
        the shares of the label in them as independent. It is never of width zero.

    Raises:
        InputError: there is no such form.

    Source: the interval of A. Donner and G. Y. Zou, 2012, doi:10.1177/0962280210383082.

    Example:
        >>> counts = AttributionCounts(correct=5, wrong=4, answerable_data=1, unanswerable_data=6,
        ...                            unanswerable_answered=4)
        >>> round(data_uncertainty_f1(counts, form="balanced").value, 4)  # 1.2 / (1.2 + .2 + .4)
        0.6667
        >>> round(data_uncertainty_f1(counts, form="released").value, 4)  # fn is 4 / 5 here
        0.5455
    """
    own = counts.unanswerable_data, counts.n_unanswerable
    other = counts.answerable_data, counts.n_not_correct
    return _f1("DU-F1", own, other, form, has_answerable=counts.n_answerable > 0)


def model_uncertainty_f1(counts: AttributionCounts, *, form: Form) -> AttributionMetric:
    """MU-F1: does MODEL_UNCERTAIN go to the answerable questions that were beyond the subject?

    As `data_uncertainty_f1`, with the two sets in each other's place: tp = answerable labelled
    MODEL / M, fp = unanswerable labelled MODEL / N, fn over N (`released`) or M (`balanced`).

    Raises:
        InputError: there is no such form.

    Example:
        >>> counts = AttributionCounts(correct=5, wrong=2, answerable_model=3, unanswerable_data=9,
        ...                            unanswerable_model=1)
        >>> round(model_uncertainty_f1(counts, form="balanced").value, 4)  # 1.2 / (1.2 + .1 + .4)
        0.7059
    """
    own = counts.answerable_model, counts.n_not_correct
    other = counts.unanswerable_model, counts.n_unanswerable
    return _f1("MU-F1", own, other, form, has_answerable=counts.n_answerable > 0)


def attribution_metrics(counts: AttributionCounts) -> list[AttributionMetric]:
    """ACC, then DU-F1 and MU-F1, each in its released and its balanced form.

    Example:
        >>> found = attribution_metrics(AttributionCounts(wrong=1, unanswerable_data=1))
        >>> [(one.name, one.form, one.value) for one in found][:2]
        [('ACC', '', 0.0), ('DU-F1', 'released', 1.0)]
    """
    return [
        accuracy(counts),
        *(
            f1(counts, form=form)
            for f1 in (data_uncertainty_f1, model_uncertainty_f1)
            for form in ("released", "balanced")
        ),
    ]


def _f1(
    name: str, own: tuple[int, int], other: tuple[int, int], form: str, *, has_answerable: bool
) -> AttributionMetric:
    if form not in ("released", "balanced"):
        raise InputError(f"there is no form {form!r}", hint="the forms are released and balanced")
    (found, n_own), (strayed, n_other) = own, other
    n = n_own + n_other
    if not n_own or not n_other:
        unanswerable, not_correct = (own, other) if name == "DU-F1" else (other, own)
        no_m = _NO_M if has_answerable else _NO_ANSWERABLE_ONE
        causes = [why for (_, n), why in ((unanswerable, _NO_N), (not_correct, no_m)) if not n]
        return AttributionMetric(
            name, form, None, None, None, n, why=_undefined(" and ".join(causes))
        )
    recall, fp = found / n_own, strayed / n_other
    fn = (n_own - found) / (n_other if form == "released" else n_own)
    value = 2 * recall / (2 * recall + fp + fn)
    # fn = r(1 - recall), so F1 = 2x / (1 + (2 - r)x) rises with the ratio x = recall / (fp + r),
    # whose two parts are shares of different questions: an interval of x is one of F1.
    r = n_own / n_other if form == "released" else 1.0
    below = tuple(end + r for end in wilson_interval(strayed, n_other))
    ends = ratio_interval(recall, wilson_interval(found, n_own), fp + r, below)
    low, high = (2 * x / (1 + (2 - r) * x) for x in (ends[0], min(ends[1], 1 / r)))
    # Rounding must not put the value beside an end it equals.
    return AttributionMetric(name, form, value, min(low, value), max(high, value), n, MOVER_R)


def _undefined(why: str) -> str:
    return f"not defined: {why}"
