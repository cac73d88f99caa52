"""Thinking, which is no part of what a reply says, told from the rest of it.

The written rule. Thinking stands between `<think>` and `</think>`, or tags of its like, and think
blocks may nest. A closing tag that nothing opened ends thinking whose opening was stripped by a
chat template: all before it is dropped. A tag in quotes or backticks is talked about, not used.
"""

import re

from core.parsing.endings import ended_early, is_blank, note, shown_end
from core.records import Outcome, Reading

_NAME = r"(?:think|thinking|thought|reasoning)"
OPENING_TAG = rf"<{_NAME}(?:\s[^<>]{{0,200}})?(?<!/)>"
CLOSING_TAG = rf"</{_NAME}\s{{0,9}}>"
"""Patterns of the tags, in whatever case."""

NOTHING_SAID = Reading(Outcome.EMPTY, note="nothing follows the thinking")

_TAGS = re.compile(rf"(?P<open>{OPENING_TAG})|{CLOSING_TAG}", re.IGNORECASE)


def spoken_text(
    text: str | None, *, finish_reason: str | None, refusal: str | None
) -> Reading | str:
    r"""What a reply says outside its thinking, its parts on lines of their own; or its reading.

    Args:
        text, finish_reason, refusal: the reply, as the provider returned it.

    Example:
        >>> spoken_text("<think>yes?</think>No.", finish_reason="stop", refusal=None)
        '\nNo.'
    """
    said = spoken_parts(text, finish_reason=finish_reason, refusal=refusal)
    return said if isinstance(said, Reading) else "\n".join(said)


def spoken_parts(
    text: str | None, *, finish_reason: str | None, refusal: str | None
) -> Reading | tuple[str, ...]:
    """The parts of a reply before, between and after its thinking; or its reading without a look.

    Braces mean nothing here; where a reply should hold an object, `core.parsing.objects` follows
    the same rule.

    Args:
        text, finish_reason, refusal: the reply, as the provider returned it.

    Example:
        >>> spoken_parts("Hm. <think>yes?</think> No.", finish_reason="stop", refusal=None)
        ('Hm. ', ' No.')
        >>> spoken_parts("<think>yes", finish_reason="stop", refusal=None).outcome.value
        'truncated'
    """
    if early := ended_early(text, finish_reason, refusal):
        return early
    assert text is not None
    parts: list[str] = []
    depth, kept_to = 0, 0
    for tag in _TAGS.finditer(text):
        if is_quoted(text, *tag.span()):
            continue
        if tag["open"]:
            if not depth:
                parts.append(text[kept_to : tag.start()])
            depth += 1
        else:
            if not depth:
                parts = []
            depth, kept_to = max(depth - 1, 0), tag.end()
    if depth:
        return unclosed(text)
    parts.append(text[kept_to:])
    if all(map(is_blank, parts)):
        return NOTHING_SAID
    return tuple(parts)


def is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the tag at that place is talked about, with the same mark on both sides of it.

    Example:
        >>> is_quoted("a `<think>` tag", 3, 10)
        True
    """
    after = text[end : end + 1]
    return after != "" and after in "\"'`" and after == text[start - 1 : start]


def unclosed(text: str) -> Reading:
    """The reading of a reply that ends inside its thinking."""
    ends = f"thinking was never closed; the reply ends: {shown_end(text)}"
    return Reading(Outcome.TRUNCATED, note=note(ends))
