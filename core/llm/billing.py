"""What a call costs, from its tokens and the price of a million of them.

Cached prompt tokens are part of the prompt tokens, so they are taken out before the full price is
applied: none is billed twice.
"""

from dataclasses import dataclass

from core.identity import canonical_json
from core.records import Request

TOKENS_PER_MESSAGE = 16
"""Tokens a chat template adds around one message, rounded up."""


@dataclass(frozen=True)
class Prices:
    """US dollars per million tokens; cached prompt tokens cost the full price when not given."""

    prompt_usd: float
    completion_usd: float
    cached_usd: float | None = None


def call_cost_usd(
    prices: Prices, *, prompt_tokens: int, cached_tokens: int, completion_tokens: int
) -> float:
    """The price of one call in US dollars.

    Args:
        prices: per million tokens.
        prompt_tokens: all of the prompt, cached ones included.
        cached_tokens: how many of them came from the provider's cache.
        completion_tokens: all that was generated, hidden reasoning included.

    Example:
        >>> prices = Prices(prompt_usd=1.25, cached_usd=0.625, completion_usd=10)
        >>> cost = call_cost_usd(
        ...     prices, prompt_tokens=262_960, cached_tokens=257_955, completion_tokens=1_744
        ... )
        >>> round(cost, 6)
        0.184918
    """
    cached_usd = prices.prompt_usd if prices.cached_usd is None else prices.cached_usd
    fresh_tokens = prompt_tokens - cached_tokens
    millionths = (
        fresh_tokens * prices.prompt_usd
        + cached_tokens * cached_usd
        + completion_tokens * prices.completion_usd
    )
    return millionths / 1_000_000


def most_prompt_tokens(request: Request) -> int:
    """A number of tokens that the prompt cannot exceed, whatever the model's tokeniser.

    A token stands for at least one byte, so the bytes of messages and schema are a bound; real
    prompts take a third to a quarter of it.
    """
    schema = canonical_json(request.schema) if request.schema else ""
    texts = [message.content for message in request.messages]
    n_bytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in (*texts, schema))
    return n_bytes + TOKENS_PER_MESSAGE * (len(request.messages) + 1)


def worst_call_cost_usd(prices: Prices, request: Request, *, most_completion_tokens: int) -> float:
    """The most that a request can cost in US dollars: nothing cached, every token spent."""
    return call_cost_usd(
        prices,
        prompt_tokens=most_prompt_tokens(request),
        cached_tokens=0,
        completion_tokens=most_completion_tokens,
    )
