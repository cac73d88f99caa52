"""From an exception of the model library to one sentence that can be stored and shown.

Kinds are told apart by HTTP status, so nothing here needs the library. A provider may echo a key
back in its error; every sentence is scrubbed before it leaves this module.
"""

import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.llm.client import CallFailed

LONGEST_WORDS = 200
"""Characters kept of what a provider said: enough to act on, short enough for a table row."""

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SECRET_SHAPES = (
    re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|pplx|ghp|AKIA|AIza)[-_]?[\w*.-]{8,}"),
    re.compile(r"(?<=bearer )\S+", re.IGNORECASE),
    re.compile(r"""(?<=authorization)["']?\s*[:=]\s*["']?[^"',}]+""", re.IGNORECASE),
    re.compile(r"""(?<=api[-_ ]key)["']?\s*[:=]\s*["']?[^\s"',}]+""", re.IGNORECASE),
    re.compile(r"(?<=[?&])[\w-]*(?:key|token|sig|secret)=[^&\s\"']+", re.IGNORECASE),
    re.compile(r"(?<=://)[^/\s@]+@"),
)
_NO_MORE_CREDIT = re.compile(r"insufficient_quota|current quota|credit balance", re.IGNORECASE)
_NO_CONNECTION = re.compile(r"connect", re.IGNORECASE)
_PYTHON_OBJECT = re.compile(r" \S*<\S+ object at \S+>")
_HINTS = {
    401: "check the provider's key in the environment",
    402: "check the account's credit with the provider",
    403: "check what the provider's key may use",
    404: "check the model's name and the address of its provider",
}


def scrub_secrets(text: str, *, secrets: Iterable[str] = ()) -> str:
    """The text with keys, tokens and passwords replaced by [secret].

    Args:
        text: anything that may be shown or stored.
        secrets: values that must not appear whatever their shape.

    Example:
        >>> scrub_secrets("Incorrect API key provided: sk-abcdef123456")
        'Incorrect API key provided: [secret]'
        >>> scrub_secrets("GET https://host/v1?key=abc&alt=json")
        'GET https://host/v1?[secret]&alt=json'
    """
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[secret]")
    for shape in _SECRET_SHAPES:
        text = shape.sub("[secret]", text)
    return text


def secrets_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of all variables whose name speaks of a key, token, secret or password.

    Example:
        >>> secrets_in({"OPENAI_API_KEY": "abcdefgh", "HOME": "/home/ada"})
        ('abcdefgh',)
    """
    # A value of a few characters is no key, and would blank out ordinary words.
    return tuple(v for name, v in environment.items() if _SECRET_NAME.search(name) and len(v) >= 8)


def parse_retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Seconds to wait as a reply's headers ask for, or None when they do not say.

    Reads `retry-after-ms`, and `retry-after` as seconds or as an HTTP date; a date that has
    passed is 0.0. Names are lower case.

    Example:
        >>> noon = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
        >>> parse_retry_after({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, now=noon)
        30.0
        >>> parse_retry_after({"retry-after": "soon"}, now=noon) is None
        True
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after", "")
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(asked)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())


def call_failure(error: Exception, *, model: str, missing_keys: Iterable[str] = ()) -> CallFailed:
    """How a call failed, from the exception it raised.

    429, 408, 409, 425 and everything from 500 up may succeed later; other statuses, and a 429
    that says the account's credit is used up, will not.

    Args:
        error: as raised by the model library; its HTTP status and headers are read when it has
            any.
        model: the name shown in the sentence.
        missing_keys: environment variables the provider reads its key from and that are not set.
    """
    status = getattr(error, "status_code", None) or 500
    words = _provider_words(error)
    absent = " or ".join(missing_keys)
    if absent and (status in (401, 403) or re.search(r"api.?key|credential", words, re.I)):
        return CallFailed(
            f"{model} needs {absent}, which is not set",
            kind="provider_error",
            retryable=False,
            hint=f"set {absent} in the environment and start Selfbound again",
        )
    spent = status in (402, 429) and _NO_MORE_CREDIT.search(f"{words} {error!r} {_body(error)}")
    hint = _HINTS[402] if spent else _HINTS.get(status, "")
    if status == 429 and not spent:
        kind, said = "rate_limited", "asks to slow down (HTTP 429)"
    elif status == 408:
        kind, said = "timed_out", "did not answer in time"
    elif status == 500 and _NO_CONNECTION.search(words):
        kind, said = "provider_error", "could not be reached"
        hint = "check the network and the address" + (f"; {absent} is not set" if absent else "")
    else:
        kind, said = "provider_error", f"answered with error {status}"
    return CallFailed(
        f"{model} {said}: {words}" if words else f"{model} {said}",
        kind=kind,
        retryable=(status >= 500 or status in (408, 409, 425, 429)) and not spent,
        retry_after_s=parse_retry_after(_headers(error), now=datetime.now(UTC)),
        hint=hint,
    )


def _provider_words(error: Exception) -> str:
    """The first line of what the provider said, without the library's own prefixes."""
    lines = str(error).strip().splitlines()
    words = re.sub(r"^(?:\w+\.)*\w*(?:Error|Exception|Timeout): ", "", lines[0]) if lines else ""
    words = re.sub(r"^.*?\w+Exception - ", "", words)
    words = _PYTHON_OBJECT.sub("", words)
    words = scrub_secrets(words, secrets=secrets_in(os.environ)).rstrip(". ")
    return words if len(words) <= LONGEST_WORDS else f"{words[: LONGEST_WORDS - 1]}…"


def _headers(error: Exception) -> dict[str, str]:
    response = getattr(error, "response", None)
    for headers in (
        getattr(error, "litellm_response_headers", None),
        getattr(response, "headers", None),
    ):
        if headers:
            return {str(name).lower(): str(value) for name, value in headers.items()}
    return {}


def _body(error: Exception) -> str:
    return str(getattr(error, "body", "") or "")


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text.strip()) else None
