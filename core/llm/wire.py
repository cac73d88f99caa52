"""The OpenAI chat form: how a schema is asked for, and what a reply in that form says.

Two views of one reply meet here. `raw` is the provider's own text; `said` is LiteLLM's reading of
it in the OpenAI form, which moves think blocks away and smooths finish reasons over. Where the
provider itself speaks the OpenAI form its own words are taken, else LiteLLM's.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.llm.client import CallFailed
from core.llm.failures import scrub_secrets

_LENGTHS = ("minLength", "maxLength")


@dataclass(frozen=True)
class Choice:
    """The first choice of a reply: its text, why it ended, and a refusal where there is one."""

    text: str | None
    finish_reason: str | None
    refusal: str | None


@dataclass(frozen=True)
class Usage:
    """Tokens as billed; None where the provider did not say."""

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The `response_format` that asks for a reply following the schema.

    Strict adherence is asked for where OpenAI's rules for it are kept; a schema outside them
    would be refused, so it is sent as guidance.
    """
    named = {"name": "reply", "schema": dict(schema), "strict": allows_strict(schema)}
    return {"type": "json_schema", "json_schema": named}


def allows_strict(schema: Mapping[str, Any]) -> bool:
    """Whether a schema keeps OpenAI's rules for strict adherence.

    The root is one object, every object is closed and requires all its properties, and no
    text has a length.

    Example:
        >>> text = {"type": "string"}
        >>> closed = {"type": "object", "required": ["a"], "additionalProperties": False}
        >>> allows_strict({**closed, "properties": {"a": text}})
        True
        >>> allows_strict({**closed, "properties": {"a": text, "b": text}})
        False
    """
    return schema.get("type") == "object" and _keeps_strict_rules(schema)


def _keeps_strict_rules(part: Any) -> bool:
    if isinstance(part, list):
        return all(_keeps_strict_rules(item) for item in part)
    if not isinstance(part, Mapping):
        return True
    if part.get("type") == "object":
        properties = part.get("properties", {})
        if part.get("additionalProperties") is not False:
            return False
        if set(part.get("required", ())) != set(properties):
            return False
        part = {**part, "properties": list(properties.values())}
    if part.get("type") == "string" and any(length in part for length in _LENGTHS):
        return False
    return all(_keeps_strict_rules(item) for item in part.values())


def first_choice(model: str, raw: Any, said: Mapping[str, Any]) -> Choice:
    """The reply's first choice, its text exactly as the provider sent it.

    Args:
        model: the name shown when there is no choice.
        raw: the provider's text, when it is known.
        said: the reply in the OpenAI form.

    Raises:
        CallFailed: there is no choice, or the choice holds an error instead of an answer.
    """
    own = _own_words(raw) or {}
    for choices in (own.get("choices"), said.get("choices")):
        error = choices[0].get("error") if choices else None
        if error:
            raise _no_answer(model, f"an error instead of an answer: {_words(error)}")
    if not said.get("choices"):
        raise _no_answer(model, "no choice to read an answer from")
    choice = said["choices"][0]
    own_choice = (own.get("choices") or [{}])[0]
    own_text = (own_choice.get("message") or {}).get("content")
    # A tool call that LiteLLM uses to carry a schema leaves the provider's own text empty.
    if isinstance(own_text, str) and own_text:
        choice = own_choice
    message = choice.get("message") or {}
    return Choice(message.get("content"), choice.get("finish_reason"), message.get("refusal"))


def known_usage(raw: Any, said: Mapping[str, Any]) -> Usage:
    """The tokens of a call, all None when the provider did not count them."""
    own = _own_words(raw)
    usage = said.get("usage") or {}
    if not usage or (own is not None and not own.get("usage")):
        return Usage()
    details = usage.get("prompt_tokens_details") or {}
    return Usage(
        prompt_tokens=usage.get("prompt_tokens"),
        cached_tokens=details.get("cached_tokens"),
        completion_tokens=usage.get("completion_tokens"),
    )


def answering_model(raw: Any, said: Mapping[str, Any]) -> str | None:
    """The model that says it answered, or None when no name came with the reply."""
    return (_own_words(raw) or said).get("model")


def raw_json(raw: Any, said: Mapping[str, Any]) -> str:
    """The reply as JSON text in ASCII: the provider's own where it is JSON, else `said`.

    Lone surrogates and NULs are kept as escapes.

    Example:
        >>> raw_json('{"text": "\\\\ud835 caf\\u00e9"}', {})
        '{"text": "\\\\ud835 caf\\\\u00e9"}'
    """
    own = _parsed(raw)
    return json.dumps(said if own is None else own, ensure_ascii=True, default=str)


def _own_words(raw: Any) -> dict[str, Any] | None:
    """What the provider sent, when it speaks the OpenAI form."""
    own = _parsed(raw)
    return own if isinstance(own, dict) and isinstance(own.get("choices"), list) else None


def _parsed(raw: Any) -> Any:
    if not isinstance(raw, str):
        return None
    try:
        return json.loads(raw)
    except ValueError:
        return None


def _no_answer(model: str, what: str) -> CallFailed:
    return CallFailed(f"{model} sent {what}", kind="provider_error", retryable=True)


def _words(error: Any) -> str:
    message = error.get("message", error) if isinstance(error, Mapping) else error
    return scrub_secrets(" ".join(str(message).split()))[:200]
