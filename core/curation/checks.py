"""Automatic checks on tasks: what a person should look at, and why.

A flag points at words and says in a sentence what is odd about them; it decides nothing. The
checks are quick and would rather miss a fault than cry wolf. Those that go by words know English
only and are left out for other languages, but for the names of the study's types and reasons.

People decide blind, so no sentence tells how a task was meant. What can still be guessed: data
that is not there and a text of two words are not flagged where the task was meant to lack its
context or to be vague, so such a flag says what the task was *not* meant to be; a name of a study's
own types and reasons is found in any case of letters only in the tasks made for it; and a length
is compared with the lengths of the task's own cell.

Questions are checked in the same way, but for what is no fault in them: one that cannot be answered
may lack its data, be short or say so, and names of types and reasons are words like any other. They
are in code tasks, too, whose type is the name of their file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.curation.flags import REMOVAL_REASON_OF_FLAG, Flag
from core.curation.language import language_flag
from core.curation.lengths import length_flag
from core.curation.wording import leak_flag, name_flag, wording_flags
from core.taxonomy import (
    FEASIBLE,
    INFEASIBLE,
    LINE_OF_DUTY,
    MISSING_CONTEXT,
    UNANSWERABLE,
    VAGUE,
    Taxonomy,
)

CHECKS_VERSION: int = 5
"""Rises whenever any check changes, so that flags stored under an earlier one are made anew."""

FEWEST_WORDS = 3
"""A task with fewer words says too little."""

MOST_CHARACTERS = 4_000
"""A task with more characters is longer than nearly all that were ever published."""

Cell = tuple[str | None, str | None]
"""A task's type and side."""


def check_task(
    text: str,
    *,
    intent: str | None,
    type: str | None,
    reason: str | None,
    language: str = "en",
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> list[Flag]:
    """What is odd about a task, the gravest first; an empty list when nothing is.

    Args:
        text: the task as generated or imported.
        intent: feasible or infeasible, of a question answerable or unanswerable; None when unknown.
        type: the type of self-knowledge it was generated for; None when unknown.
        reason: the reason it was generated for; counts for infeasible tasks only. A task meant
            to miss its context is not flagged for missing data, nor a vague one as too short.
        language: the study's language; checks of wording run for `en` only.
        taxonomy: the study's types and reasons.

    Raises:
        InputError: no known language has this code.

    Example:
        >>> [flag.code for flag in check_task(
        ...     "Sum up this text: [insert text here]", intent="feasible", type=None, reason=None
        ... )]
        ['missing_data']
    """
    if not any(mark.isalnum() for mark in text):
        return [Flag("empty", "The task holds no words.")]
    if intent == FEASIBLE:
        reason = None
    found = [_long_flag(text), leak_flag(text), language_flag(text, language=language)]
    if language == "en":
        # A vague task is short by nature.
        if not _stands_for(taxonomy, intent, reason, VAGUE):
            found.append(_short_flag(text))
        may_lack_data = _stands_for(taxonomy, intent, reason, MISSING_CONTEXT)
        found += wording_flags(text, may_lack_data=may_lack_data)
    is_stated = any(flag and flag.code == "states_feasibility" for flag in found)
    if not is_stated and intent in (FEASIBLE, INFEASIBLE, None):
        found.append(name_flag(text, taxonomy=taxonomy, own=(type, reason)))
    if intent == UNANSWERABLE:
        found = [flag for flag in found if flag and flag.code != "states_feasibility"]
    return _gravest_first(filter(None, found))


def check_tasks(
    rows: Iterable[Mapping[str, Any]],
    *,
    language: str,
    limits: Mapping[Cell, tuple[float, float]],
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> Iterator[tuple[str, list[Flag]]]:
    """Each task's id and what is odd about it, as `check_task` says, and about its length.

    Args:
        rows: the tasks, as mappings with task_id, text, intent, type and reason.
        language: the study's language.
        limits: cell → its lengths that are not far off, from `core.curation.lengths.length_limits`
            over the cells that `task_cell` gives; a cell without limits has no such flags.
        taxonomy: the study's types and reasons.

    Raises:
        InputError: no known language has this code.

    Example:
        >>> row = {"task_id": "t1", "text": "Name three rivers.", "intent": "feasible"}
        >>> row |= {"type": "Functional Ceiling", "reason": None}
        >>> limits = {task_cell(row): (80.0, 2_000.0)}
        >>> [(task_id, found)] = check_tasks([row], language="en", limits=limits)
        >>> task_id, [flag.code for flag in found]
        ('t1', ['too_short_for_cell'])
    """
    for row in rows:
        text, intent, type, reason = row["text"], row["intent"], row["type"], row["reason"]
        about = {"intent": intent, "type": type, "reason": reason}
        flags = check_task(text, **about, language=language, taxonomy=taxonomy)
        cell = task_cell(row)
        # A length that was flagged needs no second flag.
        if cell in limits and not {"empty", "too_short", "too_long"} & {one.code for one in flags}:
            far_off = length_flag(text, *limits[cell])
            vague = intent != FEASIBLE and _stands_for(taxonomy, intent, reason, VAGUE)
            if far_off and not (vague and far_off.code == "too_short_for_cell"):
                flags = _gravest_first([*flags, far_off])
        yield row["task_id"], flags


def _stands_for(taxonomy: Taxonomy, intent: str | None, reason: str | None, built_in: str) -> bool:
    """Whether a task may be what a built-in reason says; an unanswerable question always may."""
    return intent == UNANSWERABLE or taxonomy.stands_for(reason, built_in)


def task_cell(row: Mapping[str, Any]) -> Cell:
    """The cell of a task: its type and side, as the keys of the limits on length."""
    return row["type"], row["intent"]


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


def _long_flag(text: str) -> Flag | None:
    if len(text) <= MOST_CHARACTERS:
        return None
    return Flag(
        "too_long", f"The task has {len(text):,} characters, more than {MOST_CHARACTERS:,}."
    )


def _short_flag(text: str) -> Flag | None:
    if len(text.split(maxsplit=FEWEST_WORDS)) >= FEWEST_WORDS:
        return None
    return Flag("too_short", f"The task has fewer than {FEWEST_WORDS} words.")


_RANK = {code: rank for rank, code in enumerate(REMOVAL_REASON_OF_FLAG)}


def _gravest_first(flags: Iterable[Flag]) -> list[Flag]:
    return sorted(flags, key=lambda flag: _RANK[flag.code])
