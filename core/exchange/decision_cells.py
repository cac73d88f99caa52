"""Decisions read from a file's cells, each checked, and written to them again.

A person writes one decision in plain columns; a whole history is a JSON array in one cell. What
cannot be used is a `RowFault` whose words go after `row 17 of tasks.csv`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.exchange.decisions import ACTIONS, KEEP, REMOVE, SKIP, UNDO, Decision
from core.exchange.named_cells import RowFault, is_blank
from core.exchange.removal_reasons import known_reasons, removal_code
from core.exchange.row_file import Value
from core.exchange.times import moment_of, moment_text, seconds_of, seconds_or_none
from core.exchange.wording import listed, shown

ACTION_OF_WORD = {
    "keep": KEEP,
    "kept": KEEP,
    "remove": REMOVE,
    "removed": REMOVE,
    "skip": SKIP,
    "skipped": SKIP,
    "pending": None,
    "disputed": None,
    "decided by others": None,
}
"""What a cell may say, as a decision or as the state it leads to; None where that is no decision of
one person."""

_FIELDS = (
    "decision_id",
    "person",
    "action",
    "reason",
    "note",
    "decided_at",
    "seconds_active",
    "undoes",
    "is_final",
)


def decision_of_cells(
    cells: Mapping[str, Value], spellings: Mapping[str, str], *, is_final: bool = False
) -> Decision | None:
    """The decision that plain cells say; None when they say that there is none yet.

    Args:
        cells: decision, removal_reason, note, decided_by, decided_at and seconds_active, of which
            any may be missing.
        spellings: see `reason_spellings`.

    Raises:
        RowFault: a cell says something unknown, or a cell that the decision needs is empty.
    """
    action = _action(cells.get("decision"))
    reason = removal_code(cells.get("removal_reason"), spellings)
    if action is None:
        if reason is not None:
            raise RowFault(
                f"has the removal reason {shown(reason)} and no decision",
                "say in the column decision that it is removed",
            )
        return None
    about = {name: cells.get(name) for name in ("note", "decided_at", "seconds_active")}
    about["person"] = cells.get("decided_by")
    return _checked(_decided(about, action, reason, is_final), spellings)


def history_of(cell: Value, spellings: Mapping[str, str]) -> tuple[Decision, ...]:
    """The decisions that a cell with a whole history holds, each checked; none when it is empty.

    Args:
        cell: a JSON array of objects as text, or the list itself.

    Raises:
        RowFault: it is not that, or a decision in it cannot be used; says which.
    """
    elements = [] if is_blank(cell) else _elements(cell)
    history: list[Decision] = []
    ids: set[str] = set()
    undoable: set[str] = set()
    for place, element in enumerate(elements, start=1):
        try:
            decision = _decision(element, spellings)
            if decision.undoes is not None and decision.undoes not in undoable:
                raise RowFault(
                    f"takes back {shown(decision.undoes)}, which is no earlier decision",
                    "name the decision_id of one above it",
                )
            if decision.decision_id in ids:
                raise RowFault(f"has the decision_id {shown(decision.decision_id)} once more")
        except RowFault as fault:
            raise RowFault(
                f"holds a decision ({place} of {len(elements)}) that {fault}", fault.wanted
            ) from None
        history.append(decision)
        if decision.decision_id is not None:
            ids.add(decision.decision_id)
            if decision.action != UNDO:
                undoable.add(decision.decision_id)
    return tuple(history)


def history_items(history: Iterable[Decision]) -> list[dict[str, Any]]:
    """The decisions as JSON holds them, one object each; the inverse of `history_of`."""
    return [
        {
            "decision_id": one.decision_id,
            "person": one.person,
            "action": one.action,
            "reason": one.reason,
            "note": one.note,
            "decided_at": moment_text(one.decided_at),
            "seconds_active": seconds_or_none(one.seconds_active),
            "undoes": one.undoes,
            "is_final": bool(one.is_final),
        }
        for one in history
    ]


def _elements(cell: Value) -> list:
    wanted = "a JSON array of objects, oldest first"
    try:
        found = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        raise RowFault(f"has {shown(cell)} where its decisions belong", wanted) from None
    if not isinstance(found, list):
        raise RowFault(f"has {shown(cell)} where its decisions belong", wanted)
    return found


def _decision(element: object, spellings: Mapping[str, str]) -> Decision:
    if not isinstance(element, dict):
        raise RowFault(f"is {shown(element)} and no object", f"fields: {listed(_FIELDS)}")
    if unknown := sorted(element.keys() - set(_FIELDS)):
        raise RowFault(
            f"has the unknown field {shown(unknown[0])}", f"known fields: {listed(_FIELDS)}"
        )
    action, is_final = element.get("action"), element.get("is_final")
    if action not in (*ACTIONS, UNDO):
        raise _unknown_action(action, (*ACTIONS, UNDO))
    if is_final not in (None, True, False):
        raise RowFault(f"has {shown(is_final)} for is_final", "true or false")
    reason = _text(element.get("reason"), "reason") or None
    return _checked(_decided(element, action, reason, bool(is_final)), spellings)


def _decided(about: Mapping[str, Any], action: str, reason: str | None, is_final: bool) -> Decision:
    return Decision(
        decision_id=_text(about.get("decision_id"), "decision_id") or None,
        person=_person(about.get("person")),
        action=action,
        reason=reason,
        note=_text(about.get("note"), "note") or "",
        decided_at=moment_of(about.get("decided_at")),
        seconds_active=seconds_of(about.get("seconds_active")),
        undoes=_text(about.get("undoes"), "undoes") or None,
        is_final=is_final,
    )


def _checked(one: Decision, spellings: Mapping[str, str]) -> Decision:
    if one.action == REMOVE and one.reason is None:
        raise RowFault("removes the task and has no removal reason", known_reasons(spellings))
    if one.reason is not None and one.action != REMOVE:
        raise RowFault(
            f"does not remove the task and yet has the removal reason {shown(one.reason)}",
            f"leave it empty for {one.action}",
        )
    if one.reason is not None and spellings.get(one.reason) != one.reason:
        raise RowFault(
            f"has the unknown removal reason {shown(one.reason)}", known_reasons(spellings)
        )
    if (one.undoes is not None) != (one.action == UNDO):
        raise RowFault(
            f"has the action {shown(one.action)} and undoes {shown(one.undoes)}",
            "an undo, and nothing else, names the decision it takes back",
        )
    return one


def _action(cell: Value) -> str | None:
    if is_blank(cell):
        return None
    word = cell.strip().casefold() if isinstance(cell, str) else ""
    if word not in ACTION_OF_WORD:
        raise _unknown_action(cell, ACTIONS)
    return ACTION_OF_WORD[word]


def _unknown_action(met: object, known: Sequence[str]) -> RowFault:
    return RowFault(f"has the unknown decision {shown(met)}", f"known decisions: {listed(known)}")


def _person(cell: object) -> str:
    name = _text(cell, "person")
    if name is None or not name.strip():
        raise RowFault("does not say who decided", "name the person, in the column decided_by")
    return name


def _text(cell: object, what: str) -> str | None:
    if cell is not None and not isinstance(cell, str):
        raise RowFault(f"has {shown(cell)} for {what} where text was wanted")
    return cell
