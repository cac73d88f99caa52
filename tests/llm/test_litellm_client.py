import asyncio
import concurrent.futures
import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.llm.client import CallFailed
from core.llm.litellm_client import LitellmClient
from core.records import Message, Request
from tests.support.openai_server import Answer, completion, serve

PROJECT = Path(__file__).parents[2]
SCHEMA = {
    "type": "object",
    "properties": {"task": {"type": "string"}},
    "required": ["task"],
    "additionalProperties": False,
}


def _request(api_base, model="openai/gpt-4o", schema=None, text="question", **parameters):
    return Request(
        item_id="a",
        model=model,
        messages=(Message("system", "be brief"), Message("user", text)),
        parameters=parameters,
        schema=schema,
        api_base=api_base,
    )


async def _ask_once(request, timeout_s=20.0):
    client = LitellmClient()
    try:
        return await client.ask(request, timeout_s=timeout_s)
    finally:
        await client.close()


def _reply_to(answer, **asked):
    """What one call brings back from a server that gives `answer`, and the request it got."""
    with serve(lambda request: answer) as server:
        reply = asyncio.run(_ask_once(_request(server.api_base, **asked)))
        (request,) = server.requests
    return reply, request


def _failure_of(answer, **asked):
    with serve(lambda request: answer) as server:
        with pytest.raises(CallFailed) as caught:
            asyncio.run(_ask_once(_request(server.api_base, **asked)))
        assert len(server.requests) == 1, "one ask is one try"
    return caught.value


def test_a_reply_brings_text_model_tokens_and_cost():
    usage = {
        "prompt_tokens": 1_000,
        "completion_tokens": 100,
        "total_tokens": 1_100,
        "prompt_tokens_details": {"cached_tokens": 600},
    }
    reply, request = _reply_to(Answer(completion("yes", usage=usage)))
    assert (reply.text, reply.finish_reason, reply.model) == ("yes", "stop", "model-that-answered")
    assert (reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens) == (1_000, 600, 100)
    # gpt-4o: 400 fresh at 2.5, 600 cached at 1.25, 100 out at 10 = 2,750 millionths of a dollar
    assert reply.cost_usd == pytest.approx(0.00275)
    assert request["messages"][0] == {"role": "system", "content": "be brief"}


def test_tokens_that_were_not_counted_and_prices_that_are_not_known_stay_unknown():
    uncounted = {name: value for name, value in completion("yes").items() if name != "usage"}
    assert _reply_to(Answer(uncounted))[0].prompt_tokens is None
    assert _reply_to(Answer(completion("yes")), model="openai/nobodys-model")[0].cost_usd is None


def test_what_is_sent_is_recorded():
    reply, request = _reply_to(
        Answer(completion("{}")), temperature=0.5, max_tokens=20, seed=7, schema=SCHEMA
    )
    assert (request["temperature"], request["max_tokens"], request["seed"]) == (0.5, 20, 7)
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA
    sent = {name: reply.honoured[name] for name in ("temperature", "max_tokens", "seed")}
    assert sent == {"temperature": 0.5, "max_tokens": 20, "seed": 7}
    assert (reply.honoured["schema"], reply.honoured["dropped"]) == ("response_format", [])


def test_a_parameter_the_model_does_not_take_is_left_out_and_named():
    answer = Answer(completion("yes"))
    reply, request = _reply_to(answer, model="openai/gpt-5", temperature=0.0, seed=7)
    assert "temperature" not in request
    assert reply.honoured["dropped"] == ["temperature"]
    assert "temperature" not in reply.honoured


def test_a_schema_is_not_sent_to_a_model_nobody_knows_to_support_it():
    answer = Answer(completion("yes"))
    reply, request = _reply_to(answer, model="openai/nobodys-model", schema=SCHEMA)
    assert "response_format" not in request
    assert reply.honoured["schema"] == "not sent"


def test_text_arrives_exactly_as_it_was_sent():
    text = '<think>maybe {"a": 1}</think>\ud835 x\x00 né {"a": 2}  '
    reply, _ = _reply_to(Answer(completion(text)))
    assert reply.text == text
    assert reply.raw.isascii()
    assert json.loads(reply.raw)["choices"][0]["message"]["content"] == text


def test_no_content_a_refusal_and_a_filter_are_kept_apart():
    def choice(finish_reason, **message):
        message = {"role": "assistant", "content": None, **message}
        return completion(choices=[{"message": message, "finish_reason": finish_reason}])

    assert _reply_to(Answer(choice("stop")))[0].text is None
    assert _reply_to(Answer(choice("stop", refusal="I cannot")))[0].refusal == "I cannot"
    assert _reply_to(Answer(choice("content_filter")))[0].finish_reason == "content_filter"


ERROR = {"error": {"message": "went wrong with sk-abcdef123456", "type": "x", "code": "y"}}


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (400, "provider_error", False),
        (401, "provider_error", False),
        (403, "provider_error", False),
        (404, "provider_error", False),
        (429, "rate_limited", True),
        (500, "provider_error", True),
        (503, "provider_error", True),
    ],
)
def test_an_http_error_is_a_failed_call_without_the_key_in_it(status, kind, retryable):
    failed = _failure_of(Answer(ERROR, status=status))
    assert (failed.kind, failed.retryable) == (kind, retryable)
    assert "went wrong with [secret]" in str(failed)


