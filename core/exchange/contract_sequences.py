"""Files of contract sequences: for each trial the contracts in the order they are offered.

A file is a JSON list of trials, a trial a list of pairs `["C", 13]` or `["I", 61]`: whether the
contract can be won (C, correct) or not (I, incorrect), and the number of its task among those of
its kind. Which tasks these are stands in a file beside it, a JSON object with the tasks' texts in
`solved_by_every_model` and `solved_by_no_model`, in order.
"""

import json
from pathlib import Path
from typing import Any

from core.errors import InputError, NotFoundError
from core.exchange.wording import shown

Place = tuple[bool, int]
"""Whether a contract can be won, and the number of its task among those of its kind, from 0."""

KINDS = {"C": True, "I": False}
_TEXTS = {True: "solved_by_every_model", False: "solved_by_no_model"}


def read_sequences(path: Path | str) -> tuple[tuple[Place, ...], ...]:
    """The trials of a file, each with its contracts.

    Raises:
        NotFoundError: there is no such file.
        InputError: it is no such file, has no trial, trials of different lengths, or a task twice
            in one trial.
    """
    path = Path(path)
    found = _json(path)
    if not isinstance(found, list) or not found:
        raise InputError(f"{path.name} holds no list of trials", hint='begin with [[["C", 0], …')
    trials = tuple(_trial(path, at, one) for at, one in enumerate(found, start=1))
    lengths = sorted({len(one) for one in trials})
    if len(lengths) > 1:
        raise InputError(
            f"trials of {path.name} have from {lengths[0]} to {lengths[-1]} contracts",
            hint="give each the same number",
        )
    return trials


def read_contract_tasks(path: Path | str) -> dict[Place, str]:
    """The text of each task that sequences name.

    Raises:
        NotFoundError: there is no such file.
        InputError: it lacks one of the lists, or a text in it.
    """
    path = Path(path)
    found = _json(path)
    texts: dict[Place, str] = {}
    for kind, name in _TEXTS.items():
        listed = found.get(name) if isinstance(found, dict) else None
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            raise InputError(f"{path.name} has no list of texts named {name}")
        texts |= {(kind, number): text for number, text in enumerate(listed)}
    return texts


def _json(path: Path) -> Any:
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}")
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise InputError(f"{path.name} is no JSON file", hint="check that it is whole") from None


def _trial(path: Path, at: int, found: Any) -> tuple[Place, ...]:
    if not isinstance(found, list) or not found:
        raise InputError(f"trial {at} of {path.name} holds no contracts")
    places = []
    for pair in found:
        is_pair = isinstance(pair, list) and [type(one) for one in pair] == [str, int]
        if not is_pair or pair[0] not in KINDS or pair[1] < 0:
            raise InputError(
                f"trial {at} of {path.name} has the contract {shown(pair)}",
                hint='write C or I with a number from 0 on, such as ["C", 13]',
            )
        places.append((KINDS[pair[0]], pair[1]))
    if len(set(places)) < len(places):
        raise InputError(f"trial {at} of {path.name} has a task twice")
    return tuple(places)
