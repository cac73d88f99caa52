"""Finds the objects in a model's reply, without changing a character of what they hold.

An object is a `{…}` with quoted keys that JSON or Python reads, on its own, in a fence, or with
prose around it. Thinking is not part of a reply: it is skipped by the rule of
`core.parsing.thinking`, while tags inside an object's strings are text.

The work is bounded by the length of the reply, so text made of braces costs no more than prose.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.parsing.literals import Unreadable, parts_of, read_object
from core.parsing.thinking import CLOSING_TAG, OPENING_TAG, is_quoted

# What may be spent on reading objects, in characters looked at: some 200 tries in any reply.
_COST_OF_TRYING = 2_000
_ALLOWED, _ALLOWED_PER_CHARACTER = 400_000, 4

_MARK = re.compile(
    rf"(?P<open>{OPENING_TAG})|(?P<close>{CLOSING_TAG})"
    r"|(?P<brace>\{(?=\s*[\"'}]))",
    re.IGNORECASE,
)
_BRACE_OR_CLOSE = re.compile(rf"[{{}}]|{CLOSING_TAG}", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """What a reply holds outside its thinking.

    Args:
        objects: every object that could be read, in the order of the text.
        rest: the text around them.
        unread: why a text that begins like the wanted object could not be read; else empty.
        in_thinking: whether the text ends inside a think block that was never closed.
    """

    objects: tuple[dict[Any, Any], ...]
    rest: str
    unread: str
    in_thinking: bool


def find_objects(text: str, key: str) -> Found:
    """The objects of a reply, read one after the other from the left.

    Where a text begins like the wanted object but cannot be read, what lies inside it is not
    looked at either: it is part of a broken whole.

    Args:
        text: the reply.
        key: the key that the wanted object has, in lower case.

    Example:
        >>> find_objects('<think>{"a": 1}</think>So: {"a": "x"}', "a").objects
        ({'a': 'x'},)
    """
    wanted = re.compile(rf"\{{\s*([\"']){re.escape(key)}\1\s*:", re.IGNORECASE)
    objects: list[dict[Any, Any]] = []
    rest: list[str] = []
    unread, depth, position, kept_to = "", 0, 0, 0
    budget = _ALLOWED + _ALLOWED_PER_CHARACTER * len(text)
    while mark := _MARK.search(text, position):
        start, position = mark.span()
        if mark["brace"] and not depth:
            if budget < 0:
                unread = unread or "it comes after more braces than can be looked through"
                continue
            budget -= _COST_OF_TRYING
            try:
                value, end = read_object(text, start)
            except Unreadable as problem:
                budget -= problem.cost
                if wanted.match(text, start):
                    unread = unread or problem.why
                    position = _end_of_broken(text, start)
                continue
            objects.append(value)
            rest.append(text[kept_to:start])
            position = kept_to = end
        elif mark["open"] and not is_quoted(text, start, position):
            if not depth:
                rest.append(text[kept_to:start])
            depth += 1
        elif mark["close"] and not is_quoted(text, start, position):
            if not depth:
                objects, rest, unread = [], [], ""
            depth, kept_to = max(depth - 1, 0), position
    if not depth:
        rest.append(text[kept_to:])
    return Found(tuple(objects), "".join(rest), unread, depth > 0)


def holders(value: Any, key: str) -> Iterator[dict[Any, Any]]:
    """The objects that have the key: the value itself, or else those nested in it.

    Example:
        >>> list(holders({"result": [{"task": "x"}]}, "task"))
        [{'task': 'x'}]
    """
    if isinstance(value, dict) and values_of(value, key):
        yield value
    else:
        for part in parts_of(value):
            yield from holders(part, key)


def values_of(value: dict[Any, Any], key: str) -> list[Any]:
    """What an object gives for a key, whatever the key's case and the space around it.

    Example:
        >>> values_of({" Task ": "x"}, "task")
        ['x']
    """
    return [
        part
        for name, part in value.items()
        if isinstance(name, str) and name.strip().casefold() == key
    ]


def _end_of_broken(text: str, start: int) -> int:
    """Where a broken object ends: at its brace, else where thinking ends, else with the text."""
    depth, fallback = 0, len(text)
    for mark in _BRACE_OR_CLOSE.finditer(text, start):
        if mark.group() not in "{}":
            fallback = min(fallback, mark.start())
            continue
        depth += 1 if mark.group() == "{" else -1
        if not depth:
            return mark.end()
    return fallback
