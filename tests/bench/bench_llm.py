"""How fast the model layer is: what LiteLLM adds to a call, and what the embedded model takes.

Run with `python -m tests.bench.bench_llm`. It prints ratios first; times depend on the machine.
"""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from core.errors import ModelError
from core.llm import local_model
from core.llm.litellm_client import LitellmClient
from core.records import Message, Reply, Request
from core.settings import EMBEDDED_MODEL
from tests.support.openai_server import Answer, completion, serve

N_CALLS = 200
IN_FLIGHT = 8
N_EMBEDDED = 8
PROMPT = (
    "Invent one everyday task that an assistant which only reads and writes text can carry out. "
    "Put in everything that the task needs. "
    'Reply with one JSON object {"task": "..."} and nothing else.'
)
SCHEMA = {
    "type": "object",
    # at least this long, so that every reply takes about a hundred tokens
    "properties": {"task": {"type": "string", "minLength": 180, "maxLength": 250}},
    "required": ["task"],
    "additionalProperties": False,
}


def main() -> None:
    """Nothing; prints the measurements."""
    bench_library()
    bench_embedded()


def bench_library() -> None:
    """Nothing; prints what a call costs over LiteLLM beside the same call over plain HTTP."""
    with serve(lambda request: Answer(completion("yes"))) as server:
        start = time.perf_counter()
        client_ms, rate = asyncio.run(_library_calls(server.api_base))
        plain_ms = asyncio.run(_plain_calls(server.api_base))
    print(f"LiteLLM against plain HTTP, CPU per call: {client_ms / plain_ms:.1f} times")
    print(f"  {client_ms:.1f} ms against {plain_ms:.1f} ms (the test's own server included)")
    print(
        f"  {rate:.0f} calls a second, {time.perf_counter() - start:.1f} s in all with its import"
    )


def bench_embedded() -> None:
    """Nothing; prints the embedded model's load time, memory and seconds a call."""
    try:
        local_model.model_file(EMBEDDED_MODEL)
    except ModelError as error:
        print(f"embedded model: not measured, {error}")
        return
    asyncio.run(_embedded_calls())


async def _library_calls(api_base: str) -> tuple[float, float]:
    client = LitellmClient()
    requests = [_request("openai/gpt-4o", seed, api_base) for seed in range(N_CALLS)]
    await client.ask(requests[0], timeout_s=60)
    cpu, wall = time.process_time(), time.perf_counter()
    await _ask_all(client, requests, IN_FLIGHT)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await client.close()
    return 1_000 * cpu / N_CALLS, N_CALLS / wall


async def _plain_calls(api_base: str) -> float:
    async with httpx.AsyncClient(trust_env=False) as http:
        body = {"messages": [{"role": "user", "content": PROMPT}]}
        await http.post(f"{api_base}/chat/completions", json=body)
        cpu = time.process_time()
        for _ in range(N_CALLS // IN_FLIGHT):
            posts = (http.post(f"{api_base}/chat/completions", json=body) for _ in range(IN_FLIGHT))
            await asyncio.gather(*posts)
        return 1_000 * (time.process_time() - cpu) / N_CALLS


async def _embedded_calls() -> None:
    client = LitellmClient()
    start = time.perf_counter()
    local_model.running_endpoint(EMBEDDED_MODEL, holder=client)
    load_s = time.perf_counter() - start
    (server,) = local_model._servers.values()
    requests = [_request(EMBEDDED_MODEL, seed) for seed in range(N_EMBEDDED)]
    await client.ask(requests[0], timeout_s=300)
    alone_s, replies = await _timed(client, requests, 1)
    together_s, _ = await _timed(client, requests, 2)
    n_prompt, n_reply = replies[0].prompt_tokens, [reply.completion_tokens for reply in replies]
    print(f"embedded model, two in flight against one: {alone_s / together_s:.2f} times as fast")
    print(
        f"  {alone_s / N_EMBEDDED:.2f} s a call: {n_prompt} tokens in, "
        f"{sum(n_reply) / N_EMBEDDED:.0f} out under a schema"
    )
    print(f"  loaded in {load_s:.1f} s, {_resident_mb(server.process.pid):.0f} MB resident")
    await client.close()


async def _timed(
    client: LitellmClient, requests: Sequence[Request], in_flight: int
) -> tuple[float, list[Reply]]:
    start = time.perf_counter()
    replies = await _ask_all(client, requests, in_flight)
    return time.perf_counter() - start, replies


async def _ask_all(
    client: LitellmClient, requests: Sequence[Request], in_flight: int
) -> list[Reply]:
    places = asyncio.Semaphore(in_flight)

    async def ask(request: Request) -> Reply:
        async with places:
            return await client.ask(request, timeout_s=300)

    return await asyncio.gather(*(ask(request) for request in requests))


def _request(model: str, seed: int, api_base: str | None = None) -> Request:
    parameters = {"temperature": 1.0, "max_tokens": 300, "seed": seed}
    messages = (Message("user", PROMPT),)
    return Request(f"item {seed}", model, messages, parameters, SCHEMA, api_base)


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1_024


if __name__ == "__main__":
    main()
