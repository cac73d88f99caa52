"""A subject of contracts behind a server: varied, repeatable, and sometimes hard to understand."""

import json
import math
import random
import re
from collections.abc import Callable, Collection
from typing import Any

from tests.support.contracts import offer
from tests.support.openai_server import Answer, completion


def moody_subject(
    solved: Collection[str], *, loss_weight: float = 1.5, beta: float = 6.0, delay_s: float = 0.0
) -> tuple[Callable[[dict[str, Any]], Answer], list[str]]:
    """What answers offers, and the list of requests that were first met with an error.

    All follows from the conversation alone: likelihoods that tell a little, decisions drawn by
    the loss weight, 6 % of first replies and half of the second ones that cannot be read, and an
    error of the server in place of every fortieth conversation's first answer.
    """
    failed: list[str] = []

    def answer(request: dict[str, Any]) -> Answer:
        said = json.dumps(request["messages"])
        chance = random.Random(said)
        if chance.random() < 1 / 40 and said not in failed:
            failed.append(said)
            return Answer({"error": {"message": "overloaded"}}, status=503, delay_s=delay_s)
        is_second = "could not be read" in request["messages"][-1]["content"]
        if chance.random() < (0.5 if is_second else 0.06):
            return Answer(completion("Perhaps 70 or 80%, so YES."), delay_s=delay_s)
        name = re.findall(r"the task (\w+)", said)[-1]
        p = chance.gauss(0.55 if name in solved else 0.4, 0.2)
        percent = min(100, max(0, round(100 * p)))
        utility = percent / 100 - (1 - percent / 100) * loss_weight
        accepts = chance.random() < 1 / (1 + math.exp(-beta * utility))
        text = offer(percent, "YES" if accepts else "NO")
        return Answer(completion(text), delay_s=delay_s)

    return answer, failed
