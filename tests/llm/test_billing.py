import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.billing import Prices, call_cost_usd, most_prompt_tokens, worst_call_cost_usd
from core.records import Message, Request


def _request(*texts: str, schema=None) -> Request:
    messages = tuple(Message("user", text) for text in texts)
    return Request(item_id="a", model="openai/gpt-4o", messages=messages, schema=schema)


def test_cached_prompt_tokens_are_not_billed_twice():
    # 262,960 - 257,955 = 5,005 fresh at 1.25, 257,955 cached at 0.625, 1,744 out at 10:
    # 6,256.25 + 161,221.875 + 17,440 = 184,918.125 millionths of a dollar
    prices = Prices(prompt_usd=1.25, cached_usd=0.625, completion_usd=10)
    cost = call_cost_usd(
        prices, prompt_tokens=262_960, cached_tokens=257_955, completion_tokens=1_744
    )
    assert cost == pytest.approx(0.184918125, abs=1e-12)


def test_cached_tokens_cost_the_full_price_where_no_other_is_known():
    prices = Prices(prompt_usd=2, completion_usd=0)
    cost = call_cost_usd(prices, prompt_tokens=1_000, cached_tokens=900, completion_tokens=0)
    assert cost == pytest.approx(0.002)


def test_the_worst_cost_counts_every_byte_and_every_token_of_the_reply():
    # "né" is 3 bytes; 2 x 16 around one message: 35 tokens at 1 and 100 at 2 = 235 millionths
    cost = worst_call_cost_usd(
        Prices(prompt_usd=1, completion_usd=2), _request("né"), most_completion_tokens=100
    )
    assert cost == pytest.approx(235e-6)


def test_the_schema_counts_as_part_of_the_prompt():
    # {"type":"object"} is 17 bytes
    bare, held = _request("x"), _request("x", schema={"type": "object"})
    assert most_prompt_tokens(held) - most_prompt_tokens(bare) == 17


def test_half_a_surrogate_pair_can_be_counted():
    assert most_prompt_tokens(_request("\ud835")) == 3 + 32


@given(st.lists(st.text(max_size=50), max_size=4))
def test_a_prompt_never_has_more_tokens_than_counted_when_each_byte_is_one(texts):
    n_bytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    assert most_prompt_tokens(_request(*texts)) >= n_bytes
