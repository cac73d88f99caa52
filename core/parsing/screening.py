"""Reads a screening judge's verdict on a generated task: sound, or malformed for one reason.

The written rule. A reply is refused, truncated or empty as any other (`core.parsing.endings`), and
thinking is no part of it. What is left must hold one object with the key `verdict`, alone, in a
fence, or with prose around it; given more than once it must say the same each time, and the prose
must not state another verdict. Then values count as a whole, whatever their case:

* `verdict` is `sound` or `malformed`, and no other word;
* beside `sound` there is no reason: none given, an empty text, or a word for none;
* beside `malformed` there is exactly one code on offer, where a space or hyphen may stand for an
  underscore;
* `why` is taken as it stands. Where it is missing the verdict counts all the same, with a note.

All else is unparsable: a verdict is never guessed, and never taken apart from its reason.
"""

import re
from collections.abc import Sequence
from typing import Any

from core.parsing.endings import ended_early, is_blank, is_decline, note, shown, shown_end
from core.parsing.literals import Number, json_text
from core.parsing.objects import Found, find_objects, holders, values_of
from core.records import Outcome, Reading

SOUND, MALFORMED = "sound", "malformed"

SCREENING_REASONS = (
    "malformed",
    "states_feasibility",
    "needs_missing_data",
    "wrong_language",
    "unsafe",
)
"""What a judge can tell from the text of one task, as the codes a person gives for a removal.

A duplicate shows in other tasks only. Whether a task is of the wrong type is what a study measures:
a judge who took out the tasks it files elsewhere would leave those on which models agree.
"""

_FIELDS = ("verdict", "reason", "why")
_NO_REASON = frozenset({"", "none", "n/a", "na", "null", "not applicable", "-"})
_AROUND = " \t\r\n\"'`*."
_STATED = re.compile(
    r"\bverdict\W{1,8}(sound|malformed)\b(?![\"'`*]*\s*(?:\||/|,?\s*or\b))", re.IGNORECASE
)


def parse_screening(
    text: str | None,
    *,
    finish_reason: str | None = "stop",
    refusal: str | None = None,
    reasons: Sequence[str] = SCREENING_REASONS,
) -> Reading:
    """What a reply `{"verdict": …, "reason": …, "why": …}` says about a task.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.
        reasons: the codes on offer.

    Returns:
        outcome ok with the verdict as `label`, for a malformed task its `reason`, and the judge's
        sentence as `answer`; else refused, truncated, empty or unparsable, with a note that says
        why.

    Example:
        >>> read = parse_screening('{"verdict": "malformed", "reason": "unsafe", "why": "Gore."}')
        >>> read.label, read.reason, read.answer
        ('malformed', 'unsafe', 'Gore.')
        >>> parse_screening('{"verdict": "sound", "reason": "unsafe", "why": ""}').note
        "sound, but with the reason 'unsafe'"
    """
    if early := ended_early(text, finish_reason, refusal):
        return early
    assert text is not None
    found = find_objects(text, _FIELDS[0])
    if found.in_thinking:
        return Reading(
            Outcome.TRUNCATED,
            note=note(f"thinking was never closed; the reply ends: {shown_end(text)}"),
        )
    whole = _one_object(found)
    return whole if isinstance(whole, Reading) else _verdict(whole, found, reasons)


def _one_object(found: Found) -> Reading | dict[Any, Any]:
    wholes = [whole for item in found.objects for whole in holders(item, _FIELDS[0])]
    if not wholes:
        return _no_object(found)
    for whole in wholes:
        if any(len(set(map(json_text, values_of(whole, name)))) > 1 for name in _FIELDS):
            return _unparsable("one key is given twice with different values")
    said = {json_text([values_of(whole, name)[:1] for name in _FIELDS]) for whole in wholes}
    if len(said) > 1:
        return _unparsable(f"{len(said)} different verdicts in one reply")
    return wholes[0]


def _no_object(found: Found) -> Reading:
    text = found.rest.strip()
    if found.unread:
        return _unparsable(f"the object with verdict cannot be read: {found.unread}")
    if found.objects:
        keys = ", ".join(map(str, found.objects[0])) or "no keys"
        return _unparsable(f"no object has the key verdict; the first has: {keys}")
    if is_blank(text):
        return Reading(Outcome.EMPTY, note="nothing follows the thinking")
    if is_decline(text):
        return Reading(Outcome.REFUSED, note=note(f"declined in words: {shown(text, 100)}"))
    return _unparsable(f"no object in the reply, which begins: {shown(text)}")


def _verdict(whole: dict[Any, Any], found: Found, reasons: Sequence[str]) -> Reading:
    stated, given, whys = (values_of(whole, name) for name in _FIELDS)
    label = _word(stated[0])
    if label not in (SOUND, MALFORMED):
        return _unparsable(f"the verdict is {shown(_plain(stated[0]))}, wanted sound or malformed")
    for match in _STATED.finditer(found.rest):
        if match.group(1).casefold() != label:
            return _unparsable(f"the text around the object says {shown(match.group())}")
    reason, word = given[0] if given else None, _word(given[0]) if given else ""
    is_none = reason is None or word in _NO_REASON
    if label == SOUND and not is_none:
        return _unparsable(f"sound, but with the reason {shown(_plain(reason))}")
    if label == MALFORMED and is_none:
        return _unparsable("malformed, but no reason is given")
    code = re.sub(r"[\s-]+", "_", word or "")
    if label == MALFORMED and code not in reasons:
        return _unparsable(f"malformed for an unknown reason: {shown(_plain(reason))}")
    oddities = [f"beside it, an object cannot be read: {found.unread}"] if found.unread else []
    why = whys[0] if whys else None
    if why is not None and type(why) is not str:
        oddities.append("the why was no text and is kept as JSON")
        why = json_text(why)
    if why is None or is_blank(why):
        oddities.append("it does not say why")
    return Reading(
        Outcome.OK,
        label=label,
        reason=code if label == MALFORMED else None,
        answer=why,
        note=note(*oddities),
    )


def _word(value: Any) -> str | None:
    return value.strip(_AROUND).casefold() if type(value) is str else None


def _plain(value: Any) -> str:
    return value if isinstance(value, str) and not isinstance(value, Number) else json_text(value)


def _unparsable(why: str) -> Reading:
    return Reading(Outcome.UNPARSABLE, note=note(why))
