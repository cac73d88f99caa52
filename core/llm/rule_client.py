"""A client for the judge that is no model: what it replies follows from the call's context."""

from collections.abc import Callable, Mapping
from typing import Any

from core.records import Reply, Request
from core.settings import RULE_JUDGE


class RuleClient:
    """Replies by a written rule, at once, without a call and without cost.

    Args:
        rule: from what is known of a call to the reply's text.
    """

    def __init__(self, rule: Callable[[Mapping[str, Any]], str]) -> None:
        self._rule = rule

    async def ask(self, request: Request, *, timeout_s: float) -> Reply:
        """What the rule says of the request's context; the messages are not read."""
        return Reply(
            text=self._rule(request.context), model=RULE_JUDGE, finish_reason="stop", cost_usd=0.0
        )

    def worst_cost_usd(self, request: Request) -> float:
        """0.0: a rule costs nothing."""
        return 0.0

    async def close(self) -> None:
        """Nothing; there is nothing to give back."""
