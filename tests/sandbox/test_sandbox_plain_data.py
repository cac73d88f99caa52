"""Plain values cross unchanged, and nothing else does."""

import json
from collections import Counter, OrderedDict, namedtuple
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sandbox.plain_data import NotPlainError, decoded, encoded

KEYS = st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.fractions()
VALUES = st.recursive(
    KEYS | st.floats(allow_nan=False) | st.complex_numbers(allow_nan=False),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(KEYS, inner)
        | st.sets(KEYS)
        | st.frozensets(KEYS)
    ),
    max_leaves=20,
)


def there_and_back(value: object) -> object:
    return decoded(json.loads(json.dumps(encoded(value))))


def shape(value: object) -> object:
    """A value with the type of each of its parts, since 1 == True == 1.0."""
    if isinstance(value, list | tuple):
        return (type(value), [shape(part) for part in value])
    if isinstance(value, dict):
        return (dict, [(shape(key), shape(part)) for key, part in value.items()])
    return (type(value), value)


@given(VALUES)
def test_a_plain_value_comes_back_as_it_was(value):
    assert shape(there_and_back(value)) == shape(value)


@pytest.mark.parametrize(
    "value",
    [-(2**53), 1e308, float("inf"), "\ud835 x\x00", range(3, 9, 2), Decimal("1.10")],
)
def test_the_edges_come_back_as_they_were(value):
    assert shape(there_and_back(value)) == shape(value)
    assert str(there_and_back(float("nan"))) == "nan"
    assert there_and_back(10**5000) == 10**5000


def test_a_subclass_comes_back_as_the_plain_type_below_it():
    class Colour(IntEnum):
        RED = 1

    Point = namedtuple("Point", "x y")
    for value, plain in [
        (Colour.RED, 1),
        (Point(1, 2), (1, 2)),
        (Counter("aab"), {"a": 2, "b": 1}),
        (OrderedDict(a=1), {"a": 1}),
        (np.int64(3), 3),
        (np.float64(0.5), 0.5),
        (np.bool_(True), True),
        (np.array([[1, 2]]), [[1, 2]]),
        ([Fraction(1, 3)], [Fraction(1, 3)]),
    ]:
        assert shape(there_and_back(value)) == shape(plain)


@pytest.mark.parametrize(
    ("value", "held"),
    [(iter([1, (2,)]), [1, (2,)]), (map(abs, [-1]), [1]), ((n for n in range(3)), [0, 1, 2])],
)
def test_an_iterator_comes_back_as_one_over_the_same(value, held):
    there = there_and_back(value)
    assert iter(there) is there
    assert list(there) == held


@pytest.mark.parametrize("value", [print, iter([len]), object(), [len], {"a": lambda: 1}, int])
def test_anything_else_does_not_cross(value):
    with pytest.raises(NotPlainError, match="is not plain data"):
        encoded(value)


@pytest.mark.parametrize("held", [{"eval": "1"}, {"__class__": "x"}, {}, {"int": "1", "set": []}])
def test_a_form_that_nobody_writes_is_refused(held):
    with pytest.raises(ValueError):
        decoded(held)
