"""JSON arrays and JSON Lines, read strictly: no key is lost, no number is rounded.

Text is what the JSON says, escapes resolved, lone surrogates and NUL included. Numbers and
booleans come as the text the file spells them with; null is empty; lists and objects stay.
"""

import json
from collections.abc import Iterable
from typing import Any

from core.errors import InputError
from core.exchange.row_file import BadRow, RowFile, Value
from core.exchange.wording import shown

_HINT = "write a list of objects, [{…}, {…}], or one object a line"


def read_json_array(text: str, name: str) -> RowFile:
    """The objects of one JSON array; a row number is a place in the array.

    Raises:
        InputError: the text is not JSON (names the line), or not an array.
    """
    try:
        items = _parsed(text)
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno} of {name} {_fault(error)}", hint=_HINT) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} {_fault(error)}", hint=_HINT) from None
    if not isinstance(items, list):
        raise InputError(f"{name} is not a list of objects", hint=_HINT)
    rows, bad_rows = [], []
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            rows.append((number, item))
        else:
            raw = json.dumps(item, ensure_ascii=False)
            bad_rows.append(BadRow(name, number, "is not a JSON object", {"raw": raw}))
    return _row_file(name, "json", rows, bad_rows)


def read_json_lines(text: str, name: str) -> RowFile:
    """The objects of a text with one JSON object a line; blank lines are passed over.

    Raises:
        InputError: the whole text is one object spread over lines.
    """
    rows, bad_rows = [], []
    # Not splitlines(): it also splits at U+2028 and the like, which may stand inside a string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item, why = _parsed(line), "is not a JSON object"
        except (ValueError, RecursionError) as error:
            item, why = None, _fault(error)
        if isinstance(item, dict):
            rows.append((number, item))
        else:
            bad_rows.append(BadRow(name, number, why, {"raw": line}))
    if not rows and _is_one_object(text):
        raise InputError(f"{name} is one JSON object, not a list of them", hint=_HINT)
    return _row_file(name, "jsonl", rows, bad_rows)


def _row_file(
    name: str, format: str, rows: list[tuple[int, dict]], bad_rows: Iterable[BadRow]
) -> RowFile:
    columns = tuple(dict.fromkeys(key for _, item in rows for key in item))
    cells = [(number, {key: _cell(item.get(key)) for key in columns}) for number, item in rows]
    return RowFile(name, format, columns, cells, tuple(bad_rows))


def _cell(value: Any) -> Value:
    return str(value).lower() if isinstance(value, bool) else value


def _parsed(text: str) -> Any:
    return json.loads(
        text,
        parse_int=str,
        parse_float=str,
        parse_constant=_refuse_constant,
        object_pairs_hook=unique_keys,
    )


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs of a JSON object, for `object_pairs_hook`, so that no key is lost.

    Raises:
        ValueError: a key is there twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"names {shown(twice)} twice in one object")
    return found


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"holds {word}, which is not JSON; an empty value is null")


def _fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno:,}"
    return "is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _is_one_object(text: str) -> bool:
    try:
        return isinstance(_parsed(text), dict)
    except (ValueError, RecursionError):
        return False
