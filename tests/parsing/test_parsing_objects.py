"""Objects are found in their order, within thinking they are not, and broken ones stay broken."""

import pytest

from core.parsing.literals import MAX_DEPTH, Unreadable, read_object
from core.parsing.objects import find_objects


def test_objects_and_the_text_around_them_are_kept_apart():
    found = find_objects("a {'x': 1} b <think>{'y': 2}</think> c {\"z\": []} d", "x")
    assert found.objects == ({"x": 1}, {"z": []})
    assert found.rest == "a  b  c  d"


def test_an_object_inside_a_broken_one_is_not_taken_for_an_answer():
    found = find_objects('{"task": bad, "example": {"task": "inner"}} {"task": "outer"}', "task")
    assert found.objects == ({"task": "outer"},)
    assert found.unread == "it is neither JSON nor a Python dict"


def test_after_too_many_braces_the_reply_says_that_it_was_not_read_to_the_end():
    found = find_objects('{"a": ' * 5_000 + '{"task": "x"}', "task")
    assert found.objects == ()
    assert found.unread == "it comes after more braces than can be looked through"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{'a': b'x'}", "it is neither JSON nor a Python dict"),
        ("{'a': f'{x}'}", "it is neither JSON nor a Python dict"),
        ("{'a': __import__('os')}", "it is neither JSON nor a Python dict"),
        ("{'a'}", "it is neither JSON nor a Python dict"),
        ("{'a': null}", "it is neither JSON nor a Python dict"),
        ("{**{'a': 1}}", "it is neither JSON nor a Python dict"),
        ("{'a': 'x' 'y'}", "a comma is missing, or a quotation mark inside a text is not escaped"),
        ("{'a': {'b': 1, 'b': 2}}", "it gives one key twice with different values"),
        ('{"a": {"b": 1, "b": 1.0}}', "it gives one key twice with different values"),
        ("{'a': 'x", "a quotation mark is never closed"),
        ("{'a': 'x'", "its closing brace is missing"),
        ('{"a":' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}", "it is too large or nested too deeply"),
        ("{'a':" + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}", "it is too large or nested too deeply"),
    ],
)
def test_what_is_no_object_says_why(text, why):
    with pytest.raises(Unreadable) as problem:
        read_object(text, 0)
    assert problem.value.why == why


def test_the_same_key_with_the_same_value_is_one_key():
    assert read_object('{"a": "x", "a": "x"}', 0)[0] == {"a": "x"}
    assert read_object("{'a': 'x', \"a\": 'x'}", 0)[0] == {"a": "x"}
