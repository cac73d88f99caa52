"""Reads one object out of a text, as JSON or as a Python dict, and mends nothing.

What neither language reads is `Unreadable`. Python's reader is given the same text with line
breaks, lone surrogates and unknown backslashes inside strings written as escapes, because it
would stop at them; the text that comes out is the text that was met. Nothing is ever evaluated.
"""

import ast
import json
import re
from typing import Any

from core.parsing.foreign_python import syntax_tree

MAX_DEPTH = 100
"""Levels of nesting that are followed; nobody writes deeper by hand."""

_MAX_TOKENS = 50_000  # Python's syntax tree takes some hundred bytes for each

# What an attempt costs, in characters that plain text could be searched in the same time.
_COST_OF_RECURSION = 20_000
_COST_OF_TOKEN = 100

_NEITHER = "it is neither JSON nor a Python dict"
_SIDE_BY_SIDE = "a comma is missing, or a quotation mark inside a text is not escaped"
_TOO_DEEP = "it is too large or nested too deeply"

_TOKEN = re.compile(r"""\"{3}|'{3}|[\[\](){},"']""")
_REST_OF_STRING = {
    '"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL),
    "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+'", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+"""', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]++|\\.|'(?!''))*+'''", re.DOTALL),
}
_ESCAPE = re.compile(r"\\.|[\n\r\0\ud800-\udfff]", re.DOTALL)
_PYTHON_ESCAPES = frozenset("\n\\'\"abfnrtv01234567xNuU")


class Number(str):
    """A JSON number exactly as it was written: `3.10` stays `3.10`."""


class Unreadable(ValueError):
    """Neither JSON nor Python: `why` in words for a note, `cost` in characters looked at."""

    def __init__(self, why: str, cost: int) -> None:
        super().__init__(why)
        self.why = why
        self.cost = cost


def read_object(text: str, start: int) -> tuple[dict[Any, Any], int]:
    """The object that begins at `text[start]`, and the position just after it.

    Args:
        text: any text with a `{` at `start`.

    Raises:
        Unreadable: neither JSON nor a Python dict begins there, it gives one key twice with
            different values, or it is nested deeper than `MAX_DEPTH`.

    Example:
        >>> read_object("So: {'a': 'don\\\\'t', 'b': 3.10} as asked", 4)
        ({'a': "don't", 'b': 3.1}, 30)
    """
    try:
        value, end = _JSON.raw_decode(text, start)
    except RecursionError:
        raise Unreadable(_TOO_DEEP, _COST_OF_RECURSION) from None
    except ValueError as problem:
        value, end = _read_python(text, start, getattr(problem, "pos", start) - start)
    if _is_too_deep(value):
        raise Unreadable(_TOO_DEEP, end - start)
    return value, end


def read_string(text: str) -> str | None:
    """What a text says that is one JSON string from end to end, else None.

    Example:
        >>> read_string(' "{\\\\"a\\\\": 1}" '), read_string("no quotes")
        ('{"a": 1}', None)
    """
    try:
        value = _JSON.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if type(value) is str else None


def json_text(value: Any) -> str:
    """A value as JSON text, numbers as they were written; equal exactly when the values are.

    Example:
        >>> json_text({"a": [Number("3.10"), True, "é"]})
        '{"a": [3.10, true, "é"]}'
    """
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json_text(str(k))}: {json_text(v)}" for k, v in value.items()) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(json_text(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False, default=repr)


def parts_of(value: Any) -> list[Any]:
    """The values an object or a list holds; nothing for any other value.

    Example:
        >>> parts_of({"a": 1, "b": [2]}), parts_of("text")
        ([1, [2]], [])
    """
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def _single_values(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    whole: dict[Any, Any] = {}
    for name, part in pairs:
        if name in whole and json_text(whole[name]) != json_text(part):
            raise ValueError(name)
        whole[name] = part
    return whole


_JSON = json.JSONDecoder(
    strict=False,  # line breaks inside a string stay what they are
    object_pairs_hook=_single_values,
    parse_int=Number,
    parse_float=Number,
    parse_constant=Number,
)


def _read_python(text: str, start: int, cost: int) -> tuple[dict[Any, Any], int]:
    source, end = _python_source(text, start, cost)
    cost += end - start
    try:
        tree = syntax_tree(source, "eval")
        value = ast.literal_eval(tree)
    except (RecursionError, MemoryError):
        raise Unreadable(_TOO_DEEP, cost) from None
    except (SyntaxError, ValueError, TypeError):
        raise Unreadable(_NEITHER, cost) from None
    if not isinstance(value, dict):
        raise Unreadable(_NEITHER, cost)
    try:
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                names = [ast.dump(name) for name in node.keys if name]
                _single_values(list(zip(names, map(ast.dump, node.values), strict=True)))
    except ValueError:
        raise Unreadable("it gives one key twice with different values", cost) from None
    return value, end


def _python_source(text: str, start: int, cost: int) -> tuple[str, int]:
    """The balanced `{…}` at `start` as source that means the same, and where it ends.

    Python joins strings that stand side by side, and so would swallow quotation marks that a
    writer forgot to escape; such text is refused, as are string prefixes.
    """
    parts: list[str] = []
    depth, position, after_string = 0, start, False
    for _ in range(_MAX_TOKENS):
        cost += _COST_OF_TOKEN
        token = _TOKEN.search(text, position)
        if not token or depth > MAX_DEPTH:
            break
        piece, between = token.group(), text[position : token.start()]
        position = token.end()
        if rest := _REST_OF_STRING.get(piece):
            string = rest.match(text, position)
            if not string:
                raise Unreadable("a quotation mark is never closed", cost + len(text) - start)
            if after_string and not between.strip():
                raise Unreadable(_SIDE_BY_SIDE, cost)
            if between[-1:].isalnum():
                raise Unreadable(_NEITHER, cost)
            piece, position = _same_string(text[token.start() : string.end()]), string.end()
        parts += [between, piece]
        after_string = bool(rest)
        depth += (piece in ("{", "[", "(")) - (piece in ("}", "]", ")"))
        if not depth:
            return "".join(parts), position
    why = _TOO_DEEP if token else "its closing brace is missing"
    raise Unreadable(why, cost + position - start)


def _same_string(literal: str) -> str:
    """A string literal as Python source of the same text: JSON's meaning where JSON reads it."""
    if literal.startswith('"') and (text := read_string(literal)) is not None:
        return repr(text)
    return _ESCAPE.sub(_same_character, literal)


def _same_character(match: re.Match[str]) -> str:
    found = match.group()
    if found.startswith("\\"):
        return found if found[1] in _PYTHON_ESCAPES else "\\" + found
    return f"\\u{ord(found):04x}"


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            part
            for whole in level
            for part in parts_of(whole)
            if isinstance(part, dict | list | tuple)
        ]
        if not level:
            return False
    return True
