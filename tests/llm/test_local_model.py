import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import ModelError
from core.llm import local_model, weights
from core.llm.client import CallFailed
from core.llm.litellm_client import LitellmClient
from core.records import Message, Request
from core.settings import EMBEDDED_MODEL

PROJECT = Path(__file__).parents[2]
SCHEMA = {
    "type": "object",
    "properties": {
        "task": {"type": "string", "maxLength": 60},
        "side": {"enum": ["feasible", "infeasible"]},
    },
    "required": ["task", "side"],
    "additionalProperties": False,
}


def _request(text="Invent a task.", schema=SCHEMA, seed=1, max_tokens=110):
    parameters = {"temperature": 1.0, "seed": seed, "max_tokens": max_tokens}
    return Request("a", EMBEDDED_MODEL, (Message("user", text),), parameters, schema)


@pytest.fixture
def weights_here():
    try:
        weights.weights_path()
    except ModelError as error:
        pytest.skip(f"{error}; {error.hint}")


@contextlib.asynccontextmanager
async def _client():
    client = LitellmClient()
    try:
        yield client
    finally:
        await client.close()


def _is_gone(pid):
    """Whether a process has ended, waited for up to ten seconds."""
    for _ in range(200):
        status = Path(f"/proc/{pid}/stat")
        # a zombie has ended too: only its parent has not asked yet
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def _server_pids():
    return [server.process.pid for server in local_model._servers.values()]


def test_a_path_without_a_file_and_a_file_of_another_kind_are_explained(tmp_path):
    with pytest.raises(ModelError, match=r"no model file at /nowhere/x\.gguf"):
        local_model.running_endpoint("local//nowhere/x.gguf", holder="test")
    other = tmp_path / "x.gguf"
    other.write_bytes(b"PK\x03\x04")
    with pytest.raises(ModelError, match=r"is not a GGUF file: it starts with b'PK"):
        local_model.running_endpoint(f"local/{other}", holder="test")


def test_a_damaged_file_is_explained_in_llama_cpps_own_words(tmp_path):
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(b"GGUF" + b"\xff" * 64)
    with pytest.raises(ModelError, match=r"damaged\.gguf cannot be loaded: .+") as caught:
        local_model.running_endpoint(f"local/{damaged}", holder="test")
    assert "damaged" in caught.value.hint


@pytest.mark.parametrize(
    ("report", "code", "words"),
    [
        (
            {"failed": "library", "detail": "libgomp.so.1: cannot open shared object file"},
            0,
            "local models need the system library libgomp.so.1, which is not installed",
        ),
        (
            {"failed": "library", "detail": "No module named 'xllamacpp'"},
            0,
            "llama.cpp cannot be loaded: No module named 'xllamacpp'",
        ),
        (
            {},
            -4,
            "local models need a processor with AVX2, which this one does not have",
        ),
        ({}, -9, "x.gguf cannot be loaded: the server ended with code -9"),
    ],
)
def test_a_server_that_does_not_start_says_what_is_missing(report, code, words):
    error = local_model._start_error(Path("x.gguf"), report, code, [])
    assert str(error) == words
    assert error.hint


@pytest.mark.model
def test_the_embedded_model_answers_in_form_and_says_who_it_is(weights_here):
    async def answer():
        async with _client() as client:
            return await client.ask(_request(), timeout_s=120)

    reply = asyncio.run(answer())
    said = json.loads(reply.text)
    assert set(said) == {"task", "side"}
    assert len(said["task"]) <= 60
    assert said["side"] in ("feasible", "infeasible")
    assert (reply.model, reply.cost_usd) == ("SmolLM2-135M-Instruct Q4_1", 0.0)
    plain = {"cache_prompt": False, "top_k": 0, "top_p": 1, "min_p": 0}
    assert plain.items() <= reply.honoured.items()
    assert reply.honoured["schema"] == "response_format"


@pytest.mark.model
def test_one_seed_gives_one_text_whatever_was_asked_in_between(weights_here):
    async def answers():
        async with _client() as client:
            return [(await client.ask(_request(seed=s), timeout_s=120)).text for s in (1, 2, 1)]

    first, other, again = asyncio.run(answers())
    assert first == again
    assert first != other


@pytest.mark.model
def test_the_server_is_shared_and_ends_with_the_last_client(weights_here):
    async def pids_seen():
        seen = []
        async with _client() as outer:
            await outer.ask(_request(max_tokens=4), timeout_s=120)
            seen += _server_pids()
            async with _client() as inner:
                await inner.ask(_request(max_tokens=4), timeout_s=120)
                seen += _server_pids()
            seen += _server_pids()
        return seen

    first, second, third = asyncio.run(pids_seen())
    assert first == second == third
    assert _server_pids() == []
    assert _is_gone(first)


@pytest.mark.model
def test_a_server_that_died_is_started_again(weights_here):
    async def answers():
        async with _client() as client:
            before = await client.ask(_request(), timeout_s=120)
            (server,) = local_model._servers.values()
            server.process.kill()
            server.process.wait()
            return before, await client.ask(_request(), timeout_s=120)

    before, after = asyncio.run(answers())
    assert before.text == after.text


@pytest.mark.model
def test_a_call_that_timed_out_does_not_hold_up_the_next(weights_here):
    async def finish_reason_after_timeout():
        async with _client() as client:
            endless = _request(schema=None, max_tokens=3_000, text="Tell a very long story.")
            await client.ask(_request(max_tokens=4), timeout_s=120)
            with pytest.raises(CallFailed, match=r"did not answer within 0\.3 s"):
                await client.ask(endless, timeout_s=0.3)
            return (await client.ask(_request(), timeout_s=120)).finish_reason

    assert asyncio.run(finish_reason_after_timeout()) == "stop"


@pytest.mark.model
def test_a_prompt_that_is_too_long_is_a_failure_that_is_not_tried_again(weights_here):
    async def ask():
        async with _client() as client:
            await client.ask(_request(text="word " * 5_000), timeout_s=120)

    with pytest.raises(CallFailed, match="exceeds the available context size") as caught:
        asyncio.run(ask())
    assert not caught.value.retryable


PARENT = """
import os, time
from core.llm import local_model
endpoint = local_model.running_endpoint("embedded/smollm2-135m-instruct", holder="parent")
(server,) = local_model._servers.values()
print(server.process.pid, endpoint.api_key, flush=True)
time.sleep(60)
"""


@pytest.mark.model
def test_the_server_dies_with_a_killed_parent_and_its_key_is_not_in_the_process_list(weights_here):
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    with parent:
        pid, api_key = parent.stdout.readline().split()
        shown = (
            Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()
        )
        os.kill(parent.pid, 9)
    assert b"local_server.py" in shown
    assert api_key.encode() not in shown
    assert _is_gone(pid)
