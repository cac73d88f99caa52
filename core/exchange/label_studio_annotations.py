"""Annotations in a Label Studio export, read as decisions.

A person is known by e-mail address, as in that program's own tables, else by name, else by number.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from core.exchange.decision_cells import decision_of_cells
from core.exchange.decisions import Decision
from core.exchange.named_cells import RowFault
from core.exchange.row_file import Value
from core.exchange.wording import listed, shown

_CONTROLS = ("decision", "removal_reason", "note")
"""The names of the controls in a project's labeling configuration."""

_USERNAME = re.compile(r".* (\S+@\S+), \d+")
"""How Label Studio spells a user: names, e-mail address, number."""

_EPOCH = re.compile(r"\d{9,11}(\.\d+)?")
"""Seconds since 1970, as old exports give times."""


def annotated_decisions(cells: Mapping[str, Value], spellings: Mapping[str, str]) -> list[Decision]:
    """The decisions of a task's annotations, oldest first where all have a time."""
    annotations = cells.get("annotations") or cells.get("completions") or []
    if not isinstance(annotations, list):
        raise RowFault(f"has {shown(annotations)} where its list of annotations belongs")
    found = []
    for place, annotation in enumerate(annotations, start=1):
        try:
            found.append(_decision(annotation, spellings))
        except RowFault as fault:
            raise RowFault(
                f"holds an annotation ({place} of {len(annotations)}) that {fault}", fault.wanted
            ) from None
    if all(one.decided_at for one in found):
        found.sort(key=lambda one: one.decided_at)
    return found


def _decision(annotation: object, spellings: Mapping[str, str]) -> Decision:
    if not isinstance(annotation, dict):
        raise RowFault(f"is {shown(annotation)} and no object")
    cells = _controls(annotation.get("result"))
    if annotation.get("was_cancelled") is True or annotation.get("skipped") is True:
        cells |= {"decision": "skip", "removal_reason": None}
    times = (annotation.get(name) for name in ("updated_at", "created_at", "completed_at"))
    cells["decided_at"] = _iso(next(filter(None, times), None))
    cells["decided_by"] = person_of(annotation)
    cells["seconds_active"] = annotation.get("lead_time")
    is_final = annotation.get("ground_truth") is True
    decision = decision_of_cells(cells, spellings, is_final=is_final)
    if decision is None:
        raise RowFault("has no decision", "a result with the from_name decision")
    return decision


def _controls(results: object) -> dict[str, Value]:
    """What was entered in each of our controls; results of others are passed over."""
    found: dict[str, Value] = {}
    for item in [] if results is None else _checked_results(results):
        name = item.get("from_name")
        if name not in _CONTROLS:
            continue
        if name in found:
            raise RowFault(f"has two results for {name}")
        found[name] = words_of(item.get("value"), name)
    return found


def _checked_results(results: object) -> list[dict]:
    if not isinstance(results, list) or not all(isinstance(item, dict) for item in results):
        raise RowFault(f"has {shown(results)} where its list of results belongs")
    return results


def words_of(value: object, name: str) -> str | None:
    """The one choice of a control, or the lines of a note, however deep they are wrapped."""
    if isinstance(value, dict):
        value = value.get("text" if name == "note" else "choices")
    words = [value] if isinstance(value, str) else value or []
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise RowFault(f"has {shown(value)} for {name} where text was wanted")
    if len(words) > 1 and name != "note":
        raise RowFault(f"has {len(words)} choices for {name}: {listed(map(shown, words))}")
    return "\n".join(words) if words else None


def person_of(annotation: Mapping[str, Any]) -> str | None:
    """Who made an annotation, None when it does not say."""
    user, username = annotation.get("completed_by"), annotation.get("created_username")
    if isinstance(user, dict):
        names = (user.get("first_name"), user.get("last_name"))
        full = " ".join(name for name in names if isinstance(name, str) and name)
        if name := user.get("email") or full:
            return name
        user = user.get("id")
    if isinstance(username, str) and username.strip():
        spelt = _USERNAME.fullmatch(username)
        return spelt[1] if spelt else username
    if isinstance(user, str) and user.strip():
        return f"Label Studio user {user}" if user.isdecimal() else user
    return None


def _iso(moment: Value) -> Value:
    if isinstance(moment, str) and _EPOCH.fullmatch(moment):
        return datetime.fromtimestamp(float(moment), UTC).isoformat()
    return moment
