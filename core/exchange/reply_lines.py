"""Replies to be read, as JSON Lines in bytes: `{"id": …, "text": …, "finish_reason": …}`.

The bytes are UTF-8 whatever the terminal is set to; a byte order mark in front is passed over.
"""

import codecs
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from core.errors import InputError

_SHAPE = 'write {"id": ..., "text": ..., "finish_reason": ...} on each line'


@dataclass(frozen=True)
class ReplyLine:
    """One reply to be read; `id` is whatever JSON the line gave, None when it gave none."""

    id: Any
    text: str | None
    finish_reason: str | None
    refusal: str | None


def read_reply_lines(lines: Iterable[bytes], name: str) -> Iterator[ReplyLine]:
    """The replies, one by one as the lines come; blank lines are passed over.

    Args:
        lines: the lines of a file or pipe. name: what to call it in messages.

    Raises:
        InputError: a line is not UTF-8, no JSON object, or has no text; names the line.

    Example:
        >>> [reply] = read_reply_lines([b'{"id": 1, "text": "yes"}'], "input")
        >>> reply.text, reply.finish_reason
        ('yes', 'stop')
    """
    for number, line in enumerate(lines, start=1):
        line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if line.strip():
            yield _reply(line, f"line {number} of {name}")


def _reply(line: bytes, where: str) -> ReplyLine:
    try:
        row = json.loads(line.decode("utf-8"), parse_constant=_no_number, parse_float=_number)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{where} is not UTF-8: byte {error.start + 1:,} is 0x{line[error.start]:02X}",
            hint="convert it to UTF-8",
        ) from None
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict) or "text" not in row:
        shown = line.decode("utf-8").strip()[:60]
        raise InputError(f"{where} is no JSON object with a text: {shown!r}", hint=_SHAPE)
    for key in ("text", "finish_reason", "refusal"):
        if not isinstance(row.get(key), str | None):
            met = json.dumps(row[key])[:40]
            raise InputError(f"{where} has the {key} {met}; text or null was wanted", hint=_SHAPE)
    return ReplyLine(
        row.get("id"), row["text"], row.get("finish_reason", "stop"), row.get("refusal")
    )


def _number(spelt: str) -> float:
    value = float(spelt)
    return value if math.isfinite(value) else _no_number(spelt)


def _no_number(spelt: str) -> NoReturn:
    raise ValueError(f"{spelt} is no JSON number")
