from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from core.llm.failures import call_failure, parse_retry_after, scrub_secrets, secrets_in

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class ProviderSaid(Exception):
    """An exception as the model library raises it: a status, and words of the provider."""

    def __init__(self, status, words, headers=None, body=None):
        super().__init__(words)
        self.status_code = status
        self.litellm_response_headers = headers
        self.body = body


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect API key provided: sk-proj-abc123def456", "provided: [secret]"),
        ("sent Authorization: Bearer abc.def-ghi and failed", "sent Authorization[secret]"),
        ("header 'authorization': 'Bearer abcdef'", "authorization[secret]"),
        ("GET https://host/v1/models?alt=json&key=AbC123", "?alt=json&[secret]"),
        ("x-api-key: abcdef1234", "x-api-key[secret]"),
        ("https://ada:hunter2@proxy.example/v1", "https://[secret]proxy.example/v1"),
        ("AIzaSyA1234567890 is not valid", "[secret] is not valid"),
    ],
)
def test_a_secret_never_shows(text, shown):
    assert shown in scrub_secrets(text)


def test_the_value_of_a_key_in_the_environment_never_shows_whatever_its_shape():
    secrets = secrets_in({"ACME_API_KEY": "correct horse", "PATH": "/usr/bin", "SHORT_KEY": "us"})
    assert secrets == ("correct horse",)
    assert scrub_secrets("key 'correct horse' is wrong", secrets=secrets) == (
        "key '[secret]' is wrong"
    )


def test_ordinary_words_stay():
    text = "the basic task-based key idea: authorization failed, risk-averse"
    assert scrub_secrets(text) == text


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": format_datetime(NOON + timedelta(seconds=90), usegmt=True)}, 90.0),
        ({"retry-after": format_datetime(NOON - timedelta(seconds=90), usegmt=True)}, 0.0),
        ({"retry-after": "later"}, None),
        ({"retry-after": "-3"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(headers, wait_s):
    assert parse_retry_after(headers, now=NOON) == wait_s


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (400, "provider_error", False),
        (401, "provider_error", False),
        (403, "provider_error", False),
        (404, "provider_error", False),
        (408, "timed_out", True),
        (409, "provider_error", True),
        (422, "provider_error", False),
        (429, "rate_limited", True),
        (500, "provider_error", True),
        (503, "provider_error", True),
        (529, "provider_error", True),
    ],
)
def test_the_status_says_how_a_call_failed_and_whether_to_try_again(status, kind, retryable):
    failed = call_failure(ProviderSaid(status, "words"), model="m")
    assert (failed.kind, failed.retryable) == (kind, retryable)


def test_used_up_credit_is_not_a_rate_limit():
    error = ProviderSaid(429, "slow", body={"code": "insufficient_quota"})
    failed = call_failure(error, model="m")
    assert (failed.kind, failed.retryable) == ("provider_error", False)
    assert failed.hint == "check the account's credit with the provider"


def test_the_wait_a_provider_asks_for_is_kept():
    failed = call_failure(ProviderSaid(503, "busy", headers={"Retry-After": "12"}), model="m")
    assert failed.retry_after_s == 12.0


def test_a_missing_key_is_named():
    error = ProviderSaid(500, "litellm.InternalServerError: Missing credentials")
    failed = call_failure(error, model="acme/x", missing_keys=("ACME_API_KEY",))
    assert str(failed) == "acme/x needs ACME_API_KEY, which is not set"
    assert not failed.retryable


def test_a_lost_connection_may_be_tried_again_and_says_what_else_is_missing():
    error = ProviderSaid(500, "litellm.InternalServerError: AcmeException - Cannot connect to host")
    failed = call_failure(error, model="acme/x", missing_keys=("ACME_API_KEY",))
    assert str(failed) == "acme/x could not be reached: Cannot connect to host"
    assert failed.hint == "check the network and the address; ACME_API_KEY is not set"
    assert failed.retryable


def test_the_sentence_is_one_short_line_without_the_librarys_prefixes():
    words = "litellm.BadRequestError: OpenAIException - bad value.\nTraceback (most recent call"
    assert str(call_failure(ProviderSaid(400, words), model="m")) == (
        "m answered with error 400: bad value"
    )
    assert len(str(call_failure(ProviderSaid(400, "long " * 500), model="m"))) < 250
