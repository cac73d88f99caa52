"""What is handed to LiteLLM for one request, and what is recorded of it.

Every parameter is tried on LiteLLM's own translation for the model first: one that it would refuse
or drop is left out here, and named. The library comes as an argument, since only its client may
import it.
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from core.identity import canonical_json
from core.llm.client import CallFailed
from core.llm.failures import scrub_secrets
from core.llm.local_model import Endpoint
from core.llm.wire import response_format
from core.records import Request

SELF_HOSTED = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm"})
"""Servers people run themselves: no price per call, and any model can be held to a schema."""

PLAIN_SAMPLING: Mapping[str, Any] = {"top_k": 0, "top_p": 1, "min_p": 0}
"""llama.cpp narrows the choice of tokens even at temperature 1; these values switch that off."""

CALL_ARGUMENTS = frozenset({"model", "messages", "timeout", "stream", "client", "extra_body"})
"""Names that make up a call as such, so they cannot be parameters of a study."""


@dataclass(frozen=True)
class Call:
    """What is handed to LiteLLM, and what is recorded of it.

    Args:
        model: the name LiteLLM is asked for.
        arguments: everything else that goes into the call.
        honoured: the parameters that are really sent, `schema` ("response_format" or "not sent",
            absent when none was asked for) and `dropped`, the names of those left out.
    """

    model: str
    arguments: Mapping[str, Any]
    honoured: Mapping[str, Any]


def provider_call(litellm: ModuleType, request: Request) -> Call:
    """The call that asks a provider, with a schema where the model is known to support one.

    Raises:
        CallFailed: no provider is known for the model, or a parameter steers the library.
    """
    try:
        model, provider, _, _ = litellm.get_llm_provider(request.model, api_base=request.api_base)
    except litellm.BadRequestError:
        raise CallFailed(
            f"no provider is known for the model {request.model}",
            kind="provider_error",
            retryable=False,
            hint="put the provider before the name, as in openai/gpt-4o or ollama_chat/llama3.2",
        ) from None
    takes = functools.partial(_takes, litellm, model, provider)
    asked = _asked(litellm, request)
    sent = {name: value for name, value in asked.items() if takes(name, value)}
    honoured: dict[str, Any] = {**sent, "dropped": sorted(asked.keys() - sent.keys())}
    if request.schema is not None:
        form = response_format(request.schema)
        known = provider in SELF_HOSTED or litellm.supports_response_schema(model, provider)
        fits = known and takes("response_format", form)
        honoured["schema"] = "response_format" if fits else "not sent"
        sent |= {"response_format": form} if fits else {}
    if request.api_base:
        honoured["api_base"] = scrub_secrets(request.api_base)
        sent["api_base"] = request.api_base
        # An own server needs no key, but the library insists on one.
        if missing_keys(litellm, request.model):
            sent["api_key"] = "unset"
    return Call(request.model, sent, honoured)


def local_call(litellm: ModuleType, request: Request, endpoint: Endpoint, connection: Any) -> Call:
    """The call that asks a local model: the schema always holds, and a seed always repeats.

    Raises:
        CallFailed: a parameter steers the library.
    """
    asked = _asked(litellm, request)
    sampling = {name: asked.pop(name, plain) for name, plain in PLAIN_SAMPLING.items()}
    # With a prompt cache the same seed gives other text, depending on what was asked before.
    body = {"cache_prompt": False, **sampling}
    sent = {
        name: value
        for name, value in asked.items()
        if _takes(litellm, "local", "openai", name, value)
    }
    honoured: dict[str, Any] = {**sent, **body, "dropped": sorted(asked.keys() - sent.keys())}
    if request.schema is not None:
        sent["response_format"] = response_format(request.schema)
        honoured["schema"] = "response_format"
    sent |= {"api_base": endpoint.api_base, "api_key": endpoint.api_key}
    return Call("openai/local", {**sent, "extra_body": body, "client": connection}, honoured)


def messages_of(request: Request) -> list[dict[str, str]]:
    """The conversation in the OpenAI form.

    Raises:
        CallFailed: a message holds half a surrogate pair, which no request can carry.
    """
    try:
        for message in request.messages:
            message.content.encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise CallFailed(
            f"a message holds half a character, {half!r}, which cannot be sent",
            kind="provider_error",
            retryable=False,
            hint="replace that character in the task",
        ) from None
    return [{"role": message.role, "content": message.content} for message in request.messages]


def missing_keys(litellm: ModuleType, model: str) -> tuple[str, ...]:
    """The environment variables a provider's key is read from, when none of them is set."""
    missing = litellm.validate_environment(model)["missing_keys"]
    return tuple(name for name in missing if name.endswith("_API_KEY"))


def _asked(litellm: ModuleType, request: Request) -> dict[str, Any]:
    """The parameters asked for; none may steer the library (keys, addresses, fallbacks)."""
    asked = {name: value for name, value in request.parameters.items() if value is not None}
    steering = sorted(asked.keys() & {*litellm.types.utils.all_litellm_params, *CALL_ARGUMENTS})
    if steering:
        raise CallFailed(
            f"{steering[0]} is not a parameter of a model",
            kind="provider_error",
            retryable=False,
            hint="keep to temperature, max_tokens, seed and other sampling parameters",
        )
    return asked


def _takes(litellm: ModuleType, model: str, provider: str, name: str, value: Any) -> bool:
    # Every call has a seed of its own; whether a model takes one does not depend on it.
    tried = 0 if name == "seed" else value
    return _takes_json(litellm, model, provider, name, canonical_json(tried))


@functools.lru_cache(maxsize=4096)
def _takes_json(litellm: ModuleType, model: str, provider: str, name: str, value: str) -> bool:
    """Whether LiteLLM passes this parameter on to this model, rather than dropping it."""
    translate = functools.partial(
        litellm.utils.get_optional_params,
        model=model,
        custom_llm_provider=provider,
        drop_params=False,
    )
    try:
        return translate(**{name: json.loads(value)}) != translate()
    except litellm.UnsupportedParamsError:
        return False
