r"""Reads a decision out of a reply's last `\boxed{…}`: an answer, or who is uncertain.

The written rule. A reply is refused, truncated or empty as any other (`core.parsing.endings`), and
thinking is no part of it. The last `\boxed{` of what is left opens the box, and the brace that
matches it closes it: a backslash takes the character after it along, so `\{` and `\}` are text and
`\\}` closes. Thinking cannot stand inside a box. Then, whatever the case,

1. a box that contains `<MODEL_UNCERTAIN>` or "I don't know" is MODEL_UNCERTAIN;
2. else one that contains `<DATA_UNCERTAIN>` is DATA_UNCERTAIN;
3. else it is ANSWERED, with the text between the braces as the answer, to the character.

The order decides where a box holds both marks, and the note says so. For the marks only, `\_` is
an underscore, a curly apostrophe is a straight one, and a run of white space is one space.

A box that is never closed or shows nothing is unparsable, and so is a reply without one, even where
it declines in words: the note keeps its last 100 characters for a person to look at. An earlier box
never stands in for the last one.
"""

import re

from core.parsing.endings import is_blank, note
from core.parsing.thinking import spoken_parts
from core.records import Outcome, Reading

ANSWERED, DATA_UNCERTAIN, MODEL_UNCERTAIN = "ANSWERED", "DATA_UNCERTAIN", "MODEL_UNCERTAIN"

_BOX = r"\boxed{"
_KEPT = 100  # characters of a reply without a box that a person gets to see
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_MODEL_MARKS = ("<model_uncertain>", "i don't know")
_DATA_MARK = "<data_uncertain>"


def parse_boxed(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    r"""What a reply decides in its last box.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.

    Returns:
        outcome ok with ANSWERED, DATA_UNCERTAIN or MODEL_UNCERTAIN as `label`, and for the first
        the box's text as `answer`; else refused, truncated, empty or unparsable, with a note that
        says why.

    Example:
        >>> read = parse_boxed(r"\boxed{2}. Wait, actually \boxed{\frac{1}{2}}")
        >>> read.label, read.answer
        ('ANSWERED', '\\frac{1}{2}')
        >>> parse_boxed(r"So: \boxed{I don’t know}").label
        'MODEL_UNCERTAIN'
        >>> print(parse_boxed(r"So \boxed{\frac{1}{2}").note)
        the last box is never closed; the reply ends: So \boxed{\frac{1}{2}
    """
    said = spoken_parts(text, finish_reason=finish_reason, refusal=refusal)
    if isinstance(said, Reading):
        return said
    part = next((part for part in reversed(said) if _BOX in part), None)
    if part is None:
        return _no_box("no box", said)
    content = _content(part, part.rindex(_BOX) + len(_BOX))
    if content is None:
        return _no_box("the last box is never closed", said)
    if is_blank(content):
        return _no_box("the last box is empty", said)
    marks = " ".join(content.replace(r"\_", "_").replace("’", "'").casefold().split())
    is_model, is_data = any(mark in marks for mark in _MODEL_MARKS), _DATA_MARK in marks
    if is_model:
        both = [f"beside it, the box says {DATA_UNCERTAIN}"] if is_data else []
        return Reading(Outcome.OK, label=MODEL_UNCERTAIN, note=note(*both))
    if is_data:
        return Reading(Outcome.OK, label=DATA_UNCERTAIN)
    return Reading(Outcome.OK, label=ANSWERED, answer=content)


def _content(text: str, start: int) -> str | None:
    """The text up to the brace that closes what was opened just before `start`, in one pass."""
    depth = 1
    for mark in _BRACE.finditer(text, start):
        depth += (mark.group() == "{") - (mark.group() == "}")
        if not depth:
            return text[start : mark.start()]
    return None


def _no_box(why: str, said: tuple[str, ...]) -> Reading:
    end = "".join(said).rstrip()[-_KEPT:]
    return Reading(Outcome.UNPARSABLE, note=note(f"{why}; the reply ends: {end}"))
