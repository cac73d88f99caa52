"""Finds the one reason that a model names, with a number or an explanation around the name.

Whole words only, and never a guess: no name, two names, an unknown name or a name that is denied,
in English or German, is no reason.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from core.taxonomy import telling_words

MAX_LENGTH = 5_000
"""Characters of a reason at most; more is an essay, not a reason."""

_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CLAUSE = re.compile(r"([:;,.()\[\]\n–—]|\s-\s)")
_EXPLAINS = frozenset(":(.\n–—-")  # what follows one of these explains what came before
_ALTERNATIVE = re.compile(r"/|&|\+|\||\band\b|\bor\b", re.IGNORECASE)
_DENIED_BEFORE = re.compile(
    r"\b(?:not|non|never|neither|nor|no|without|isn t|than|instead"
    r"|nicht|kein|keine|keinen|keiner|keines|weder|noch|ohne|statt)"
    r"(?: (?:a|an|any|about|because|case|due|exactly|for|in|instance|is|of|really|the|to"
    r"|aus|das|der|die|ein|eine|einen|eines|einer|wegen|wirklich))*$"
)
_DENIED_AFTER = re.compile(
    r"^(?:does not|doesn t) apply\b|^(?:is )?not applicable\b|^is not reason\b"
    r"|^trifft nicht zu\b|^liegt nicht vor\b"
)


def named_reasons(
    text: str, reasons: Sequence[str], normalise: Callable[[str], str | None]
) -> tuple[str, ...]:
    """The different reasons that a text names, in the order of `reasons`; empty when none.

    A name counts in full, in any spelling of it, anywhere in the text. A short form that
    `normalise` knows counts where it stands for itself, before any explanation begins: *vague* in
    `Missing Context: the request is vague` explains.

    Args:
        text: what a model gave as its reason; beyond `MAX_LENGTH` it names none.
        reasons: the names on offer.
        normalise: spelling → name, or None when unknown.

    Example:
        >>> from core.taxonomy import REASON_NAMES, normalise_reason
        >>> named_reasons("6. Missing context (too vague)", REASON_NAMES, normalise_reason)
        ('Missing Context',)
        >>> named_reasons("not Missing Context", REASON_NAMES, normalise_reason)
        ()
    """
    if len(text) > MAX_LENGTH:
        return ()
    whole, text = text, _CAMEL_CASE.sub(" ", text)
    plain = whole.strip().casefold()
    exact = [name for name in reasons if name.casefold() == plain]
    exact = exact or [normalise(whole) or normalise(text)]
    found = set(exact) & set(reasons)
    if not found:
        clauses = _CLAUSE.split(text)
        found = _full_names(clauses[::2], reasons) | _short_names(clauses, reasons, normalise)
    return tuple(name for name in reasons if name in found)


@cache
def _full_name_pattern(reasons: tuple[str, ...]) -> tuple[dict[str, str], re.Pattern[str]]:
    # As replies are read: "CamelCase" is two words.
    spelt = {telling_words(_CAMEL_CASE.sub(" ", name)): name for name in reasons}
    names = {words: name for words, name in spelt.items() if words}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return names, re.compile(rf"\b(?:{'|'.join(longest_first) or '(?!)'})\b")


def _full_names(clauses: Iterable[str], reasons: Sequence[str]) -> set[str]:
    names, pattern = _full_name_pattern(tuple(reasons))
    found = set()
    for clause in map(telling_words, clauses):
        for match in pattern.finditer(clause):
            before, after = clause[: match.start()].rstrip(), clause[match.end() :].lstrip()
            if _DENIED_BEFORE.search(before) or _DENIED_AFTER.search(after):
                continue
            found.add(names[match.group()])
            # "Missing or Incoherent Context" names two reasons that share their last word.
            shared = f"{before.split()[-1] if before else ''} {match.group().split()[-1]}"
            found |= {names[shared]} if shared in names else set()
    return found


def _short_names(
    clauses: Sequence[str], reasons: Sequence[str], normalise: Callable[[str], str | None]
) -> set[str]:
    found: set[str] = set()
    for index in range(0, len(clauses), 2):
        separator = clauses[index - 1].strip(" \t\r") if index else ""
        if found and separator in _EXPLAINS:
            break
        names = {normalise(part) for part in _ALTERNATIVE.split(clauses[index])}
        found |= {name for name in names if name in reasons}
    return found
