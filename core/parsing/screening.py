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

from core.parsing.endings import is_blank, note, shown
from core.parsing.literals import json_text
from core.parsing.objects import Found, values_of
from core.parsing.one_object import (
    agreeing_objects,
    find_in_reply,
    plain_text,
    plain_word,
    stated_otherwise,
    statement_of,
    unparsable,
)
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
_STATED = statement_of(r"\bverdict", (SOUND, MALFORMED))


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
    found = find_in_reply(text, _FIELDS[0], finish_reason=finish_reason, refusal=refusal)
    if isinstance(found, Reading):
        return found
    wholes = agreeing_objects(found, _FIELDS, differing="verdicts in one reply")
    return wholes if isinstance(wholes, Reading) else _verdict(wholes[0], found, reasons)


def _verdict(whole: dict[Any, Any], found: Found, reasons: Sequence[str]) -> Reading:
    stated, given, whys = (values_of(whole, name) for name in _FIELDS)
    label = plain_word(stated[0])
    if label not in (SOUND, MALFORMED):
        return unparsable(
            f"the verdict is {shown(plain_text(stated[0]))}, wanted sound or malformed"
        )
    if otherwise := stated_otherwise(found, _STATED, label):
        return otherwise
    reason, word = given[0] if given else None, plain_word(given[0]) if given else ""
    is_none = reason is None or word in _NO_REASON
    if label == SOUND and not is_none:
        return unparsable(f"sound, but with the reason {shown(plain_text(reason))}")
    if label == MALFORMED and is_none:
        return unparsable("malformed, but no reason is given")
    code = re.sub(r"[\s-]+", "_", word or "")
    if label == MALFORMED and code not in reasons:
        return unparsable(f"malformed for an unknown reason: {shown(plain_text(reason))}")
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
