"""Printed values to compare with: a JSON file that says what a paper printed, and for what.

    {"source": "where it was printed", "values": [
        {"study": "my study", "type": "Ethical Integrity", "metric": "foresight",
         "printed": 0.71, "digits": 2},
        {"subject": "openai/gpt-4o", "prompt_set": "vanilla", "metric": "accuracy",
         "printed": 0.8}]}

Each value names its metric, and the tasks it is about by any of study, subject, model, prompt_set
and type; what is not named is added up. `digits` is how many decimals were printed, by default as
many as the number has.
"""

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.errors import InputError, NotFoundError
from core.exchange.text_files import decoded

KEYS = ("study", "subject", "model", "prompt_set", "type")
_KNOWN = {*KEYS, "metric", "printed", "digits"}


@dataclass(frozen=True)
class PrintedValue:
    """One printed number.

    Args:
        where: which tasks it is about, by the names in `KEYS`.
        digits: decimals printed.
    """

    where: dict[str, str]
    metric: str
    printed: float
    digits: int


@dataclass(frozen=True)
class PrintedFile:
    """What one source printed."""

    source: str
    values: tuple[PrintedValue, ...]


def read_printed_file(path: Path | str) -> PrintedFile:
    """The printed values of a JSON file.

    Raises:
        NotFoundError: there is no such file.
        InputError: it is no such JSON; the message names the value that cannot be used.
    """
    path = Path(path)
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}", hint="check the path")
    return parse_printed(decoded(path.read_bytes(), path.name), path.name)


def parse_printed(text: str, name: str) -> PrintedFile:
    """The printed values of a JSON text; `name` stands in the messages.

    Raises:
        InputError: it is no such JSON; the message names the value that cannot be used.

    Example:
        >>> text = '{"source": "Ours", "values": [{"metric": "accuracy", "printed": 0.80}]}'
        >>> parse_printed(text, "ours.json").values[0].digits
        2
    """
    try:
        # Decimals keep a printed 0.80 apart from 0.8.
        document = json.loads(text, parse_float=Decimal)
    except json.JSONDecodeError as fault:
        raise InputError(
            f"line {fault.lineno} of {name} is no JSON: {fault.msg}", hint="mend the file"
        ) from fault
    values = document.get("values") if isinstance(document, dict) else None
    if not isinstance(values, list) or not values:
        raise InputError(
            f"{name} has no list of values",
            hint='it looks like {"source": "…", "values": [{"metric": …, "printed": …}]}',
        )
    source = document.get("source", name)
    if not isinstance(source, str):
        raise InputError(f"the source of {name} is {source!r}", hint="say it as text")
    return PrintedFile(
        source, tuple(_value(one, number, name) for number, one in enumerate(values, start=1))
    )


def _value(row: Any, number: int, name: str) -> PrintedValue:
    where = f"value {number} of {name}"
    if not isinstance(row, dict):
        raise InputError(f"{where} is {row!r}", hint="each value is an object")
    if unknown := sorted(set(row) - _KNOWN):
        raise InputError(
            f"{where} has the unknown key {unknown[0]!r}",
            hint=f"known: {', '.join(sorted(_KNOWN))}",
        )
    metric, printed = row.get("metric"), row.get("printed")
    if not isinstance(metric, str):
        raise InputError(f"{where} names no metric", hint="such as accuracy or foresight")
    if isinstance(printed, bool) or not isinstance(printed, int | Decimal):
        raise InputError(f"{where} has the printed value {printed!r}", hint="give a number")
    for key in KEYS:
        if key in row and not isinstance(row[key], str):
            raise InputError(f"{where} has the {key} {row[key]!r}", hint="give its name as text")
    digits = row.get("digits", _decimals(printed))
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 12:
        raise InputError(f"{where} has {digits!r} digits", hint="give a number from 0 to 12")
    return PrintedValue({k: row[k] for k in KEYS if k in row}, metric, float(printed), digits)


def _decimals(number: int | Decimal) -> int:
    exponent = number.as_tuple().exponent if isinstance(number, Decimal) else 0
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0
