"""The client for real models: every provider LiteLLM knows, and local models beside them.

LiteLLM is imported at first use only (seconds, 180 MB), never fetches its price table, never
tries again by itself, and is told what to send parameter by parameter, so that what was left out
is known. One client belongs to one event loop; several clients may live in one process.
"""

import asyncio
import functools
import gc
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from core.llm import local_model
from core.llm.billing import Prices, call_cost_usd, worst_call_cost_usd
from core.llm.calls import SELF_HOSTED, Call, local_call, messages_of, missing_keys, provider_call
from core.llm.client import no_answer_in_time, runs_in_selfbound
from core.llm.failures import call_failure
from core.llm.wire import Usage, answering_model, first_choice, known_usage, raw_json
from core.records import Reply, Request

_open_clients: set["LitellmClient"] = set()


@dataclass
class _Witness:
    """Keeps the provider's own words, which LiteLLM shows while it makes the call."""

    raw: Any = None

    def __call__(self, details: Mapping[str, Any]) -> None:
        if details.get("log_event_type") == "post_api_call":
            self.raw = details.get("original_response")


class LitellmClient:
    """A client that reaches models through LiteLLM; see `core.llm.client.Client`.

    Nothing is imported, started or connected before the first call.
    """

    def __init__(self) -> None:
        self._local: dict[local_model.Endpoint, Any] = {}
        self._places: dict[str, asyncio.Semaphore] = {}
        _open_clients.add(self)

    async def ask(self, request: Request, *, timeout_s: float) -> Reply:
        """The model's reply to one request, after exactly one try.

        For a model that Selfbound runs itself, starting it and waiting for a free place are not
        counted in `timeout_s`.

        Raises:
            CallFailed: no reply came.
            ModelError: the model cannot be run on this machine.
        """
        # The import takes seconds: the loop must go on meanwhile.
        litellm = _litellm() if _is_loaded() else await asyncio.to_thread(_litellm)
        if not runs_in_selfbound(request.model):
            return await self._complete(provider_call(litellm, request), request, timeout_s)
        # One call is answered and one waits, so the server never idles and nobody times out
        # in a queue.
        async with self._places.setdefault(request.model, asyncio.Semaphore(2)):
            endpoint = await asyncio.to_thread(
                local_model.running_endpoint, request.model, holder=self
            )
            call = local_call(litellm, request, endpoint, self._local_connection(endpoint))
            return await self._complete(call, request, timeout_s)

    def worst_cost_usd(self, request: Request) -> float | None:
        """The most that this call can cost in US dollars; None when no price is known.

        The first question about a provider's model loads LiteLLM.
        """
        if _is_free(request.model):
            return 0.0
        prices, most_tokens = _price_list(request.model)
        asked = request.parameters
        most_tokens = asked.get("max_tokens") or asked.get("max_completion_tokens") or most_tokens
        if prices is None or most_tokens is None:
            return None
        return worst_call_cost_usd(prices, request, most_completion_tokens=most_tokens)

    async def close(self) -> None:
        """Nothing; stops the local servers nobody else uses and closes connections."""
        for connection in self._local.values():
            await connection.close()
        self._local.clear()
        await asyncio.to_thread(local_model.release, self)
        _open_clients.discard(self)
        if not _open_clients and _is_loaded():
            litellm = _litellm()
            await litellm.close_litellm_async_clients()
            # Closed connections must not be found again by the next client.
            litellm.in_memory_llm_clients_cache.flush_cache()

    async def _complete(self, call: Call, request: Request, timeout_s: float) -> Reply:
        litellm, openai = _litellm(), _openai()
        witness = _Witness()
        try:
            async with asyncio.timeout(timeout_s):
                response = await litellm.acompletion(
                    model=call.model,
                    messages=messages_of(request),
                    timeout=timeout_s,
                    logger_fn=witness,
                    num_retries=0,
                    max_retries=0,
                    drop_params=True,
                    **call.arguments,
                )
        except (TimeoutError, litellm.Timeout):
            raise no_answer_in_time(request.model, timeout_s) from None
        except openai.OpenAIError as error:
            keys = () if request.api_base else missing_keys(litellm, request.model)
            raise call_failure(error, model=request.model, missing_keys=keys) from None
        return _reply(request, call, response, witness.raw)

    def _local_connection(self, endpoint: local_model.Endpoint) -> Any:
        if endpoint not in self._local:
            import httpx

            self._local[endpoint] = _openai().AsyncOpenAI(
                base_url=endpoint.api_base,
                api_key=endpoint.api_key,
                max_retries=0,
                # A proxy from the environment cannot reach this machine's own address.
                http_client=httpx.AsyncClient(trust_env=False),
            )
        return self._local[endpoint]


@functools.cache
def _litellm() -> ModuleType:
    # Read at import: keep the bundled price table, and read no .env file behind the user's back.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    # Every failure is told once, as a `CallFailed`; the library would print it again, unscrubbed.
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    # What the import made lives for good; frozen, it is not walked by every garbage collection,
    # of which Streamlit makes a full one after each rerun.
    gc.freeze()
    return litellm


def _is_loaded() -> bool:
    return _litellm.cache_info().currsize > 0


def _openai() -> ModuleType:
    import openai

    return openai


def _is_free(model: str) -> bool:
    return runs_in_selfbound(model) or model.partition("/")[0] in SELF_HOSTED


@functools.lru_cache(maxsize=256)
def _price_list(model: str) -> tuple[Prices | None, int | None]:
    """A provider's prices and the most tokens of one reply; None for what is not known."""
    litellm = _litellm()
    try:
        info = litellm.get_model_info(model)
    except (litellm.exceptions.ModelNotMappedError, _openai().OpenAIError):
        return None, None
    # The merged information shows 0 where no price is known; the table itself does not.
    listed = litellm.model_cost.get(info["key"], {})
    per_token = [listed.get(f"{kind}_cost_per_token") for kind in ("input", "output")]
    if None in per_token:
        return None, info.get("max_output_tokens")
    cached = listed.get("cache_read_input_token_cost")
    prices = Prices(
        prompt_usd=per_token[0] * 1_000_000,
        completion_usd=per_token[1] * 1_000_000,
        cached_usd=None if cached is None else cached * 1_000_000,
    )
    return prices, info.get("max_output_tokens")


def _reply(request: Request, call: Call, response: Any, raw: Any) -> Reply:
    said = response.model_dump()
    choice = first_choice(request.model, raw, said)
    usage = known_usage(raw, said)
    is_local = runs_in_selfbound(request.model)
    return Reply(
        text=choice.text,
        finish_reason=choice.finish_reason,
        refusal=choice.refusal,
        model=local_model.real_name(request.model) if is_local else answering_model(raw, said),
        prompt_tokens=usage.prompt_tokens,
        cached_tokens=usage.cached_tokens,
        completion_tokens=usage.completion_tokens,
        cost_usd=_cost_usd(request.model, usage),
        honoured=call.honoured,
        raw=raw_json(raw, said),
    )


def _cost_usd(model: str, usage: Usage) -> float | None:
    if _is_free(model):
        return 0.0
    prices, _ = _price_list(model)
    if prices is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    return call_cost_usd(
        prices,
        prompt_tokens=usage.prompt_tokens,
        cached_tokens=usage.cached_tokens or 0,
        completion_tokens=usage.completion_tokens,
    )
