"""What can be said of a reply before anybody reads it: refused, truncated, or empty.

Every parser asks here first, so that all kinds of reply end in the same way; and every parser
writes its notes with the helpers below.
"""

import re
import unicodedata

from core.records import Outcome, Reading

NOTE_LENGTH = 160
"""Characters of a note at most."""

# As the providers put it, in lower case with underscores.
_STOPPED_BY_FILTER = frozenset(
    {
        "content_filter",
        "content_filtered",
        "refusal",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "guardrail_intervened",
    }
)
_STOPPED_BY_LENGTH = frozenset(
    {
        "length",
        "max_tokens",
        "max_output_tokens",
        "model_length",
        "model_context_window_exceeded",
    }
)

_BLANK_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_BLANK_CHARACTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)

_DECLINE_LENGTH = 600
_DECLINE = re.compile(
    r"\W*"
    r"(?:(?:i['’]m|i am) (?:\w+ )?(?:sorry|afraid)|sorry|my apologies|i apologi[sz]e|"
    r"unfortunately)?"
    r"[\s,.;:!—–-]*(?:but|however)?[\s,]*"
    r"(?:as an? [\w ,-]{1,80}?)?"
    r"\b(?:i|we)(?: am|['’]m)?(?: (?:really|just|simply|also))?"
    r" ?(?:can(?:no|['’])t|can not|will not|won['’]t|must decline|have to decline|decline|refuse|"
    r"unable to|not able to|not comfortable|do not feel comfortable|don['’]t feel comfortable)\b"
    r"(?! (?:wait|tell|say|determine|decide)\b)",
    re.IGNORECASE,
)
_SAYS_CLASS = re.compile(r"\b(?:in)?feasible\b", re.IGNORECASE)


def ended_early(text: str | None, finish_reason: str | None, refusal: str | None) -> Reading | None:
    """The reading of a reply that needs no look at what it says, else None.

    The provider's word comes first: a refusal or a filter, then the length limit, even where the
    text up to it could be read; then a text that shows nothing.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.

    Example:
        >>> ended_early('{"task": "x"}', "length", None).outcome.value
        'truncated'
        >>> ended_early('{"task": "x"}', "stop", None) is None
        True
    """
    ended = (finish_reason or "").strip().casefold().replace("-", "_")
    if refusal and not is_blank(refusal):
        return Reading(Outcome.REFUSED, note=note(f"the model refused: {shown(refusal, 100)}"))
    if ended in _STOPPED_BY_FILTER:
        return Reading(Outcome.REFUSED, note=f"stopped by the provider's filter ({ended})")
    if ended in _STOPPED_BY_LENGTH:
        tail = f"; the reply ends: {shown_end(text)}" if text else " before any text"
        return Reading(Outcome.TRUNCATED, note=note(f"stopped at the length limit{tail}"))
    if text is None or is_blank(text):
        return Reading(Outcome.EMPTY, note="the reply holds no visible text")
    return None


def is_decline(text: str) -> bool:
    """Whether a reply in plain words is a refusal: short, and it begins by declining.

    The rule is narrow. The text has at most 600 characters, and its first words say in the first
    person that the writer will not or cannot, perhaps after an apology. A text that says feasible
    or infeasible talks about the task and is no refusal. English only.

    Example:
        >>> is_decline("I'm sorry, but I can't help with that.")
        True
        >>> is_decline("I cannot do this, so it is infeasible."), is_decline("Sorry for the wait!")
        (False, False)
    """
    is_short = len(text) <= _DECLINE_LENGTH
    return is_short and bool(_DECLINE.match(text)) and not _SAYS_CLASS.search(text)


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: white space, zero-width and other invisible characters.

    Example:
        >>> is_blank(" \\u200b\\n"), is_blank("0")
        (True, False)
    """
    return all(
        unicodedata.category(mark) in _BLANK_CATEGORIES or mark in _BLANK_CHARACTERS
        for mark in text.strip()
    )


def shown(text: str, length: int = 60) -> str:
    """The beginning of a text on one line in quotes, for a note.

    Example:
        >>> shown("a long\\nstory", 8)
        "'a long …'"
    """
    line = " ".join(text[: 4 * length].split())
    return repr(line if len(line) <= length else line[: length - 1] + "…")


def shown_end(text: str, length: int = 60) -> str:
    """The end of a text on one line in quotes, for a note.

    Example:
        >>> shown_end("a long\\nstory", 8)
        "'…g story'"
    """
    line = " ".join(text[-4 * length :].split())
    return repr(line if len(line) <= length else "…" + line[1 - length :])


def note(*parts: str) -> str:
    """A reading's note from its parts, no longer than `NOTE_LENGTH`.

    Example:
        >>> note("one thing", "another")
        'one thing; another'
    """
    text = "; ".join(parts)
    return text if len(text) <= NOTE_LENGTH else text[: NOTE_LENGTH - 1] + "…"
