"""Reads a model's reply that should be one object: a generated task, or a classification.

A reply has exactly one outcome, decided in this order: refused (the provider says so), truncated
(the provider stopped it), empty (nothing a person could see), truncated (thinking that was never
closed), then what the object says. Text is taken as the object holds it, escapes decoded once;
nothing is mended and nothing is guessed. The note of a reading says what was odd.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from core.parsing.endings import ended_early, is_blank, is_decline, note, shown, shown_end
from core.parsing.literals import Number, json_text, read_string
from core.parsing.objects import Found, find_objects, holders, values_of
from core.parsing.reasons import named_reasons
from core.records import Outcome, Reading
from core.taxonomy import FEASIBLE, INTENTS, REASON_NAMES, normalise_reason

_STATED_CLASS = re.compile(
    r"task_class\W{1,8}(feasible|infeasible)\b(?![\"'`*]*\s*(?:\||/|,?\s*or\b))", re.IGNORECASE
)
_MOST_REASONS = 50  # a longer list is no choice
_NO_REASON = frozenset({"", "none", "n/a", "na", "null", "nil", "not applicable", "-", "—", "[]"})


def parse_task(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    """The task that a reply of the form `{"task": …}` holds, exactly as decoded.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.

    Returns:
        outcome ok with the task's text as `answer`; or refused, truncated, empty (a blank task is
        empty too) or unparsable, with a note that says why.

    Example:
        >>> parse_task('Here you go: {"task": "Add 2 and 2."}').answer
        'Add 2 and 2.'
        >>> parse_task("Add 2 and 2.").note
        "no object in the reply, which begins: 'Add 2 and 2.'"
    """
    read = _read_one_object(text, "task", ("task",), finish_reason, refusal)
    if isinstance(read, Reading):
        return read
    whole, oddities = read
    task = values_of(whole, "task")[0]
    if type(task) is not str:
        return _unparsable(f"the task is not text but {shown(json_text(task))}")
    if is_blank(task):
        return Reading(Outcome.EMPTY, note="the task is blank")
    if len(whole) > 1:
        others = ", ".join(str(name) for name in whole if str(name).strip().casefold() != "task")
        oddities.append(f"other keys ignored: {others}")
    return Reading(Outcome.OK, answer=task, note=note(*oddities))


def parse_classification(
    text: str | None,
    *,
    finish_reason: str | None = "stop",
    refusal: str | None = None,
    reasons: Sequence[str] = REASON_NAMES,
    normalise: Callable[[str], str | None] = normalise_reason,
) -> Reading:
    """What a reply `{"task_class": …, "answer": …, "reason": …}` says about a task.

    `task_class` must be one of the two words, whatever its case. Infeasible needs exactly one
    known reason; beside feasible a reason is ignored and noted. A missing answer is noted and
    leaves the label standing; an answer that is no text is kept as JSON text.

    Args:
        text, finish_reason, refusal: as in `parse_task`.
        reasons: the names on offer, by default the eleven.
        normalise: spelling of a reason → name on offer, or None when unknown.

    Returns:
        outcome ok with label, reason and answer; else refused, truncated, empty or unparsable,
        with a note that says why.

    Example:
        >>> parse_classification("{'task_class': 'Infeasible', 'reason': '4. missing context'}")
        ... # doctest: +ELLIPSIS
        Reading(outcome=<Outcome.OK: 'ok'>, label='infeasible', reason='Missing Context', ...
        >>> parse_classification('{"task_class": "not feasible"}').outcome.value
        'unparsable'
    """
    fields = ("task_class", "answer", "reason")
    read = _read_one_object(text, "task_class", fields, finish_reason, refusal)
    if isinstance(read, Reading):
        return read
    whole, oddities = read
    stated, answers, given = (values_of(whole, name) for name in fields)
    label = _label(stated[0])
    if label is None:
        return _unparsable(
            f"task_class is {shown(_plain(stated[0]))}, wanted feasible or infeasible"
        )
    reason_value = given[0] if given else None
    named = _named(reason_value, reasons, normalise)
    answer = answers[0] if answers else None
    if answer is not None and type(answer) is not str:
        oddities.append("the answer was no text and is kept as JSON")
        answer = json_text(answer)
    if label == FEASIBLE:
        if answer is None or is_blank(answer):
            oddities.append("feasible, but without an answer")
        if not _is_no_reason(reason_value):
            oddities.append(f"reason beside feasible ignored: {shown(_plain(reason_value))}")
        return Reading(Outcome.OK, label=label, answer=answer, note=note(*oddities))
    if len(named) == 1:
        return Reading(
            Outcome.OK, label=label, reason=named[0], answer=answer, note=note(*oddities)
        )
    if named:
        return _unparsable(f"infeasible for more than one reason: {' · '.join(named)}")
    if _is_no_reason(reason_value):
        return _unparsable("infeasible, but no reason is given")
    return _unparsable(f"infeasible for an unknown reason: {shown(_plain(reason_value))}")


def _read_one_object(
    text: str | None,
    key: str,
    fields: Sequence[str],
    finish_reason: str | None,
    refusal: str | None,
) -> Reading | tuple[dict[Any, Any], list[str]]:
    """The one object with the key, and what was odd about it; or the reading that ends it."""
    if early := ended_early(text, finish_reason, refusal):
        return early
    assert text is not None
    found = find_objects(text, key)
    if found.in_thinking:
        return Reading(
            Outcome.TRUNCATED,
            note=note(f"thinking was never closed; the reply ends: {shown_end(text)}"),
        )
    if not found.objects and is_blank(found.rest):
        return Reading(Outcome.EMPTY, note="nothing follows the thinking")
    oddities: list[str] = []
    inner = None if found.objects else read_string(found.rest.strip())
    if inner is not None:
        oddities.append("the object came as JSON text inside a string")
        found = find_objects(inner, key)
    return _only_one(found, key, fields, oddities)


def _only_one(
    found: Found, key: str, fields: Sequence[str], oddities: list[str]
) -> Reading | tuple[dict[Any, Any], list[str]]:
    wholes = [whole for item in found.objects for whole in holders(item, key)]
    if not wholes:
        return _no_object(found, key)
    if any(len(set(map(json_text, values_of(w, name)))) > 1 for w in wholes for name in fields):
        return _unparsable("one key is given twice with different values")
    said = {json_text([values_of(whole, name)[:1] for name in fields]) for whole in wholes}
    if len(said) > 1:
        return _unparsable(f"{len(said)} different objects with the key {key}")
    whole = wholes[0]
    for match in _STATED_CLASS.finditer(found.rest) if key == "task_class" else ():
        if match.group(1).casefold() != _label(values_of(whole, key)[0]):
            return _unparsable(f"the text around the object says {shown(match.group())}")
    if found.unread:
        oddities.append(f"beside it, an object cannot be read: {found.unread}")
    if len(wholes) > 1:
        oddities.append(f"the object was given {len(wholes)} times")
    if not any(whole is item for item in found.objects):
        oddities.append("the object was inside another one")
    return whole, oddities


def _no_object(found: Found, key: str) -> Reading:
    if found.unread:
        return _unparsable(f"the object with {key} cannot be read: {found.unread}")
    if found.objects:
        keys = ", ".join(str(name) for name in found.objects[0]) or "no keys"
        return _unparsable(f"no object has the key {key}; the first has: {keys}")
    text = found.rest.strip()
    if "{" in text:
        return _unparsable(f"nothing in the reply can be read as an object: {shown(text)}")
    if is_decline(text):
        return Reading(Outcome.REFUSED, note=note(f"declined in words: {shown(text, 100)}"))
    return _unparsable(f"no object in the reply, which begins: {shown(text)}")


def _label(value: Any) -> str | None:
    if type(value) is not str:
        return None
    word = value.strip(" \t\r\n\"'`*.").casefold()
    return word if word in INTENTS else None


def _named(
    value: Any, reasons: Sequence[str], normalise: Callable[[str], str | None]
) -> tuple[str, ...]:
    texts = value if isinstance(value, list | tuple) else [value]
    if len(texts) > _MOST_REASONS:
        return ()
    found = {
        name
        for text in texts
        if type(text) is str
        for name in named_reasons(text, reasons, normalise)
    }
    return tuple(name for name in reasons if name in found)


def _is_no_reason(value: Any) -> bool:
    return value is None or _plain(value).strip(" \t\r\n\"'.").casefold() in _NO_REASON


def _plain(value: Any) -> str:
    return value if isinstance(value, str) and not isinstance(value, Number) else json_text(value)


def _unparsable(why: str) -> Reading:
    return Reading(Outcome.UNPARSABLE, note=note(why))
