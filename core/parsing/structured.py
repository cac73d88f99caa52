"""Reads a model's reply that should be one object: a generated task, or a classification.

A reply has exactly one outcome, decided in this order: refused (the provider says so), truncated
(the provider stopped it), empty (nothing a person could see), truncated (thinking that was never
closed), then what the object says. Text is taken as the object holds it, escapes decoded once;
nothing is mended and nothing is guessed. The note of a reading says what was odd.
"""

from collections.abc import Callable, Sequence
from typing import Any

from core.parsing.endings import is_blank, note, shown
from core.parsing.literals import json_text, read_string
from core.parsing.objects import Found, find_objects, values_of
from core.parsing.one_object import (
    agreeing_objects,
    find_in_reply,
    plain_text,
    plain_word,
    stated_otherwise,
    statement_of,
    unparsable,
)
from core.parsing.reasons import named_reasons
from core.records import Outcome, Reading
from core.taxonomy import FEASIBLE, INTENTS, REASON_NAMES, normalise_reason

_STATED_CLASS = statement_of("task_class", INTENTS)
_MOST_REASONS = 50  # a longer list is no choice
_NO_REASON = frozenset(
    {
        *("", "none", "n/a", "na", "null", "nil", "not applicable", "-", "—", "[]"),
        *("keine", "keiner", "kein grund", "entfällt"),
    }
)


def parse_task(
    text: str | None,
    *,
    finish_reason: str | None = "stop",
    refusal: str | None = None,
    key: str = "task",
) -> Reading:
    """The task that a reply of the form `{"task": …}` holds, exactly as decoded.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.
        key: the word the task stands under.

    Returns:
        outcome ok with the task's text as `answer`; or refused, truncated, empty (a blank task is
        empty too) or unparsable, with a note that says why.

    Example:
        >>> parse_task('Here you go: {"task": "Add 2 and 2."}').answer
        'Add 2 and 2.'
        >>> parse_task("Add 2 and 2.").note
        "no object in the reply, which begins: 'Add 2 and 2.'"
    """
    read = _read_one_object(text, key, (key,), finish_reason, refusal)
    if isinstance(read, Reading):
        return read
    whole, oddities = read
    task = values_of(whole, key)[0]
    if type(task) is not str:
        return unparsable(f"the {key} is not text but {shown(json_text(task))}")
    if is_blank(task):
        return Reading(Outcome.EMPTY, note=f"the {key} is blank")
    if len(whole) > 1:
        others = ", ".join(str(name) for name in whole if str(name).strip().casefold() != key)
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
        reasons: the names on offer, by default the built-in eleven.
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
        return unparsable(
            f"task_class is {shown(plain_text(stated[0]))}, wanted feasible or infeasible"
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
            oddities.append(f"reason beside feasible ignored: {shown(plain_text(reason_value))}")
        return Reading(Outcome.OK, label=label, answer=answer, note=note(*oddities))
    if len(named) == 1:
        return Reading(
            Outcome.OK, label=label, reason=named[0], answer=answer, note=note(*oddities)
        )
    if named:
        return unparsable(f"infeasible for more than one reason: {' · '.join(named)}")
    if _is_no_reason(reason_value):
        return unparsable("infeasible, but no reason is given")
    return unparsable(f"infeasible for an unknown reason: {shown(plain_text(reason_value))}")


def _read_one_object(
    text: str | None,
    key: str,
    fields: Sequence[str],
    finish_reason: str | None,
    refusal: str | None,
) -> Reading | tuple[dict[Any, Any], list[str]]:
    """The one object with the key, and what was odd about it; or the reading that ends it."""
    found = find_in_reply(text, key, finish_reason=finish_reason, refusal=refusal)
    if isinstance(found, Reading):
        return found
    oddities: list[str] = []
    inner = None if found.objects else read_string(found.rest.strip())
    if inner is not None:
        oddities.append("the object came as JSON text inside a string")
        found = find_objects(inner, key)
    return _only_one(found, key, fields, oddities)


def _only_one(
    found: Found, key: str, fields: Sequence[str], oddities: list[str]
) -> Reading | tuple[dict[Any, Any], list[str]]:
    if not (found.objects or found.unread) and "{" in found.rest:
        return unparsable(
            f"nothing in the reply can be read as an object: {shown(found.rest.strip())}"
        )
    wholes = agreeing_objects(found, fields, differing=f"objects with the key {key}")
    if isinstance(wholes, Reading):
        return wholes
    whole = wholes[0]
    if key == "task_class":
        label = _label(values_of(whole, key)[0])
        if otherwise := stated_otherwise(found, _STATED_CLASS, label):
            return otherwise
    if found.unread:
        oddities.append(f"beside it, an object cannot be read: {found.unread}")
    if len(wholes) > 1:
        oddities.append(f"the object was given {len(wholes)} times")
    if not any(whole is item for item in found.objects):
        oddities.append("the object was inside another one")
    return whole, oddities


def _label(value: Any) -> str | None:
    word = plain_word(value)
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
    return value is None or plain_text(value).strip(" \t\r\n\"'.").casefold() in _NO_REASON
