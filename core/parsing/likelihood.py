"""Reads a stated likelihood of success, alone or with the decision on a contract.

The written rule. A reply is refused, truncated or empty as any other (`core.parsing.endings`), and
thinking is no part of it. `LIKELIHOOD OF SUCCESS:` and `DECISION:` are labels in any case, with
emphasis, quotation marks and line breaks around their words or not; the colon makes the label. A
label states what follows it up to the end of the sentence or the line, or up to the next label:

* a likelihood is one percentage by the rule of `core.parsing.percent`;
* a decision begins with the word yes or no, and does not hold the other one too.

The form itself, `X%` or a choice such as `YES|NO`, states nothing. Said again, it must be the same:
of two likelihoods or two decisions neither is chosen, and one that cannot be read is not passed
over. A contract (`parse_decision`) needs both. A likelihood (`parse_likelihood`) may come without
its label, as the one percentage of the reply.

All else is unparsable, so that the question can be put again.
"""

import re

from core.parsing.endings import shown
from core.parsing.one_object import unparsable
from core.parsing.percent import read_percentage
from core.parsing.thinking import spoken_text
from core.records import Outcome, Reading

_LIKELIHOOD, _DECISION = "likelihood of success", "decision"
_MARKS = r"[\s*_`\"'(\[]*+"
_LABEL = re.compile(
    rf"(?<![^\W_])(likelihood\s+of\s+success|decision)[\s*_`\"']*+[:：]{_MARKS}", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?:[^\n.;!?]++|[.;!?](?![\s\"'*_`)\]]|$))*+")
_WORD = re.compile(r"(?<![^\W_])(yes|no)(?![^\W_])", re.IGNORECASE)
_CHOICE = re.compile(r"(?:yes|no)\W*(?:[|/]|\bor\b)\W*(?:yes|no)(?![^\W_])", re.IGNORECASE)


def parse_decision(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    """What a reply `LIKELIHOOD OF SUCCESS: X%. DECISION: YES|NO` says about a contract.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.

    Returns:
        outcome ok with yes or no as `label` and the likelihood in [0, 1] as `value`; else refused,
        truncated, empty or unparsable, with a note that says why.

    Example:
        >>> read = parse_decision("LIKELIHOOD OF SUCCESS: 70%. DECISION: YES")
        >>> read.value, read.label
        (0.7, 'yes')
        >>> parse_decision("LIKELIHOOD OF SUCCESS: 70%. I accept.").note
        "no DECISION: in the reply, which begins: 'LIKELIHOOD OF SUCCESS: 70%. I accept.'"
    """
    said = spoken_text(text, finish_reason=finish_reason, refusal=refusal)
    if isinstance(said, Reading):
        return said
    likelihood = _stated_likelihood(said)
    if likelihood is None:
        return _unlabelled(_LIKELIHOOD, said)
    if likelihood.outcome is not Outcome.OK:
        return likelihood
    decisions = [one for one in _stated(said, _DECISION) if not _CHOICE.match(one)]
    if not decisions:
        return _unlabelled(_DECISION, said)
    labels = set()
    for one in decisions:
        words = {word.casefold() for word in _WORD.findall(one)}
        if not _WORD.match(one) or len(words) > 1:
            return unparsable(f"the decision is {shown(one)}, wanted YES or NO")
        labels |= words
    if len(labels) > 1:
        return unparsable("2 different decisions")
    return Reading(Outcome.OK, label=labels.pop(), value=likelihood.value)


def parse_likelihood(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    """The likelihood of success that a reply states, with its label or as its one percentage.

    Args:
        text, finish_reason, refusal: as in `parse_decision`.

    Returns:
        outcome ok with the likelihood in [0, 1] as `value`; else refused, truncated, empty or
        unparsable, with a note that says why.

    Example:
        >>> parse_likelihood("2 of 5 tests pass (40%). **Likelihood of success:** 85 %").value
        0.85
        >>> parse_likelihood("85%").value
        0.85
    """
    said = spoken_text(text, finish_reason=finish_reason, refusal=refusal)
    if isinstance(said, Reading):
        return said
    return _stated_likelihood(said) or read_percentage(said)


def _stated_likelihood(text: str) -> Reading | None:
    """The reading of the labelled likelihoods; None when there is no label, or only the form."""
    stated = [one for one in _stated(text, _LIKELIHOOD) if not re.match(r"(?i)x ?%", one)]
    readings = [read_percentage(one) for one in stated]
    if unread := next((one for one in readings if one.outcome is not Outcome.OK), None):
        return unread
    if len({one.value for one in readings}) > 1:
        return unparsable(f"different likelihoods: {', '.join(map(shown, stated))}")
    return readings[0] if readings else None


def _stated(text: str, name: str) -> list[str]:
    """What each label of that name states, in the order of the text."""
    labels = list(_LABEL.finditer(text))
    ends = [*(label.start() for label in labels), len(text)][1:]
    return [
        _SENTENCE.match(text, label.end(), end).group()
        for label, end in zip(labels, ends, strict=True)
        if " ".join(label[1].split()).casefold() == name
    ]


def _unlabelled(name: str, text: str) -> Reading:
    return unparsable(f"no {name.upper()}: in the reply, which begins: {shown(text.strip())}")
