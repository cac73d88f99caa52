"""Plain values as JSON, to hand them between two processes that do not trust each other.

Numbers, text, bytes and the standard containers of them go across; a subclass goes as the plain
type below it, NumPy's numbers and arrays as Python's numbers and lists, and an iterator, such as a
generator, as one over all that it had left. Nothing else does: an
object that says it equals everything never arrives where it is compared. Reading builds plain
values only and runs no code of the sender's.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

_SAFE_INTEGER = 1 << 53

_WRITTEN: tuple[tuple[type, str, Callable[[Any], Any]], ...] = (
    (tuple, "tuple", lambda value: [encoded(part) for part in value]),
    (dict, "dict", lambda value: [[encoded(key), encoded(part)] for key, part in value.items()]),
    (set, "set", lambda value: [encoded(part) for part in value]),
    (frozenset, "frozenset", lambda value: [encoded(part) for part in value]),
    (bytes, "bytes", lambda value: value.hex()),
    (bytearray, "bytearray", lambda value: value.hex()),
    (complex, "complex", lambda value: [value.real, value.imag]),
    (range, "range", lambda value: [hex(value.start), hex(value.stop), hex(value.step)]),
    (Fraction, "fraction", lambda value: [hex(value.numerator), hex(value.denominator)]),
    (Decimal, "decimal", str),
    (Iterator, "iterator", lambda value: [encoded(part) for part in value]),
)
_READ: dict[str, Callable[[Any], Any]] = {
    "int": lambda held: int(held, 16),
    "tuple": lambda held: tuple(map(decoded, held)),
    "dict": lambda held: {decoded(key): decoded(part) for key, part in held},
    "set": lambda held: set(map(decoded, held)),
    "frozenset": lambda held: frozenset(map(decoded, held)),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "complex": lambda held: complex(*held),
    "range": lambda held: range(*(int(number, 16) for number in held)),
    "fraction": lambda held: Fraction(*(int(number, 16) for number in held)),
    "decimal": Decimal,
    "iterator": lambda held: iter([decoded(part) for part in held]),
}


class NotPlainError(TypeError):
    """A value that is not plain data."""


def encoded(value: Any) -> Any:
    """A plain value in a form that JSON holds without loss.

    Raises:
        NotPlainError: the value, or a part of it, is something else.

    Example:
        >>> encoded((1, {"a": 2.5}))
        {'tuple': [1, {'dict': [['a', 2.5]]}]}
        >>> encoded(print)
        Traceback (most recent call last):
        core.sandbox.plain_data.NotPlainError: a builtin_function_or_method is not plain data
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        number = int(value)
        return number if -_SAFE_INTEGER < number < _SAFE_INTEGER else {"int": hex(number)}
    if isinstance(value, float):
        return float(value)
    if isinstance(value, list):
        return [encoded(part) for part in value]
    for kind, tag, write in _WRITTEN:
        if isinstance(value, kind):
            return {tag: write(value)}
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return encoded(value.tolist())
    raise NotPlainError(f"a {type(value).__name__} is not plain data")


def decoded(held: Any) -> Any:
    """The value that `encoded` wrote.

    Raises:
        ValueError: the form is not one that `encoded` writes.

    Example:
        >>> decoded(encoded([{1, 2}, (3, "four"), 10**30]))
        [{1, 2}, (3, 'four'), 1000000000000000000000000000000]
    """
    if isinstance(held, list):
        return [decoded(part) for part in held]
    if not isinstance(held, dict):
        return held
    [(tag, content)] = held.items()
    if tag not in _READ:
        raise ValueError(f"a plain value was wanted, met {tag!r}")
    return _READ[tag](content)
