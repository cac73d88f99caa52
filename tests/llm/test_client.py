from core.errors import ModelError
from core.llm.client import CallFailed, default_models, no_answer_in_time, runs_in_selfbound
from core.settings import EMBEDDED_MODEL


def test_the_embedded_model_is_offered_first_and_needs_no_provider():
    assert default_models()[0] == EMBEDDED_MODEL
    assert runs_in_selfbound(EMBEDDED_MODEL)
    assert not runs_in_selfbound("ollama_chat/llama3.2")


def test_a_failed_call_is_a_model_error_with_its_kind_and_the_wait_asked_for():
    failed = CallFailed("slow down", kind="rate_limited", retryable=True, retry_after_s=7.0)
    assert isinstance(failed, ModelError)
    assert (failed.kind, failed.retryable, failed.retry_after_s) == ("rate_limited", True, 7.0)


def test_a_call_whose_time_is_up_may_be_tried_again():
    failed = no_answer_in_time("openai/gpt-4o", 2.5)
    assert str(failed) == "openai/gpt-4o did not answer within 2.5 s"
    assert (failed.kind, failed.retryable) == ("timed_out", True)
