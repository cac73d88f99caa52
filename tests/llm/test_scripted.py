import asyncio

import pytest

from core.errors import SelfboundError
from core.llm.client import CallFailed
from core.llm.scripted import ScriptedClient, ScriptUsedUp
from core.records import Reply, Request


def _ask(client, item_id="a", timeout_s=1.0):
    request = Request(item_id=item_id, model="scripted/model", messages=())
    return asyncio.run(client.ask(request, timeout_s=timeout_s))


def test_answers_come_in_order_and_requests_are_kept():
    client = ScriptedClient([Reply("one"), Reply("two")])
    assert [_ask(client, "a").text, _ask(client, "b").text] == ["one", "two"]
    assert [request.item_id for request in client.requests] == ["a", "b"]


def test_a_function_answers_by_the_request():
    client = ScriptedClient(lambda request: Reply(request.item_id.upper()))
    assert _ask(client, "xyz").text == "XYZ"


def test_an_exception_in_the_script_is_raised():
    failed = CallFailed("slow down", kind="rate_limited", retryable=True)
    with pytest.raises(CallFailed, match="slow down"):
        _ask(ScriptedClient([failed]))


def test_asking_beyond_the_script_is_an_error_that_no_test_overlooks():
    client = ScriptedClient([Reply("one")])
    _ask(client)
    words = r"^the script has 1 answers and was asked for one more, by item b$"
    with pytest.raises(ScriptUsedUp, match=words) as caught:
        _ask(client, "b")
    assert isinstance(caught.value, SelfboundError)
    assert isinstance(caught.value, AssertionError)


def test_a_latency_longer_than_the_timeout_times_the_call_out():
    async def forever(request):
        await asyncio.Event().wait()

    client = ScriptedClient([Reply("late")], latency=forever)
    with pytest.raises(CallFailed, match=r"^scripted/model did not answer within 0\.01 s$"):
        _ask(client, timeout_s=0.01)


def test_the_worst_cost_and_closing_are_scripted_too():
    client = ScriptedClient([], worst_cost_usd=0.25)
    asyncio.run(client.close())
    assert client.closed
    assert client.worst_cost_usd(Request("a", "m", ())) == 0.25
