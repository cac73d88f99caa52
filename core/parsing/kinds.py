"""The kinds of reply that can be read, by the name they have on the command line."""

from collections.abc import Callable

from core.errors import InputError
from core.parsing.boxed import parse_boxed
from core.parsing.code import parse_code
from core.parsing.likelihood import parse_decision, parse_likelihood
from core.parsing.percent import parse_percent
from core.parsing.screening import parse_screening
from core.parsing.structured import parse_classification, parse_task
from core.parsing.verdict import parse_yes_no
from core.records import Reading
from core.taxonomy import LINE_OF_DUTY, Taxonomy

CLASSIFICATION = "classification"
KINDS: dict[str, Callable[..., Reading]] = {
    "task": parse_task,
    CLASSIFICATION: parse_classification,
    "screening": parse_screening,
    "boxed": parse_boxed,
    "yesno": parse_yes_no,
    "percent": parse_percent,
    "decision": parse_decision,
    "likelihood": parse_likelihood,
    "code": parse_code,
}
"""Kind → parser. Every parser takes (text, *, finish_reason, refusal) and returns a Reading."""


def parse_reply(
    kind: str,
    text: str | None,
    *,
    finish_reason: str | None = "stop",
    refusal: str | None = None,
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> Reading:
    """What a reply of the given kind says.

    Args:
        kind: a key of `KINDS`.
        text, finish_reason, refusal: the reply, as the provider returned it.
        taxonomy: the reasons that a classification can give.

    Raises:
        InputError: no such kind; the hint lists those that exist.

    Example:
        >>> parse_reply("task", '{"task": "Name a prime."}').answer
        'Name a prime.'
    """
    if kind not in KINDS:
        raise InputError(
            f"there is no kind of reply named {kind}",
            hint=f"choose one of: {', '.join(KINDS)}",
        )
    own = {"reasons": taxonomy.reason_names, "normalise": taxonomy.normalise_reason}
    options = own if kind == CLASSIFICATION else {}
    return KINDS[kind](text, finish_reason=finish_reason, refusal=refusal, **options)
