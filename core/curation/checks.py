"""Automatic checks on one generated task: what a person should look at, and why.

A flag points at words and says in a sentence what is odd about them; it decides nothing. The
checks are quick and look at one text alone; they would rather miss a fault than cry wolf. Those
that go by words know English only and are left out for other languages.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.taxonomy import FEASIBLE, REASON_NAMES, TYPE_NAMES, fold

FEWEST_WORDS = 3
"""A task with fewer words says too little."""

MOST_CHARACTERS = 4_000
"""A task with more characters is longer than nearly all that were ever published."""


@dataclass(frozen=True)
class Flag:
    """What a check noticed.

    Args:
        code: a key of `REMOVAL_REASON_OF_FLAG`.
        why: one sentence for the annotator.
        spans: the places in the text, as (start, end); empty when it is the text as a whole.
    """

    code: str
    why: str
    spans: tuple[tuple[int, int], ...] = ()


REMOVAL_REASON_OF_FLAG: dict[str, str] = {
    "empty": "malformed",
    "truncated": "malformed",
    "too_short": "malformed",
    "too_long": "malformed",
    "refusal": "malformed",
    "leaked_prompt": "malformed",
    "states_feasibility": "states_feasibility",
    "missing_data": "needs_missing_data",
}
"""The removal reason each flag speaks for, the gravest first."""


_DATA = (
    r"(?:article|audio|code|contract|csv|data|dataset|diagram|document|excerpt|file|image|log|logs|"
    r"letter|list|manuscript|map|matrix|paragraph|passage|photo|picture|poem|report|scan|"
    r"screenshot|script|spreadsheet|story|table|text|transcript|video)s?"
)
_MAKE = (
    r"(?:accomplish|answer|carry out|complete|create|develop|formulate|fulfil|fulfill|generate|"
    r"perform|produce|provide)"
)
_MODEL = r"(?:(?:large )?language models?|LLMs?|AI (?:models?|systems?)|AIs?|the model)"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_REFUSAL = _any_of(
    r"^\W*(?:i['’]m sorry|i am sorry|sorry|i apologi[sz]e|as an ai)\b[^.!?\n]{0,80}\b"
    r"(?:can(?:no|['’])t|can not|unable|not able|won['’]t|will not)\b[^.!?\n]*",
    r"^\W*i (?:can(?:no|['’])t|can not|am unable to|am not able to|won['’]t|will not) "
    r"(?:assist|comply|create|fulfil|generate|help|produce|provide)\b[^.!?\n]*",
)
_LEAK = _any_of(
    r"\btask_class\b",
    r"\{\s*[\"'](?:task|reason|answer)[\"']\s*:",
    r"\btypes? of self-knowledge\b",
    r"\breasons? (?:for|of) (?:the |its )?(?:infeasibility|incapacity)\b",
    r"\(in\)feasib\w+",
    r"\b(?:in)?feasible (?:task|request)s?\b(?= (?:for|of|that|which|is|must|should)\b|[.:])",
)
_STATED = _any_of(
    rf"\bimpossible to {_MAKE}\b",
    r"\b(?:is|are|be|it['’]s|that['’]s) (?:not feasible|infeasible|unfeasible)\b",
    r"\b(?:close to|deliberately|intentionally) infeasible\b",
    r"\bnot feasible (?:in|for|with) (?:a|any|the) (?:standard|current|normal|typical|model)\b",
    r"\bthis (?:task|request|question|problem) (?:is|would be|will be|seems) "
    r"(?:impossible|infeasible|unfeasible|unanswerable|not possible|not feasible|beyond)\b",
    r"\bthis (?:task|request|question|problem) (?:cannot|can not|can['’]t) be "
    r"(?:answered|carried out|completed|done|fulfilled|performed|solved)\b",
    r"\b(?:my|your|the model['’]s)(?: last)? (?:training|knowledge)(?: data)? cut-?off\b",
    r"\b(?:after|beyond|outside|past|since) (?:my|your|the model['’]s)(?: last)? training"
    r"(?: cut-?off)?\b",
    r"\b(?:after|beyond|outside|past) the [a-z]+ \d{4} training data\b",
    r"\b(?:beyond|exceed(?:s|ing)?|outside|within) (?:the )?(?:abilities|capabilities|capacity|"
    rf"limits) of (?:an? |any |current |most )*{_MODEL}\b",
    r"\b(?:boundaries|limits) of the model['’]s (?:abilities|capabilities)\b",
    r"\bexceed(?:s|ing)? the model['’]s [a-z]+ (?:capacity|limitations|limits)\b",
)
_PLACEHOLDER = _any_of(
    r"[\[(<](?:please )?(?:insert|paste|attach)\s+(?!into\b)[^\[\]<>\n]{3,1500}[\])>]",
    rf"[\[(<{{][^\[\](){{}}<>\n]{{0,80}}\b{_DATA} here\.?[\])>}}]",
    rf"[\[<]your (?:own )?{_DATA}[\]>]",
    r"\b(?:following|these|this|here (?:is|are))\b"
    r"(?![^\[\n]{0,60}\b(?:answers?|form|format|output|structure|style|template)\b)"
    r"[^\[\n]{0,60}\[(?!insert\b|provide\b)(?:an? |the |my )?(?:[\w-]+ ){0,3}"
    rf"{_DATA}\b[^\[\]\n,]*\]",
    rf"\[[^\[\]\n]{{0,100}}\b{_DATA}\b[^\[\]\n]{{0,60}} (?:attached|omitted|provided)\]",
    r"\[provide (?:an? |the )?(?:detailed |full )?(?:[\w×-]+ )?(?:data|dataset|matrix|table|"
    r"text|transcript)\b[^\[\]\n]*\]",
    r"\[(?:an? )?(?:image|link|picture|screenshot) (?:of|to) [^\[\]\n]+\]",
    rf"\bthe attached (?:[\w'’-]+ ){{0,4}}{_DATA}\b",
    r"\b(?:is|are) attached(?= (?:as|in)\b|[.\[(]| [\[(])",
    rf"\breplace (?:this )?with (?:the |your )?actual {_DATA}\b",
)
# Data is announced, and then nothing follows that could be it.
_ANNOUNCED = _any_of(
    rf"\b{_DATA} (?:given|listed|presented|provided|shown|supplied) below\b",
    r"\b(?:analy[sz]e|from|in|of|on|read|see|summari[sz]e|translate|use|using|with) "
    rf"the (?:\w+ )?{_DATA} below(?=[.,;!?]|\s*$| and\b)",
    rf"\bthe following {_DATA}(?=[.!?]?\s*$)",
)
_HOLDS_DATA = re.compile(r"[:\n\"“‘'\[({|<]|\d\D+\d")

_ENDS_OPEN = re.compile(
    r"(?<=[a-z])(?:\.\.\.|…)\s*$"
    r"|,\s*$"
    r"|\b(?:a|an|and|as|at|because|but|by|for|from|if|in|including|into|is|of|or|such as|that|the|"
    r"their|to|using|which|with|your)\s*$"
)
# Names made of everyday words that a task may well need; the others count in any case of letters.
_EVERYDAY = frozenset({"Malicious Intent", "Offensive Topics", "Ethical Integrity"})
_NAMED = re.compile("|".join(re.escape(name) for name in (*REASON_NAMES, *TYPE_NAMES)))


def check_task(
    text: str,
    *,
    intent: str | None,
    type: str | None,
    reason: str | None,
    language: str = "en",
) -> list[Flag]:
    """What is odd about a generated task, the gravest first; an empty list when nothing is.

    Args:
        text: the task as generated.
        intent: feasible or infeasible; None when unknown.
        type: the type of self-knowledge it was generated for; None when unknown.
        reason: the reason it was generated for; counts for infeasible tasks only. A task meant
            to miss its context is not flagged for missing data, nor a vague one as too short.
        language: the study's language; checks of wording run for `en` only.

    Example:
        >>> [flag.code for flag in check_task(
        ...     "Sum up this text: [insert text here]", intent="feasible", type=None, reason=None
        ... )]
        ['missing_data']
    """
    if not any(mark.isalnum() for mark in text):
        return [Flag("empty", "The task holds no words.")]
    flags = [*_form_flags(text)]
    if language == "en":
        flags += _wording_flags(text, type, reason if intent != FEASIBLE else None)
    order = list(REMOVAL_REASON_OF_FLAG)
    return sorted(flags, key=lambda flag: order.index(flag.code))


def standing_in_decision(flags: Sequence[Flag], is_repeat: bool) -> tuple[str, str | None]:
    """What the checks would decide where no person does: (`keep`, None) or (`remove`, reason).

    Only for runs without a curator, which must say so. A flagged task is removed for its gravest
    flag; else a repeat is removed as a duplicate; else the task is kept.

    Example:
        >>> standing_in_decision([], is_repeat=True)
        ('remove', 'duplicate')
    """
    for code, removal_reason in REMOVAL_REASON_OF_FLAG.items():
        if any(flag.code == code for flag in flags):
            return "remove", removal_reason
    return ("remove", "duplicate") if is_repeat else ("keep", None)


def _form_flags(text: str) -> Iterable[Flag]:
    if len(text) > MOST_CHARACTERS:
        yield Flag(
            "too_long", f"The task has {len(text):,} characters, more than {MOST_CHARACTERS:,}."
        )
    if leaks := _spans(_LEAK, text):
        yield Flag(
            "leaked_prompt", "The task repeats words of the prompt that asked for it.", leaks
        )


def _wording_flags(text: str, type: str | None, reason: str | None) -> Iterable[Flag]:
    wanted = fold(reason or "")
    if len(text.split()) < FEWEST_WORDS and wanted != "vague open ended":
        yield Flag("too_short", f"The task has fewer than {FEWEST_WORDS} words.")
    if refusals := _spans(_REFUSAL, text):
        yield Flag("refusal", "The model declined instead of writing a task.", refusals)
    if ends := _spans(_ENDS_OPEN, text):
        yield Flag("truncated", "The task breaks off in the middle of a sentence.", ends)
    if stated := _spans(_STATED, text):
        yield Flag("states_feasibility", "The task says whether it can be done.", stated)
    elif named := _names(text, type, reason):
        yield Flag("states_feasibility", "The task names its own type or reason.", named)
    if wanted != "missing context" and (gaps := _gaps(text)):
        yield Flag("missing_data", "The task speaks of data that is not there.", gaps)


def _names(text: str, *own: str | None) -> tuple[tuple[int, int], ...]:
    spans = {*_spans(_NAMED, text)}
    for name in own:
        if name and name not in _EVERYDAY:
            spans.update(_spans(re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE), text))
    return tuple(sorted(spans))


def _gaps(text: str) -> tuple[tuple[int, int], ...]:
    announced = tuple(
        (start, end) for start, end in _spans(_ANNOUNCED, text) if not _HOLDS_DATA.search(text, end)
    )
    return tuple(sorted({*_spans(_PLACEHOLDER, text), *announced}))


def _spans(pattern: re.Pattern[str], text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in pattern.finditer(text))
