r"""Reads the one percentage that a reply states, as a probability.

The written rule. A reply is refused, truncated or empty as any other (`core.parsing.endings`), and
thinking is no part of it. What is left must state one percentage, with any prose around it:

* a number in digits, then `%`, `\%`, `percent` or `per cent`, with space or emphasis between them
  or not: a number alone is none, since 1 could be 1 % or all of it;
* a decimal point with digits on both sides of it, or a comma with one or two digits after it:
  `1,000%` is not guessed;
* between 0 and 100, both included;
* stated once, or always the same: of two different percentages neither is chosen;
* by itself: no sign, no end of a range, no bound (`>99%`, `more than an 80% chance`, `80%+`),
  nothing denied or only approached (`not 80%`, `almost 100%`). About 80 % is 80 %, as an estimate
  is;
* of success: what is said to be a chance of failure (`30% risk of failing`) is not turned round;
* and no other `%` without a number that can be read (`8O%`, `X%`).

All else is unparsable, so that the question can be put again. English only.
"""

import re

from core.parsing.endings import shown
from core.parsing.one_object import unparsable
from core.parsing.thinking import spoken_text
from core.records import Outcome, Reading

_PERCENTAGE = re.compile(
    r"(?:(?<![\w.,])(?P<number>[0-9]++(?:\.[0-9]++|,[0-9]{1,2}+(?![0-9]))?+)[\s*_`]{0,6})?+"
    r"(?P<unit>\\?%|per ?cent\b)",
    re.IGNORECASE,
)
_LOOKED_AT = 40  # characters before a number in which a range or a bound can begin
_MARKS = (
    r"(?:[\s*_`~≈\"'(\[$]"
    r"|\b(?:about|around|roughly|approximately|maybe|perhaps|an?|the|quite|even)\b)*"
)
_CHANCE = r"(?:chances?|likelihood|likely|probability|risk|certain)"
_NOT_ALONE_BEFORE = re.compile(
    r"(?:"
    r"[<>≤≥≲≳±+−/^]|n['’]t"
    r"|[-–—]"  # but for a dash that stands where a colon could: `success - 85%`
    r"|[0-9][\s*_`]*(?:\\?%|per ?cent)?[\s*_`]*(?:[,…→]|\b(?:to|and|or|through)\b)"
    r"|\b(?:than|at (?:least|most|best|worst|minimum|maximum)|over|under|above|below|beyond|up to"
    r"|out of|exceed(?:s|ing)?|between|almost|near(?:ly)?|close to|not|minus|negative"
    r"|(?:min|max)(?:imum|\.)?(?: of)?)"
    rf"){_MARKS}$|[0-9][ '’\u00a0\u2009\u202f]+$",
    re.IGNORECASE,
)
_DASH_FOR_COLON = re.compile(r"[^\W\d_][*_`\"')\]]*\s+[-–—]\s[\s*_`]*$")
_NOT_ALONE_AFTER = re.compile(
    rf"[\s*_`]{{0,6}}(?:{_CHANCE}[\s*_`]{{0,6}})?(?:[+±]|[-–—/] ?[0-9]"
    r"|(?:or|and) (?:more|less|higher|lower|above|below|better|worse|greater|over|under|up)\b"
    r"|(?:at (?:least|most|best|worst)|(?:at )?(?:min|max)(?:imum)?)\b)",
    re.IGNORECASE,
)
_FAILURE = r"fail(?:s|ed|ing|ures?)?\b"
_OF_FAILURE_BEFORE = re.compile(rf"\b{_FAILURE}[^0-9.,;!?%\n]{{0,20}}$", re.IGNORECASE)
_OF_FAILURE_AFTER = re.compile(
    rf"[\s*_`]{{0,6}}(?:{_CHANCE} )?(?:of|to|that (?:I|it|my \w+)(?: will| would| may)?) "
    rf"{_FAILURE}",
    re.IGNORECASE,
)


def parse_percent(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    """The probability that a reply states as a percentage.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.

    Returns:
        outcome ok with the probability in [0, 1] as `value`; else refused, truncated, empty or
        unparsable, with a note that says why.

    Example:
        >>> parse_percent("I would say **85%**.").value, parse_percent("12,5 percent").value
        (0.85, 0.125)
        >>> parse_percent("80-90%").note
        "the percentage is a bound, a range or signed: '80-90%'"
    """
    said = spoken_text(text, finish_reason=finish_reason, refusal=refusal)
    return said if isinstance(said, Reading) else read_percentage(said)


def read_percentage(text: str) -> Reading:
    """The reading of a text that should state one percentage, by the rule above.

    Example:
        >>> read_percentage("100%").value
        1.0
        >>> read_percentage("60% at first, now 70%").note
        '2 different percentages: 60%, 70%'
    """
    values: dict[float, str] = {}
    for found in _PERCENTAGE.finditer(text):
        start, end = found.span()
        around = shown(text[max(start - 20, 0) : end + 20])
        if not found["number"]:
            if "%" in found["unit"]:
                return unparsable(f"a percent sign without a number: {around}")
            continue
        before = text[max(start - _LOOKED_AT, 0) : start]
        is_end = _NOT_ALONE_BEFORE.search(before) and not _DASH_FOR_COLON.search(before)
        if is_end or _NOT_ALONE_AFTER.match(text, end):
            return unparsable(f"the percentage is a bound, a range or signed: {around}")
        if _OF_FAILURE_BEFORE.search(before) or _OF_FAILURE_AFTER.match(text, end):
            return unparsable(f"the percentage is one of failure: {around}")
        # Scaled as text: 12.3 / 100 need not be the number nearest to 0.123.
        value = float(found["number"].replace(",", ".") + "e-2")
        if value > 1:
            return unparsable(f"more than 100 percent: {around}")
        values.setdefault(value, found.group())
    if not values:
        return unparsable(f"no percentage, such as 70%, in: {shown(text.strip())}")
    if len(values) > 1:
        return unparsable(f"{len(values)} different percentages: {', '.join(values.values())}")
    return Reading(Outcome.OK, value=next(iter(values)))
