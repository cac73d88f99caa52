"""What the words of a task give away: English wording that points to a fault.

Every check is a pattern that reads a text in one pass. Before it runs, the text is searched for
words without which the pattern cannot match, which makes the checks several times as fast.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from core.curation.flags import Flag
from core.taxonomy import Taxonomy

Spans = tuple[tuple[int, int], ...]
Wording = tuple[re.Pattern[str], tuple[str, ...]]
"""A pattern, with words in small letters; a text has one of them wherever the pattern matches."""

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


def _any_of(*patterns: str, needs: tuple[str, ...] = ("",)) -> Wording:
    return re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE), needs


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
    needs=("task_class", "{", "self-knowledge", "incapacity", "feasib"),
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
    r"\b(?:(?:after|beyond|outside|past|since) )?(?:my|your|the model['’]s)(?: last)? "
    r"(?:training|knowledge)(?: data)? cut-?off\b",
    # Time can be told by a training, whoever's it was: only what it held is a bound.
    r"\b(?:beyond|outside) (?:my|your|the model['’]s)(?: last)? training\b",
    r"\b(?:after|beyond|outside|past) the [a-z]+ \d{4} training data\b",
    r"\b(?:beyond|exceed(?:s|ing)?|outside|within) (?:the )?(?:abilities|capabilities|capacity|"
    rf"limits) of (?:an? |any |current |most )*{_MODEL}\b",
    r"\b(?:boundaries|limits) of the model['’]s (?:abilities|capabilities)\b",
    r"\bexceed(?:s|ing)? the model['’]s [a-z]+ (?:capacity|limitations|limits)\b",
    needs=(
        *("abilit", "capacity", "cut-off", "cutoff", "feasible", "impossible", "limit"),
        *("this problem", "this question", "this request", "this task", "training"),
    ),
)
_PLACEHOLDER = _any_of(
    r"[\[(<](?:please )?(?:insert|paste|attach)\s++(?!into\b)[^\[\]<>\n]{3,1500}[\])>]",
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
    needs=("[", "attach", " here", "insert", "paste", "replace", "<your"),
)
# Data is announced, and then nothing follows that could be it.
_ANNOUNCED = _any_of(
    rf"\b{_DATA} (?:given|listed|presented|provided|shown|supplied) below\b",
    r"\b(?:analy[sz]e|from|in|of|on|read|see|summari[sz]e|translate|use|using|with) "
    rf"the (?:\w+ )?{_DATA} below(?=[.,;!?]|\s*$| and\b)",
    needs=("below",),
)
_ENDS_ANNOUNCING = _any_of(rf"\bthe following {_DATA}(?=[.!?]?\s*$)", needs=("the following",))
_HOLDS_DATA = re.compile(r"[:\n\"“‘'\[({|<]|\d\D+\d")

_ENDS_OPEN: Wording = (
    re.compile(
        r"(?<=[a-z])(?:\.\.\.|…)\s*$"
        r"|,\s*$"
        r"|\b(?:a|an|and|as|at|because|but|by|for|from|if|in|including|into|is|of|or|such as|that|"
        r"the|their|to|using|which|with|your)\s*$"
    ),
    ("",),
)
_END = 40
"""Characters, white space at the very end aside, among which wording that ends a task is found."""

# Built-in names made of everyday words that a task may well need; the other built-in ones count in
# any case of letters.
_EVERYDAY = frozenset(
    {
        "Contextual Awareness",
        "Ethical Integrity",
        "Malicious Intent",
        "Offensive Topics",
        "Temporal Perception",
    }
)


def leak_flag(text: str) -> Flag | None:
    """A flag when a task repeats the prompt that asked for it, whatever the study's language.

    Example:
        >>> leak_flag("Return the task_class.").spans
        ((11, 21),)
    """
    if leaks := _spans(_LEAK, text, text.lower()):
        return Flag(
            "leaked_prompt", "The task repeats words of the prompt that asked for it.", leaks
        )
    return None


def wording_flags(text: str, *, may_lack_data: bool) -> Iterator[Flag]:
    """What is odd about the wording of an English task.

    Args:
        text: the task as generated.
        may_lack_data: whether it was meant to lack its data.

    Example:
        >>> [flag.why for flag in wording_flags("List the", may_lack_data=False)]
        ['The task breaks off in the middle of a sentence.']
    """
    lower = text.lower()
    end = max(0, len(text.rstrip()) - _END)
    if refusals := _spans(_REFUSAL, text, lower):
        yield Flag("refusal", "The model declined instead of writing a task.", refusals)
    if ends := _spans(_ENDS_OPEN, text, lower, end):
        yield Flag("truncated", "The task breaks off in the middle of a sentence.", ends)
    if stated := _spans(_STATED, text, lower):
        yield Flag("states_feasibility", "The task says whether it can be done.", stated)
    if not may_lack_data and (gaps := _gaps(text, lower, end)):
        yield Flag("missing_data", "The task speaks of data that is not there.", gaps)


def name_flag(text: str, *, taxonomy: Taxonomy, own: Iterable[str | None]) -> Flag | None:
    """A flag when a task uses the name of a type or reason, whatever the study's language.

    A name counts as it is written in the taxonomy; the built-in ones, unless they are everyday
    words, in any case of letters, and so do the names that the task was made for. A name of one
    word that is not built in never counts: a task about bills may well begin with *Billing*.

    Args:
        taxonomy: of the study. own: the type and reason it was made for, where known.

    Example:
        >>> from core.taxonomy import LINE_OF_DUTY
        >>> name_flag("Show missing context.", taxonomy=LINE_OF_DUTY, own=()).spans
        ((5, 20),)
    """
    names = {*taxonomy.type_names, *taxonomy.reason_names}
    if taxonomy.is_built_in:
        in_any_case = {*names, *filter(None, own)} - _EVERYDAY
    else:
        names = {name for name in names if len(name.split()) > 1}
        in_any_case = names & set(own)
    lower = text.lower()
    spans: set[tuple[int, int]] = set()
    for name in names | in_any_case:
        if name.lower() in lower:
            spans.update(match.span() for match in re.finditer(re.escape(name), text))
            if name in in_any_case:
                spans.update(match.span() for match in _name_pattern(name).finditer(text))
    if not spans:
        return None
    where = tuple(sorted(spans))
    return Flag("states_feasibility", "The task uses the name of a type or reason.", where)


@cache
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)


def _gaps(text: str, lower: str, end: int) -> Spans:
    announced = (*_spans(_ANNOUNCED, text, lower), *_spans(_ENDS_ANNOUNCING, text, lower, end))
    empty = {span for span in announced if not _HOLDS_DATA.search(text, span[1])}
    return tuple(sorted({*_spans(_PLACEHOLDER, text, lower), *empty}))


def _spans(wording: Wording, text: str, lower: str, start: int = 0) -> Spans:
    pattern, needs = wording
    if not any(word in lower for word in needs):
        return ()
    return tuple(match.span() for match in pattern.finditer(text, start))
