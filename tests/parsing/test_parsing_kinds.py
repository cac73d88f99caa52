"""Every kind of reply is read by its name."""

import pytest

from core.errors import InputError
from core.parsing.kinds import KINDS, parse_reply


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_takes_a_reply_as_the_provider_returned_it(kind):
    assert parse_reply(kind, None).outcome == "empty"
    assert parse_reply(kind, "{}", finish_reason="length").outcome == "truncated"
    assert parse_reply(kind, None, refusal="No.").outcome == "refused"


def test_an_unknown_kind_is_answered_with_those_that_exist():
    with pytest.raises(InputError) as problem:
        parse_reply("colour", "red")
    assert str(problem.value) == "there is no kind of reply named colour"
    kinds = "task, classification, screening, boxed, yesno, percent, decision, likelihood, code"
    assert problem.value.hint == f"choose one of: {kinds}"