def test_retry_after_comes_along_for_both_kinds_of_overload():
    for status in (429, 503):
        failed = _failure_of(Answer(ERROR, status=status, headers={"Retry-After": "7"}))
        assert failed.retry_after_s == 7.0


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "upstream died", "code": 500}},
        {**completion("half an ans"), "error": {"message": "upstream died", "code": 502}},
        completion(choices=[]),
        completion(
            choices=[
                {
                    "message": {"role": "assistant", "content": "half"},
                    "finish_reason": "error",
                    "error": {"message": "upstream died", "code": 502},
                }
            ]
        ),
        b"<html>busy</html>",
        {"id": "x"},
    ],
)
def test_a_200_that_is_no_answer_is_a_provider_error(body):
    failed = _failure_of(Answer(body))
    assert failed.kind == "provider_error"


def test_no_answer_in_time_is_a_timeout_and_the_connection_is_let_go():
    late = Answer(completion("late"), delay_s=1.0)
    with (
        serve(lambda request: late) as server,
        pytest.raises(CallFailed, match=r"did not answer within 0\.2 s$") as caught,
    ):
        asyncio.run(_ask_once(_request(server.api_base), timeout_s=0.2))
    assert (caught.value.kind, caught.value.retryable) == ("timed_out", True)


def test_nobody_listening_may_be_tried_again():
    with pytest.raises(CallFailed, match="could not be reached") as caught:
        asyncio.run(_ask_once(_request("http://127.0.0.1:9/v1")))
    assert (caught.value.kind, caught.value.retryable) == ("provider_error", True)


def test_a_missing_key_is_named(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(CallFailed, match="needs OPENAI_API_KEY, which is not set") as caught:
        asyncio.run(_ask_once(_request(None)))
    assert not caught.value.retryable


def test_a_model_without_a_provider_is_explained():
    with pytest.raises(CallFailed, match=r"^no provider is known for the model nobody/x$"):
        asyncio.run(_ask_once(_request(None, model="nobody/x")))


def test_a_parameter_that_steers_the_library_is_refused_before_anything_is_sent():
    with (
        serve(lambda request: Answer(completion())) as server,
        pytest.raises(CallFailed, match=r"^api_key is not a parameter of a model$"),
    ):
        asyncio.run(_ask_once(_request(server.api_base, api_key="sk-abc")))
    assert server.requests == []


def test_half_a_character_cannot_be_sent_and_says_so():
    with (
        serve(lambda request: Answer(completion())) as server,
        pytest.raises(CallFailed, match="half a character") as caught,
    ):
        asyncio.run(_ask_once(_request(server.api_base, text="\ud835")))
    assert not caught.value.retryable


def test_another_protocol_works_with_one_try_and_its_schema():
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-that-answered",
        "content": [{"type": "text", "text": "yes"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 5, "output_tokens": 2},
    }
    asked = {"model": "anthropic/claude-sonnet-4-5", "seed": 1, "schema": SCHEMA}
    reply, _ = _reply_to(Answer(body), **asked)
    assert (reply.text, reply.finish_reason, reply.model) == ("yes", "stop", "claude-that-answered")
    assert json.loads(reply.raw)["stop_reason"] == "end_turn"
    assert reply.honoured["dropped"] == ["seed"]
    assert reply.honoured["schema"] == "response_format"
    assert _failure_of(Answer({"error": {"message": "busy"}}, status=529), **asked).retryable


def test_the_worst_cost_is_known_before_the_call():
    client = LitellmClient()
    asked = _request(None, max_tokens=1_000)
    # "be brief" + "question" = 16 bytes, 3 x 16 around them: 64 at 2.5 and 1,000 at 10 per million
    assert client.worst_cost_usd(asked) == pytest.approx(0.01016)
    assert client.worst_cost_usd(_request(None, model="openai/nobodys-model")) is None
    assert client.worst_cost_usd(_request(None, model="nobody/x")) is None
    assert client.worst_cost_usd(_request(None, model="ollama_chat/llama3.2")) == 0.0
    assert client.worst_cost_usd(_request(None, model="local/x.gguf")) == 0.0
    asyncio.run(client.close())


def test_closing_one_client_leaves_the_other_working():
    async def both(api_base):
        first, second = LitellmClient(), LitellmClient()
        replies = [await client.ask(_request(api_base), timeout_s=20) for client in (first, second)]
        await first.close()
        replies.append(await second.ask(_request(api_base), timeout_s=20))
        await second.close()
        return [reply.text for reply in replies]

    with serve(lambda request: Answer(completion("yes"))) as server:
        assert asyncio.run(both(server.api_base)) == ["yes"] * 3


def test_two_event_loops_work_at_once_and_one_after_another():
    async def several(api_base):
        client = LitellmClient()
        asked = [client.ask(_request(api_base), timeout_s=20) for _ in range(5)]
        replies = await asyncio.gather(*asked)
        await client.close()
        return [reply.text for reply in replies]

    with (
        serve(lambda request: Answer(completion("yes"))) as server,
        concurrent.futures.ThreadPoolExecutor(2) as threads,
    ):
        for _ in range(2):
            runs = [threads.submit(asyncio.run, several(server.api_base)) for _ in range(2)]
            assert [run.result() for run in runs] == [["yes"] * 5] * 2
        assert len(server.requests) == 20


NO_NETWORK = """
import asyncio, socket, sys

def refuse(*arguments, **options):
    print("connected to", arguments)
    raise OSError("no network in this test")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from core.llm.litellm_client import LitellmClient
from core.records import Request

client = LitellmClient()
assert client.worst_cost_usd(Request("a", "embedded/smollm2-135m-instruct", ())) == 0.0
assert "litellm" not in sys.modules and "xllamacpp" not in sys.modules
assert client.worst_cost_usd(Request("a", "openai/gpt-4o", (), {"max_tokens": 1})) > 0
assert "litellm" in sys.modules
asyncio.run(client.close())
print("quiet")
"""


def test_nothing_is_connected_at_import_at_construction_or_to_know_a_price():
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("quiet\n", "")
