"""The one object that a reply should be, whatever stands in it: shared by the parsers of replies.

Every reply ends in the same way before its object is looked at (`find_in_reply`), and an object
given more than once must say the same each time (`agreeing_objects`).
"""

import re
from collections.abc import Sequence
from typing import Any

from core.parsing.endings import ended_early, is_blank, is_decline, note, shown
from core.parsing.literals import Number, json_text
from core.parsing.objects import Found, find_objects, holders, values_of
from core.parsing.thinking import NOTHING_SAID, unclosed
from core.records import Outcome, Reading


def find_in_reply(
    text: str | None, key: str, *, finish_reason: str | None, refusal: str | None
) -> Reading | Found:
    """What a reply holds outside its thinking; or its reading, when there is nothing to look at.

    Args:
        text, finish_reason, refusal: the reply, as the provider returned it.
        key: the key that the wanted object has, in lower case.

    Example:
        >>> find_in_reply("<think>so", "task", finish_reason="stop", refusal=None).note
        "thinking was never closed; the reply ends: '<think>so'"
    """
    if early := ended_early(text, finish_reason, refusal):
        return early
    assert text is not None
    found = find_objects(text, key)
    if found.in_thinking:
        return unclosed(text)
    if not found.objects and is_blank(found.rest):
        return NOTHING_SAID
    return found


def agreeing_objects(
    found: Found, fields: Sequence[str], *, differing: str
) -> Reading | list[dict[Any, Any]]:
    """The objects with the first of the fields, which all say the same; or the reading without.

    Args:
        found: what the reply holds.
        fields: the keys that count, in lower case; what other keys say may differ.
        differing: what objects that differ are called in the note.

    Example:
        >>> found = find_objects('{"a": "x"} {"A": "x", "b": "y"}', "a")
        >>> agreeing_objects(found, ["a"], differing="answers")
        [{'a': 'x'}, {'A': 'x', 'b': 'y'}]
        >>> agreeing_objects(found, ["a", "b"], differing="answers").note
        '2 different answers'
    """
    wholes = [whole for item in found.objects for whole in holders(item, fields[0])]
    if not wholes:
        return _no_object(found, fields[0])
    if any(len(set(map(json_text, values_of(w, name)))) > 1 for w in wholes for name in fields):
        return unparsable("one key is given twice with different values")
    said = {json_text([values_of(whole, name)[:1] for name in fields]) for whole in wholes}
    return unparsable(f"{len(said)} different {differing}") if len(said) > 1 else wholes


def statement_of(key: str, words: Sequence[str]) -> re.Pattern[str]:
    """A pattern for prose that states a word for a key, as its group 1; a choice states none.

    Example:
        >>> pattern = statement_of("class", ["yes", "no"])
        >>> [found[1] for found in pattern.finditer("class: yes or no? **Class**: No.")]
        ['No']
    """
    return re.compile(
        rf"{key}\W{{1,8}}({'|'.join(words)})\b(?![\"'`*]*\s*(?:\||/|,?\s*or\b))", re.IGNORECASE
    )


def stated_otherwise(found: Found, pattern: re.Pattern[str], word: str | None) -> Reading | None:
    """The reading of a reply whose text around the object states another word, else None."""
    for match in pattern.finditer(found.rest):
        if match.group(1).casefold() != word:
            return unparsable(f"the text around the object says {shown(match.group())}")
    return None


def plain_word(value: Any) -> str | None:
    """A value in lower case without the marks around it; None when it is no text.

    Example:
        >>> plain_word(" `Sound`. "), plain_word(1)
        ('sound', None)
    """
    return value.strip(" \t\r\n\"'`*.").casefold() if type(value) is str else None


def plain_text(value: Any) -> str:
    """A value as text: as it is, or as JSON where it is no text."""
    return value if isinstance(value, str) and not isinstance(value, Number) else json_text(value)


def unparsable(why: str) -> Reading:
    """The reading of a reply that does not say what was wanted."""
    return Reading(Outcome.UNPARSABLE, note=note(why))


def _no_object(found: Found, key: str) -> Reading:
    if found.unread:
        return unparsable(f"the object with {key} cannot be read: {found.unread}")
    if found.objects:
        keys = ", ".join(map(str, found.objects[0])) or "no keys"
        return unparsable(f"no object has the key {key}; the first has: {keys}")
    text = found.rest.strip()
    if is_decline(text):
        return Reading(Outcome.REFUSED, note=note(f"declined in words: {shown(text, 100)}"))
    return unparsable(f"no object in the reply, which begins: {shown(text)}")
